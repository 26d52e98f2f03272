"""`make soak`: a steady stream of calls for as long as wanted, and a death now and then.

One gate, worker, audit, console and the broker live through all of it: their memory has to stay
flat. Their twins are killed. At the end the ledger is complete and every invariant holds.
"""

import argparse
import asyncio
import logging
import os
import secrets
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import structlog
from tests.faults.actors import Part, Plot, live
from tests.faults.fault_system import AGENTS, Scene, scene
from tests.running_system import fresh

from holdpoint.runtime.config.settings import MEBIBYTE
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.supervisor import BROKER

CALLS_PER_S = 50
AT_ONCE = 400
"""Calls that are not over yet; while there are so many no other one begins."""

DEATH_EVERY_S = 45.0
SAMPLE_EVERY_S = 5.0
WARM_UP = 0.25
"""Of the run, in which caches fill."""

MOST_GROWTH = 0.15
MOST_GROWTH_BYTES = 24 * MEBIBYTE
"""A process that has grown by more than both leaks."""

STREAM_BYTES = 4096 * MEBIBYTE
MORTALS = ("gate-2", "worker-2")
TOOLS = ("look", "note", "put", "change")
SHARES = (80, 12, 5, 3)


@dataclass(kw_only=True)
class Soak:
    """What was tried, and what was measured meanwhile."""

    made: Scene
    until: float
    ended: Counter[str] = field(default_factory=Counter)
    late: int = 0
    """Calls that began later than their turn, because too many were open."""

    memory: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    async def calls(self) -> None:
        """Begin one call after the other, in an even rhythm."""
        turns, open_calls = asyncio.Semaphore(AT_ONCE), set[asyncio.Task[None]]()
        due = clock.monotonic()
        while due < self.until:
            await asyncio.sleep(max(0.0, due - clock.monotonic()))
            self.late += turns.locked()
            await turns.acquire()
            task = asyncio.create_task(self._call())
            open_calls.add(task)
            task.add_done_callback(open_calls.discard)
            task.add_done_callback(lambda _: turns.release())
            due = max(due + 1 / CALLS_PER_S, clock.monotonic() - 1)
        await asyncio.gather(*open_calls)

    async def _call(self) -> None:
        dice = self.made.dice
        plot = Plot(
            agent=dice.choice(AGENTS),
            tool=dice.choices(TOOLS, SHARES)[0],
            part=dice.choice((Part.PROCEED, Part.PROCEED, Part.CANCEL, Part.WITHDRAW)),
            key=fresh("key"),
        )
        try:
            told = await live(self.made.agents[plot.agent], self.made.people, plot)
            self.ended[told.envelope.status.value] += 1
        except AssertionError as why:
            self.ended[f"not told: {str(why)[:80]}"] += 1

    async def deaths(self) -> None:
        """Kill one of those who may die, now and then."""
        while (left := self.until - clock.monotonic()) > DEATH_EVERY_S / 2:
            await asyncio.sleep(min(DEATH_EVERY_S, left / 2))
            await self.made.cast.kill(self.made.dice.choice(MORTALS))

    async def measure(self) -> None:
        """Note how much memory each of those who live on has."""
        while clock.monotonic() < self.until:
            pids = {name: it.process.pid for name, it in self.made.cast.players.items()
                    if name not in MORTALS}  # fmt: skip
            assert self.made.road.supervisor.server
            pids[BROKER] = self.made.road.supervisor.server.pid
            for name, pid in pids.items():
                self.memory[name].append(_resident(pid))
            await asyncio.sleep(SAMPLE_EVERY_S)

    def leaks(self) -> list[str]:
        """Return whose memory grew after it had warmed up."""
        return [f"{name} grew from {before} to {after} bytes"
                for name, before, after in self.growth()
                if name != BROKER and after > before * (1 + MOST_GROWTH)
                and after > before + MOST_GROWTH_BYTES]  # fmt: skip

    def growth(self) -> list[tuple[str, int, int]]:
        """Each process's memory after its warm-up, and at the end."""
        return [(name, *_ends(samples)) for name, samples in sorted(self.memory.items())]


def _ends(samples: Sequence[int]) -> tuple[int, int]:
    """The median of the first and the last quarter of what follows the warm-up."""
    warm = samples[int(len(samples) * WARM_UP) :]
    quarter = max(1, len(warm) // 4)
    return int(median(warm[:quarter])), int(median(warm[-quarter:]))


def _resident(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def main(minutes: float, seed: int) -> int:
    """Soak one world; 1 when anything does not hold."""
    print(f"HP_SEED={seed}", flush=True)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory(prefix="soak") as folder:
        async with scene(Path(folder), seed, stream_bytes=STREAM_BYTES) as made:
            began = clock.monotonic()
            soak = Soak(made=made, until=began + minutes * 60)
            await asyncio.gather(soak.calls(), soak.deaths(), soak.measure())
            took_s = clock.monotonic() - began
            rested_s = await made.comes_to_rest(clock.monotonic())
            wrong = [*soak.leaks(), *await made.judged()]
    calls = sum(soak.ended.values())
    print(f"calls        {calls} ({calls / took_s:.1f}/s, {soak.late} began late)")
    print(f"ended        {dict(soak.ended)}")
    print(f"deaths       {len(made.cast.kills)}, moved on within {rested_s:.1f} s of the last call")
    for name, before, after in soak.growth():
        sizes = f"{before / MEBIBYTE:.0f} MiB warm, {after / MEBIBYTE:.0f} at the end"
        print(f"memory       {name}: {sizes}")
    for it in wrong:
        print(f"VIOLATION    {it}")
    return 1 if wrong or any(it.startswith("not told") for it in soak.ended) else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    chosen = parser.parse_args()
    seed = int(os.environ.get("HP_SEED") or secrets.randbelow(1_000_000))
    sys.exit(asyncio.run(main(chosen.minutes, seed)))
