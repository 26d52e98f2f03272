"""Whose calls are judged next: agents take turns, however many calls of one are in hand.

An assessment holds the process for as long as it takes. So a turn is short, and between two turns
the event loop runs once: what arrived meanwhile, and what was acknowledged, is dealt with.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

TURN_BYTES = 16 * 1024
"""Of one agent's calls that are judged in one turn, or one call if that is larger. The densest
commands take 1.2 us a byte: 20 ms a turn."""


@dataclass(eq=False, frozen=True, kw_only=True)
class _Waiting:
    size: int
    turn: asyncio.Future[None]


@dataclass(eq=False)
class Turns:
    """The agents whose calls wait, in the order of their turns."""

    _queues: dict[str, deque[_Waiting]] = field(default_factory=dict)
    _judged: int = 0
    """Calls whose turn it is."""

    _is_between: bool = False
    """Whether the next turn is about to begin."""

    @asynccontextmanager
    async def of(self, agent: str, size: int) -> AsyncIterator[None]:
        """A turn for a call of this size: at once where no other call is being judged."""
        if self._judged or self._is_between:
            waiting = _Waiting(size=size, turn=asyncio.get_running_loop().create_future())
            self._queues.setdefault(agent, deque()).append(waiting)
            try:
                await waiting.turn
            except asyncio.CancelledError:
                if waiting.turn.done() and not waiting.turn.cancelled():
                    self._leave()
                raise
        else:
            self._judged = 1
        try:
            yield
        finally:
            self._leave()

    def _leave(self) -> None:
        self._judged -= 1
        if not self._judged and self._queues:
            self._is_between = True
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        """Give the next agent its turn; who has more calls waits again behind the others."""
        self._is_between = False
        left = TURN_BYTES
        while self._queues and not self._judged:
            agent = next(iter(self._queues))
            queue = self._queues.pop(agent)
            while queue and (not self._judged or queue[0].size <= left):
                waiting = queue.popleft()
                if not waiting.turn.done():  # its caller may be gone
                    left -= waiting.size
                    self._judged += 1
                    waiting.turn.set_result(None)
            if queue:
                self._queues[agent] = queue
