"""Budget of an agent: buckets of calls, bytes and holds, refilled at a steady rate.

Time is the broker's, which stored the calls: a backlog that a gate finds after a while is judged by
when each call was made, and every gate comes to the same answer about the same calls.
"""

from datetime import datetime

from msgspec.structs import replace

from holdpoint.messages.base import Value
from holdpoint.messages.catalog import Budget

DAY_S = 24 * 60 * 60
LEAST_BYTES = 2 * 1024
"""What a call counts for at least: so much the fact takes that a small one passed, for a day."""

HOLD_BYTES = 3 * 1024
"""Of a hold's first fact and its picture, for each hold that it counts as. Each later fact of the
hold repeats them, and all are kept for as long as the stream remembers."""

PACE = 10
"""What an agent sends at once is judged at so many times its steady rate: all of it at once would
fill the workers' lanes, in which another agent's call then waits."""

AT_ONCE = 64
"""So many are judged without a wait, when there were fewer before."""


class Allowance(Value, frozen=True, kw_only=True):
    """Remainder of a budget at a time."""

    calls: float
    size: float
    holds: float
    at: datetime


def whole(budget: Budget, at: datetime) -> Allowance:
    """Return what an agent has that said nothing yet."""
    return Allowance(
        calls=budget.calls_at_once, size=budget.bytes_per_day, holds=budget.holds_at_once, at=at
    )


def spend(budget: Budget, had: Allowance, size: int, at: datetime) -> tuple[Allowance, float]:
    """Take one call of this size, in bytes.

    Returns what is left, and 0; or, where the budget does not cover it, what there is, and in how
    many seconds it will.
    """
    has, costs = _refilled(budget, had, at), max(size, LEAST_BYTES)
    wait_s = max(
        (1 - has.calls) / budget.calls_per_second,
        (costs - has.size) * DAY_S / budget.bytes_per_day,
    )
    if wait_s > 0:
        return has, wait_s
    return replace(has, calls=has.calls - 1, size=has.size - costs), 0.0


def spend_hold(budget: Budget, had: Allowance, size: int, at: datetime) -> tuple[Allowance, float]:
    """Take one hold of this size, in bytes; the same is returned."""
    has = _refilled(budget, had, at)
    costs = holds_for(budget, size)
    wait_s = (costs - has.holds) * DAY_S / budget.holds_per_day
    return (has, wait_s) if wait_s > 0 else (replace(has, holds=has.holds - costs), 0.0)


def give_back_hold(budget: Budget, had: Allowance, size: int) -> Allowance:
    """Return what there is with one hold of this size that was taken and is not stored."""
    return replace(had, holds=min(budget.holds_at_once, had.holds + holds_for(budget, size)))


def pace(budget: Budget, due: float, calls: int, now: float) -> tuple[float, float]:
    """Put so many calls behind those that are due at a time, in seconds on the clock of `now`.

    Returns when these are due, and how long they wait for it.
    """
    each_s = 1 / (PACE * budget.calls_per_second)
    due = max(due, now) + calls * each_s
    return due, max(0.0, due - now - AT_ONCE * each_s)


def holds_for(budget: Budget, size: int) -> float:
    """Return how many holds one of this size counts as: at most as many as are allowed at once."""
    return min(budget.holds_at_once, max(1.0, size / HOLD_BYTES))


def _refilled(budget: Budget, had: Allowance, at: datetime) -> Allowance:
    passed_s = max(0.0, (at - had.at).total_seconds())
    days = passed_s / DAY_S
    return Allowance(
        calls=min(budget.calls_at_once, had.calls + passed_s * budget.calls_per_second),
        size=min(budget.bytes_per_day, had.size + days * budget.bytes_per_day),
        holds=min(budget.holds_at_once, had.holds + days * budget.holds_per_day),
        at=max(at, had.at),
    )
