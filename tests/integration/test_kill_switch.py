"""The kill switch: what is new is denied, what waits is cancelled, what was granted is barred."""

import asyncio

import msgspec
import pytest
from tests.actors import AgentVoice, Guests, PersonVoice, StreamEyes
from tests.running_system import Road, fresh
from tests.waiting import eventually

from holdpoint.messages.envelope import Status
from holdpoint.messages.run import Barred, Finished, Started
from holdpoint.messages.state import EVERYONE

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

ENDED = tuple(set(Status) - {Status.WAITING, Status.APPROVED})


async def test_the_kill_switch_races_real_workers_and_nothing_stays_open(
    road: Road, ann: PersonVoice, guests: Guests, eyes: StreamEyes
) -> None:
    doomed = await guests.agent("doomed")
    for _ in range(3):
        names = [f"{fresh('file')}.txt" for _ in range(8)]
        files = [doomed.propose("create_file", {"path": it, "content": "x"}) for it in names]
        asked = [doomed.propose("run_command", {"command": f"echo x > {it}"}) for it in names]
        try:
            killing = asyncio.create_task(ann.kill("doomed"))
            calls = await asyncio.gather(*files[:4], *asked, *files[4:])
            await killing
            ended = {*ENDED} - {Status.PENDING_CONFIRMATION}
            told = await asyncio.gather(*(doomed.hears(it, *ended) for it in calls))
        finally:
            await ann.revive("doomed")
            await eventually(lambda: _is_alive(doomed))
        by_hold = {it.hold_id: it.status for it in told}
        for it, status in by_hold.items():
            kinds = [type(fact) for fact in await eyes.runs(it)]
            allowed = {
                Status.DONE: [Started, Finished],
                Status.BARRED: [Barred],
                Status.DENIED: [],
                Status.CANCELLED: [],
            }
            assert kinds == allowed[status]
        done = sum(status is Status.DONE for status in by_hold.values())
        assert done == sum((road.scratch / name).exists() for name in names)


async def test_what_is_halted_while_the_kill_switch_is_thrown_does_not_stay_open(
    ann: PersonVoice, guests: Guests
) -> None:
    """Each round throws it at another moment of thirty proposals."""
    doomed = await guests.agent("doomed")
    for before in (2, 8, 16, 24):
        asked = [{"command": f"echo x > {fresh('word')}"} for _ in range(30)]
        calls = [await doomed.propose("run_command", it) for it in asked[:before]]
        try:
            killing = asyncio.create_task(ann.kill("doomed"))
            calls += [await doomed.propose("run_command", it) for it in asked[before:]]
            await killing
            told = [await doomed.hears(it, Status.CANCELLED, Status.DENIED) for it in calls]
        finally:
            await ann.revive("doomed")
            await eventually(lambda: _is_alive(doomed))
        assert len(told) == len(asked)


async def _is_alive(agent: AgentVoice) -> bool:
    call = await agent.propose("list_directory", {"path": "."})
    told = await agent.hears(call, Status.DONE, Status.DENIED)
    return told.status is Status.DONE


async def test_the_kill_switch_cancels_what_waits_bars_what_was_granted_denies_what_is_new(
    road: Road, ann: PersonVoice, guests: Guests
) -> None:
    doomed = await guests.agent("doomed")
    mark, waiting = await doomed.command()
    hold = (await doomed.pending(waiting)).hold_id
    name = f"{fresh('file')}.txt"
    with road.paused("worker-shell"):
        granted = await doomed.propose("create_file", {"path": name, "content": "x"})
        await doomed.hears(granted, Status.APPROVED)
        try:
            await ann.kill("doomed", "It runs wild.")
            cancelled = await doomed.hears(waiting, Status.CANCELLED)
            barred = await doomed.hears(granted, Status.BARRED)
            new = await doomed.propose("list_directory", {"path": "."})
            denied = await doomed.hears(new, Status.DENIED, Status.DONE)
        finally:
            await ann.revive("doomed")
    assert "It runs wild." in cancelled.reason
    assert "It runs wild." in barred.reason
    assert (denied.status, "It runs wild." in denied.reason) == (Status.DENIED, True)
    await eventually(lambda: _is_alive(doomed))
    assert not (road.scratch / name).exists()
    assert road.runs_of(mark) == 0
    row = await road.ended(hold)
    assert (row.outcome, row.answered, row.resolved_by) == ("cancelled", False, "ann")


async def _has_heard_all(eyes: StreamEyes, kind: str) -> bool:
    """Whether the gate has dealt with everything on a stream."""
    subject = f"$JS.API.CONSUMER.INFO.HP_{kind}_acme.gates"
    info = msgspec.json.decode((await eyes.client.request(subject, b"", timeout=5)).data)
    return bool(info["num_pending"] == 0 == info["num_ack_pending"])


@pytest.mark.slow
async def test_the_last_order_is_what_holds(
    ann: PersonVoice, guests: Guests, eyes: StreamEyes
) -> None:
    """Thrown and taken back in quick succession, it stands as it was ordered last."""
    doomed = await guests.agent("doomed")
    for last in ("kill", "revive"):
        for _ in range(5):
            await (ann.kill("doomed") if last == "revive" else ann.revive("doomed"))
            await (ann.kill("doomed") if last == "kill" else ann.revive("doomed"))

        await eventually(lambda: _has_heard_all(eyes, "ADMIN"))
        assert await _is_alive(doomed) is (last == "revive")


async def test_everyone_can_be_stopped_at_once(ann: PersonVoice, guests: Guests) -> None:
    agents = [await guests.agent(name) for name in ("robot", "rival", "doomed")]
    try:
        await ann.kill(EVERYONE)
        for agent in agents:

            async def is_stopped(one: AgentVoice = agent) -> bool:
                return not await _is_alive(one)

            await eventually(is_stopped)
    finally:
        await ann.revive(EVERYONE)
    await eventually(lambda: _is_alive(agents[-1]))
