"""People's attention: few open holds of an agent at a time, and each action once."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
from tests.actors import AgentVoice, Call, Guests, PersonVoice
from tests.running_system import Road, fresh, running

from holdpoint.client import Holdpoint
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import ASKED_ALREADY, Envelope, Status

pytestmark = [pytest.mark.nats, pytest.mark.slow]


def two_at_a_time(policy: str) -> str:
    return policy + "\nmost_open: 2\n"


@pytest.fixture(scope="module")
def road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    with asyncio.Runner() as runner:
        world = running(tmp_path_factory.mktemp("attention"), two_at_a_time, own={})
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@pytest.fixture
async def guests(road: Road) -> AsyncIterator[Guests]:
    async with AsyncExitStack() as stack:
        yield Guests(road=road, stack=stack)


async def cancelled(person: PersonVoice, card: Card) -> None:
    assert (await person.cancel(card, "Not now.")).status is Status.CANCELLED


async def four(agent: AgentVoice) -> tuple[list[tuple[str, Call]], list[Envelope]]:
    """Four calls, one after the other."""
    calls, told = [], []
    for _ in range(4):
        calls.append(await agent.command())
        told.append(await agent.pending(calls[-1][1]))
    return calls, told


async def test_more_than_may_be_open_wait_for_their_turn_and_come_up(
    road: Road, guests: Guests
) -> None:
    robot, ann = await guests.agent(), await guests.person("ann")
    calls, told = await four(robot)

    assert [it.parked for it in told] == [False, False, True, True]
    first, second = [await ann.card(it.hold_id) for it in told[:2]]
    road.supervisor.kill("gate")
    road.supervisor.start("gate")
    await road.supervisor.ready("gate")
    await ann.proceed(first)
    third = await ann.card(told[2].hold_id)
    assert third.asked_from is not None
    assert third.expires_at is not None
    assert (third.expires_at - third.asked_from).total_seconds() == 900
    still = await robot.ask(calls[3][1])
    assert (still.status, still.parked) == (Status.PENDING_CONFIRMATION, True)
    assert road.runs_of(calls[3][0]) == 0
    await cancelled(ann, second)
    fourth = await ann.card(told[3].hold_id)
    await ann.proceed(fourth)
    assert (await robot.hears(calls[3][1], Status.DONE)).status is Status.DONE
    await cancelled(ann, third)


async def test_what_waits_for_its_turn_is_withdrawn_and_killed_like_anything(
    guests: Guests,
) -> None:
    robot, ann = await guests.agent("doomed"), await guests.person("ann")
    calls, told = await four(robot)
    await robot.withdraw(told[2].hold_id)
    assert (await robot.hears(calls[2][1], Status.WITHDRAWN)).status is Status.WITHDRAWN
    await ann.kill("doomed")

    for index in (0, 1, 3):
        ended = await robot.hears(calls[index][1], Status.CANCELLED)
        assert ended.status is Status.CANCELLED
    await ann.revive("doomed")


async def test_the_same_action_is_asked_about_once(road: Road, guests: Guests) -> None:
    rival, ben = await guests.agent("rival"), await guests.person("ben")
    mark = fresh("mark")
    same = {"command": f"echo ran >> {mark}"}
    call = await rival.propose("run_command", same)
    hold_id = (await rival.pending(call)).hold_id
    again = await rival.hears(await rival.propose("run_command", same), Status.REFUSED)
    assert (again.code, again.hold_id) == (ASKED_ALREADY, hold_id)

    async with Holdpoint.connect("rival", road.settings) as hp:
        joining = asyncio.create_task(hp.call("run_command", same))
        left = asyncio.create_task(hp.call("run_command", same, timeout=1.0))
        assert (await left).hold_id == hold_id
        await ben.proceed(await ben.card(hold_id))
        joined = await joining

    assert (joined.status, joined.hold_id) == (Status.DONE, hold_id)
    assert road.runs_of(mark) == 1
    later = await rival.pending(await rival.propose("run_command", same))
    assert later.hold_id != hold_id
    await cancelled(ben, await ben.card(later.hold_id))
