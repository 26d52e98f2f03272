"""Nobody is asked about what cannot run: its sender hears at once why."""

import pytest
from sqlalchemy import select
from tests.actors import AgentVoice, Guests
from tests.running_system import Road
from tests.waiting import eventually

from holdpoint.ledger.tables import bodies, events
from holdpoint.messages.codec import message_in
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Refused
from holdpoint.messages.subjects import TYPES

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        ("execute_sql", {"database": "crm", "sql": "SELEC"}, "This is no INSERT"),
        ("execute_sql", {"database": "crm", "sql": "DELETE FROM ("}, "cannot be parsed"),
        ("execute_sql", {"database": "nowhere", "sql": "DELETE FROM t"}, "no database"),
        ("execute_sql", {"database": "crm", "sql": "DELETE FROM t; DROP TABLE t"}, "One statement"),
        ("execute_sql", {"database": "crm", "sql": "DELETE FROM t WHERE id = :id"}, "has no value"),
        ("query_database", {"database": "crm", "sql": "DELETE FROM leads"}, "Only a SELECT"),
    ],
)
async def test_what_cannot_run_is_refused_instead_of_asked(
    robot: AgentVoice, tool: str, arguments: dict[str, str], why: str
) -> None:
    sent = await robot.propose(tool, arguments)

    told = await robot.hears(sent, Status.REFUSED)

    assert told.code == "cannot_run"
    assert why in told.reason


@pytest.mark.parametrize(
    ("tool", "argument", "text"),
    [
        ("run_command", "command", "rm -r old\0"),
        ("run_command", "command", "ls\n\0\n"),
        ("list_directory", "path", "a\0b"),
        ("read_file", "path", "\0"),
        ("create_file", "path", "a\0"),
    ],
)
async def test_a_nul_is_refused_at_once_and_stands_in_the_ledger(
    robot: AgentVoice, road: Road, tool: str, argument: str, text: str
) -> None:
    sent = await robot.propose(tool, {argument: text})

    told = await robot.hears(sent, Status.REFUSED)

    assert told.code == "bad_arguments"
    assert f"{argument}: it holds a NUL" in told.reason

    async def entered() -> bool:
        return f"CALLS@robot:{sent.seq}" in _refused(road)

    await eventually(entered)


def _refused(road: Road) -> set[str]:
    """The calls that were refused, as the ledger has it."""
    asked = select(bodies.c.body).join(events).where(events.c.type == TYPES[Refused])
    rows = road.ledger(lambda it: it.execute(asked).all())
    return {message_in(row.body, Refused).cause for row in rows}


async def test_what_can_run_runs_after_it(robot: AgentVoice, road: Road) -> None:
    table = road.table(3)
    sql = f"SELECT count(*) AS n FROM {table}"

    sent = await robot.propose("query_database", {"database": "crm", "sql": sql})

    assert (await robot.hears(sent, Status.DONE)).data["rows"] == [[3]]


async def test_who_may_not_call_it_is_denied_and_learns_nothing(
    guests: Guests,
) -> None:
    reader = await guests.agent("reader")

    sent = await reader.propose("execute_sql", {"database": "crm", "sql": "SELEC"})

    assert (await reader.hears(sent, Status.DENIED)).code == "denied"
