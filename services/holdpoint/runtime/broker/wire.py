"""The NATS wire protocol for hot paths: whole messages to callbacks, one write per loop turn.

nats-py connects, authenticates, reconnects, pings, and carries everything rare. `Wire` is its
transport: frames of the subscriptions made here are dispatched here, without a task or a queue
each; every other frame reaches nats-py's parser whole. After a reconnect the subscriptions are
restored before anything is published or received on the new connection.
"""

import asyncio
import ssl
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar
from urllib.parse import ParseResult

import structlog
from nats.aio.client import Client
from nats.aio.transport import TcpTransport
from nats.errors import (
    BadHeaderError,
    BadSubjectError,
    ConnectionClosedError,
    MaxPayloadError,
    OutboundBufferLimitError,
    ProtocolError,
)
from nats.errors import Error as NatsError

log = structlog.get_logger(__name__)

D = TypeVar("D")
OnMessage: TypeAlias = Callable[[str, str, bytes, bytes], None]
"""Takes subject, reply subject (may be empty), raw headers (may be empty) and body."""

LATER_S = 0.005
"""Time that an acknowledgement waits for other bytes to leave with."""

MOST_AT_ONCE = 64
"""Frames in one write: the server starts on the first ones while more are made."""

MOST_UNSENT_BYTES = 16 * 1024 * 1024
"""Bytes the server has not taken from this process; beyond them a publish is refused."""

GOODBYE_S = 2.0
"""Time that a server has to answer the end of TLS; asyncio's own is half a minute."""

LONGEST_LINE = 1024 * 1024
"""Of a control line; INFO names every server of a cluster."""

CRLF = b"\r\n"
OURS = b"w"
"""Subscription ids of this layer begin so; nats-py counts its own 1, 2, 3."""

_MSG, _HMSG = b"M"[0], b"H"[0]
_MSG_WORDS, _HMSG_WORDS = 5, 6
"""Words of a frame's control line when it names a reply subject."""

VERSION = b"NATS/1.0"
"""A block of headers begins so: a fact carries five, a copy by the server ten, and few are read."""


class Headers:
    """Headers of one received message. The last value of a name counts: the server's own."""

    __slots__ = ("_raw",)

    def __init__(self, raw: bytes = b"") -> None:
        self._raw = raw

    def get(self, name: str, default: D) -> str | D:
        """Return the header's value, or the default when there is none."""
        line = b"\r\n%s:" % name.encode()
        at = self._raw.rfind(line)
        if at < 0:
            return default
        value, _, _ = self._raw[at + len(line) :].partition(b"\r\n")
        return value.strip().decode("utf-8", "replace")

    @property
    def status(self) -> str:
        """The server's status code, such as 404; empty for a stored message."""
        line, _, _ = self._raw.partition(b"\r\n")
        return line[len(VERSION) :].strip()[:3].decode("ascii", "replace")


