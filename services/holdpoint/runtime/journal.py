"""Facts on their way into a stream, and the last one back: signed, one compare-and-set each."""

from collections.abc import Awaitable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import RawStreamMsg
from nats.js.errors import APIError, NotFoundError

from holdpoint.messages.base import Message
from holdpoint.messages.codec import decode_data, decode_event, encode_event
from holdpoint.messages.subjects import TYPES, Address, stream
from holdpoint.runtime import clock
from holdpoint.runtime.errors import ConflictError, UnavailableError, UnknownOutcomeError
from holdpoint.runtime.keys import SIGNATURE_HEADER, Signer
from holdpoint.runtime.metrics import CONFLICTS, FACTS

Revision: TypeAlias = int

WRONG_LAST_SEQUENCE = 10071
PUBLISH_TIMEOUT_S = 5.0
"""Above an fsync on a slow disk; a publish that takes longer is an unknown outcome."""

READ_TIMEOUT_S = 5.0


@dataclass(frozen=True, kw_only=True)
class Stored:
    """A message as the leader keeps it."""

    subject: str
    data: bytes
    signature: str
    seq: Revision
    at: datetime

    @property
    def message(self) -> Message:
        """What it says."""
        return decode_data(decode_event(self.data))


class Journal:
    """Writes as one source, signs everything, reads from the leader only."""

    def __init__(
        self, jetstream: JetStreamContext, tenant: str, source: str, signer: Signer
    ) -> None:
        self.tenant = tenant
        self._jetstream = jetstream
        self._source = source
        self._signer = signer

    async def append(
        self, message: Message, address: Address, after: Revision, ttl_s: int = 0
    ) -> Revision:
        """Write it unless its guard moved on since `after`; the stored sequence.

        Raises ConflictError (somebody was first), UnknownOutcomeError (no acknowledgement)
        or UnavailableError (the stream refuses).
        """
        body = self._body(message, address.subject)
        headers = {
            SIGNATURE_HEADER: self._signer.sign(body),
            "Nats-Expected-Last-Subject-Sequence": str(after),
            "Nats-Expected-Last-Subject-Sequence-Subject": address.guard,
        }
        if ttl_s:
            headers["Nats-TTL"] = f"{ttl_s}s"
        seq = await self._publish(address, body, headers)
        FACTS.labels(TYPES[type(message)].rpartition(".")[2]).inc()
        return seq

    async def schedule(self, message: Message, address: Address, at: datetime, due: str) -> None:
        """Have the broker put the message on the subject `due` at that time."""
        body = self._body(message, address.subject)
        headers = {
            SIGNATURE_HEADER: self._signer.sign(body),
            "Nats-Schedule": f"@at {at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z",
            "Nats-Schedule-Target": due,
            "Nats-Schedule-TTL": "3600s",
        }
        await self._publish(address, body, headers)

    async def unschedule(self, kind: str, subjects: str) -> None:
        """Take back what was scheduled on these subjects."""
        await self._jetstream.purge_stream(stream(self.tenant, kind), subject=subjects)

    async def last(self, kind: str, subject: str) -> Stored | None:
        """The last message on a subject (wildcards allowed), as the leader has it."""
        name = stream(self.tenant, kind)
        return await self._read(kind, self._jetstream.get_last_msg(name, subject))

    async def last_direct(self, kind: str, subject: str) -> Stored | None:
        """The same from any replica: what is found is true, what is not found may still exist."""
        name = stream(self.tenant, kind)
        return await self._read(kind, self._jetstream.get_last_msg(name, subject, direct=True))

    async def next(self, kind: str, subject: str, seq: Revision) -> Stored | None:
        """The first message on a subject (wildcards allowed) from this sequence on."""
        name = stream(self.tenant, kind)
        found = self._jetstream.get_msg(name, seq=seq, subject=subject, next=True)
        return await self._read(kind, found)

    async def at(self, kind: str, seq: Revision) -> Stored | None:
        """The message with this sequence."""
        name = stream(self.tenant, kind)
        return await self._read(kind, self._jetstream.get_msg(name, seq=seq))

    async def _read(self, kind: str, reading: Awaitable[RawStreamMsg]) -> Stored | None:
        try:
            it = await reading
        except NotFoundError:
            return None
        except (NatsError, APIError) as error:
            raise UnavailableError(f"{kind} cannot be read: {error!r}") from error
        if it.seq is None or it.subject is None:
            raise UnavailableError(f"{kind} gave half a message.")
        return Stored(
            subject=it.subject,
            data=it.data or b"",
            signature=(it.headers or {}).get(SIGNATURE_HEADER, ""),
            seq=it.seq,
            at=_time(it),
        )

    def _body(self, message: Message, subject: str) -> bytes:
        return encode_event(
            message,
            event_id=clock.new_id(),
            source=self._source,
            subject=subject,
            at=clock.now(),
            salt=clock.new_nonce(),
        )

    async def _publish(self, address: Address, body: bytes, headers: dict[str, str]) -> Revision:
        try:
            ack = await self._jetstream.publish(
                address.subject,
                body,
                timeout=PUBLISH_TIMEOUT_S,
                stream=stream(self.tenant, address.kind),
                headers=headers,
            )
        except APIError as error:
            if error.err_code == WRONG_LAST_SEQUENCE:
                CONFLICTS.inc()
                raise ConflictError(address.subject) from None
            raise UnavailableError(f"{address.kind} refused: {error.description}") from error
        except NatsError as error:
            raise UnknownOutcomeError(f"{address.subject}: {error!r}") from error
        return ack.seq


def _time(it: RawStreamMsg) -> datetime:
    """The broker's timestamp; a direct read carries it in a header."""
    if it.time is not None:
        return it.time
    return datetime.fromisoformat((it.headers or {})["Nats-Time-Stamp"])
