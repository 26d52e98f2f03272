"""The running system with its ledger in PostgreSQL, which goes away while people work."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.actors import AgentVoice, Guests, PersonVoice
from tests.postgres import MissingPostgresError, Postgres, postgres
from tests.running_system import LONG_S, Road, running
from tests.waiting import eventually
from typer.testing import CliRunner

from holdpoint.audit.verify import verify
from holdpoint.cli.commands.audit import audit
from holdpoint.messages.envelope import Status
from holdpoint.runtime.security.keys import Keyset

pytestmark = [pytest.mark.nats, pytest.mark.slow]


@pytest.fixture
async def server() -> AsyncIterator[Postgres]:
    try:
        with postgres("fsync=off") as server:
            yield server
    except MissingPostgresError as error:
        pytest.skip(str(error))


async def test_a_database_that_goes_away_and_comes_back_has_lost_nothing(
    server: Postgres, tmp_path: Path
) -> None:
    async with running(tmp_path, ledger_url=server.url) as road, AsyncExitStack() as stack:
        guests = Guests(road=road, stack=stack)
        robot, ann = await guests.agent("robot"), await guests.person("ann")
        first = await _confirmed(road, robot, ann)
        await road.ended(first, LONG_S)
        with server.stopped():
            second = await _confirmed(road, robot, ann)
        third = await _confirmed(road, robot, ann)
        for hold_id in (second, third):
            await road.ended(hold_id, LONG_S)

        await eventually(lambda: _is_whole(road), LONG_S)
        for hold_id in (first, second, third):
            words = ["query", "--hold", hold_id, "--ledger", server.url]
            shown = CliRunner().invoke(audit, words, env={"COLUMNS": "200"})
            assert shown.exit_code == 0
            assert "finished" in shown.output


async def _confirmed(road: Road, robot: AgentVoice, ann: PersonVoice) -> str:
    """Have a call stopped, confirmed and carried out; returns its hold."""
    sql = f"DELETE FROM {road.table(500)} WHERE status = 'stale'"  # our table
    call = await robot.propose("execute_sql", {"database": "crm", "sql": sql})
    await ann.proceed(await ann.card((await robot.pending(call)).hold_id))
    return (await robot.hears(call, Status.DONE)).hold_id


async def _is_whole(road: Road) -> bool:
    report = verify(road.settings.ledger_url, keyset=Keyset(road.settings.keys_dir))
    assert (report.problems, report.signatures_not_verified) == ((), "")
    return report.events > 0
