"""How passing calls scale with gates and workers, by what each process uses of a core for one.

Calls wait in line before the first process of a kind that is free, as they do at the broker's
consumers. The figures are those of `make bench-costs`; the machine is taken to have cores enough.
`python -m bench.scale` prints calls a second for one to four gates and as many workers.
"""

import heapq
import random
from collections.abc import Mapping

CORE_US = {"agent": 120.0, "broker": 200.0, "gate": 190.0, "worker": 105.0}
"""Microseconds of a core for a passing read; see README.md."""

AUDIT_US = 235.0
"""Nobody waits for the audit: below this the ledger keeps up, above it it follows later."""

ROAD = ("agent", "broker", "gate", "broker", "worker", "broker", "agent")
AGENTS = 4
"""Processes that call."""

BROKER_CORES = 4
IN_FLIGHT = 256
CALLS = 8_000


def calls_per_second(gates: int, workers: int, seed: int = 1) -> float:
    """Return the rate at which so many gates and workers end calls, with a full window."""
    processes = {"agent": AGENTS, "broker": BROKER_CORES, "gate": gates, "worker": workers}
    return CALLS / _seconds(processes, random.Random(seed))  # nothing secret


def _seconds(processes: Mapping[str, int], dice: random.Random) -> float:
    """Play the calls: each visits the processes on its road, and then another begins."""
    free = {kind: [0.0] * count for kind, count in processes.items()}
    visits = {kind: ROAD.count(kind) for kind in processes}
    waiting = [(0.0, number, 0) for number in range(IN_FLIGHT)]
    began, now = IN_FLIGHT, 0.0
    while waiting:
        now, number, step = heapq.heappop(waiting)
        if step == len(ROAD):
            if began < CALLS:
                heapq.heappush(waiting, (now, began, 0))
                began += 1
            continue
        kind = ROAD[step]
        took = dice.expovariate(visits[kind] / CORE_US[kind]) / 1e6
        over = max(now, heapq.heappop(free[kind])) + took
        heapq.heappush(free[kind], over)
        heapq.heappush(waiting, (over, number, step + 1))
    return now


def main() -> None:
    """Print the table."""
    alone = calls_per_second(1, 1)
    for count in range(1, 5):
        rate = calls_per_second(count, count)
        print(f"{count} gates, {count} workers: {rate:6.0f} calls/s, {rate / alone:.2f} times one")
    print(f"one audit: {1e6 / AUDIT_US:6.0f} calls/s of a tenant, all day")


if __name__ == "__main__":
    main()
