"""The one way to connect, and requests on a connection: publishes with acknowledgements, reads.

A user has an nkey, a private inbox, and no buffered promises. Requests share one subscription, and
one timer ends those that nobody answers; a lost connection ends them at once.
"""

import asyncio
import contextlib
import ssl
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeAlias, TypeVar

import msgspec
import structlog
from nats.aio.client import Client
from nats.errors import (
    ConnectionClosedError,
    MaxPayloadError,
    NoRespondersError,
    NoServersError,
    StaleConnectionError,
)
from nats.errors import Error as NatsError
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js import JetStreamContext

from holdpoint.runtime.broker.nats_errors import in_words
from holdpoint.runtime.broker.wire import Headers, WireClient, header_block, wire_of
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import (
    ConflictError,
    HoldpointError,
    RefusedByBrokerError,
    SetupError,
    UnavailableError,
    UnknownOutcomeError,
)
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import CORE_USERS, read_seed

log = structlog.get_logger(__name__)

CORE_API = "$JS.API"
IMPORTED_API = "JS.core.API"
"""Outside CORE: a request on the API's own name would end in the wrong account."""

FIRST_CONNECT_S = 10.0
RELOAD_S = 0.5
CONNECT_TIMEOUT_S = 5
RECONNECT_WAIT_S = 1
PING_INTERVAL_S = 2
"""A broker that answers neither of two is left for another: one that stands still after 6 s."""

API_TIMEOUT_S = 5.0
DRAIN_TIMEOUT_S = 2
"""What is in hand was finished before; what is left is acknowledgements on their way out."""

UNBUFFERED = 0
"""Bytes kept while disconnected: a publish that was reported as failed must not happen later."""

LATE_ANSWER = 'for publish to "_r_.'
"""The broker takes one answer to a question, for as long as the grant says."""

REFUSED = "authorization violation"
"""In the server's words."""

FOR_EVER = -1
REMEMBERED_DENIALS = 100


T = TypeVar("T")

E = TypeVar("E", bound=Exception)

SWEEP_S = 0.1
"""How much later than its time a request may end that nobody answers."""

AGAIN_S = 1.0
"""After which a request that may be repeated is: the stream's leader may have died with it."""

NOBODY = "503"

WRONG_LAST_MESSAGE = 10070
WRONG_LAST_SEQUENCE = 10071
WRONG_LAST_SEQUENCE_IN_A_CLUSTER = 10164
"""The leader refuses before the copies know: another write of that subject is on its way."""

WRONG_LAST = {WRONG_LAST_MESSAGE, WRONG_LAST_SEQUENCE, WRONG_LAST_SEQUENCE_IN_A_CLUSTER}

TOO_LARGE = 10054
"""The message exceeds what the stream, or the broker, takes."""

IS_BEING_STORED = 10158
"""To a repeated message: the first one is on its way to the copies."""

PUBLISH_TIMEOUT_S = 5.0
"""Above an fsync on a slow disk; a publish that takes longer is an unknown outcome."""

EXPECTED_STREAM = "Nats-Expected-Stream"

MESSAGE_ID = "Nats-Msg-Id"
GUARD = "Nats-Expected-Last-Subject-Sequence"

INCREMENT = "Nats-Incr"
"""Of a counter, which takes no expectation."""

OnReply: TypeAlias = Callable[[bytes | NatsError], None]
"""Takes the reply's body, or why there is none: then nobody knows what became of the request."""

OnStored: TypeAlias = Callable[[int | HoldpointError], None]
"""Takes the sequence of what was published, or why it is not known to be stored."""


