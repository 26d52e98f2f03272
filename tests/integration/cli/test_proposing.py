"""Developers propose, look and take back from a shell; the exit code never says yes by mistake."""

import os
import signal
from typing import Any

import msgspec
import pytest
from tests.actors import AgentVoice, PersonVoice
from tests.integration.cli.command_line import alone, at_a_terminal
from tests.integration.ledger_files import asked
from tests.running_system import LONG_S, TENANT, Road, fresh
from tests.waiting import eventually

from holdpoint.cli.output import ExitCode
from holdpoint.ledger.history import cycles_of
from holdpoint.ledger.queries import holds_beginning

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

AS = ("--as", "robot", "--json")


def sql(table: str) -> tuple[str, str]:
    return "--arg", f"sql=DELETE FROM {table} WHERE status = 'stale'"


def test_what_passes_ends_with_zero(road: Road) -> None:
    ended = alone(road.settings, "call", "list_directory", "--arg", "path=.", *AS)

    assert ended.code is ExitCode.OK.value, ended
    assert msgspec.json.decode(ended.out)["status"] == "done"


@pytest.mark.slow
async def test_a_call_is_a_cycle_that_can_be_shown_and_drawn(road: Road) -> None:
    (road.scratch / (folder := fresh("folder"))).mkdir()
    typed = f'list_directory {{"path":"{folder}"}}'
    ended = alone(road.settings, "call", "list_directory", "--arg", f"path={folder}", *AS)
    told = msgspec.json.decode(ended.out)

    async def is_closed() -> bool:
        cycles = asked(road.settings.ledger_url, lambda it: cycles_of(it, TENANT, "robot"))
        mine = [it for it in cycles if it.input == {"text": typed}]
        assert len(mine) == 1
        cycle = mine[0]
        assert cycle.output == {"text": told["message_for_user"]}
        assert [(it.fn, it.output) for it in cycle.children] == [("list_directory", told["data"])]
        return True

    await eventually(is_closed)
    words = ("audit", "history", "robot")
    derived = msgspec.json.decode(alone(road.settings, *words, "--h1", "--json").out)
    one = [typed, {"path": folder}, told["data"], told["message_for_user"]]
    assert one in derived
    shown = msgspec.json.decode(alone(road.settings, *words, "--last", "1", "--json").out)
    assert [set(it) >= {"input", "output", "children", "exception"} for it in shown] == [True]
    assert alone(road.settings, *words, "--svg").out.startswith("<svg ")
    assert alone(road.settings, *words, "--mermaid").out.startswith("graph TD")
    assert alone(road.settings, *words, "--h", "--svg").code is ExitCode.USAGE.value


def test_what_came_from_untrusted_content_waits(road: Road) -> None:
    words = ("call", "create_file", "--arg", f"path={fresh('n')}.txt", "--no-wait", *AS)

    assert alone(road.settings, *words, "--taint", "/path").code is ExitCode.UNDECIDED.value
    assert alone(road.settings, *words, "--taint-source", "mail").code is ExitCode.UNDECIDED.value
    for slip in (("--taint", "path"), ("--taint", "/nowhere"), ("--taint-source", " ")):
        assert alone(road.settings, *words, *slip).code is ExitCode.USAGE.value, slip


@pytest.mark.slow
async def test_a_dispatch_is_answered_from_a_shell_and_its_chain_stands_on_the_card(
    road: Road, ann: PersonVoice
) -> None:
    def told(*words: str) -> dict[str, Any]:
        return dict(msgspec.json.decode(alone(road.settings, *words, "--json").out))

    query = ("--arg", "target_agent=refund-agent", "--arg", "query=List the folder")
    opened = told("call", "dispatch", *query, "--as", "planner", "--no-wait")
    assert opened["status"] == "approved"
    under = ("--as", "refund-agent", "--dispatched-by", opened["hold_id"])
    slip = alone(road.settings, "call", "execute_sql", "--arg", "query=SELECT 1", *under)
    assert slip.code is ExitCode.FAILED.value
    assert told("outcome", opened["hold_id"], "--as", "planner")["status"] == "approved"
    words = ("call", "execute_sql", *sql(road.table(1)), "--arg", "database=crm", "--no-wait")
    card = await ann.card(told(*words, *under)["hold_id"])
    assert " → ".join(card.chain) == "user → planner → refund-agent → execute_sql"

    async def is_ended() -> bool:
        ended = told("outcome", opened["hold_id"], "--as", "planner")
        assert ended["status"] == "done"
        assert f"execute_sql (hold {card.hold_id}): pending confirmation" in ended["formatted"]
        return True

    await eventually(is_ended)
    await ann.cancel(card)


