"""Facts on their way into a stream: signed, one compare-and-set each."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache

import msgspec
from nats.aio.client import Client
from prometheus_client import Counter

from holdpoint.messages.base import Message
from holdpoint.messages.codec import encode_event
from holdpoint.messages.subjects import TYPES, Address, stream
from holdpoint.runtime import clock, crash
from holdpoint.runtime.connection import Login, jetstream
from holdpoint.runtime.errors import ConflictError, HoldpointError
from holdpoint.runtime.keys import SIGNATURE_HEADER, Signer
from holdpoint.runtime.metrics import CONFLICTS, FACTS
from holdpoint.runtime.reading import Reader, Revision
from holdpoint.runtime.requests import OnStored, result_of


class Append(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One fact on its way into a stream: encoded, and not signed yet."""

    word: str
    address: Address
    after: Revision
    ttl_s: int
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
        headers = {
            SIGNATURE_HEADER: signature,
            "Nats-Expected-Last-Subject-Sequence": str(it.after),
            "Nats-Expected-Last-Subject-Sequence-Subject": it.address.guard,
        }
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


@cache
def _written(word: str) -> Counter:
    return FACTS.labels(word)


def _not_before(at: datetime) -> str:
    """The broker knows milliseconds: an alarm must not ring in the one before its time."""
    up = at + timedelta(microseconds=999)
    return f"@at {up:%Y-%m-%dT%H:%M:%S}.{up.microsecond // 1000:03d}Z"
