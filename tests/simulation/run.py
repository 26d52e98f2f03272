"""`make simulate`: gate, worker and audit over thousands of seeds, on a broker that is a double.

A seed makes everything that chance decides: who calls what, who answers how and when, which
process dies between which two awaits, what gets lost and how late everything is. The same seed is
the same run: `--seed N` plays one again and prints what was stored.
"""

import argparse
import asyncio
import gc
import hashlib
import logging
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random  # noqa: TID251  # seeded: a run can be repeated

import structlog
from tests.faults.actors import Part, Plot, Told, live
from tests.faults.checker import breaches
from tests.faults.evidence import Evidence, _read, sha256_of
from tests.faults.fault_system import AGENTS, DOOMED, MODEST
from tests.running_system import TENANT, fresh
from tests.simulation.jetstream import Kept
from tests.simulation.loop import Loop, Process
from tests.simulation.world import Setup, World, a_world, in_place_of_the_real, set_up

from holdpoint.ledger.exceptions import Finding, Kind
from holdpoint.messages import subjects as s
from holdpoint.messages.run import Finished, RunStatus
from holdpoint.messages.state import Kill
from holdpoint.messages.subjects import command_id, stream
from holdpoint.runtime.security.keys import SIGNATURE_HEADER, Keyset
from holdpoint.runtime.store.journal import Stored

REST_S = 90.0
"""Longer than any deadline, lease, retry and alarm of these runs takes."""

BAD_WEATHER_S = 8.0
MOST_OFF_S = 2.4
"""Wall clocks differ by less than the 5 s that grants allow."""

TOOLS = ("look", "note", "change", "put", "book", "pay", "wipe")
VOICES = (("ann",), ("ben",), ("cem",), ("ann", "ben"), ("ann", "cem"), ("ben", "cem"))


@dataclass(frozen=True, kw_only=True)
class Played:
    """One seed's run."""

    seed: int
    wrong: Sequence[str]
    trace: Sequence[str]
    deaths: int
    steps: int

    @property
    def digest(self) -> str:
        """The same for the same run."""
        return hashlib.sha256("\n".join(self.trace).encode()).hexdigest()[:16]


def play(setup: Setup, seed: int) -> Played:
    """Play one seed to its end, and judge it."""
    loop = Loop()
    asyncio.set_event_loop(loop)
    world = a_world(setup, seed, loop)
    with in_place_of_the_real(world):
        wrong = loop.run_until_complete(_life(world))
        evidence = _evidence(world)
        wrong += breaches(evidence)
        wrong += loop.errors
    asyncio.set_event_loop(None)
    return Played(
        seed=seed,
        wrong=wrong,
        trace=world.broker.trace,
        deaths=world.deaths,
        steps=loop.steps,
    )


async def _life(world: World) -> list[str]:
    for name in ("gate-1", "gate-2", "worker-1", "worker-2"):
        world.start(name)
    wrong: list[str] = []
    reaper = world.loop.spawn(Process(name="reaper"), _raise_the_dead(world))
    calls = [_call(world, plot, wrong) for plot in _plots(world.dice)]
    faults = [_fault(world) for _ in range(world.dice.choice((0, 1, 2, 4, 8)))]
    await asyncio.gather(*calls, *faults, _orders(world), _clears_up(world))
    if left := await _comes_to_rest(world):
        wrong.append(f"L1: {REST_S} s after the last fault there is still {', '.join(left)}")
    reaper.cancel()
    return wrong


async def _clears_up(world: World) -> None:
    """End the bad weather: only then everything has to move on."""
    await asyncio.sleep(BAD_WEATHER_S)
    world.weather.lost = 0.0
    world.weather.latency_s = min(world.weather.latency_s, 0.02)


async def _comes_to_rest(world: World) -> list[str]:
    """Wait until nothing is in anybody's hands; what still is when that takes too long."""
    until, left = world.loop.time() + REST_S, ["nothing"]
    while left and world.loop.time() < until:
        await asyncio.sleep(1.0)
        left = [it for log in world.broker.logs.values() for it in log.waiting()]
        left += [f"a dead {name}" for name, it in world.services.items() if not it.is_alive]
    return left


async def _call(world: World, plot: Plot, wrong: list[str]) -> None:
    """One call from its first word to its last."""
    await asyncio.sleep(world.dice.uniform(0, 3))
    agent = world.agent(plot.agent)
    people = {name: world.person(name) for name in ("ann", "ben", "cem")}
    try:
        told: Told = await live(agent, people, plot)
    except AssertionError as why:
        wrong.append(f"L1: {plot}: {why}")
    else:
        assert told


def _plots(dice: Random) -> list[Plot]:
    """A few calls of chance: repeated, with a key used twice, answered in every way."""
    return [
        Plot(
            agent=dice.choice((*AGENTS, *AGENTS, DOOMED, MODEST)),
            tool=dice.choice(TOOLS),
            part=dice.choice((Part.PROCEED, Part.PROCEED, *Part)),
            takes_ms=dice.choice((0, 50, 9_000)),
            times=dice.choice((1, 1, 2, 3)),
            reused=dice.random() < 0.1,
            voices=dice.choice(VOICES),
        )
        for _ in range(dice.randint(1, 4))
    ]