@dataclass(frozen=True, kw_only=True)
class Login:
    """User, address and credential of a connection, and what the broker has denied it so far."""

    user: str
    seed: str = field(repr=False)
    url: str
    """One address, or several with commas between."""

    ca: Path | None = None
    """Authority whose certificate the broker has to show; None talks without TLS."""

    denials: deque[str] = field(default_factory=lambda: deque(maxlen=REMEMBERED_DENIALS))
    lost: list[Callable[[], None]] = field(default_factory=list, repr=False)
    """Called when the connection breaks: requests that wait for a reply get none."""

    @property
    def inbox_prefix(self) -> str:
        """Return where this user alone may receive replies; without the final dot."""
        return inbox_prefix(self.user)

    @property
    def api_prefix(self) -> str:
        """The JetStream API's name as this user's account knows it."""
        return CORE_API if self.user in CORE_USERS else IMPORTED_API


def inbox_prefix(user: str) -> str:
    """The subjects on which one user alone receives replies; without the final dot."""
    return f"_INBOX_{user}"


async def connect(login: Login) -> Client:
    """Connect with nats-py: later breaks are mended for ever, a first try that fails raises.

    SetupError when the broker does not know the user, also not a moment later: while it reads its
    configuration again, it can refuse whom it knows. UnavailableError when there is no broker
    within FIRST_CONNECT_S.
    """
    try:
        return await _connect_once(login)
    except SetupError:
        await asyncio.sleep(RELOAD_S)
        return await _connect_once(login)


async def _connect_once(login: Login) -> Client:
    if login.ca:
        trust(login.ca)  # a client that never began cannot be closed
    client, is_in = WireClient(needs_tls=login.ca is not None), False

    async def on_error(error: Exception) -> None:
        """Raise to end the first attempt to connect, which would otherwise go on for ever."""
        if not is_in and REFUSED in str(error).lower():
            what = f"The broker at {login.url} does not know {login.user}."
            raise SetupError(f"{what} Tell it: holdpoint provision")
        await remember(login, error)

    try:
        async with asyncio.timeout(FIRST_CONNECT_S):
            await enter(client, login, on_error)
    except TimeoutError:
        await client.close()
        raise UnavailableError(
            f"The broker at {login.url} does not answer {login.user}: "
            f"{in_words(client.last_error or TimeoutError())}. "
            "If it does not run, start it with: holdpoint up"
        ) from None
    except SetupError:
        await client.close()
        raise
    is_in = True
    return client


async def enter(
    client: Client, login: Login, on_error: Callable[[Exception], Awaitable[None]]
) -> None:
    """Connect as every client of ours does; where no broker is yet, try for ever."""

    async def on_loss() -> None:
        for tell in login.lost:
            tell()
        if not client.is_closed:
            log.info("broker_disconnected", user=login.user)

    async def on_return() -> None:
        log.info("broker_reconnected", user=login.user)

    await client.connect(
        login.url.split(","),
        tls=trust(login.ca) if login.ca else None,
        name=login.user,
        nkeys_seed_str=login.seed,
        inbox_prefix=login.inbox_prefix,
        connect_timeout=CONNECT_TIMEOUT_S,
        max_reconnect_attempts=FOR_EVER,
        reconnect_time_wait=RECONNECT_WAIT_S,
        ping_interval=PING_INTERVAL_S,
        pending_size=UNBUFFERED,
        drain_timeout=DRAIN_TIMEOUT_S,
        error_cb=on_error,
        disconnected_cb=on_loss,
        reconnected_cb=on_return,
    )


def trust(ca: Path) -> ssl.SSLContext:
    """Return what believes servers with a certificate of this authority, and nobody else."""
    try:
        context = ssl.create_default_context(cafile=str(ca))
    except (OSError, ssl.SSLError) as error:
        raise SetupError(f"{ca}, the broker's authority, cannot be read: {error}.") from error
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context


AWAY = (OSError, StaleConnectionError, NoServersError)
"""The errors of a broker that is not there: the client goes on trying, and says when it is back."""


