"""Facts on their way into a stream, and what streams hold: signed, and read from the leader.

`Journal` writes each fact with a compare-and-set of its own. `Reader` is the one place that says
whether what stands in a stream counts.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, cached_property, partial
from hashlib import sha256
from typing import Any, TypeAlias

import msgspec
import structlog
from msgspec.structs import replace
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import APIError, NotFoundError
from prometheus_client import Counter

from holdpoint.messages.base import Message
from holdpoint.messages.catalog import AGENTS_DOMAIN, HOST_DOMAIN
from holdpoint.messages.codec import UnreadableError, decode_data, decode_event, encode_event
from holdpoint.messages.subjects import TYPES, Address, stream
from holdpoint.runtime.broker.connection import (
    GUARD,
    MESSAGE_ID,
    Fault,
    Login,
    OnStored,
    Requests,
    jetstream,
    result_of,
)
from holdpoint.runtime.broker.nats_errors import in_words
from holdpoint.runtime.broker.wire import Headers, header_block
from holdpoint.runtime.errors import ConflictError, HoldpointError, SignatureError, UnavailableError
from holdpoint.runtime.process import clock, crash
from holdpoint.runtime.process.metrics import CONFLICTS, FACTS
from holdpoint.runtime.security.keys import GATE, SIGNATURE_HEADER, Keyset, Signer, worker_role
from holdpoint.runtime.store.lru_cache import Recent

log = structlog.get_logger(__name__)

Revision: TypeAlias = int
Seen: TypeAlias = tuple[str, Revision, str, bytes]
"""All that tells one stored message from another: subject, sequence, signature, hash."""

NO_MESSAGE = 10037
READ_TIMEOUT_S = 5.0
_SIGNATURE_LINE = f"\r\n{SIGNATURE_HEADER}:".encode()


@dataclass(frozen=True, kw_only=True)
class Stored:
    """A message as the leader keeps it; not to be believed before `Reader.check`."""

    subject: str
    data: bytes
    signature: str
    seq: Revision
    at: datetime

    @cached_property
    def message(self) -> Message:
        """Return what it says."""
        return decode_data(decode_event(self.data))

    @cached_property
    def seen(self) -> Seen:
        """Return what is remembered of it once it was verified."""
        return self.subject, self.seq, self.signature, sha256(self.data).digest()


def signer_of(subject: str) -> str:
    """The role that signs what stands on a subject; empty where what is said is not signed."""
    match subject.split("."):
        case ["hp", _, "run", domain, _, _, "started" | "finished", *_] if domain not in {
            AGENTS_DOMAIN,
            HOST_DOMAIN,
        }:
            return worker_role(domain)
        case ["hp", _, "hold" | "refusal" | "card" | "run" | "state" | "timer", *_]:
            return GATE
        case _:
            return ""


class Reader:
    """Reads one tenant's streams, and knows whose signatures count on them."""

    def __init__(self, client: Client, login: Login, tenant: str, keyset: Keyset) -> None:
        self.tenant = tenant
        self.requests = Requests(client, login)
        self._api = login.api_prefix
        self._jetstream = jetstream(client, login)
        self._keyset = keyset
        self._edition = keyset.edition
        self._verified: Recent[None] = Recent()

    @property
    def edition(self) -> tuple[int, ...]:
        """Changes with the keyset: what was verified before is to be verified again."""
        return self._keyset.edition

    def check(self, stored: Stored) -> None:
        """Raise SignatureError unless an allowed party signed it, for this very subject."""
        if self._edition != (edition := self._keyset.edition):
            self._edition = edition
            self._verified.clear()
        if stored.seen in self._verified:  # what is read again and again is verified once
            return
        role = signer_of(stored.subject)
        self._keyset.verify(stored.data, stored.signature, role, stored.at)
        if _signed_for(stored) != stored.subject:
            raise SignatureError(f"{stored.subject} carries a fact that was signed for elsewhere.")
        self._verified.put(stored.seen, None)

    def wrote(self, subject: str, seq: Revision, signature: str, body: bytes) -> None:
        """Remember a fact of our own, stored as we sent it, which needs no verification."""
        self._verified.put((subject, seq, signature, sha256(body).digest()), None)

    def counts(self, stored: Stored) -> bool:
        """Return whether it may be believed; what may not has no effect, and is in the ledger."""
        try:
            self.check(stored)
        except SignatureError as error:
            log.warning("not_signed", subject=stored.subject, seq=stored.seq, why=str(error))
            return False
        return True

    async def last(self, kind: str, subject: str) -> Stored | None:
        """The last message on a subject (wildcards allowed), as the leader has it."""
        return await self._read(kind, {"last_by_subj": subject})

    async def next(self, kind: str, subject: str, seq: Revision) -> Stored | None:
        """The first message on a subject (wildcards allowed) from this sequence on."""
        return await self._read(kind, {"seq": seq, "next_by_subj": subject})

    async def at(self, kind: str, seq: Revision) -> Stored | None:
        """The message with this sequence."""
        return await self._read(kind, {"seq": seq})

    async def last_direct(self, kind: str, subject: str) -> Stored | None:
        """The last one from any replica: what is found is true, what is not may still exist."""
        name = stream(self.tenant, kind)
        try:
            it = await self._jetstream.get_last_msg(name, subject, direct=True)
        except NotFoundError:
            return None
        except (NatsError, APIError) as error:
            raise UnavailableError(f"{kind} cannot be read: {in_words(error)}") from error
        return copy_of(Headers(header_block(it.headers or {})), it.data or b"")

    def _place(self, kind: str) -> str:
        return f"{self._api}.STREAM.MSG.GET.{stream(self.tenant, kind)}"

    async def _read(self, kind: str, wanted: dict[str, Any]) -> Stored | None:
        """None means that there is no such message; a stream that is gone is no empty one."""
        try:
            raw = await self.requests.send(
                self._place(kind), msgspec.json.encode(wanted), READ_TIMEOUT_S, repeats=True
            )
            reply = _readings.decode(raw)
        except (NatsError, msgspec.DecodeError) as error:
            raise UnavailableError(f"{kind} cannot be read: {in_words(error)}") from error
        if reply.error is not None and reply.error.err_code == NO_MESSAGE:
            return None
        if reply.message is None:
            raise UnavailableError(f"{kind} cannot be read: {reply.error}")
        return reply.message.stored()


