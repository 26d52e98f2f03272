"""Any process may die at any step: nothing runs twice, nothing runs unasked, all moves on."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import pytest
from tests.actors import AgentVoice, Call, Guests, PersonVoice, StreamEyes
from tests.faults.checker import breaches
from tests.faults.evidence import look
from tests.running_system import LONG_S, Road, fresh, running
from tests.short_waits import hand_over_after
from tests.waiting import eventually, stop

from holdpoint.ledger.exceptions import Kind
from holdpoint.messages.answer import Choice
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Halted, Rendered, Resumed
from holdpoint.messages.run import Started

pytestmark = [pytest.mark.nats, pytest.mark.timeout(180)]
pytest_plugins = ("tests.system_fixtures",)

LEASE_S = 6.0
VICTIMS = ("gate", "worker-shell", "worker-database", "audit", "nats")
ACK_WAIT_S = 6
STAGES = ("halted", "rendered", "answered", "resumed", "started")
ENDED = (Status.DONE, Status.IN_DOUBT)


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """A road whose parts are killed, and started again; its leases are short."""
    with asyncio.Runner() as runner:
        world = running(tmp_path_factory.mktemp("mortal"), lease_s=LEASE_S)
        road = runner.run(world.__aenter__())
        runner.run(hand_over_after(road, ACK_WAIT_S))
        yield road
        runner.run(world.__aexit__(None, None, None))


@dataclass
class Story:
    """Everybody on the mortal road, and what they set in motion."""

    road: Road
    robot: AgentVoice
    ann: PersonVoice
    eyes: StreamEyes
    marks: dict[str, str] = field(default_factory=dict)
    """The file that each command leaves a line in, by hold."""

    async def asked(self, seconds: float = 0) -> tuple[Call, str]:
        """A command that waits for people, once it is halted."""
        mark = fresh("mark")
        command = f"sleep {seconds}; echo ran >> {mark}" if seconds else f"echo ran >> {mark}"
        call = await self.robot.propose("run_command", {"command": command})
        hold = await eventually(lambda: self._fact(call, Halted), LONG_S)
        self.marks[hold] = mark
        return call, hold

    async def brought_to(self, stage: str) -> Call:
        """A command that has come exactly so far when this returns."""
        call, hold = await self.asked(2.0 if stage == "started" else 0)
        if stage == "halted":
            return call
        await eventually(lambda: self._fact(call, Rendered), LONG_S)
        if stage == "rendered":
            return call
        await self.ann.answer(await self.ann.card(hold), Choice.PROCEED)
        if stage == "resumed":
            await eventually(lambda: self._fact(call, Resumed), LONG_S)
        if stage == "started":
            await eventually(lambda: self._started(hold), LONG_S)
        return call

    async def crash(self, victim: str) -> None:
        """Kill it, and start it again as a supervisor does."""
        self.road.supervisor.kill(victim)
        if victim == "nats":
            await self.road.supervisor.restart_broker()
            return
        self.road.supervisor.start(victim)
        await self.road.supervisor.ready(victim)

    async def ends(self, call: Call) -> Status:
        """Say yes where nobody did yet, and hear how it ends."""
        told = await self.robot.hears(call, Status.PENDING_CONFIRMATION, *ENDED)
        if told.status is Status.PENDING_CONFIRMATION:
            card = await self._card(told.hold_id)
            await eventually(lambda: self._answered(card), LONG_S)
        return (await self.robot.hears(call, *ENDED)).status

    async def holds_true(self) -> None:
        """Every invariant, as soon as the ledger has caught up; and it stays so."""

        async def all_well() -> bool:
            effects = {hold: self.road.runs_of(mark) for hold, mark in self.marks.items()}
            assert breaches(await look(self.road, self.eyes, effects)) == []
            return True

        await eventually(all_well, LONG_S)

    async def _card(self, hold: str) -> Card:
        return await self.ann.card(hold, "rendered", "resolved", "resumed", "running", "done")

    async def _answered(self, card: Card) -> bool:
        return await self.ann.answer(card, Choice.PROCEED) > 0

    async def _fact(self, call: Call, kind: type[Halted | Rendered | Resumed]) -> str:
        wanted = f"CALLS@robot:{call.seq}"
        word = {Halted: "halted", Rendered: "rendered", Resumed: "resumed"}[kind]
        for it in await self.eyes.on("HOLDS", f"hp.acme.hold.robot.*.{word}.*"):
            fact = it.message
            if isinstance(fact, kind) and wanted in fact.hold.causes:
                return fact.hold.hold_id
        return ""

    async def _started(self, hold: str) -> bool:
        return any(isinstance(run, Started) for run in await self.eyes.runs(hold))


@pytest.fixture
async def story(mortal: Road) -> AsyncIterator[Story]:
    async with AsyncExitStack() as stack:
        guests = Guests(road=mortal, stack=stack)
        yield Story(
            road=mortal,
            robot=await guests.agent(),
            ann=await guests.person(),
            eyes=await guests.eyes(),
        )


async def at_every_stage(story: Story) -> list[Call]:
    """Five actions, as far as they can come."""
    started = await story.brought_to("started")
    resumed = await story.brought_to("resumed")
    rendered = await story.brought_to("rendered")
    last = await asyncio.gather(story.brought_to("halted"), story.brought_to("answered"))
    return [started, resumed, rendered, *last]


@pytest.mark.slow
async def test_a_power_cut_with_actions_at_every_stage(story: Story) -> None:
    """L1: what was open moves on within 30 s of the restart, and every invariant holds."""
    calls = await at_every_stage(story)
    supervisor = story.road.supervisor
    for victim in (*supervisor.services, "nats"):
        supervisor.kill(victim)
    await supervisor.restart_broker()
    await supervisor.start_services()

    started, *others = await asyncio.gather(*(story.ends(call) for call in calls))

    assert started is Status.IN_DOUBT
    assert set(others) <= {Status.DONE, Status.IN_DOUBT}
    await story.holds_true()


@pytest.mark.slow
@pytest.mark.parametrize("victim", VICTIMS)
async def test_a_crash_with_actions_at_every_stage(story: Story, victim: str) -> None:
    calls = await at_every_stage(story)
    await story.crash(victim)

    ends = await asyncio.gather(*(story.ends(call) for call in calls))

    assert set(ends) <= ({*ENDED} if victim == "worker-shell" else {Status.DONE})
    await story.holds_true()


@pytest.mark.slow
@pytest.mark.parametrize("victim", VICTIMS)
@pytest.mark.parametrize("stage", STAGES)
async def test_a_crash_at_one_stage(story: Story, stage: str, victim: str) -> None:
    call = await story.brought_to(stage)
    await story.crash(victim)

    ended = await story.ends(call)

    in_doubt = {"resumed", "answered", "started"} if victim == "worker-shell" else set()
    assert ended is Status.DONE or stage in in_doubt
    await story.holds_true()


@pytest.mark.slow
async def test_a_command_whose_worker_died_is_in_doubt_and_never_run_again(story: Story) -> None:
    """Nobody can know whether it took effect; after its lease everybody hears so."""
    call, hold = await story.asked(3.0)
    await story.ann.proceed(await story.ann.card(hold))
    await eventually(lambda: story._started(hold), LONG_S)

    await story.crash("worker-shell")
    told = await story.robot.hears(call, *ENDED)

    assert told.status is Status.IN_DOUBT
    assert "nobody knows" in told.message_for_user
    assert (await story.ann.card(hold, "in_doubt")).state == "in_doubt"
    assert story.road.runs_of(story.marks[hold]) == 0
    await story.holds_true()
    findings = {(it.kind, it.hold_id) for it in story.road.exceptions()}
    assert (Kind.IN_DOUBT, hold) in findings


@pytest.mark.slow
async def test_a_claim_is_not_in_doubt_while_its_worker_stands_still(story: Story) -> None:
    """A worker that is only slow finishes its own run, whatever was delivered again meanwhile."""
    call, hold = await story.asked()
    card = await story.ann.card(hold)
    pid = story.road.supervisor.pid("worker-shell")
    await stop(pid)
    try:
        await story.ann.proceed(card)
        await eventually(lambda: story._fact(call, Resumed), LONG_S)
    finally:
        os.kill(pid, signal.SIGCONT)

    assert await story.ends(call) is Status.DONE
    assert story.road.runs_of(story.marks[hold]) == 1
    await story.holds_true()


async def test_l2_an_agent_that_comes_back_with_its_hold_id_learns_the_outcome(
    story: Story,
) -> None:
    call, hold = await story.asked()
    await story.robot.client.close()
    await story.ann.cancel(await story.ann.card(hold))
    await story.crash("gate")

    async with AsyncExitStack() as stack:
        again = await Guests(road=story.road, stack=stack).agent()
        told = await again.ask(hold_id=hold, wait_s=10.0, known=Status.PENDING_CONFIRMATION)

    assert told.status is Status.CANCELLED
    assert call.seq > 0
