"""What each peer's program prints: the medians of its passing and of its halted calls."""

import json
import statistics
import time
from collections.abc import Awaitable, Callable

WARM_UP = 100
CALLS = 200


async def p50_s(call: Callable[[int], Awaitable[None]]) -> float:
    """Make calls one after the other; return the median of their seconds."""
    for number in range(WARM_UP):
        await call(-number - 1)
    took = []
    for number in range(CALLS):
        began = time.perf_counter()
        await call(number)
        took.append(time.perf_counter() - began)
    return statistics.median(took)


def report(passing_s: float, halted_s: float) -> None:
    """Print both as one line of JSON."""
    print(json.dumps({"pass": passing_s, "halt": halted_s}))