async def _orders(world: World) -> None:
    """Now and then the kill switch, on one agent or everybody, and off again."""
    if world.dice.random() < 0.6:
        return
    ann, agent = world.person("ann"), world.dice.choice((DOOMED, AGENTS[0], "_"))
    place = s.admin_subject(TENANT, "ann", "kill")
    await asyncio.sleep(world.dice.uniform(0, 6))
    await ann.says(place, Kill(on=True, agent=agent, reason=fresh("enough")))
    await asyncio.sleep(world.dice.uniform(0, 6))
    await ann.says(place, Kill(on=False, agent=agent))


async def _fault(world: World) -> None:
    """One process dies between two awaits, loses its connection, or has its clock moved."""
    dice = world.dice
    await asyncio.sleep(dice.expovariate(1 / 2))
    name = dice.choice(tuple(world.services))
    match dice.choice(("kill", "kill", "kill", "cut", "clock")):
        case "kill":
            world.kill(name, fuse=dice.choice((0, 1, 2, 5, 20, dice.randrange(1, 400))))
        case "cut":
            for client in world.clients[name]:
                client.break_off()
        case _:
            world.services[name].clock_off_s = dice.uniform(-MOST_OFF_S, MOST_OFF_S)


async def _raise_the_dead(world: World) -> None:
    """Start whoever died again, as the supervisor does."""
    while True:
        await asyncio.sleep(0.25)
        for name, process in tuple(world.services.items()):
            if not process.is_alive:
                world.start(name)


def _evidence(world: World) -> Evidence:
    """What is left to judge by: all that the broker keeps."""
    agents = (it.name for it in world.setup.registry.agents)
    kinds = s.sources(s.AUDITED, agents)
    logs = {kind: world.broker.logs[stream(TENANT, kind)] for kind in kinds}
    kept = {kind: [_stored(it) for it in log.messages.values()] for kind, log in logs.items()}
    messages = {kind: [(it, _read(it)) for it in told] for kind, told in kept.items()}
    rung = map(_stored, world.broker.logs[stream(TENANT, s.TIMERS)].messages.values())
    doubts = [(at, it) for at, it in messages[s.RUNS] if isinstance(it, Finished)
              and it.status is RunStatus.IN_DOUBT]  # fmt: skip
    return Evidence(
        messages=messages,
        last={kind: log.last_seq for kind, log in logs.items()},
        entered={f"{kind}:{it.seq}": [(sha256_of(it), "")] for kind, told in kept.items()
                 for it in told},
        findings=[Finding(kind=Kind.IN_DOUBT, at=at.at, hold_id=it.hold_id, agent=None,
                          subject=at.subject) for at, it in doubts],
        unsigned=frozenset(),
        broken=(),
        effects=Counter(it.hold_id for it in world.deeds),
        logs_all=True,
        deeds=world.deeds,
        keyset=Keyset(world.setup.settings.keys_dir),
        at=world.broker.now,
        alarms={command_id(stream(TENANT, s.TIMERS), it.seq): it for it in rung},
        told=None,
        hurried={},
    )  # fmt: skip


def _stored(it: Kept) -> Stored:
    return Stored(subject=it.subject, data=it.body, seq=it.seq, at=it.at,
                  signature=it.headers.get(SIGNATURE_HEADER, ""))  # fmt: skip


def main(seeds: Sequence[int], minutes: float, *, trace: bool) -> int:
    """Play the seeds until one does not hold; 1 then."""
    warnings.simplefilter("ignore", RuntimeWarning)
    sys.unraisablehook = lambda _: None  # what the dead left is taken apart without a loop
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    began, done, deaths, steps = time.monotonic(), 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="simulation") as folder:
        setup = set_up(Path(folder))
        gc.collect()
        gc.freeze()
        gc.disable()  # what the dead left is taken apart between two seeds
        for seed in seeds:
            played = play(setup, seed)
            done, deaths, steps = done + 1, deaths + played.deaths, steps + played.steps
            gc.collect()
            if trace:
                print("\n".join(played.trace))
                print(f"seed {seed}: {played.digest}, {played.deaths} deaths, {played.steps} steps")
            if played.wrong:
                print(f"seed {seed} does not hold. Play it again: make simulate SEED={seed}")
                print("\n".join(f"  {it}" for it in played.wrong))
                return 1
            if time.monotonic() - began > minutes * 60:
                break
    took_s = time.monotonic() - began
    print(f"{done} seeds in {took_s:.0f} s ({done / took_s * 60:.0f} a minute), {deaths} deaths, "
          f"{steps} steps: everything holds")  # fmt: skip
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--minutes", type=float, default=24 * 60.0)
    chosen = parser.parse_args()
    one = chosen.seed is not None
    wanted = [chosen.seed] if one else range(chosen.first, chosen.first + chosen.seeds)
    sys.exit(main(wanted, chosen.minutes, trace=one))
