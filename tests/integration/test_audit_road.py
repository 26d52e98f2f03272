"""On the running road: what people really answered is no exception, and the keys confirm it all."""

import pytest
from tests.actors import AgentVoice, PersonVoice
from tests.running_system import LONG_S, Road
from tests.waiting import eventually

from holdpoint.audit.verify import Report, verify
from holdpoint.ledger.exceptions import answer_missing
from holdpoint.messages.envelope import Status
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.keys import Keyset

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)


@pytest.mark.slow
async def test_real_answers_are_found_and_real_signatures_are_good(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    yes, no = [
        await robot.propose(
            "execute_sql",
            {
                "database": "crm",
                "sql": f"DELETE FROM {road.table(500)} WHERE status = 'stale'",
            },  # ours
        )
        for _ in range(2)
    ]
    await ann.proceed(await ann.card((await robot.pending(yes)).hold_id))
    await ann.cancel(await ann.card((await robot.pending(no)).hold_id))
    done = await robot.hears(yes, Status.DONE)
    cancelled = await robot.hears(no, Status.CANCELLED)
    await road.ended(done.hold_id)
    await road.ended(cancelled.hold_id)

    await eventually(lambda: _nothing_missing(road, {done.hold_id, cancelled.hold_id}))
    report = await eventually(lambda: _quiet(road), LONG_S)
    assert (report.problems, report.signatures_not_verified) == ((), "")


async def _nothing_missing(road: Road, holds: set[str]) -> bool:
    """Of these holds: other tests forge some on the same road."""
    found = road.ledger(lambda it: answer_missing(it, clock.now()))
    return not any(each.hold_id in holds for each in found)


async def _quiet(road: Road) -> Report:
    report = verify(road.settings.ledger_url, keyset=Keyset(road.settings.keys_dir))
    assert report.problems == ()
    return report
