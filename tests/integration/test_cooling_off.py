"""A yes that cools off: it is let go when it has, whatever was lost meanwhile."""

from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
import pytest
from tests.actors import Guests
from tests.running_system import LONG_S, cooling_for, running
from tests.waiting import eventually

from holdpoint.messages.envelope import Status
from holdpoint.messages.subjects import TIMERS, stream
from holdpoint.runtime.process import clock

pytestmark = [pytest.mark.nats, pytest.mark.slow]

COOLS_S = 4


def cooling(policy: str) -> str:
    """The shipped policy, but a yes waits for four seconds."""
    return cooling_for(COOLS_S)(policy)


@pytest.mark.parametrize("lost", [False, True])
async def test_what_cooled_off_goes_on_though_its_alarm_is_lost(tmp_path: Path, lost: bool) -> None:
    async with running(tmp_path, cooling, own={}) as road, AsyncExitStack() as stack:
        guests = Guests(road=road, stack=stack)
        robot, ann, eyes = await guests.agent(), await guests.person("ann"), await guests.eyes()
        mark, call = await robot.command()
        card = await ann.card((await robot.pending(call)).hold_id)
        await ann.proceed(card)
        await ann.card(card.hold_id, "resolved")
        assert road.runs_of(mark) == 0

        async def alarms() -> bool:
            subject = f"$JS.API.STREAM.PURGE.{stream('acme', TIMERS)}"
            reply = await eyes.client.request(subject, b"", timeout=5)
            return bool(msgspec.json.decode(reply.data)["purged"])

        if lost:
            assert await eventually(alarms)
        told = await robot.hears(call, Status.DONE, within_s=LONG_S + COOLS_S)

        assert told.status is Status.DONE
        assert road.runs_of(mark) == 1


async def test_one_second_before_the_end_it_is_stopped(tmp_path: Path) -> None:
    async with running(tmp_path, cooling, own={}) as road, AsyncExitStack() as stack:
        guests = Guests(road=road, stack=stack)
        robot, ann, ben = (
            await guests.agent(),
            await guests.person("ann"),
            await guests.person("ben"),
        )
        mark, call = await robot.command()
        card = await ann.card((await robot.pending(call)).hold_id)
        await ann.proceed(card)
        cools = await ben.card(card.hold_id, "resolved")
        ends_at = cools.cools_off_until
        assert ends_at is not None
        assert cools.labels["cancel"] == "Stop"

        async def is_the_last_second() -> bool:
            return (ends_at - clock.now()).total_seconds() <= 1

        assert await eventually(is_the_last_second)
        stopped = await ben.cancel(cools, "It is Friday.")

        assert stopped.status is Status.CANCELLED
        told = await robot.hears(call, Status.CANCELLED)
        assert told.reason == "It is Friday."
        over = await ben.card(card.hold_id, "resumed")
        assert (over.cools_off_until, over.closed_by) == (None, "ben")
        assert road.runs_of(mark) == 0
        row = await road.ended(card.hold_id)
        assert row.resumed is False
        assert [it for it in road.exceptions() if it.hold_id == card.hold_id] == []