async def remember(login: Login, error: Exception) -> None:
    """Note what the broker says; callers that wait for what it forbade ask the login."""
    said = str(error).lower()
    if isinstance(error, AWAY):
        log.info("broker_away", user=login.user, error=repr(error))
        return
    if "permissions violation" not in said:
        log.warning("broker_error", user=login.user, error=repr(error))
        return
    login.denials.append(str(error))
    if LATE_ANSWER in said:
        log.info("answer_too_late", user=login.user)
    else:
        log.error("broker_denied", user=login.user, error=str(error))


def login(settings: Settings, user: str) -> Login:
    """Return who a process is on the bus, with the credential that lies on this machine."""
    seed = read_seed(settings.credentials_dir, user)
    return Login(user=user, seed=seed, url=settings.broker_url, ca=settings.broker_ca)


def jetstream(client: Client, login: Login) -> JetStreamContext:
    """Return JetStream as this user's account reaches it."""
    return client.jetstream(prefix=login.api_prefix, timeout=API_TIMEOUT_S)


class Fault(msgspec.Struct):
    """Error of a request that the broker did not carry out."""

    err_code: int = 0
    description: str = ""


class _Acknowledgement(msgspec.Struct):
    stream: str = ""
    seq: int = 0
    error: Fault | None = None


_acknowledgements = msgspec.json.Decoder(_Acknowledgement)


@dataclass(eq=False, kw_only=True, slots=True)
class _Open:
    """A request that waits for its reply."""

    until: float
    on_reply: OnReply
    repeat: Callable[[], None] | None
    repeat_at: float


class Requests:
    """Open requests of one connection."""

    def __init__(self, client: Client, login: Login) -> None:
        self._client = client
        self._inbox = ""
        self._sent = 0
        self._open: dict[str, _Open] = {}
        self._sweeps = False
        login.lost.append(self._lose)

    @property
    def is_in_cluster(self) -> bool:
        """Return whether the broker is a cluster."""
        return isinstance(self._client, WireClient) and self._client.is_in_cluster

    def begin(  # the parts of a request, each once
        self,
        subject: str,
        body: bytes,
        within_s: float,
        headers: bytes,
        on_reply: OnReply,
        *,
        repeats: bool = False,
    ) -> str:
        """Send a request with whatever else is sent in this turn; return its number.

        What `repeats` is sent again each AGAIN_S until the first reply. Raises NatsError when it
        cannot be sent.
        """
        wire = wire_of(self._client)
        if not self._inbox:
            self._inbox = f"{self._client.new_inbox()}."
            wire.subscribe(f"{self._inbox}*", self._on_reply)
        self._sent += 1
        number = str(self._sent)
        publish = partial(wire.publish, subject, body, f"{self._inbox}{number}", headers)
        publish()
        now = clock.monotonic()
        self._open[number] = _Open(
            until=now + within_s,
            on_reply=on_reply,
            repeat=publish if repeats else None,
            repeat_at=now + AGAIN_S,
        )
        if not self._sweeps:
            self._sweeps = True
            asyncio.get_running_loop().call_later(SWEEP_S, self._sweep)
        return number

    def begin_publish(
        self, subject: str, body: bytes, stream: str, headers: dict[str, str], on_stored: OnStored
    ) -> str:
        """Store it in that stream; `on_stored` hears what became of it.

        What carries a message id and no guard is repeated: the broker stores it once. Return the
        request's number; empty when it could not be sent.
        """
        repeats = MESSAGE_ID in headers and GUARD not in headers
        sent_at = clock.monotonic()

        def on_reply(reply: bytes | NatsError) -> None:
            result = _stored(subject, stream, reply)
            repeated = repeats and clock.monotonic() - sent_at > AGAIN_S
            if repeated and isinstance(result, RefusedByBrokerError):
                result = UnknownOutcomeError(f"{result} The first one may be stored.")
            on_stored(result)

        expected = {} if INCREMENT in headers else {EXPECTED_STREAM: stream}
        block = header_block(headers | expected)
        try:
            return self.begin(subject, body, PUBLISH_TIMEOUT_S, block, on_reply, repeats=repeats)
        except NatsError as error:
            on_reply(error)
            return ""

    def give_up(self, number: str) -> None:
        """Neither repeat it nor tell anybody what becomes of it."""
        self._open.pop(number, None)

    def flush(self) -> None:
        """Hand over what was begun in this turn."""
        wire_of(self._client).flush()

    async def send(
        self, subject: str, body: bytes, within_s: float, *, repeats: bool = False
    ) -> bytes:
        """Return the reply's body.

        NatsError when the connection broke or no reply came in time: then nobody knows.
        """
        number = ""

        def begin(on_reply: OnReply) -> None:
            nonlocal number
            number = self.begin(subject, body, within_s, b"", on_reply, repeats=repeats)

        try:
            return await result_of(begin)
        finally:
            self.give_up(number)

    async def publish(
        self, subject: str, body: bytes, stream: str, headers: dict[str, str] | None = None
    ) -> int:
        """Store it in that stream; its sequence there.

        ConflictError when its guard moved on, RefusedByBrokerError when the stream does not take
        it, UnknownOutcomeError when nobody knows whether it is stored.
        """
        number = ""

        def begin(on_stored: OnStored) -> None:
            nonlocal number
            number = self.begin_publish(subject, body, stream, headers or {}, on_stored)

        try:
            return await result_of(begin)
        finally:
            self.give_up(number)

    def _on_reply(self, subject: str, _: str, headers: bytes, body: bytes) -> None:
        nobody = not body and headers and Headers(headers).status == NOBODY
        self._end(subject[len(self._inbox) :], NoRespondersError() if nobody else body)

    def _sweep(self) -> None:
        now = clock.monotonic()
        for number, it in tuple(self._open.items()):
            if it.until < now:
                self._end(number, NatsTimeoutError())
            elif it.repeat is not None and it.repeat_at < now:
                it.repeat_at = now + AGAIN_S
                with contextlib.suppress(NatsError):  # away; then the loss ends it
                    it.repeat()
        self._sweeps = bool(self._open)
        if self._sweeps:
            asyncio.get_running_loop().call_later(SWEEP_S, self._sweep)

    def _lose(self) -> None:
        for number in tuple(self._open):
            self._end(number, ConnectionClosedError())

    def _end(self, number: str, reply: bytes | NatsError) -> None:
        if number in self._open:
            self._open.pop(number).on_reply(reply)


