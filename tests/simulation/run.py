"""`make simulate`: gate, worker and audit over thousands of seeds, on a broker that is a double.

A seed makes everything that chance decides: who calls what, who answers how and when, which
process dies between which two awaits, what gets lost and how late everything is. The same seed is
the same run: `--seed N` plays one again and prints what was stored. Each core plays seeds of its
own; `--resume` goes on behind the last seed up to which all held.
"""

import argparse
import asyncio
import gc
import hashlib
import logging
import multiprocessing
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import structlog
from tests.simulation.judge import judged
from tests.simulation.loop import Loop
from tests.simulation.story import come_back, live_through
from tests.simulation.world import Setup, a_world, in_place_of_the_real, set_up

MEMORY = Path("/dev/shm")  # noqa: S108  # a ledger's commits wait for no disk there
HELD = Path("var") / "simulated"
"""Holds the seed up to which all held."""

AT_ONCE = 20
TELL_EVERY_S = 60.0

_ready: list[Setup] = []
"""Of this process."""


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


def again(seed: int) -> int:
    """Play one seed, and print what was stored; 1 when it does not hold."""
    with tempfile.TemporaryDirectory(prefix="simulation", dir=_memory()) as folder:
        _make_ready(folder)
        played = play(_ready[0], seed)
    print("\n".join(played.trace))
    print(f"seed {seed}: {played.digest}, {played.deaths} deaths, {played.steps} steps")
    _tell_wrong(played)
    return int(bool(played.wrong))


def main(seeds: range, minutes: float, jobs: int) -> int:
    """Play the seeds on so many cores until one does not hold; 1 then."""
    began, done, deaths, steps = time.monotonic(), 0, 0, 0
    told_at, goes_on = began, seeds.start <= _first()
    with (
        tempfile.TemporaryDirectory(prefix="simulation", dir=_memory()) as folder,
        multiprocessing.get_context("spawn").Pool(jobs, _make_ready, (folder,)) as pool,
    ):
        for some in pool.imap(_play_some, _parts(seeds)):
            for played in some:
                done, deaths, steps = done + 1, deaths + played.deaths, steps + played.steps
                if played.wrong:
                    _tell_wrong(played)
                    return 1
            if goes_on:
                HELD.parent.mkdir(exist_ok=True)
                HELD.write_text(f"{max(some[-1].seed, _first() - 1)}\n")
            took_s = time.monotonic() - began
            if time.monotonic() - told_at > TELL_EVERY_S:
                told_at = time.monotonic()
                left_h = (len(seeds) - done) / done * took_s / 3600
                rate = done / took_s * 60
                print(f"seed {some[-1].seed}, {rate:.0f} a minute, {left_h:.1f} h left",
                      flush=True)  # fmt: skip
            if took_s > minutes * 60:
                break
    took_s = time.monotonic() - began
    print(f"{done} seeds in {took_s:.0f} s ({done / took_s * 60:.0f} a minute), {deaths} deaths, "
          f"{steps} steps: everything holds")  # fmt: skip
    return 0


def _parts(seeds: range) -> Iterator[range]:
    """Cut them into what one process plays before it tells."""
    return (seeds[at : at + AT_ONCE] for at in range(0, len(seeds), AT_ONCE))


def _play_some(seeds: range) -> list[Played]:
    """Play these, up to one that does not hold; of those that hold the trace is left out."""
    played = []
    for seed in seeds:
        it = play(_ready[0], seed)
        gc.collect(0)  # all that was made since the last time: what is older stays as it is
        played.append(it if it.wrong else replace(it, trace=()))
        if it.wrong:
            break
    gc.collect()
    return played


def _make_ready(folder: str) -> None:
    """Make what every seed begins with, once in each process."""
    warnings.simplefilter("ignore", RuntimeWarning)
    sys.unraisablehook = lambda _: None  # what the dead left is taken apart without a loop
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    _ready.append(set_up(Path(tempfile.mkdtemp(dir=folder))))
    gc.collect()
    gc.freeze()
    gc.disable()  # what the dead left is taken apart between two seeds


def _seeds(text: str) -> range:
    """Read `A..B`, or `B` for the first so many."""
    first, _, last = text.rpartition("..")
    return range(int(first or 1), int(last) + 1)


def _tell_wrong(played: Played) -> None:
    if played.wrong:
        print(f"seed {played.seed} does not hold. Play it again: make simulate SEED={played.seed}")
        print("\n".join(f"  {it}" for it in played.wrong))


def _memory() -> Path | None:
    return MEMORY if MEMORY.is_dir() else None


def _first() -> int:
    """Return the seed after the last one of which it is known that all up to it held."""
    return int(HELD.read_text()) + 1 if HELD.is_file() else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=_seeds, default=range(1, 1_001), metavar="A..B")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--minutes", type=float, default=24 * 60.0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args()
    if chosen.seed is not None:
        sys.exit(again(chosen.seed))
    begin = max(_first(), chosen.seeds.start) if chosen.resume else chosen.seeds.start
    sys.exit(main(range(begin, chosen.seeds.stop), chosen.minutes, chosen.jobs))