def header_block(headers: Mapping[str, str]) -> bytes:
    """Encode headers for a publish. Raises BadHeaderError for a line break in one of them."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    if lines.count("\r") + lines.count("\n") != 2 * len(headers):
        raise BadHeaderError(lines)
    return b"%s\r\n%s\r\n" % (VERSION, lines.encode())


class Frames:
    """Splits the bytes of one connection into frames, however they were cut on the way."""

    def __init__(self, taps: Mapping[bytes, OnMessage]) -> None:
        self._taps = taps
        self._rest = b""

    def feed(self, data: bytes) -> bytes:
        """Dispatch messages to their taps; return all other complete frames.

        Raises ProtocolError for what no server sends.
        """
        buffer = self._rest + data if self._rest else data
        at = 0
        others = []
        while (line_end := buffer.find(CRLF, at)) >= 0:
            if buffer[at] in {_MSG, _HMSG}:
                words = buffer[at:line_end].split(b" ")
                end = self._message(words, buffer, line_end + 2)
                if end < 0:
                    break
                if not words[2].startswith(OURS):
                    others.append(buffer[at:end])
            else:
                end = line_end + 2
                others.append(buffer[at:end])
            at = end
        self._rest = buffer[at:]
        if line_end < 0 and len(self._rest) > LONGEST_LINE:
            raise ProtocolError
        return b"".join(others)

    def _message(self, words: list[bytes], buffer: bytes, begin: int) -> int:
        """Dispatch the message behind a control line; return its end, -1 if it is incomplete."""
        try:
            length = int(words[-1])
            header_end = begin + (int(words[-2]) if words[0] == b"HMSG" else 0)
            tap = self._taps.get(words[2])
        except (ValueError, IndexError) as error:
            raise ProtocolError from error
        end = begin + length
        if not begin <= header_end <= end:
            raise ProtocolError
        if end + 2 > len(buffer):
            return -1
        if tap is not None:
            has_reply = len(words) == (_HMSG_WORDS if words[0] == b"HMSG" else _MSG_WORDS)
            reply = words[3].decode() if has_reply else ""
            subject = words[1].decode()
            try:
                tap(subject, reply, buffer[begin:header_end], buffer[header_end:end])
            except Exception as error:  # noqa: BLE001  # the boundary: the next message is read
                why = repr(error)
                log.error("message_not_handled", subject=subject, error=why)  # noqa: TRY400
        return end + 2


class _Connection(asyncio.StreamReaderProtocol):
    """One TCP connection; nats-py reads from the stream what no tap took."""

    def __init__(self, reader: asyncio.StreamReader, frames: Frames, *, has_tls: bool) -> None:
        super().__init__(reader)
        self._frames, self._has_tls = frames, has_tls
        self._socket: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._socket = transport
        super().connection_made(transport)

    def eof_received(self) -> bool:
        """Return whether the other direction stays open: TLS knows no half-closed connection."""
        return bool(super().eof_received()) and not self._has_tls

    def data_received(self, data: bytes) -> None:
        try:
            others = self._frames.feed(data)
        except ProtocolError:
            log.error("broker_protocol_error")  # noqa: TRY400  # the bytes may carry arguments
            if isinstance(self._socket, asyncio.Transport):
                self._socket.abort()
            return
        if others:
            super().data_received(others)


@dataclass(eq=False, frozen=True, kw_only=True)
class Subscription:
    """A subject that a callback listens on."""

    wire: "Wire"
    sid: bytes

    def close(self) -> None:
        """Listen no longer."""
        self.wire.unsubscribe(self.sid)


class Wire(TcpTransport):
    """One client's transport, across all its connections."""

    def __init__(self, client: Client, *, needs_tls: bool) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # nats-py's
        self._client = client
        self._needs_tls, self._has_tls = needs_tls, False
        self._taps: dict[bytes, OnMessage] = {}
        self._subscribed: dict[bytes, bytes] = {}
        self._count = 0
        self._frames: list[bytes] = []
        self._is_due = False
        self._is_restored = False
        self._socket: asyncio.WriteTransport | None = None

    def subscribe(self, subject: str, on_message: OnMessage, queue: str = "") -> Subscription:
        """Call back with each message on the subject, also after a reconnect."""
        _check_subject(subject)
        self._count += 1
        sid = b"%s%d" % (OURS, self._count)
        self._taps[sid] = on_message
        self._subscribed[sid] = b"SUB %s %s %s\r\n" % (subject.encode(), queue.encode(), sid)
        if self._client.is_connected and self._is_restored:
            self._put(self._subscribed[sid])
        return Subscription(wire=self, sid=sid)

    def unsubscribe(self, sid: bytes) -> None:
        """End a subscription; what is still on its way to it is dropped."""
        self._taps.pop(sid, None)
        if self._subscribed.pop(sid, None) and self._client.is_connected and self._is_restored:
            self._put(b"UNSUB %s\r\n" % sid)

    def publish(self, subject: str, body: bytes, reply: str = "", headers: bytes = b"") -> None:
        """Send it with whatever else is sent in this turn of the loop.

        Raises what nats-py's publish raises; nothing is kept for a later connection.
        """
        _check_subject(subject)
        size = len(headers) + len(body)
        if size > self._client.max_payload:
            raise MaxPayloadError
        self._check_open()
        if reply:
            _check_subject(reply)
        if headers:
            line = f"HPUB {subject} {reply} {len(headers)} {size}\r\n"
        else:
            line = f"PUB {subject} {reply} {size}\r\n"
        self._put(b"%s%s%s\r\n" % (line.encode(), headers, body))

    def publish_later(self, subject: str, body: bytes = b"") -> None:
        """Send it within LATER_S, or with what is sent before that: nobody waits for it."""
        _check_subject(subject)
        self._check_open()
        self._restore()
        if not self._frames:
            asyncio.get_running_loop().call_later(LATER_S, self.flush)
        self._frames.append(b"PUB %s  %d\r\n%s\r\n" % (subject.encode(), len(body), body))

    def flush(self) -> None:
        """Hand everything that was sent so far to the socket."""
        if self._frames and not self._open_socket.is_closing():
            self._open_socket.write(b"".join(self._frames))
        self._frames.clear()

    def __bool__(self) -> bool:
        """nats-py keeps this transport for all its connections."""
        return True

    async def connect(self, uri: ParseResult, buffer_size: int, connect_timeout: int) -> None:
        """Open a TCP connection."""
        loop, reader = asyncio.get_running_loop(), asyncio.StreamReader(limit=buffer_size)
        connection = self._new_connection(reader, has_tls=False)
        async with asyncio.timeout(connect_timeout):
            self._socket, _ = await loop.create_connection(
                lambda: connection, uri.hostname or "", uri.port or 0
            )
        writer = asyncio.StreamWriter(self._socket, connection, reader, loop)
        self._bare_io_reader = self._io_reader = reader
        self._bare_io_writer = self._io_writer = writer

    async def connect_tls(
        self,
        uri: str | ParseResult,
        ssl_context: ssl.SSLContext,
        buffer_size: int,
        connect_timeout: int,
    ) -> None:
        """Go on with TLS on the connection that is open."""
        loop, reader = asyncio.get_running_loop(), asyncio.StreamReader(limit=buffer_size)
        connection = self._new_connection(reader, has_tls=True)
        name = uri if isinstance(uri, str) else uri.hostname
        async with asyncio.timeout(connect_timeout):
            socket = await loop.start_tls(
                self._open_socket,
                connection,
                ssl_context,
                server_hostname=name,
                ssl_shutdown_timeout=GOODBYE_S,
            )
        if socket is None:
            raise ConnectionClosedError
        self._socket, self._io_reader = socket, reader
        self._io_writer = asyncio.StreamWriter(socket, connection, reader, loop)

    async def read(self, buffer_size: int) -> bytes:
        """Return the next bytes for nats-py, which reads once the server has let it in."""
        self._restore()
        data: bytes = await super().read(buffer_size)
        return data

    def write(self, payload: bytes) -> None:
        """Send nats-py's own bytes behind what was sent here before.

        Nothing is said in the clear to a server that should talk TLS and offers none.
        """
        if self._needs_tls and not self._has_tls:
            raise ConnectionClosedError
        self.flush()
        self._open_socket.write(payload)

    def writelines(self, payload: Iterable[bytes]) -> None:
        """Send nats-py's own bytes behind what was sent here before."""
        self.flush()
        self._open_socket.writelines(payload)

    def close(self) -> None:
        """Close the connection behind what was sent here before.

        A server that is left for another gets no goodbye: it may stand still, and never answer.
        """
        if self._client.is_reconnecting and self._socket is not None:
            self._frames.clear()
            self._socket.abort()
            return
        self.flush()
        super().close()  # type: ignore[no-untyped-call]  # nats-py's

    def _new_connection(self, reader: asyncio.StreamReader, *, has_tls: bool) -> _Connection:
        self._frames = []
        self._is_restored, self._has_tls = False, has_tls
        return _Connection(reader, Frames(self._taps), has_tls=has_tls)

    @property
    def _open_socket(self) -> asyncio.WriteTransport:
        if self._socket is None:
            raise ConnectionClosedError
        return self._socket

    def _check_open(self) -> None:
        if not self._client.is_connected:
            raise ConnectionClosedError if self._client.is_closed else OutboundBufferLimitError
        if self._open_socket.get_write_buffer_size() > MOST_UNSENT_BYTES:
            raise OutboundBufferLimitError

    def _restore(self) -> None:
        if not self._is_restored:
            self._is_restored = True
            self._open_socket.write(b"".join(self._subscribed.values()))

    def _put(self, frame: bytes) -> None:
        self._restore()
        self._frames.append(frame)
        if len(self._frames) >= MOST_AT_ONCE:
            self.flush()
        elif not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._flush_due)

    def _flush_due(self) -> None:
        self._is_due = False
        self.flush()