async def result_of(begin: Callable[[Callable[[T | E], None]], None]) -> T:
    """Begin what calls back once, and wait for that; an error that it brings is raised."""
    result: asyncio.Future[T | E] = asyncio.get_running_loop().create_future()

    def on_result(it: T | E) -> None:
        if not result.done():
            result.set_result(it)

    begin(on_result)
    it = await result
    if isinstance(it, Exception):
        raise it
    return it


def _stored(subject: str, stream: str, reply: bytes | NatsError) -> int | HoldpointError:
    if isinstance(reply, MaxPayloadError):
        return RefusedByBrokerError("The broker takes no message this large.", TOO_LARGE)
    if isinstance(reply, NatsError):
        return UnknownOutcomeError(f"{subject}: {reply!r}")
    try:
        ack = _acknowledgements.decode(reply)
    except msgspec.DecodeError as error:
        return UnknownOutcomeError(f"{subject}: {in_words(error)}")
    if ack.error is None:
        is_there = ack.stream == stream
        return ack.seq if is_there else UnknownOutcomeError(f"{subject}: {ack.stream!r} answered.")
    return _not_stored(subject, stream, ack.error)


def _not_stored(subject: str, stream: str, fault: Fault) -> HoldpointError:
    if fault.err_code == IS_BEING_STORED:
        return UnknownOutcomeError(f"{subject}: {fault.description}")
    if fault.err_code in WRONG_LAST:
        return ConflictError(subject)
    return RefusedByBrokerError(f"{stream} refused: {fault.description}", fault.err_code)
