"""Two of the never-list that need real deaths: N6 and N18, each with a crash at the step itself."""

from pathlib import Path

import pytest
from tests.faults.actors import Part, Plot
from tests.faults.effects_domain import done_so_far
from tests.faults.fault_system import AGENTS, Scene, scene
from tests.faults.kill_rounds import STEPS
from tests.faults.processes import GATE, PLAYERS, WORKER
from tests.faults.run import ALONE
from tests.running_system import LONG_S, fresh
from tests.waiting import eventually

from holdpoint.core.responses import is_final
from holdpoint.messages.answer import Choice
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.runtime.process import clock

pytestmark = [pytest.mark.nats, pytest.mark.timeout(240)]

SEED = 18
WORDS = ("halt", "render", "card", "alarm", "resolve", "resume")
GATE_STEPS = [step for step in STEPS[GATE] if step.split(".")[1] in WORDS]
WORKER_STEPS = ("publish.started.after", "effect.before", "effect.after", "publish.finished.before",
                "publish.finished.after", "ack.HOLDS.before")  # fmt: skip


@pytest.mark.slow
async def test_n6_a_pending_approval_outlives_a_restart_of_everything(tmp_path: Path) -> None:
    """It waits; every process and the broker die at once; a yes then lets it run, once."""
    async with scene(tmp_path, SEED) as made:
        agent, hold_id = await _waits(made)
        for name in PLAYERS:
            await made.cast.kill(name)
        await made.cast.kill_broker()

        told = await _said_yes(made, agent, hold_id)

        assert told.status is Status.DONE
        assert len(done_so_far(made.log)) == 1
        await made.comes_to_rest(clock.monotonic())
        assert await made.judged() == []


@pytest.mark.slow
async def test_n6_a_gate_may_die_at_any_step_of_an_approval(tmp_path: Path) -> None:
    """A pending call for each step; at each of them the gate that came there dies."""
    async with scene(tmp_path, SEED, players=ALONE) as made:
        for step in GATE_STEPS:
            await made.cast.kill("gate-1", then=f"{step}:1")
            agent, hold_id = await _waits(made)
            told = await _said_yes(made, agent, hold_id)
            assert told.status is Status.DONE, step
            await _died_at(made, f"{GATE} {step}")
        await made.comes_to_rest(clock.monotonic())
        assert len(done_so_far(made.log)) == len(GATE_STEPS)
        assert await made.judged() == []


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["note", "change", "book"])
async def test_n18_a_retry_never_doubles_an_effect_whose_worker_died(
    tmp_path: Path, tool: str
) -> None:
    """Between effect and acknowledgement, at each step; the agent repeats its call with its key."""
    async with scene(tmp_path, SEED, players=ALONE) as made:
        for step in WORKER_STEPS:
            await made.cast.kill("worker-1", then=f"{step}:1")
            key, before = fresh("key"), len(done_so_far(made.log))
            plot = Plot(agent=AGENTS[0], tool=tool, part=Part.PROCEED, key=key)
            first = await _lived(made, plot)
            await _died_at(made, f"{WORKER} {step}")
            again = await _lived(made, plot)

            happened = len(done_so_far(made.log)) - before
            assert happened <= 1, step
            assert (first.status is Status.IN_DOUBT) or happened == 1, step
            assert again.hold_id == first.hold_id
        await made.comes_to_rest(clock.monotonic())
        assert await made.judged() == []


async def _lived(made: Scene, plot: Plot) -> Envelope:
    """One call as its agent lives it; again with the same key it is the same call."""
    agent = made.agents[plot.agent]
    seq = await agent.proposes(plot, plot.key)
    told = await agent.hears(lambda it: bool(it.hold_id), seq=seq)
    told = await agent.hears(lambda it: it.status is not Status.WAITING, hold_id=told.hold_id)
    if told.status is Status.PENDING_CONFIRMATION:
        return await _said_yes(made, plot.agent, told.hold_id)
    return await agent.hears(lambda it: is_final(it.status), hold_id=told.hold_id)


async def _died_at(made: Scene, step: str) -> None:
    """Wait until it has happened, and everybody is there again."""

    async def died() -> bool:
        assert made.cast.steps()[step], f"nobody died at {step}: {made.cast.steps()}"
        return made.cast.is_whole()

    await eventually(died, LONG_S)


async def _waits(made: Scene) -> tuple[str, str]:
    """A call that waits for people."""
    agent = made.agents[AGENTS[0]]
    seq = await agent.proposes(Plot(agent=AGENTS[0], tool="change"), fresh("key"))
    told = await agent.hears(lambda it: it.status is Status.PENDING_CONFIRMATION, seq=seq)
    return AGENTS[0], told.hold_id


async def _said_yes(made: Scene, agent: str, hold_id: str) -> Envelope:
    """Ann says yes, whatever died meanwhile; what the agent hears in the end."""
    ann = made.people["ann"]
    await ann.answers(await ann.sees(hold_id), Choice.PROCEED)
    return await made.agents[agent].hears(
        lambda it: is_final(it.status), hold_id=hold_id, known=Status.PENDING_CONFIRMATION
    )
