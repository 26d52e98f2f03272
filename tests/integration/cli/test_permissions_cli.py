"""People allow later calls at a terminal, see what they allowed, and take it back."""

import msgspec
import pytest
from tests.actors import AgentVoice, PersonVoice
from tests.integration.cli.command_line import alone, at_a_terminal
from tests.running_system import PASSWORD, Road
from tests.waiting import eventually

from holdpoint.cli.output import ExitCode
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Status

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

PROMPT = "Password of ann: "


def listed_of(road: Road, card: Card) -> str:
    """The id of the permission that came with ann's yes, once it is listed right."""
    listed = alone(road.settings, "permissions", "list", "--agent", "robot", "--json")
    lines = [msgspec.json.decode(it) for it in listed.out.splitlines()]
    line = next(it for it in lines if it["permission"]["hold_id"] == card.hold_id)
    assert (line["agent"], line["left"], line["permission"]["by"]) == ("robot", 4, "ann")
    permission = str(line["permission"]["permission_id"])
    told = alone(road.settings, "permissions", "list")
    assert f"{permission}  robot  {card.title}  (1 of 5 used, until " in told.out
    return permission


async def test_a_yes_with_remember_is_listed_and_taken_back(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    sql = f"UPDATE {road.table(3)} SET status = 'new' WHERE id = 1"
    asked = {"database": "crm", "sql": sql}
    card = await ann.card((await robot.pending(await robot.propose("execute_sql", asked))).hold_id)
    words = ("proceed", card.hold_id, "--remember", "5", "--for", "2d", "--as", "ann")

    with at_a_terminal(road.settings, *words) as screen:
        dialog = screen.sees(PROMPT)
        screen.answers(PROMPT, PASSWORD)
        assert screen.ended().code is ExitCode.OK.value
    assert "robot may then do without asking: exactly this action, 5 times, for 2d." in dialog

    async def runs() -> bool:
        call = await robot.propose("execute_sql", asked)
        told = await robot.hears(call, Status.DONE, Status.PENDING_CONFIRMATION)
        return told.status is Status.DONE

    assert await eventually(runs)
    permission = listed_of(road, card)
    revoke = ("permissions", "revoke", permission, "--reason", "It is over.", "--as", "ann")
    with at_a_terminal(road.settings, *revoke) as screen:
        screen.answers(PROMPT, PASSWORD)
        ended = screen.ended()

    assert (ended.code, "robot asks again" in ended.out) == (ExitCode.OK.value, True)
    await robot.pending(await robot.propose("execute_sql", asked))
    gone = alone(road.settings, *revoke)
    assert (gone.code, "There is no permission" in gone.err) == (ExitCode.FAILED.value, True)


@pytest.mark.parametrize(
    "options",
    [
        ("--limit", "path^=/tmp/"),
        ("--remember", "2", "--limit", "path"),
        ("--remember", "2", "--for", "31d"),
        ("--remember", "2", "--for", "soon"),
    ],
)
def test_options_that_make_no_sense_are_refused_before_anything_is_read(
    road: Road, options: tuple[str, ...]
) -> None:
    ended = alone(road.settings, "proceed", "x", "--as", "ann", *options)
    assert ended.code is ExitCode.USAGE.value
