"""Runs that take long give their hand back, and an agent has only so many of them."""

import asyncio
from contextlib import ExitStack

import pytest

from holdpoint.workers import long_runs
from holdpoint.workers.long_runs import EACH, LONGEST_WAIT_S, MOST, LongRuns, wait_s


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_runs, "LONG_S", 0.0)


async def test_only_an_agent_with_too_many_long_runs_waits() -> None:
    runs, told = LongRuns(), list[int]()
    runs.listen(lambda: told.append(runs.hands))
    with ExitStack() as stack:
        for _ in range(EACH):
            assert not runs.is_full("noisy")
            stack.enter_context(runs.watched("noisy"))
            await _next_turns()

        assert runs.is_full("noisy")
        assert not runs.is_full("robot")
        assert told == list(range(1, EACH + 1))

    assert (runs.hands, runs.is_full("noisy")) == (0, False)


async def test_a_run_that_is_over_before_it_takes_long_never_counts() -> None:
    runs = LongRuns()
    with runs.watched("robot"):
        pass
    await _next_turns()

    assert runs.hands == 0


async def test_beyond_the_most_of_all_agents_a_run_keeps_its_hand() -> None:
    runs = LongRuns()
    with ExitStack() as stack:
        for number in range(MOST + 8):
            stack.enter_context(runs.watched(f"agent-{number}"))
        await _next_turns()

        assert runs.hands == MOST


def test_it_waits_longer_each_time_within_bounds() -> None:
    waits = [wait_s(deliveries) for deliveries in (1, 2, 3, 100)]

    assert waits == [0.5, 1.0, 2.0, LONGEST_WAIT_S]


async def _next_turns() -> None:
    """Let timers that are due go off."""
    for _ in range(3):
        await asyncio.sleep(0)
