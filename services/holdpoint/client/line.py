"""An agent's line to the gate: durable publishes and bounded questions, both tried again.

A connection buffers nothing, so a publish that failed did not happen later. What is tried again
is the same document, byte for byte: whoever stored both finds one key in them.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.errors import MaxPayloadError
from nats.js import JetStreamContext
from nats.js.errors import APIError

from holdpoint.client.errors import RefusedError, SetupError, UnavailableError
from holdpoint.messages.ask import AskHold
from holdpoint.messages.base import MAX_MESSAGE_BYTES
from holdpoint.messages.call import Call
from holdpoint.messages.codec import encode_event
from holdpoint.messages.envelope import Envelope
from holdpoint.messages.subjects import CALLS, TYPES, ask_hold_subject, call_subject, stream
from holdpoint.runtime import clock, errors
from holdpoint.runtime.asks import ask
from holdpoint.runtime.connection import Login

T = TypeVar("T")

ASK_WAIT_S = 10.0
"""A gate that dies takes its questions with it: the next one is asked this much later at most."""

ANSWER_MARGIN_S = 3.0
"""On the way there and back, above the wait itself."""

GLANCE_S = 0.5
"""How often a waiting question looks whether its connection still stands."""

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 2.0
TOO_LARGE = 10054
"""The server's code: the message exceeds what the stream takes."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """One agent on one connection."""

    client: Client
    jetstream: JetStreamContext
    login: Login
    tenant: str
    agent: str
    patience_s: float

    async def publish(self, call: Call) -> int:
        """Store the call durably; returns its sequence, however often it had to be tried."""
        subject = call_subject(self.tenant, self.agent, TYPES[type(call)].rpartition(".")[2])
        body = encode_event(
            call,
            event_id=clock.new_id(),
            source=f"agent/{self.agent}",
            subject=subject,
            at=clock.now(),
            salt=clock.new_nonce(),
        )
        if len(body) > MAX_MESSAGE_BYTES:
            raise RefusedError("too_large", f"A message has at most {MAX_MESSAGE_BYTES} bytes.")
        return await self._patiently(lambda: self._stored(subject, body))

    async def ask(self, question: AskHold) -> Envelope:
        """How the hold stands, as soon as that is news to the asker or the question's wait ends."""
        return await self._patiently(lambda: self._answered(question))

    async def _patiently(self, attempt: Callable[[], Awaitable[T]]) -> T:
        gives_up_at = clock.monotonic() + self.patience_s
        pause = FIRST_PAUSE_S
        while True:
            try:
                return await attempt()
            except errors.UnavailableError as error:
                self._check_hope(error, over=clock.monotonic() + pause > gives_up_at)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)

    def _check_hope(self, error: errors.UnavailableError, *, over: bool) -> None:
        """Whether the next try could end otherwise."""
        if self.login.denials:
            raise SetupError(
                f"The broker does not let this credential speak as {self.agent}: "
                f"{self.login.denials.pop()}"
            ) from error
        if over or self.client.is_closed:
            raise UnavailableError(str(error)) from error

    async def _stored(self, subject: str, body: bytes) -> int:
        name = stream(self.tenant, CALLS)
        try:
            ack = await self._connected(self.jetstream.publish(subject, body, stream=name))
        except MaxPayloadError as error:
            raise RefusedError("too_large", "The broker takes no message this large.") from error
        except APIError as error:
            if error.err_code == TOO_LARGE:
                raise RefusedError("too_large", str(error.description)) from error
            raise errors.UnavailableError(f"{name} refuses: {error.description}") from error
        except NatsError as error:
            text = f"No acknowledgement from {name}, nobody knows whether it is stored: {error!r}"
            raise errors.UnavailableError(text) from error
        return ack.seq

    async def _answered(self, question: AskHold) -> Envelope:
        subject = ask_hold_subject(self.tenant, self.agent)
        within_s = question.wait_s + ANSWER_MARGIN_S
        return await self._connected(ask(self.client, subject, question, Envelope, within_s))

    async def _connected(self, request: Coroutine[Any, Any, T]) -> T:
        """The reply; a connection that is lost meanwhile took it along, so the wait is over."""
        before = self.client.stats["reconnects"]
        waiting = asyncio.create_task(request)
        try:
            self._check_connected(before)
            while not (await asyncio.wait({waiting}, timeout=GLANCE_S))[0]:
                self._check_connected(before)
            return waiting.result()
        finally:
            waiting.cancel()

    def _check_connected(self, before: int) -> None:
        if not self.client.is_connected or self.client.stats["reconnects"] != before:
            raise errors.UnavailableError(f"The connection to {self.login.url} was lost.")
