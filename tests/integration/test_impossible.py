"""Nobody is asked about what cannot run: its sender hears at once why."""

import pytest
from tests.road import AgentVoice, Guests
from tests.running import Road

from holdpoint.messages.envelope import Status

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.road_fixtures",)


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
