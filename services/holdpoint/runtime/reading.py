"""What streams hold, read from the leader; and the one place that says whether it counts."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from typing import Any, TypeAlias

import msgspec
import structlog
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import APIError, NotFoundError

from holdpoint.messages.base import Message
from holdpoint.messages.codec import UnreadableError, decode_data, decode_event
from holdpoint.messages.subjects import stream
from holdpoint.runtime import clock
from holdpoint.runtime.broker.wire import Headers, header_block
from holdpoint.runtime.connection import Login, jetstream
from holdpoint.runtime.errors import SignatureError, UnavailableError
from holdpoint.runtime.keys import GATE, SIGNATURE_HEADER, Keyset, worker_role
from holdpoint.runtime.requests import Fault, Requests

log = structlog.get_logger(__name__)

Revision: TypeAlias = int
Seen: TypeAlias = tuple[str, Revision, str, bytes]
"""All that tells one stored message from another: subject, sequence, signature, hash."""

NO_MESSAGE = 10037
READ_TIMEOUT_S = 5.0
REMEMBERED = 4096
"""How many verified messages: what stands and is read again and again is verified once."""

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
        """What it says."""
        return decode_data(decode_event(self.data))

    @cached_property
    def seen(self) -> Seen:
        """What is remembered of it once it was verified."""
        return self.subject, self.seq, self.signature, sha256(self.data).digest()


def signer_of(subject: str) -> str:
    """The role that signs what stands on a subject; empty where what is said is not signed."""
    match subject.split("."):
        case ["hp", _, "run", domain, _, _, "started" | "finished", *_]:
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
        self._verified: dict[Seen, None] = {}

    @property
    def edition(self) -> tuple[int, ...]:
        """Changes with the keyset: what was verified before is to be verified again."""
        return self._keyset.edition

    def check(self, stored: Stored) -> None:
        """Raise SignatureError unless whoever may write there signed it, for this very subject."""
        if self._edition != (edition := self._keyset.edition):
            self._edition = edition
            self._verified.clear()
        if stored.seen in self._verified:
            return
        role = signer_of(stored.subject)
        self._keyset.verify(stored.data, stored.signature, role, stored.at)
        if _signed_for(stored) != stored.subject:
            raise SignatureError(f"{stored.subject} carries a fact that was signed for elsewhere.")
        self._remember(stored.seen)

    def wrote(self, subject: str, seq: Revision, signature: str, body: bytes) -> None:
        """What we signed ourselves, and what was stored as we sent it, needs no verification."""
        self._remember((subject, seq, signature, sha256(body).digest()))

    def counts(self, stored: Stored) -> bool:
        """Whether it may be believed; what may not has no effect, and stands in the ledger."""
        try:
            self.check(stored)
        except SignatureError as error:
            log.warning("not_signed", subject=stored.subject, seq=stored.seq, why=str(error))
            return False
        return True

    def _remember(self, seen: Seen) -> None:
        if len(self._verified) >= REMEMBERED:
            del self._verified[next(iter(self._verified))]
        self._verified[seen] = None

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
            raise UnavailableError(f"{kind} cannot be read: {error!r}") from error
        return copy_of(Headers(header_block(it.headers or {})), it.data or b"")

    def _place(self, kind: str) -> str:
        return f"{self._api}.STREAM.MSG.GET.{stream(self.tenant, kind)}"

    async def _read(self, kind: str, wanted: dict[str, Any]) -> Stored | None:
        """None means that there is no such message; a stream that is gone is no empty one."""
        try:
            raw = await self.requests.send(
                self._place(kind), msgspec.json.encode(wanted), READ_TIMEOUT_S
            )
            reply = _readings.decode(raw)
        except (NatsError, msgspec.DecodeError) as error:
            raise UnavailableError(f"{kind} cannot be read: {error!r}") from error
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