async def test_what_waits_is_no_success(road: Road, ann: PersonVoice) -> None:
    table = road.table(500)
    words = ("call", "execute_sql", *sql(table), "--arg", 'database:="crm"', "--no-wait", *AS)

    ended = alone(road.settings, *words, "--reasoning", "They are stale.")

    hold_id = msgspec.json.decode(ended.out)["hold_id"]
    assert ended.code is ExitCode.UNDECIDED.value
    assert (await ann.card(hold_id)).ui.message == "They are stale."
    waits = alone(road.settings, "outcome", hold_id, *AS[:2])
    assert waits.code is ExitCode.UNDECIDED.value
    assert " ".join(waits.out.split()).endswith(f"holdpoint outcome {hold_id} --as {AS[1]}")
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
    assert "Status        passed: nobody had to be asked" in ended.out


def test_programs_still_read_that_a_harmless_sentence_is_confirmed(road: Road) -> None:
    ended = alone(road.settings, "say", "I will read the notes now.", *AS)

    assert msgspec.json.decode(ended.out)["status"] == "confirmed"


def test_a_sentence_that_was_said_before_is_not_told_as_passed(road: Road) -> None:
    words = ("say", "I will read the notes now.", "--key", fresh("key"), "--as", "robot")

    assert "Status        confirmed" in alone(road.settings, *words).out


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


def usage(road: Road, *words: str) -> str:
    ended = alone(road.settings, "call", *words, *AS)

    assert ended.code is ExitCode.USAGE.value, ended
    text: str = msgspec.json.decode(ended.err)["error"]["text"]
    return text


@pytest.mark.parametrize("key", ["", "x" * 129, "ké"])
def test_a_key_that_is_none_is_refused(key: str, road: Road) -> None:
    told = usage(road, "list_directory", "--arg", "path=.", "--key", key)

    assert "A key has 1 to 128 printable ASCII characters." in told


def test_an_argument_without_its_option_is_told_how_it_is_given(road: Road) -> None:
    told = usage(road, "read_file", "path=notes.txt")

    assert "'path=notes.txt' belongs to no option" in told
    assert "--arg NAME=TEXT" in told


def test_an_argument_that_is_given_in_both_ways_is_refused(road: Road) -> None:
    told = usage(road, "read_file", "--json-args", '{"path": "a"}', "--arg", "path=b")

    assert "path is in --json-args too" in told


def test_an_agent_that_does_not_exist_is_told(road: Road) -> None:
    ended = alone(road.settings, "say", "Hello.", "--as", "ghost")

    assert ended.code is ExitCode.NOT_FOUND.value
    assert "There is no agent ghost" in ended.err
    assert "robot" in ended.err


def test_which_agent_must_be_clear(road: Road) -> None:
    assert alone(road.settings, "say", "Hello.").code is ExitCode.USAGE.value


@pytest.mark.slow
@pytest.mark.parametrize("asks", ["outcome", "withdraw"])
async def test_a_hold_of_nobody_or_of_another_agent_is_not_found(
    asks: str, road: Road, robot: AgentVoice
) -> None:
    theirs = (await robot.pending(await robot.say("Should I delete all users?"))).hold_id

    for hold_id in (theirs, "no.id.at.all" * 3):
        ended = alone(road.settings, asks, hold_id, "--as", "rival", "--json")

        assert ended.code is ExitCode.NOT_FOUND.value, ended
        assert msgspec.json.decode(ended.err)["error"]["code"] == "unknown_hold"


