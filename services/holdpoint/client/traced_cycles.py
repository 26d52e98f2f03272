"""Cycles of seed 001: from a user's input to the agent's answer, with every call between.

    async with hp.cycle("Why is the database slow?") as cycle:
        outcome = await hp.call("query_database", {...})
        await cycle.answer("An index is missing.")

Calls made inside are the cycle's children, in their order. What became of a call is told by the
gate and its worker, never by the agent.
"""

from collections.abc import Awaitable, Callable
from contextvars import ContextVar, Token
from typing import Self

import structlog

from holdpoint.client.outcome import RefusedError, UnavailableError
from holdpoint.messages.call import Call, Lineage, Phase, Trace
from holdpoint.runtime.errors import HoldpointError
from holdpoint.runtime.errors import UnavailableError as Away
from holdpoint.runtime.process import clock

log = structlog.get_logger(__name__)

NOT_BEGUN = "Nothing was proposed: the trace that it begins with could not be stored."
NO_ANSWER = "it ended without an answer"

current: ContextVar["Cycle | None"] = ContextVar("cycle", default=None)
"""The cycle that this task is in."""


class Cycle:
    """One cycle; `async with` opens and closes it."""

    def __init__(
        self,
        send: Callable[[Call], Awaitable[object]],
        agent: str,
        text: str,
        dispatched_by: str,
        group_id: str,
    ) -> None:
        self.agent = agent
        self.dispatched_by = dispatched_by
        self.trace_id = clock.new_id()
        self.group_id = group_id or self.trace_id
        self._send = send
        self._text = text
        self._is_open = False
        self._entered: Token[Cycle | None] | None = None

    @property
    def lineage(self) -> Lineage:
        """Return what makes a call a child of this cycle."""
        return Lineage(parent=self.trace_id, group_id=self.group_id)

    async def __aenter__(self) -> Self:
        """Open its root."""
        await self.open()
        self._entered = current.set(self)
        return self

    async def __aexit__(self, _: object, error: BaseException | None, __: object) -> None:
        """Close it, where nothing was answered: with what went wrong."""
        if self._entered is not None:
            current.reset(self._entered)
        await self.give_up(error)

    async def open(self) -> None:
        """Tell that it begins; where that cannot be told, nothing in it is proposed."""
        try:
            await self._tell(Phase.OPENED, input={"text": self._text})
        except Away as error:
            raise UnavailableError(f"{NOT_BEGUN} {error}") from error
        self._is_open = True

    async def answer(self, text: str) -> None:
        """Close it with the agent's answer; a dispatch that it answers ends."""
        await self._close(output={"text": text})

    async def pause(self, text: str) -> None:
        """Close it with what is known so far; a dispatch that it is under stays open."""
        self.dispatched_by = ""
        await self._close(output={"text": text})

    async def give_up(self, error: BaseException | None) -> None:
        """Close it without an answer, if it is open; an error in hand is told before any other.

        A dispatch that it is under ends, unless a call was refused: then it waits for another one.
        """
        if isinstance(error, RefusedError):
            self.dispatched_by = ""
        try:
            await self._close(exception=type(error).__name__ if error else NO_ANSWER)
        except HoldpointError as why:
            if error is None:
                raise
            log.warning("cycle_not_closed", trace_id=self.trace_id, why=repr(why))

    async def _close(self, **fields: object) -> None:
        if not self._is_open:
            return
        self._is_open = False
        await self._tell(Phase.CLOSED, dispatched_by=self.dispatched_by, **fields)

    async def _tell(self, phase: Phase, **fields: object) -> None:
        trace = Trace(
            trace_id=self.trace_id,
            group_id=self.group_id,
            fn=self.agent,
            phase=phase,
            **{"dispatched_by": self.dispatched_by, **fields},  # type: ignore[arg-type]
        )
        await self._send(trace)
