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
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import structlog
from tests.simulation.judge import judged
from tests.simulation.loop import Loop
from tests.simulation.story import come_back, live_through
from tests.simulation.world import Setup, a_world, in_place_of_the_real, set_up

MEMORY = Path("/dev/shm")  # noqa: S108  # a ledger's commits wait for no disk there


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
        wrong = loop.run_until_complete(live_through(world))
        told = loop.run_until_complete(come_back(world))
        wrong += judged(world, told) + loop.errors
    world.end()
    asyncio.set_event_loop(None)
    return Played(
        seed=seed,
        wrong=wrong,
        trace=world.broker.trace,
        deaths=world.deaths,
        steps=loop.steps,
    )


def main(seeds: Sequence[int], minutes: float, *, trace: bool) -> int:
    """Play the seeds until one does not hold; 1 then."""
    warnings.simplefilter("ignore", RuntimeWarning)
    sys.unraisablehook = lambda _: None  # what the dead left is taken apart without a loop
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    began, done, deaths, steps = time.monotonic(), 0, 0, 0
    memory = MEMORY if MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="simulation", dir=memory) as folder:
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