CANCEL_AGAIN_S = 0.05


class WireClient(Client):
    """nats-py's client on a transport of ours."""

    def __init__(self, *, needs_tls: bool = False) -> None:
        super().__init__()
        self.wire = Wire(self, needs_tls=needs_tls)
        self._transport = self.wire

    @property
    def is_in_cluster(self) -> bool:
        """Return whether the server that it is connected to is one of several."""
        return bool(self._server_info.get("cluster"))

    async def answers(self, within_s: float) -> bool:
        """Return whether the server answers a PING in that time.

        A PONG that comes later finds its future as it was: nats-py cannot read on after one that
        was cancelled.
        """
        if not self.is_connected:
            return False
        pong: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        try:
            await self._send_ping(pong)
        except (OSError, NatsError, AttributeError):  # it broke; the last one is nats-py's, of TLS
            return False
        answered, _ = await asyncio.wait({pong}, timeout=within_s)
        return bool(answered)

    async def _select_next_server(self) -> None:
        """Try the server that it was at last after all others: it may accept and stand still."""
        left = self._current_server
        self._server_pool.sort(key=lambda it: it is left)
        await super()._select_next_server()

    async def _send_ping(self, future: asyncio.Future[bool] | None = None) -> None:
        """Send what waits before the PING: its PONG says that the server has read all of it."""
        if self.is_connected:
            waiting, self._pending, self._pending_data_size = self._pending, [], 0
            self.wire.writelines(waiting)
        await super()._send_ping(future)

    async def _close(self, status: int, do_cbs: bool = True) -> None:
        """Close for good: an attempt to reconnect can swallow its cancellation and go on."""
        try:
            await super()._close(status, do_cbs)
        except ConnectionError:  # what was still to be sent has no connection to leave by
            self._pending, self._pending_data_size = [], 0
            self._status = Client.DISCONNECTED
            await super()._close(status, do_cbs)
        attempt = self._reconnection_task
        while attempt and not attempt.done() and attempt is not asyncio.current_task():
            attempt.cancel()
            await asyncio.wait({attempt}, timeout=CANCEL_AGAIN_S)
        self._status = status


def wire_of(client: Client) -> Wire:
    """Return the wire of a client that `connection.connect` made."""
    if not isinstance(client, WireClient):
        raise TypeError("Only a WireClient has a wire.")
    return client.wire


def _check_subject(subject: str) -> None:
    """Refuse what the protocol would read as more than one word, or none."""
    if subject.split() != [subject]:
        raise BadSubjectError
