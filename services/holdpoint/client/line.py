"""An agent's line to the gate: durable publishes and bounded questions, both tried again.

A connection buffers nothing, so a publish that failed did not happen later. What is tried again
is the same document, byte for byte: whoever stored both finds one key in them.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from msgspec.structs import replace
from nats.aio.client import Client
from nats.errors import Error as NatsError

from holdpoint.client.errors import RefusedError, SetupError, UnavailableError
from holdpoint.client.results import Results
from holdpoint.messages.ask import AskHold
from holdpoint.messages.base import MAX_MESSAGE_BYTES
from holdpoint.messages.call import Call
from holdpoint.messages.codec import UnreadableError, decode, encode, encode_event
from holdpoint.messages.envelope import TOO_MANY_QUESTIONS, Envelope
from holdpoint.messages.subjects import TYPES, ask_hold_subject, call_subject, calls_of, stream
from holdpoint.runtime import clock, errors
from holdpoint.runtime.connection import Login
from holdpoint.runtime.requests import TOO_LARGE, Requests

T = TypeVar("T")

ASK_WAIT_S = 10.0
"""A gate that dies takes its questions with it: the next one is asked this much later at most."""

ANSWER_MARGIN_S = 3.0
"""On the way there and back, above the wait itself."""

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 2.0
LONGEST_LOOK_PAUSE_S = 8.0
"""Between two looks of one of many calls that wait for people."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """One agent on one connection."""

    client: Client
    requests: Requests
    results: Results | None
    """None where the keyset cannot be read: then the gate is asked about everything."""

    login: Login
    tenant: str
    agent: str
    patience_s: float

    def begin(self, call: Call) -> asyncio.Future[int]:
        """Send the call before this returns; its sequence, however often it has to be tried.

        Where the first try succeeds there is no task. Cancelling the future ends the tries.
        """
        subject = call_subject(self.tenant, self.agent, TYPES[type(call)].rpartition(".")[2])
        body = self._document(call, subject)
        if len(body) > MAX_MESSAGE_BYTES:
            raise RefusedError("too_large", f"A message has at most {MAX_MESSAGE_BYTES} bytes.")
        stored: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def on_stored(result: int | errors.HoldpointError) -> None:
            if stored.done():
                return
            if isinstance(result, errors.HoldpointError):
                _follow(stored, asyncio.ensure_future(self._try_again(subject, body, result)))
            else:
                stored.set_result(result)

        name = stream(self.tenant, calls_of(self.agent))
        self.requests.begin_publish(subject, body, name, {}, on_stored)
        return stored

    async def _try_again(self, subject: str, body: bytes, why: errors.HoldpointError) -> int:
        name = stream(self.tenant, calls_of(self.agent))

        async def attempt() -> int:
            try:
                return await self.requests.publish(subject, body, name)
            except errors.HoldpointError as error:
                raise _told(error) from error

        return await self._patiently(attempt, _told(why))

    def _document(self, call: Call, subject: str) -> bytes:
        """The call's bytes; what JSON cannot say is refused before anything is sent."""
        try:
            return encode_event(
                call,
                event_id=clock.new_id(),
                source=f"agent/{self.agent}",
                subject=subject,
                at=clock.now(),
                salt=clock.new_nonce(),
            )
        except UnicodeEncodeError:
            text = "A string holds half a surrogate pair."
            raise RefusedError("bad_unicode", text) from None
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            raise RefusedError("bad_data", f"This is nothing that JSON can say: {error}") from None

    async def ask(self, question: AskHold) -> Envelope:
        """How the hold stands, as soon as that is news to the asker or the question's wait ends.

        Where too many of the agent's questions wait already, this one looks again without waiting.
        """
        told = await self._patiently(lambda: self._answered(question))
        look, pause_s = replace(question, wait_s=0.0), told.retry_after_s
        while told.code == TOO_MANY_QUESTIONS:
            await asyncio.sleep(pause_s)
            told = await self._patiently(lambda: self._answered(look))
            pause_s = min(2 * pause_s, LONGEST_LOOK_PAUSE_S)
        return told

    async def _patiently(
        self, attempt: Callable[[], Awaitable[T]], failed: Exception | None = None
    ) -> T:
        """Try until it succeeds, cannot, or the patience is over; it may have failed once."""
        gives_up_at = clock.monotonic() + self.patience_s
        pause = FIRST_PAUSE_S
        while True:
            try:
                if failed is not None:
                    raise failed
                return await attempt()
            except errors.UnavailableError as error:
                self._check_hope(error, over=clock.monotonic() + pause > gives_up_at)
            await asyncio.sleep(pause)
            pause, failed = min(2 * pause, LONGEST_PAUSE_S), None

    def _check_hope(self, error: errors.UnavailableError, *, over: bool) -> None:
        """Whether the next try could end otherwise."""
        if self.login.denials:
            raise SetupError(
                f"The broker does not let this credential speak as {self.agent}: "
                f"{self.login.denials.pop()}"
            ) from error
        if over or self.client.is_closed:
            raise UnavailableError(str(error)) from error

    async def _answered(self, question: AskHold) -> Envelope:
        subject = ask_hold_subject(self.tenant, self.agent)
        within_s = question.wait_s + ANSWER_MARGIN_S
        try:
            reply = await self.requests.send(subject, encode(question), within_s)
            return decode(reply, Envelope)
        except (NatsError, UnreadableError) as error:
            text = f"The gate did not answer: it, or the broker, is away ({type(error).__name__})."
            raise errors.UnavailableError(text) from error


def _told(error: errors.HoldpointError) -> Exception:
    """What a publish that failed is to its caller."""
    if isinstance(error, errors.RefusedByBrokerError) and error.code == TOO_LARGE:
        return RefusedError("too_large", str(error))
    if isinstance(error, errors.UnknownOutcomeError):
        return errors.UnavailableError(f"Nobody knows whether it is stored: {error}")
    return error


def _follow(stored: asyncio.Future[int], trying: asyncio.Task[int]) -> None:
    """Have the future end as the task does, and the task with the future."""

    def on_tried(task: asyncio.Task[int]) -> None:
        if stored.done() or task.cancelled():
            stored.cancel()
        elif (error := task.exception()) is not None:
            stored.set_exception(error)
        else:
            stored.set_result(task.result())

    trying.add_done_callback(on_tried)
    stored.add_done_callback(lambda _: trying.cancel())
