"""A service whose clock is an hour wrong: whatever it does, nothing runs without a yes.

The time that counts is the broker's. A wrong clock refuses or delays, and what waited goes on once
it is right again.
"""

import os
from pathlib import Path

import pytest
from tests.actors import AgentVoice, Call, Guests, PersonVoice
from tests.running_system import LONG_S, Road, fresh
from tests.waiting import eventually

from holdpoint.messages.answer import Choice
from holdpoint.messages.envelope import Status
from holdpoint.runtime.errors import SetupError

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures",)

LIBRARY = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
ROWS = 500


@pytest.fixture(autouse=True)
def _a_library_for_wrong_clocks() -> None:
    if LIBRARY is None:
        missing = "these tests need Debian's libfaketime: .ci/system-packages installs it"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(missing)


async def start_anew(
    road: Road, service: str, monkeypatch: pytest.MonkeyPatch, clock: str = "+0"
) -> None:
    """Kill this service, and start it with a clock that is wrong by so much."""
    road.supervisor.kill(service)
    with monkeypatch.context() as changed:
        changed.setenv("LD_PRELOAD", str(LIBRARY))
        changed.setenv("FAKETIME", clock)
        changed.setenv("FAKETIME_DONT_FAKE_MONOTONIC", "1")
        road.supervisor.start(service)
    await road.supervisor.ready(service)


async def asked(robot: AgentVoice, table: str) -> Call:
    """A call that people are asked about; said again when its worker was too busy for a dry run."""
    sql = f"DELETE FROM {table} WHERE status = 'stale'"  # ours
    key = fresh("key")

    async def taken() -> Call:
        call = await robot.propose("execute_sql", {"database": "crm", "sql": sql}, key=key)
        told = await robot.hears(call, Status.PENDING_CONFIRMATION, Status.REFUSED)
        assert told.status is Status.PENDING_CONFIRMATION, told.reason
        return call

    return await eventually(taken, LONG_S)


async def answered(robot: AgentVoice, person: PersonVoice, call: Call, choice: Choice) -> None:
    card = await person.card((await robot.pending(call)).hold_id)
    await person.heard(card, await person.answer(card, choice))


@pytest.mark.parametrize("service", ["gate", "worker-database", "audit"])
async def test_an_hour_fast_lets_nothing_run_that_nobody_confirmed(
    own: Road, visitors: Guests, service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    robot, ann = await visitors.agent("robot"), await visitors.person("ann")
    refused, unanswered, confirmed = own.table(ROWS), own.table(ROWS), own.table(ROWS)
    await start_anew(own, service, monkeypatch, "+1h")
    calls = [await asked(robot, table) for table in (refused, unanswered, confirmed)]
    await answered(robot, ann, calls[0], Choice.CANCEL)
    await answered(robot, ann, calls[2], Choice.PROCEED)
    yes = await robot.hears(calls[2], Status.APPROVED, Status.DONE, Status.LAPSED)
    assert (await own.ended(yes.hold_id)).resumed  # this gate wrote the grant, no later one

    assert (own.rows(refused), own.rows(unanswered)) == (ROWS, ROWS)

    await start_anew(own, service, monkeypatch)
    await answered(robot, ann, calls[1], Choice.PROCEED)
    await robot.hears(calls[1], Status.DONE)
    if service == "gate":  # its grant begins in an hour, and lapses in a quarter of one
        await robot.hears(calls[2], Status.APPROVED, Status.LAPSED)
        assert own.rows(confirmed) == ROWS
    else:
        await robot.hears(calls[2], Status.DONE)
    assert (own.rows(refused), own.rows(unanswered)) == (ROWS, 0)


@pytest.mark.parametrize("service", ["gate", "worker-database"])
async def test_an_hour_slow_has_no_key_and_does_not_start(
    own: Road, visitors: Guests, service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    robot, ann = await visitors.agent("robot"), await visitors.person("ann")
    table = own.table(ROWS)
    call = await asked(robot, table)

    with pytest.raises(SetupError, match=r"No key is valid .*this machine's clock"):
        await start_anew(own, service, monkeypatch, "-1h")
    assert own.rows(table) == ROWS

    await start_anew(own, service, monkeypatch)
    await answered(robot, ann, call, Choice.PROCEED)
    await robot.hears(call, Status.DONE)
    assert own.rows(table) == 0
