"""One connection for each served agent, with that agent's own credential.

So whatever this process does, the broker lets it do no more than its agents could do themselves.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from holdpoint.client.holdpoint import Holdpoint
from holdpoint.client.outcome import RefusedError
from holdpoint.messages.envelope import TOO_MANY_QUESTIONS
from holdpoint.runtime.config.settings import Settings

PATIENCE_S = 5.0
"""Time that broker and gate may be away before the client is told to come again."""

MOST_AT_ONCE = 48
"""Requests of one agent: the gate keeps 64 of its questions open, webhooks ask some of them."""

RETRY_S = 1.0


@dataclass(eq=False, kw_only=True)
class AgentLines:
    """The connections that are open; each is opened when its agent is first heard."""

    settings: Settings
    _open: dict[str, Holdpoint] = field(default_factory=dict)
    _turns: defaultdict[str, asyncio.Lock] = field(
        default_factory=lambda: defaultdict(asyncio.Lock)
    )
    """One for each agent: whose connection cannot be made keeps no other one waiting."""

    _busy: Counter[str] = field(default_factory=Counter)

    @asynccontextmanager
    async def use(self, agent: str) -> AsyncIterator[Holdpoint]:
        """Lend the agent's connection for one request. RefusedError if it has too many."""
        if self._busy[agent] >= MOST_AT_ONCE:
            text = f"{agent} has {MOST_AT_ONCE} requests open already."
            raise RefusedError(TOO_MANY_QUESTIONS, text, retry_after_s=RETRY_S)
        self._busy[agent] += 1
        try:
            yield await self.of(agent)
        finally:
            self._busy[agent] -= 1

    async def of(self, agent: str) -> Holdpoint:
        """Return the agent's connection. Raises SetupError, UnavailableError."""
        async with self._turns[agent]:
            line = self._open.get(agent)
            if line is None or line.is_closed:
                line = Holdpoint.connect(
                    agent, self.settings, patience_s=PATIENCE_S, on_cancel="leave"
                )
                self._open[agent] = await line.__aenter__()
            return line

    async def close(self) -> None:
        """Close them all; what waits for people waits on."""
        for line in self._open.values():
            await line.__aexit__()
        self._open.clear()
