"""A service whose clock is an hour wrong: whatever it does, nothing runs without a yes.

The time that counts is the broker's. A wrong clock refuses or delays, and what waited goes on once
it is right again.
"""

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.actors import AgentVoice, Call, Guests, PersonVoice
from tests.running_system import LONG_S, Road, cooling_for, fresh, running
from tests.waiting import eventually

from holdpoint.messages.answer import Choice
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Resumed
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import clock

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


DAY_S = 24 * 60 * 60
SEVERAL_LOOKS_S = 25.0
"""The gate's safety net looks at what cools off within this time."""


@pytest.fixture
async def cooling(tmp_path: Path) -> AsyncIterator[Road]:
    """A road on which each yes cools off for a day."""
    async with running(tmp_path, cooling_for(DAY_S), own={}) as road:
        yield road


@pytest.mark.parametrize("shift", ["+25h", "-25h"])
@pytest.mark.parametrize(
    "shifted", [("gate",), ("worker-database",), ("gate", "worker-database")], ids="+".join
)
async def test_what_cools_off_for_a_day_never_runs_early_whatever_clocks_say(
    cooling: Road, monkeypatch: pytest.MonkeyPatch, shifted: tuple[str, ...], shift: str
) -> None:
    async with AsyncExitStack() as stack:
        guests = Guests(road=cooling, stack=stack)
        robot, ann, eyes = await guests.agent(), await guests.person(), await guests.eyes()
        table = cooling.table(ROWS)
        call = await asked(robot, table)
        await answered(robot, ann, call, Choice.PROCEED)
        hold = (await robot.hears(call, Status.APPROVED)).hold_id
        for service in shifted:
            if shift.startswith("-"):  # before its key was made: it does not start
                with pytest.raises(SetupError, match=r"No key is valid"):
                    await start_anew(cooling, service, monkeypatch, shift)
            else:
                await start_anew(cooling, service, monkeypatch, shift)
        until = clock.monotonic() + SEVERAL_LOOKS_S

        async def looked_often() -> bool:
            assert not any(isinstance(it, Resumed) for it in await eyes.facts(hold))
            assert cooling.rows(table) == ROWS
            return clock.monotonic() > until

        await eventually(looked_often, 2 * SEVERAL_LOOKS_S)
        for service in shifted:
            await start_anew(cooling, service, monkeypatch)
        await ann.cancel(await ann.card(hold, "resolved"))
        assert (await robot.hears(call, Status.CANCELLED)).hold_id == hold
        assert cooling.rows(table) == ROWS


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