def copy_of(headers: Headers, data: bytes) -> Stored:
    """A message that the server repeated; it says in headers where the message is stored."""
    return Stored(
        subject=headers.get("Nats-Subject", ""),
        data=data,
        signature=headers.get(SIGNATURE_HEADER, ""),
        seq=int(headers.get("Nats-Sequence", "")),
        at=clock.of_text(headers.get("Nats-Time-Stamp", "")),
    )


class _Message(msgspec.Struct):
    """A stored message as the server tells it; msgspec undoes the base64."""

    subject: str
    seq: int
    time: str
    data: bytes = b""
    hdrs: bytes = b""

    def stored(self) -> Stored:
        return Stored(
            subject=self.subject,
            data=self.data,
            signature=_signature_in(self.hdrs),
            seq=self.seq,
            at=clock.of_text(self.time),
        )


class _Reading(msgspec.Struct):
    message: _Message | None = None
    error: Fault | None = None


_readings = msgspec.json.Decoder(_Reading)


def _signature_in(headers: bytes) -> str:
    _, found, rest = headers.partition(_SIGNATURE_LINE)
    return rest.partition(b"\r\n")[0].decode(errors="replace").strip() if found else ""


def _signed_for(stored: Stored) -> str:
    try:
        return decode_event(stored.data).subject
    except UnreadableError as error:
        raise SignatureError(f"{stored.subject}: what was signed is no event.") from error


Placed: TypeAlias = tuple[Message, Address]
"""A fact and where it goes."""


