"""Facts on their way into a stream: signed, one compare-and-set each."""

from datetime import datetime, timedelta
from functools import cache

from nats.aio.client import Client
from prometheus_client import Counter

from holdpoint.messages.base import Message
from holdpoint.messages.codec import encode_event
from holdpoint.messages.subjects import TYPES, Address, stream
from holdpoint.runtime import clock, crash
from holdpoint.runtime.connection import Login, jetstream
from holdpoint.runtime.errors import ConflictError
from holdpoint.runtime.keys import SIGNATURE_HEADER, Signer
from holdpoint.runtime.metrics import CONFLICTS, FACTS
from holdpoint.runtime.reading import Reader, Revision


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

    async def append(
        self, message: Message, address: Address, after: Revision, ttl_s: int = 0
    ) -> Revision:
        """Write it unless its guard moved on since `after`; the stored sequence.

        Raises ConflictError (somebody was first), UnknownOutcomeError (no acknowledgement)
        or UnavailableError (the stream refuses).
        """
        body = self._body(message, address.subject)
        signature = self._signer.sign(body)
        headers = {
            SIGNATURE_HEADER: signature,
            "Nats-Expected-Last-Subject-Sequence": str(after),
            "Nats-Expected-Last-Subject-Sequence-Subject": address.guard,
        }
        if ttl_s:
            headers["Nats-TTL"] = f"{ttl_s}s"
        word = TYPES[type(message)].rpartition(".")[2]
        crash.passing("publish", word, "before")
        seq = await self._publish(address, body, headers)
        crash.passing("publish", word, "after")
        self.reader.wrote(address.subject, seq, signature, body)
        _written(word).inc()
        return seq

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
        await self._publish(address, body, headers)
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

    async def _publish(self, address: Address, body: bytes, headers: dict[str, str]) -> Revision:
        name = stream(self.tenant, address.kind)
        try:
            return await self._requests.publish(address.subject, body, name, headers)
        except ConflictError:
            CONFLICTS.inc()
            raise


@cache
def _written(word: str) -> Counter:
    return FACTS.labels(word)


def _not_before(at: datetime) -> str:
    """The broker knows milliseconds: an alarm must not ring in the one before its time."""
    up = at + timedelta(microseconds=999)
    return f"@at {up:%Y-%m-%dT%H:%M:%S}.{up.microsecond // 1000:03d}Z"
