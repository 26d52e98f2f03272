"""A run that outlasts its lease stays its worker's for as long as that worker lives."""

import signal
from pathlib import Path

import pytest
from tests.faults.actors import Plot
from tests.faults.effects_domain import done_so_far
from tests.faults.fault_system import AGENTS, Scene, Timings, scene
from tests.faults.processes import WORKER
from tests.faults.run import ALONE
from tests.running_system import LONG_S, fresh
from tests.waiting import eventually

from holdpoint.core.responses import is_final
from holdpoint.messages.answer import Choice
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.run import Started

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(240)]

SEED = 14
LEASE_S = 2.0
TAKES_MS = 8_000
TIMINGS = Timings(ack_wait_s=3.0, lease_s=LEASE_S)


async def test_a_run_of_four_leases_is_not_in_doubt_while_its_worker_lives(
    tmp_path: Path,
) -> None:
    async with scene(tmp_path, SEED, TIMINGS, ALONE) as made:
        agent, hold_id = await _started(made)

        told = await _ends(made, agent, hold_id)

        assert told.status is Status.DONE
        assert len(done_so_far(made.log)) == 1
        claims = [it for it in await made.eyes.runs(hold_id) if isinstance(it, Started)]
        assert [it.extended for it in claims] == [False, *[True] * (len(claims) - 1)]
        assert len(claims) > TAKES_MS / 1000 / LEASE_S
        assert len({(it.owner, it.nonce) for it in claims}) == 1


@pytest.mark.parametrize("way", ["stopped", "killed"])
async def test_a_run_whose_worker_stands_still_or_died_is_in_doubt(
    tmp_path: Path, way: str
) -> None:
    async with scene(tmp_path, SEED, TIMINGS, ALONE) as made:
        agent, hold_id = await _started(made)
        if way == "stopped":
            made.cast.signal("worker-1", signal.SIGSTOP)
            await made.cast.start("worker-2", WORKER)
        else:
            await made.cast.kill("worker-1")

        told = await _ends(made, agent, hold_id)

        assert told.status is Status.IN_DOUBT
        assert told.hold_id == hold_id


async def _started(made: Scene) -> tuple[str, str]:
    """A long action that was confirmed, once its worker has begun."""
    agent = made.agents[AGENTS[0]]
    seq = await agent.proposes(
        Plot(agent=AGENTS[0], tool="change", takes_ms=TAKES_MS), fresh("key")
    )
    told = await agent.hears(lambda it: it.status is Status.PENDING_CONFIRMATION, seq=seq)
    person = next(iter(made.people.values())).voice
    card = await person.card(told.hold_id)
    await person.heard(card, await person.answer(card, Choice.PROCEED))

    async def is_claimed() -> bool:
        return any(isinstance(it, Started) for it in await made.eyes.runs(told.hold_id))

    await eventually(is_claimed, LONG_S)
    return AGENTS[0], told.hold_id


async def _ends(made: Scene, agent: str, hold_id: str) -> Envelope:
    return await made.agents[agent].hears(lambda it: is_final(it.status), hold_id=hold_id)
