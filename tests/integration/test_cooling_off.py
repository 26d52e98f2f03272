"""A yes that cools off: it is let go when it has, whatever was lost meanwhile."""

from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
import pytest
from tests.actors import Guests
from tests.running_system import LONG_S, running
from tests.waiting import eventually

from holdpoint.messages.envelope import Status
from holdpoint.messages.subjects import TIMERS, stream

pytestmark = [pytest.mark.nats, pytest.mark.slow]

COOLS_S = 4


def cooling(policy: str) -> str:
    """The shipped policy, but a yes waits for four seconds."""
    return policy.replace("proofs: [chat]", f"proofs: [chat]\n    cooling_off_s: {COOLS_S}")


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
