"""Developers propose, look and take back from a shell; the exit code never says yes by mistake."""

import msgspec
import pytest
from tests.integration.cli.typed import alone
from tests.road import PersonVoice
from tests.running import Road, fresh

from holdpoint.cli.output import ExitCode

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.road_fixtures",)

AS = ("--as", "robot", "--json")


def sql(table: str) -> tuple[str, str]:
    return "--arg", f"sql=DELETE FROM {table} WHERE status = 'stale'"


def test_what_passes_ends_with_zero(road: Road) -> None:
    ended = alone(road.settings, "call", "list_directory", "--arg", "path=.", *AS)

    assert ended.code is ExitCode.OK.value, ended
    assert msgspec.json.decode(ended.out)["status"] == "done"


async def test_what_waits_is_no_success(road: Road, ann: PersonVoice) -> None:
    table = road.table(500)
    words = ("call", "execute_sql", *sql(table), "--arg", 'database:="crm"', "--no-wait", *AS)

    ended = alone(road.settings, *words, "--reasoning", "They are stale.")

    hold_id = msgspec.json.decode(ended.out)["hold_id"]
    assert ended.code is ExitCode.UNDECIDED.value
    assert (await ann.card(hold_id)).ui.message == "They are stale."
    assert alone(road.settings, "outcome", hold_id, *AS).code is ExitCode.UNDECIDED.value
    assert alone(road.settings, "withdraw", hold_id, *AS).code is ExitCode.OK.value
    assert alone(road.settings, "outcome", hold_id, *AS).code is ExitCode.FAILED.value
    assert road.rows(table) == 500


def test_the_same_key_is_the_same_call(road: Road) -> None:
    words = (
        "call",
        "create_file",
        "--json-args",
        f'{{"path": "{fresh("n")}.txt", "content": "x"}}',
    )
    key = ("--key", fresh("key"))

    first, second = (alone(road.settings, *words, *key, *AS) for _ in range(2))

    assert [msgspec.json.decode(each.out)["status"] for each in (first, second)] == [
        "done",
        "already_processed",
    ]


def test_a_denied_call_fails(road: Road) -> None:
    words = ("call", "run_command", "--arg", "command=rm -rf /", "--as", "reader")

    ended = alone(road.settings, *words)

    assert ended.code is ExitCode.FAILED.value
    assert "Status        denied" in ended.out


def test_a_call_that_does_not_count_is_told_with_its_code(road: Road) -> None:
    ended = alone(road.settings, "call", "no_such_tool", *AS)

    assert ended.code is ExitCode.FAILED.value
    assert ended.err or "refused" in ended.out or "denied" in ended.out


def test_a_harmless_sentence_may_go_on(road: Road) -> None:
    ended = alone(road.settings, "say", "I will read the notes now.", "--as", "robot")

    assert ended.code is ExitCode.OK.value, ended
    assert "Status        confirmed" in ended.out


def test_after_a_timeout_it_stays_open(road: Road) -> None:
    words = ("say", "I will delete all users in production.", "--timeout", "1")

    ended = alone(road.settings, *words, *AS)

    assert ended.code is ExitCode.UNDECIDED.value
    assert msgspec.json.decode(ended.out)["status"] == "pending_confirmation"


@pytest.mark.parametrize("arg", ["path", "=x", ":=1", "path:={"])
def test_an_argument_that_cannot_be_read_is_a_usage_error(arg: str, road: Road) -> None:
    ended = alone(road.settings, "call", "read_file", "--arg", arg, *AS)

    assert ended.code is ExitCode.USAGE.value
    assert msgspec.json.decode(ended.err)["error"]["code"] == "usage"


def test_which_agent_must_be_clear(road: Road) -> None:
    assert alone(road.settings, "say", "Hello.").code is ExitCode.USAGE.value
