"""A budget is a burst and a steady rate, by the broker's time."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import T0

from holdpoint.core.budget import (
    DAY_S,
    HOLD_BYTES,
    LEAST_BYTES,
    Allowance,
    give_back_hold,
    pace,
    spend,
    spend_hold,
    whole,
)
from holdpoint.messages.catalog import Budget

BUDGET = Budget(calls_per_second=10, calls_at_once=5, bytes_per_day=100 * LEAST_BYTES)


def spent(times: list[float], size: int = 0, budget: Budget = BUDGET) -> list[float]:
    """For how long each of the calls at these seconds would have to wait; 0 where it counts."""
    left, waits = whole(budget, T0), []
    for second in times:
        left, wait_s = spend(budget, left, size, T0 + timedelta(seconds=second))
        waits.append(wait_s)
    return waits


def test_a_burst_is_covered_and_no_more() -> None:
    assert spent([0.0] * 7) == [0, 0, 0, 0, 0, pytest.approx(0.1), pytest.approx(0.1)]


def test_a_steady_rate_is_covered_for_as_long_as_it_lasts() -> None:
    assert not any(spent([number / 10 for number in range(90)]))


def test_after_the_wait_that_was_told_the_call_is_covered() -> None:
    assert spent([0.0] * 6 + [0.1001])[-1] == 0


def test_a_day_has_so_many_bytes() -> None:
    steady = Budget(calls_per_second=1000, calls_at_once=1000, bytes_per_day=100 * LEAST_BYTES)

    waits = spent([0.0] * 101, size=1, budget=steady)

    assert not any(waits[:100])
    assert waits[100] == pytest.approx(DAY_S / 100)


def test_what_was_said_before_the_last_call_adds_nothing() -> None:
    assert spent([1.0] * 5 + [0.0])[-1] > 0


@given(st.lists(st.tuples(st.floats(0, 5), st.integers(0, 5000)), max_size=60))
def test_no_more_than_burst_and_rate_is_ever_covered(calls: list[tuple[float, int]]) -> None:
    left, covered, size = whole(BUDGET, T0), 0, 0
    for second, length in sorted(calls):
        left, wait_s = spend(BUDGET, left, length, T0 + timedelta(seconds=second))
        assert isinstance(left, Allowance)
        covered += not wait_s
        size += 0 if wait_s else max(length, LEAST_BYTES)

    lasted = max((second for second, _ in calls), default=0)
    assert covered <= BUDGET.calls_at_once + lasted * BUDGET.calls_per_second + 1e-6
    assert size <= BUDGET.bytes_per_day * (1 + lasted / DAY_S) + 1e-6


def held(times: list[float], size: int = 0, budget: Budget = BUDGET) -> list[float]:
    """The same for holds of this size."""
    left, waits = whole(budget, T0), []
    for second in times:
        left, wait_s = spend_hold(budget, left, size, T0 + timedelta(seconds=second))
        waits.append(wait_s)
    return waits


def test_holds_have_a_burst_and_a_day_of_their_own() -> None:
    budget = Budget(holds_per_day=24, holds_at_once=3)

    assert held([0, 0, 0, 0, 3601, 3602], budget=budget) == [
        0, 0, 0, pytest.approx(3600), 0, pytest.approx(3598)
    ]  # fmt: skip


def test_a_large_hold_counts_for_what_it_stores_and_never_for_more_than_there_can_be() -> None:
    budget = Budget(holds_per_day=24, holds_at_once=3)

    assert held([0, 0], size=2 * HOLD_BYTES, budget=budget) == [0, pytest.approx(3600)]
    assert held([0, 0], size=9 * HOLD_BYTES, budget=budget) == [0, pytest.approx(3 * 3600)]


def test_a_hold_that_was_not_stored_is_given_back_and_no_more() -> None:
    budget = Budget(holds_per_day=24, holds_at_once=3)
    left, _ = spend_hold(budget, whole(budget, T0), HOLD_BYTES, T0)

    assert left.holds == budget.holds_at_once - 1
    for _ in range(2):
        left = give_back_hold(budget, left, HOLD_BYTES)
        assert left.holds == budget.holds_at_once


def test_what_is_sent_at_once_is_judged_at_ten_times_the_steady_rate() -> None:
    usual, now, due = Budget(), 7.0, 0.0
    waits = list[float]()
    for _ in range(30):
        due, wait_s = pace(usual, due, 64, now)
        waits.append(wait_s)

    rate = 10 * usual.calls_per_second
    assert waits[:2] == pytest.approx([0.0, 64 / rate])
    assert waits[-1] == pytest.approx(29 * 64 / rate)


def test_calls_at_the_steady_rate_never_wait_for_a_pace() -> None:
    usual, now, due = Budget(), 0.0, 0.0
    for _ in range(1_000):
        due, wait_s = pace(usual, due, 1, now)
        now += 1 / usual.calls_per_second
        assert wait_s == pytest.approx(0.0)
