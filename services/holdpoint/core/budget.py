"""Budget of an agent: one bucket of calls and one of bytes, refilled at a steady rate.

Time is the broker's, which stored the calls: a backlog that a gate finds after a while is judged by
when each call was made, and every gate comes to the same answer about the same calls.
"""

from datetime import datetime

from msgspec.structs import replace

from holdpoint.messages.base import Value
from holdpoint.messages.catalog import Budget

DAY_S = 24 * 60 * 60
LEAST_BYTES = 1024
"""What a call counts for at least: so much, and more, the facts about it take."""


class Allowance(Value, frozen=True, kw_only=True):
    """Remainder of a budget at a time."""

    calls: float
    size: float
    at: datetime


def whole(budget: Budget, at: datetime) -> Allowance:
    """Return what an agent has that said nothing yet."""
    return Allowance(calls=budget.calls_at_once, size=budget.bytes_per_day, at=at)


def spend(budget: Budget, had: Allowance, size: int, at: datetime) -> tuple[Allowance, float]:
    """Take one call of this size, in bytes.

    Returns what is left, and 0; or, where the budget does not cover it, what there is, and in how
    many seconds it will.
    """
    bytes_per_s = budget.bytes_per_day / DAY_S
    passed_s = max(0.0, (at - had.at).total_seconds())
    has = Allowance(
        calls=min(budget.calls_at_once, had.calls + passed_s * budget.calls_per_second),
        size=min(budget.bytes_per_day, had.size + passed_s * bytes_per_s),
        at=max(at, had.at),
    )
    costs = max(size, LEAST_BYTES)
    wait_s = max((1 - has.calls) / budget.calls_per_second, (costs - has.size) / bytes_per_s)
    if wait_s > 0:
        return has, wait_s
    return replace(has, calls=has.calls - 1, size=has.size - costs), 0.0
