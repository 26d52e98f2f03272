"""Fairness between agents: a budget for each of them, and turns for what is to be judged.

What is more than a budget is refused together, for next to nothing, and never silently.

Every call counts, also one that cannot be read, a trace or a withdrawal. A gate remembers what is
left of each budget for as long as it runs, and each gate by itself: two gates let through up to
twice as much. One refusal names the calls of a thousand sequences that were too many, and is
written again when there are more of them; they are acknowledged once it is stored.

What the budgets cover is judged in turns. An assessment holds the process for as long as it takes,
so a turn is short, and between two turns the event loop runs once: what arrived meanwhile, and what
was acknowledged, is dealt with.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime

import structlog

from holdpoint.core.budget import Allowance, give_back_hold, pace, spend, spend_hold, whole
from holdpoint.messages.catalog import Agent
from holdpoint.messages.envelope import TOO_MANY_CALLS
from holdpoint.messages.hold import Refused
from holdpoint.messages.subjects import thousand_of
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.errors import HoldpointError
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.history import Holds

log = structlog.get_logger(__name__)

GATHERS_S = 0.5
"""Time that calls that are too many gather before their sender is told."""

TOGETHER = 500
"""So many are not gathered for longer: fewer than the broker hands over unacknowledged."""

RETRY_AFTER_S = 1.0
"""At least: who sends many at once is not to try each of them again at once."""

TURN_BYTES = 16 * 1024
"""Of one agent's calls that are judged in one turn, or one call if that is larger. The densest
commands take 1.2 us a byte: 20 ms a turn."""

STALE_S = 10.0
"""What was in hand for so long, as in a process that stood still, may be in another's by now."""


@dataclass(eq=False, kw_only=True)
class _Over:
    """Calls of one agent and one thousand that are to be refused together."""

    agent: str
    wait_s: float = 0.0
    calls: dict[int, Delivery] = field(default_factory=dict)


@dataclass(eq=False, kw_only=True)
class Budgets:
    """Remaining budget of each agent, and the calls to be refused."""

    agents: Mapping[str, Agent]
    holds: Holds
    _left: dict[str, Allowance] = field(default_factory=dict)
    _due: dict[str, float] = field(default_factory=dict)
    """When each agent's calls so far are judged at its pace."""

    _over: dict[str, _Over] = field(default_factory=dict)
    _some: asyncio.Event = field(default_factory=asyncio.Event)
    _many: asyncio.Event = field(default_factory=asyncio.Event)

    def cover(self, agent: str, delivery: Delivery) -> bool:
        """Take the call from the budget; False where that does not cover it: it is refused soon."""
        known = self.agents.get(agent)
        if known is None:
            return True
        left = self._left.get(agent) or whole(known.budget, delivery.at)
        size = len(delivery.data)
        self._left[agent], wait_s = spend(known.budget, left, size, delivery.at)
        if wait_s:
            self._put_down(agent, delivery, wait_s)
        return not wait_s

    def pace_s(self, agent: str, calls: int) -> float:
        """Return how long so many calls wait for the agent's pace, and count them."""
        known = self.agents.get(agent)
        if known is None:
            return 0.0
        now = clock.monotonic()
        due = self._due.get(agent, now)
        self._due[agent], wait_s = pace(known.budget, due, calls, now)
        return wait_s

    async def cover_again(self, agent: str, delivery: Delivery) -> bool:
        """Cover a call that comes again, and may have been refused before."""
        if await self._was_refused(agent, delivery):
            await delivery.ack()
            return False
        return self.cover(agent, delivery)

    def take_hold(self, agent: str, size: int, at: datetime) -> float:
        """Take a hold of this size from the budget; else in how many seconds that covers it."""
        budget = self.agents[agent].budget
        left = self._left.get(agent) or whole(budget, at)
        self._left[agent], wait_s = spend_hold(budget, left, size, at)
        return wait_s

    def give_back_hold(self, agent: str, size: int) -> None:
        """Give back what was taken for a hold that is not stored."""
        budget = self.agents[agent].budget
        self._left[agent] = give_back_hold(budget, self._left[agent], size)

    def too_many_holds(self, agent: str) -> str:
        """Return what to say where the budget does not cover a hold."""
        budget = self.agents[agent].budget
        return (
            f"{agent} asked for more that is held than its budget in agents.yaml covers: "
            f"{budget.holds_per_day:g} holds a day, {budget.holds_at_once:,} at once; a large one "
            "counts as several. Nothing was decided and nothing ran: the same call may be sent "
            "again, with the same key."
        )

    async def keep_telling(self) -> None:
        """Refuse what gathered, for ever."""
        while True:
            await self._some.wait()
            try:
                async with asyncio.timeout(GATHERS_S):
                    await self._many.wait()
            except TimeoutError:
                self._many.clear()
            self._some.clear()
            self._many.clear()
            over, self._over = self._over, {}
            for cause, these in over.items():
                await self._refuse(cause, these)

    def _put_down(self, agent: str, delivery: Delivery, wait_s: float) -> None:
        over = self._over.setdefault(thousand_of(delivery.id), _Over(agent=agent))
        over.calls[delivery.seq] = delivery
        over.wait_s = wait_s
        self._some.set()
        if len(over.calls) >= TOGETHER:
            self._many.set()

    async def _refuse(self, cause: str, over: _Over) -> None:
        oldest = clock.monotonic() - STALE_S
        calls = [it for it in over.calls.values() if it.came > oldest]
        if not calls:
            return
        try:
            await self.holds.refuse_together(self._refusal(cause, over, calls))
        except HoldpointError as error:  # they come again
            log.warning("refusal_not_stored", agent=over.agent, calls=len(calls), why=str(error))
            return
        log.warning(TOO_MANY_CALLS, agent=over.agent, calls=len(calls))
        for call in calls:
            await call.ack()

    def _refusal(self, cause: str, over: _Over, calls: Sequence[Delivery]) -> Refused:
        budget = self.agents[over.agent].budget
        text = (
            f"{over.agent} said more than its budget in agents.yaml covers: "
            f"{budget.calls_per_second:g} calls a second, {budget.calls_at_once:,} at once, "
            f"{budget.bytes_per_day:,} bytes a day. Nothing was decided and nothing ran: the same "
            "call may be sent again, with the same key."
        )
        return Refused(
            principal=over.agent,
            cause=cause,
            code=TOO_MANY_CALLS,
            text=text,
            retry_after_s=max(RETRY_AFTER_S, over.wait_s, len(calls) / budget.calls_per_second),
            sequences=tuple(it.seq for it in calls),
        )

    async def _was_refused(self, agent: str, delivery: Delivery) -> bool:
        """Return whether this call, which comes again, was refused before it was acknowledged."""
        told = await self.holds.refusal(agent, thousand_of(delivery.id))
        return told is not None and delivery.seq in told.sequences


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
    """True if the next turn is about to begin."""

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
