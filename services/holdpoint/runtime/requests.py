"""Requests to the broker, many at once on one inbox: publishes with their acknowledgements, reads.

One subscription, one number for each request and one timer for all of them; a lost connection
ends them at once.
"""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

import msgspec
from nats.aio.client import Client
from nats.errors import ConnectionClosedError, MaxPayloadError, NoRespondersError
from nats.errors import Error as NatsError
from nats.errors import TimeoutError as NatsTimeoutError

from holdpoint.runtime import clock
from holdpoint.runtime.broker.wire import Headers, header_block, wire_of
from holdpoint.runtime.connection import Login
from holdpoint.runtime.errors import (
    ConflictError,
    HoldpointError,
    RefusedByBrokerError,
    UnknownOutcomeError,
)

SWEEP_S = 0.1
"""How much later than its time a request may end that nobody answers."""

NOBODY = "503"
WRONG_LAST_SEQUENCE = 10071
TOO_LARGE = 10054
"""The message exceeds what the stream, or the broker, takes."""

PUBLISH_TIMEOUT_S = 5.0
"""Above an fsync on a slow disk; a publish that takes longer is an unknown outcome."""

EXPECTED_STREAM = "Nats-Expected-Stream"

OnReply: TypeAlias = Callable[[bytes | NatsError], None]
"""Takes the reply's body, or why there is none: then nobody knows what became of the request."""

OnStored: TypeAlias = Callable[[int | HoldpointError], None]
"""Takes the sequence of what was published, or why it is not known to be stored."""


class Fault(msgspec.Struct):
    """What the broker says of a request that it did not carry out."""

    err_code: int = 0
    description: str = ""


class _Acknowledgement(msgspec.Struct):
    seq: int = 0
    error: Fault | None = None


_acknowledgements = msgspec.json.Decoder(_Acknowledgement)


class Requests:
    """Open requests of one connection."""

    def __init__(self, client: Client, login: Login) -> None:
        self._client = client
        self._inbox = ""
        self._sent = 0
        self._open: dict[str, tuple[float, OnReply]] = {}
        self._sweeps = False
        login.lost.append(self._lose)

    def begin(
        self, subject: str, body: bytes, within_s: float, headers: bytes, on_reply: OnReply
    ) -> str:
        """Send a request with whatever else is sent in this turn; return its number.

        Raises NatsError when it cannot be sent.
        """
        wire = wire_of(self._client)
        if not self._inbox:
            self._inbox = f"{self._client.new_inbox()}."
            wire.subscribe(f"{self._inbox}*", self._on_reply)
        self._sent += 1
        number = str(self._sent)
        wire.publish(subject, body, f"{self._inbox}{number}", headers)
        self._open[number] = (clock.monotonic() + within_s, on_reply)
        if not self._sweeps:
            self._sweeps = True
            asyncio.get_running_loop().call_later(SWEEP_S, self._sweep)
        return number

    def begin_publish(
        self, subject: str, body: bytes, stream: str, headers: dict[str, str], on_stored: OnStored
    ) -> None:
        """Store it in that stream; `on_stored` hears what became of it."""

        def on_reply(reply: bytes | NatsError) -> None:
            on_stored(_stored(subject, stream, reply))

        block = header_block(headers | {EXPECTED_STREAM: stream})
        try:
            self.begin(subject, body, PUBLISH_TIMEOUT_S, block, on_reply)
        except NatsError as error:
            on_reply(error)

    async def send(
        self, subject: str, body: bytes, within_s: float, headers: dict[str, str] | None = None
    ) -> bytes:
        """Return the reply's body.

        NatsError when the connection broke or no reply came in time: then nobody knows.
        """
        answer: asyncio.Future[bytes | NatsError] = asyncio.get_running_loop().create_future()

        def on_reply(reply: bytes | NatsError) -> None:
            if not answer.done():
                answer.set_result(reply)

        block = header_block(headers) if headers else b""
        number = self.begin(subject, body, within_s, block, on_reply)
        try:
            reply = await answer
        finally:
            self._open.pop(number, None)
        if isinstance(reply, NatsError):
            raise reply
        return reply

    async def publish(
        self, subject: str, body: bytes, stream: str, headers: dict[str, str] | None = None
    ) -> int:
        """Store it in that stream; its sequence there.

        ConflictError when its guard moved on, RefusedByBrokerError when the stream does not take
        it, UnknownOutcomeError when nobody knows whether it is stored.
        """
        answer: asyncio.Future[int | HoldpointError] = asyncio.get_running_loop().create_future()

        def on_stored(stored: int | HoldpointError) -> None:
            if not answer.done():
                answer.set_result(stored)

        self.begin_publish(subject, body, stream, headers or {}, on_stored)
        stored = await answer
        if isinstance(stored, HoldpointError):
            raise stored
        return stored

    def _on_reply(self, subject: str, _: str, headers: bytes, body: bytes) -> None:
        nobody = not body and headers and Headers(headers).status == NOBODY
        self._end(subject[len(self._inbox) :], NoRespondersError() if nobody else body)

    def _sweep(self) -> None:
        now = clock.monotonic()
        for number in [number for number, (until, _) in self._open.items() if until < now]:
            self._end(number, NatsTimeoutError())
        self._sweeps = bool(self._open)
        if self._sweeps:
            asyncio.get_running_loop().call_later(SWEEP_S, self._sweep)

    def _lose(self) -> None:
        for number in tuple(self._open):
            self._end(number, ConnectionClosedError())

    def _end(self, number: str, reply: bytes | NatsError) -> None:
        if number in self._open:
            _, on_reply = self._open.pop(number)
            on_reply(reply)


def _stored(subject: str, stream: str, reply: bytes | NatsError) -> int | HoldpointError:
    if isinstance(reply, MaxPayloadError):
        return RefusedByBrokerError("The broker takes no message this large.", TOO_LARGE)
    if isinstance(reply, NatsError):
        return UnknownOutcomeError(f"{subject}: {reply!r}")
    try:
        ack = _acknowledgements.decode(reply)
    except msgspec.DecodeError as error:
        return UnknownOutcomeError(f"{subject}: {error!r}")
    if ack.error is None:
        return ack.seq
    if ack.error.err_code == WRONG_LAST_SEQUENCE:
        return ConflictError(subject)
    return RefusedByBrokerError(f"{stream} refused: {ack.error.description}", ack.error.err_code)
