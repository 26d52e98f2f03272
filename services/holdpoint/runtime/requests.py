"""Requests to the broker, many at once on one inbox: publishes with their acknowledgements, reads.

The client's own requests make a random inbox and a watchdog for each, and wait out their time
when the connection is lost. Here one subscription and a number for each do, and a break ends them.
"""

import asyncio

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import ConnectionClosedError, MaxPayloadError, NoRespondersError
from nats.errors import Error as NatsError
from nats.errors import TimeoutError as NatsTimeoutError

from holdpoint.runtime.connection import Login
from holdpoint.runtime.errors import ConflictError, RefusedByBrokerError, UnknownOutcomeError

UNBOUNDED = -1
"""Each reply was asked for: none may be dropped."""

NOBODY = "503"
WRONG_LAST_SEQUENCE = 10071
TOO_LARGE = 10054
"""The message exceeds what the stream, or the broker, takes."""

PUBLISH_TIMEOUT_S = 5.0
"""Above an fsync on a slow disk; a publish that takes longer is an unknown outcome."""

EXPECTED_STREAM = "Nats-Expected-Stream"


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
        self._open: dict[str, asyncio.Future[Msg]] = {}
        login.lost.append(self._lose)

    async def send(
        self, subject: str, body: bytes, within_s: float, headers: dict[str, str] | None = None
    ) -> bytes:
        """The reply's body.

        NatsError when the connection broke or no reply came in time: then nobody knows.
        """
        if not self._inbox:
            await self._listen()
        loop = asyncio.get_running_loop()
        reply, number = loop.create_future(), str(self._sent)
        self._sent += 1
        self._open[number] = reply
        alarm = loop.call_later(within_s, _fail, reply, NatsTimeoutError())
        try:
            inbox = f"{self._inbox}.{number}"
            await self._client.publish(subject, body, reply=inbox, headers=headers)
            msg: Msg = await reply
        finally:
            alarm.cancel()
            del self._open[number]
        if not msg.data and msg.headers and msg.headers.get("Status") == NOBODY:
            raise NoRespondersError
        return msg.data

    async def publish(
        self, subject: str, body: bytes, stream: str, headers: dict[str, str] | None = None
    ) -> int:
        """Store it in that stream; its sequence there.

        ConflictError when its guard moved on, RefusedByBrokerError when the stream does not take
        it, UnknownOutcomeError when nobody knows whether it is stored.
        """
        told = (headers or {}) | {EXPECTED_STREAM: stream}
        try:
            raw = await self.send(subject, body, PUBLISH_TIMEOUT_S, told)
            ack = _acknowledgements.decode(raw)
        except MaxPayloadError as error:
            raise RefusedByBrokerError(
                "The broker takes no message this large.", TOO_LARGE
            ) from error
        except (NatsError, msgspec.DecodeError) as error:
            raise UnknownOutcomeError(f"{subject}: {error!r}") from error
        if ack.error is None:
            return ack.seq
        if ack.error.err_code == WRONG_LAST_SEQUENCE:
            raise ConflictError(subject)
        text = f"{stream} refused: {ack.error.description}"
        raise RefusedByBrokerError(text, ack.error.err_code)

    async def _listen(self) -> None:
        self._inbox = self._client.new_inbox()
        await self._client.subscribe(
            f"{self._inbox}.*",
            cb=self._on_reply,
            pending_msgs_limit=UNBOUNDED,
            pending_bytes_limit=UNBOUNDED,
        )

    async def _on_reply(self, msg: Msg) -> None:
        reply = self._open.get(msg.subject[len(self._inbox) + 1 :])
        if reply is not None and not reply.done():
            reply.set_result(msg)

    def _lose(self) -> None:
        for reply in self._open.values():
            _fail(reply, ConnectionClosedError())


def _fail(reply: asyncio.Future[Msg], error: Exception) -> None:
    if not reply.done():
        reply.set_exception(error)