class Append(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One fact on its way into a stream: encoded, and not signed yet."""

    word: str
    address: Address
    after: Revision
    ttl_s: int
    named: str = ""
    """An id by which what is behind it knows it."""

    behind: str = ""
    """The id of the message that it is stored directly behind, in place of a sequence."""

    body: bytes
    on_stored: OnStored


class Journal:
    """Writes as one source and signs everything; its reader is for what then stands there."""

    def __init__(
        self, client: Client, login: Login, tenant: str, source: str, signer: Signer
    ) -> None:
        self.tenant = tenant
        self.reader = Reader(client, login, tenant, signer.keyset)
        self._requests = self.reader.requests
        self._jetstream = jetstream(client, login)
        self._source = source
        self._signer = signer
        self._gathered: list[Append] = []

    async def append(
        self, message: Message, address: Address, after: Revision, ttl_s: int = 0
    ) -> Revision:
        """Write it unless its guard moved on since `after`; the stored sequence.

        Raises ConflictError (somebody was first), UnknownOutcomeError (no acknowledgement)
        or UnavailableError (the stream refuses). What is appended in one turn of the loop is
        signed together.
        """

        def begin(on_stored: OnStored) -> None:
            fact = self.prepare(message, address, after, ttl_s, on_stored)
            if not self._gathered:
                asyncio.get_running_loop().call_soon(self._begin_gathered)
            self._gathered.append(fact)

        return await result_of(begin)

    async def append_both(
        self, first: Placed, after: Revision, second: Placed
    ) -> tuple[Revision, Revision]:
        """Write two facts with one guard in one round trip; their sequences.

        The first is written as by `append`. The second is stored only directly behind it, as the
        newest message of the stream but one: so it needs no guard of its own, and its sequence is 0
        where something came between them. A server's atomic batch makes a store of its own for each
        batch, and takes 2.5 times as long as two publishes.

        In a cluster each is written with its own guard, one after the other: a message that does
        not stand behind the named one is found there by all servers at once, when they store it,
        and ends the whole stream.
        """
        if self._requests.is_in_cluster:
            return await self._one_by_one(first, after, second)
        results = [_future() for _ in range(2)]
        one, two = (
            self.prepare(*it, after, 0, partial(_settle, result))
            for it, result in zip((first, second), results, strict=True)
        )
        name = clock.new_id()
        self.begin((replace(one, named=name), replace(two, behind=name)))
        stored, then = await asyncio.gather(*results)
        if isinstance(stored, HoldpointError):
            raise stored
        if isinstance(then, ConflictError):
            return stored, 0
        if isinstance(then, HoldpointError):
            raise then
        return stored, then

    async def _one_by_one(
        self, first: Placed, after: Revision, second: Placed
    ) -> tuple[Revision, Revision]:
        stored = await self.append(*first, after)
        with contextlib.suppress(ConflictError):
            return stored, await self.append(*second, stored)
        return stored, 0

    def prepare(
        self,
        message: Message,
        address: Address,
        after: Revision,
        ttl_s: int,
        on_stored: OnStored,
    ) -> Append:
        """Encode a fact; `on_stored` will hear what became of it."""
        return Append(
            word=TYPES[type(message)].rpartition(".")[2],
            address=address,
            after=after,
            ttl_s=ttl_s,
            body=self._body(message, address.subject),
            on_stored=on_stored,
        )

    def begin(self, appends: Sequence[Append]) -> None:
        """Sign them together and send each with its own compare-and-set."""
        try:
            signatures = self._signer.sign_all([it.body for it in appends])
        except HoldpointError as error:
            for it in appends:
                it.on_stored(error)
            return
        for it, signature in zip(appends, signatures, strict=True):
            self._send(it, signature)

    def _begin_gathered(self) -> None:
        appends, self._gathered = self._gathered, []
        self.begin(appends)

    def _send(self, it: Append, signature: str) -> None:
        headers = {SIGNATURE_HEADER: signature}
        if it.behind:
            headers["Nats-Expected-Last-Msg-Id"] = it.behind
            if crash.is_set():
                self._requests.flush()  # who dies at this step has sent the first
        else:
            headers |= {
                GUARD: str(it.after),
                f"{GUARD}-Subject": it.address.guard,
            }
        if it.named:
            headers[MESSAGE_ID] = it.named
        if it.ttl_s:
            headers["Nats-TTL"] = f"{it.ttl_s}s"

        def on_stored(result: Revision | HoldpointError) -> None:
            if isinstance(result, ConflictError):
                CONFLICTS.inc()
            elif not isinstance(result, HoldpointError):
                crash.passing("publish", it.word, "after")
                self.reader.wrote(it.address.subject, result, signature, it.body)
                _written(it.word).inc()
            it.on_stored(result)

        crash.passing("publish", it.word, "before")
        name = stream(self.tenant, it.address.kind)
        self._requests.begin_publish(it.address.subject, it.body, name, headers, on_stored)

    async def schedule(self, message: Message, address: Address, at: datetime, due: str) -> None:
        """Have the broker put the message on the subject `due` at that time."""
        body = self._body(message, address.subject)
        headers = {
            SIGNATURE_HEADER: self._signer.sign(body),
            "Nats-Schedule": _not_before(at),
            "Nats-Schedule-Target": due,
            "Nats-Schedule-TTL": "3600s",
        }
        crash.passing("publish", "alarm", "before")
        name = stream(self.tenant, address.kind)
        await self._requests.publish(address.subject, body, name, headers)
        crash.passing("publish", "alarm", "after")

    async def unschedule(self, kind: str, subjects: str) -> None:
        """Take back what was scheduled on these subjects."""
        crash.passing("unschedule", "before")
        await self._jetstream.purge_stream(stream(self.tenant, kind), subject=subjects)
        crash.passing("unschedule", "after")

    def _body(self, message: Message, subject: str) -> bytes:
        return encode_event(
            message,
            event_id=clock.new_id(),
            source=self._source,
            subject=subject,
            at=clock.now(),
            salt=clock.new_nonce(),
        )


def _future() -> asyncio.Future[Revision | HoldpointError]:
    return asyncio.get_running_loop().create_future()


def _settle(
    result: asyncio.Future[Revision | HoldpointError], stored: Revision | HoldpointError
) -> None:
    if not result.done():
        result.set_result(stored)


@cache
def _written(word: str) -> Counter:
    return FACTS.labels(word)


def _not_before(at: datetime) -> str:
    """The broker knows milliseconds: an alarm must not ring in the one before its time."""
    up = at + timedelta(microseconds=999)
    return f"@at {up:%Y-%m-%dT%H:%M:%S}.{up.microsecond // 1000:03d}Z"
