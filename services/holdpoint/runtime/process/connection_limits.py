"""Limits on connections that wait for their client: a few seconds, and not beside too many others.

Any program of this machine can connect. One that says nothing, never ends what it says or reads
nothing of what it gets keeps nobody else out. A request that is being answered may take its time.
"""

import asyncio
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

ASKS_WITHIN_S = 10.0
"""From connecting, or from the last answer, to the end of a request: no form here is long."""

READS_WITHIN_S = 30.0
"""Time that a browser that sleeps may leave what it is sent unread."""

MOST_WAITING = 128
"""Beside these the one that has waited longest is closed: far more than all browsers here open."""


class Connection(H11Protocol):
    """uvicorn's connection, with an end to its patience."""

    waiting: ClassVar[dict["Connection", asyncio.TimerHandle]] = {}
    """Those that wait for their browser, the oldest first."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """The browser's turn."""
        super().connection_made(transport)
        self._wait(ASKS_WITHIN_S)

    def connection_lost(self, exc: Exception | None) -> None:
        """End the connection's turn."""
        self._go_on()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Ours, as soon as a request is complete."""
        super().handle_events()
        if self._is_asked():
            self._go_on()

    def on_response_complete(self) -> None:
        """The browser's again, unless its next request has come already."""
        self._wait(ASKS_WITHIN_S)
        super().on_response_complete()

    def pause_writing(self) -> None:
        """It has to read first."""
        super().pause_writing()
        self._wait(READS_WITHIN_S)

    def resume_writing(self) -> None:
        """It has read."""
        super().resume_writing()
        if self._is_asked():
            self._go_on()

    def _is_asked(self) -> bool:
        cycle = self.cycle
        return cycle is not None and not cycle.more_body and not cycle.response_complete

    def _wait(self, seconds: float) -> None:
        self._go_on()
        self.waiting[self] = self.loop.call_later(seconds, self.transport.abort)
        if len(self.waiting) > MOST_WAITING:
            next(iter(self.waiting)).transport.abort()

    def _go_on(self) -> None:
        timer = self.waiting.pop(self, None)
        if timer is not None:
            timer.cancel()
