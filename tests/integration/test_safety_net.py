"""L1: a hold whose gate died goes on with the next one; the kill switch finds all that is open."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from tests.actors import AgentVoice, Call, Guests, PersonVoice, StreamEyes
from tests.running_system import LONG_S, Road, running
from tests.waiting import eventually

from holdpoint.messages.answer import Choice
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Outcome, Rendered, Resumed
from holdpoint.runtime.broker.streams import GATE_OPEN
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.crash import VARIABLE
from holdpoint.runtime.store.history import hold_fact

pytestmark = [pytest.mark.nats, pytest.mark.timeout(180)]
pytest_plugins = ("tests.system_fixtures",)

MOVES_ON_S = 30.0
LOOKED_AT_S = 10.0
"""After that the safety net has looked at a new hold."""


@pytest.fixture(scope="module")
def lonely(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """One gate, with the times that every installation has."""
    with asyncio.Runner() as runner:
        world = running(tmp_path_factory.mktemp("lonely"), own={})
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@dataclass(frozen=True, kw_only=True)
class Everybody:
    """Who uses it."""

    road: Road
    robot: AgentVoice
    ann: PersonVoice
    eyes: StreamEyes

    async def fact(self, call: Call, word: str) -> Any:
        """The fact that this call has led to, once it is stored."""

        async def stored() -> Any:
            found = await self.eyes.on("HOLDS", f"hp.acme.hold.robot.*.{word}.*")
            facts = [hold_fact(it.message) for it in found]
            return next((it for it in facts if f"CALLS@robot:{call.seq}" in it.hold.causes), None)

        return await eventually(stored, MOVES_ON_S)

    async def alarms(self, hold_id: str) -> int:
        """How many alarms of this hold are set."""
        return len(await self.eyes.on("TIMERS", f"hp.acme.timer.set.*.{hold_id}.expire"))

    async def is_let_go(self) -> bool:
        """Whether the safety net holds nothing any more."""
        subject = f"$JS.API.CONSUMER.INFO.HP_HOLDS_acme.{GATE_OPEN}"
        reply = await self.eyes.client.request(subject, b"", timeout=5)
        info = msgspec.json.decode(reply.data)
        return not info["num_pending"] and not info["num_ack_pending"]


@pytest.fixture
async def all_of(lonely: Road) -> AsyncIterator[Everybody]:
    async with AsyncExitStack() as stack:
        guests = Guests(road=lonely, stack=stack)
        yield Everybody(
            road=lonely,
            robot=await guests.agent(),
            ann=await guests.person(),
            eyes=await guests.eyes(),
        )


async def dies_at(road: Road, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the gate again, to die at this step."""
    road.supervisor.kill("gate")
    with monkeypatch.context() as armed:
        armed.setenv(VARIABLE, f"{step}:1")
        road.supervisor.start("gate")
    await road.supervisor.ready("gate")


async def comes_back(road: Road) -> None:
    """Wait until it is dead, and start it as it is."""

    async def dead() -> bool:
        return "gate" in road.supervisor.dead()

    await eventually(dead)
    road.supervisor.start("gate")
    await road.supervisor.ready("gate")


async def test_a_hold_that_is_answered_at_once_sets_no_alarm(all_of: Everybody) -> None:
    _, call = await all_of.robot.command()
    card = await all_of.ann.card((await all_of.robot.pending(call)).hold_id)
    assert not await all_of.alarms(card.hold_id)

    await all_of.ann.proceed(card)
    await all_of.robot.hears(call, Status.DONE)

    await eventually(all_of.is_let_go, LONG_S)
    assert not await all_of.eyes.on("TIMERS", f"hp.acme.timer.*.*.{card.hold_id}.expire")


@pytest.mark.slow
async def test_a_hold_that_waits_has_its_alarm_until_it_is_closed(all_of: Everybody) -> None:
    _, call = await all_of.robot.command()
    card = await all_of.ann.card((await all_of.robot.pending(call)).hold_id)

    async def is_set() -> bool:
        return await all_of.alarms(card.hold_id) == 1

    await eventually(is_set, LOOKED_AT_S)
    await all_of.ann.cancel(card)
    await eventually(all_of.is_let_go, LONG_S)
    assert not await all_of.alarms(card.hold_id)


async def test_the_kill_switch_finds_holds_that_have_no_alarm(all_of: Everybody) -> None:
    """Within the first three seconds of a hold none is set; told as done, they are over."""
    calls = [(await all_of.robot.command())[1] for _ in range(5)]
    held = [(await all_of.robot.pending(it)).hold_id for it in calls]
    assert [await all_of.alarms(it) for it in held] == [0] * len(held)
    try:
        assert (await all_of.ann.told(await all_of.ann.kill("robot"))).status is Status.DONE
        told = [await all_of.robot.ask(it) for it in calls]
    finally:
        await all_of.ann.told(await all_of.ann.revive("robot"))
    assert {it.status for it in told} == {Status.CANCELLED}


@pytest.mark.slow
@pytest.mark.parametrize(
    "step", ["publish.halt.after", "publish.render.before", "publish.render.after"]
)
async def test_what_was_halted_is_rendered_and_drawn_by_the_gate_that_comes_next(
    all_of: Everybody, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    await dies_at(all_of.road, step, monkeypatch)
    mark, call = await all_of.robot.command()
    await comes_back(all_of.road)

    rendered = await all_of.fact(call, "rendered")

    assert isinstance(rendered, Rendered)
    await all_of.ann.proceed(await all_of.ann.card(rendered.hold.hold_id))
    assert (await all_of.robot.hears(call, Status.DONE)).status is Status.DONE
    assert all_of.road.runs_of(mark) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "step", ["publish.resolve.after", "publish.resume.before", "publish.resume.after"]
)
async def test_what_was_resolved_is_resumed_and_drawn_by_the_gate_that_comes_next(
    all_of: Everybody, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    await dies_at(all_of.road, step, monkeypatch)
    mark, call = await all_of.robot.command()
    card = await all_of.ann.card((await all_of.robot.pending(call)).hold_id)
    await all_of.ann.answer(card, Choice.CANCEL)
    await comes_back(all_of.road)

    resumed = await all_of.fact(call, "resumed")

    assert isinstance(resumed, Resumed)
    assert not resumed.confirmed
    assert (await all_of.ann.card(card.hold_id, "resumed")).state == "resumed"
    assert all_of.road.runs_of(mark) == 0


@pytest.mark.slow
async def test_an_expiry_that_its_gate_did_not_survive_goes_on(
    all_of: Everybody, monkeypatch: pytest.MonkeyPatch
) -> None:
    await dies_at(all_of.road, "publish.resolve.after", monkeypatch)
    deadline = clock.now() + timedelta(seconds=2)
    _, call = await all_of.robot.command(deadline=deadline)
    await comes_back(all_of.road)

    resumed = await all_of.fact(call, "resumed")

    assert isinstance(resumed, Resumed)
    assert resumed.hold.outcome is Outcome.EXPIRED
