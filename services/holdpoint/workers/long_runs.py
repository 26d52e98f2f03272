"""Fairness between agents at a worker: a run that takes long gives its hand back.

A worker has few hands, and a run that takes long would keep one of them from everybody. It gives it
back; an agent has only so many such runs, and its next ones wait at the broker.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

LONG_S = 0.25
EACH = 32
"""Long runs of one agent, before its next ones wait."""

MOST = 512
"""Of all agents; beyond them a run keeps its hand, however long it takes."""

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 15.0
MOST_DOUBLINGS = 5


@dataclass(eq=False, kw_only=True)
class LongRuns:
    """The runs of one worker that take long, by agent."""

    _running: Counter[str] = field(default_factory=Counter)
    _listeners: list[Callable[[], None]] = field(default_factory=list)

    @property
    def hands(self) -> int:
        """Return how many hands were given back."""
        return self._running.total()

    def listen(self, on_change: Callable[[], None]) -> None:
        """Call this whenever a run gives its hand back."""
        self._listeners.append(on_change)

    def is_full(self, agent: str) -> bool:
        """Return whether an agent's next run has to wait until one of its long ones is over."""
        return self._running[agent] >= EACH

    @contextmanager
    def watched(self, agent: str) -> Iterator[None]:
        """Count a run as long once it takes long, until it is over."""
        counted: list[str] = []

        def count() -> None:
            if self.hands < MOST:
                counted.append(agent)
                self._running[agent] += 1
                for listener in self._listeners:
                    listener()

        timer = asyncio.get_running_loop().call_later(LONG_S, count)
        try:
            yield
        finally:
            timer.cancel()
            self._running.subtract(counted)


def wait_s(deliveries: int) -> float:
    """Return how long a grant waits that was handed out so often and whose agent is at its most."""
    return min(FIRST_WAIT_S * 2.0 ** min(deliveries - 1, MOST_DOUBLINGS), LONGEST_WAIT_S)
