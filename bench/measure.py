"""How a pipeline is measured: one call in flight for latency, a full window for throughput."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

WARM_UP = 300
"""Calls before the clock starts: caches fill, code is loaded, the policy's automaton is made."""

WINDOW = 256
"""Calls in flight when throughput is measured."""

NOTE = "Look at the state of the thing before going on with it, as was asked. " * 3
"""With its frame, a call has about the 1,200 bytes that agents' calls have."""

TICK_S = 1 / os.sysconf("SC_CLK_TCK")

Sync: TypeAlias = Literal["always", "100ms"]
"""The server's `sync_interval`."""

Call: TypeAlias = Callable[[int], Awaitable[None]]
"""Makes the call of that number and returns when its result is there."""


@dataclass(frozen=True, kw_only=True)
class Latency:
    """One call in flight at a time, in seconds."""

    p50: float
    p99: float


async def warm_up(call: Call) -> None:
    """Make the calls that come before the clock starts."""
    for number in range(WARM_UP):
        await call(-number - 1)


async def latency(call: Call, count: int) -> Latency:
    """Make `count` calls one after the other."""
    await warm_up(call)
    took = []
    for number in range(count):
        began = time.perf_counter()
        await call(number)
        took.append(time.perf_counter() - began)
    took.sort()
    return Latency(p50=took[len(took) // 2], p99=took[int(len(took) * 0.99)])


async def throughput(call: Call, count: int) -> float:
    """Make `count` calls with a full window; calls per second."""
    await warm_up(call)
    return await at_full_speed(call, count)


async def at_full_speed(call: Call, count: int) -> float:
    """Make `count` calls with a full window, after a warm-up; calls per second."""
    numbers = iter(range(count))

    async def one_of_many() -> None:
        for number in numbers:
            await call(number)

    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(WINDOW):
            group.create_task(one_of_many())
    return count / (time.perf_counter() - began)


def cpu_seconds(processes: Mapping[str, int]) -> dict[str, float]:
    """What each process has used so far, user and system."""
    return {name: _cpu(pid) for name, pid in processes.items()}


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * TICK_S