async def test_a_beginning_names_a_hold_of_this_agent_only(road: Road, robot: AgentVoice) -> None:
    hold_id = (await robot.pending(await robot.say("Should I delete all users?"))).hold_id

    async def in_the_ledger() -> bool:
        return hold_id in road.ledger(lambda it: holds_beginning(it, hold_id[:12], "robot"))

    await eventually(in_the_ledger, LONG_S)
    ours = alone(road.settings, "outcome", hold_id[:12].upper(), *AS)
    theirs = alone(road.settings, "outcome", hold_id[:12], "--as", "rival", "--json")
    short = alone(road.settings, "outcome", hold_id[:3], *AS)
    whose = alone(road.settings, "outcome", hold_id[:12], "--json")

    assert msgspec.json.decode(ours.out)["hold_id"] == hold_id
    assert msgspec.json.decode(whose.out)["hold_id"] == hold_id
    assert theirs.code is ExitCode.NOT_FOUND.value
    assert short.code is ExitCode.USAGE.value


async def test_who_waits_hears_at_once_what_waits_and_how_to_come_back(
    road: Road, ann: PersonVoice
) -> None:
    table = road.table(500)
    words = ("call", "execute_sql", *sql(table), "--arg", "database=crm", "--as", "robot")

    with at_a_terminal(road.settings, *words) as waiting:
        first = await waiting.warned(0)
        hold_id = first.split()[1]
        second = await waiting.warned(1)
        await ann.proceed(await ann.card(hold_id))
        ended = waiting.ended()

    assert first.startswith(f"Hold {hold_id} waits for operators until 20")
    assert f"Delete 500 rows in crm.{table}" in first
    assert f"holdpoint outcome {hold_id} --as robot" in second
    assert ended.code is ExitCode.OK.value


async def test_who_stops_waiting_hears_what_became_of_it(road: Road) -> None:
    words = ("say", "I will delete all users in production.", *AS)

    with at_a_terminal(road.settings, *words) as waiting:
        told = msgspec.json.decode(await waiting.warned(0))
        os.kill(waiting.process.pid, signal.SIGINT)
        ended = waiting.ended()

    waits = told["waits"]
    assert waits["asked"] == ["operators"]
    assert waits["come_back"] == f"holdpoint outcome {waits['hold_id']} --as robot"
    assert ended.code is ExitCode.INTERRUPTED.value
    error = msgspec.json.decode(ended.err.splitlines()[-1])["error"]
    assert error["code"] == "interrupted"
    assert waits["come_back"] in error["text"]
    stands = msgspec.json.decode(alone(road.settings, "outcome", waits["hold_id"], *AS).out)
    assert stands["status"] == "withdrawn"


@pytest.mark.parametrize(
    "words",
    [
        ("--json-args", '{"path": ".", "path": "/"}'),
        ("--json-args", '{"path": NaN}'),
        ("--arg", "path=.", "--arg", "path=/"),
        ("--arg", 'path:={"a": 1, "a": 2}'),
    ],
)
def test_arguments_that_two_readers_read_differently_are_a_usage_error(
    words: tuple[str, ...], road: Road
) -> None:
    ended = alone(road.settings, "call", "list_directory", *words, *AS)

    assert ended.code is ExitCode.USAGE.value
    assert msgspec.json.decode(ended.err)["error"]["code"] == "usage"


def test_a_missing_argument_is_named(road: Road) -> None:
    ended = alone(road.settings, "call", "execute_sql", "--arg", "database=crm", *AS)

    assert "`sql` is missing" in msgspec.json.decode(ended.err)["error"]["text"]


def test_an_empty_sentence_says_nothing(road: Road) -> None:
    ended = alone(road.settings, "say", " ", *AS)

    assert ended.code is ExitCode.FAILED.value
    assert msgspec.json.decode(ended.err)["error"]["code"] == "empty_text"
