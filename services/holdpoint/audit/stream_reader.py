"""Reading a stream like a file: stored messages from a sequence on, a batch for each request.

The broker keeps no place for the reader and waits for no acknowledgement. A batch may end early
(its bytes are bounded, and a message without a body ends it on its way between accounts): the
next one begins where it ended.
"""

import asyncio

import msgspec
from nats.aio.client import Client
from nats.errors import ConnectionClosedError
from nats.errors import Error as NatsError

from holdpoint.ledger.entries import Entry
from holdpoint.runtime.broker.connection import Login, Requests
from holdpoint.runtime.broker.nats_errors import in_words
from holdpoint.runtime.broker.wire import Headers, wire_of
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.keys import SIGNATURE_HEADER

BATCH = 1_000
BATCH_BYTES = 4 * 1024 * 1024
"""What the broker may send on one request: a slow reader must not be cut off for it."""

SILENCE_S = 2.0
"""Without another message for so long, a batch is over."""

NOTHING_MORE = frozenset({"204", "404"})
"""The batch is complete, or there is nothing at all from that sequence on."""

SUBJECT, SEQUENCE, TIME = "Nats-Subject", "Nats-Sequence", "Nats-Time-Stamp"
"""The broker appends them to the message's own headers, so its word is the last on each."""


class About(msgspec.Struct, frozen=True, kw_only=True):
    """State of a stream, as its leader reports it."""

    created: str
    """When it was made, in the broker's words: another stream of this name has another time."""

    last_seq: int
    messages: int = 0
    """Those that it holds still."""


class _State(msgspec.Struct):
    last_seq: int
    messages: int = 0


class _Info(msgspec.Struct):
    created: str = ""
    state: _State | None = None


class _Request(msgspec.Struct, frozen=True):
    """The JetStream API's words for a batch."""

    seq: int
    batch: int = BATCH
    max_bytes: int = BATCH_BYTES
    next_by_subj: str = ">"


class _Reading:
    """One request under way."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.entries: list[Entry] = []
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.heard_at = clock.monotonic()

    def end(self, error: Exception | None = None) -> None:
        if self.over.done():
            return
        if error is None:
            self.over.set_result(None)
        else:
            self.over.set_exception(error)


class StreamReader:
    """Reads on one connection; one inbox takes every batch."""

    def __init__(self, client: Client, login: Login) -> None:
        self._requests = Requests(client, login)
        self._wire = wire_of(client)
        self._api = login.api_prefix
        self._inbox = f"{client.new_inbox()}."
        self._count = 0
        self._open: dict[str, _Reading] = {}
        self._wire.subscribe(f"{self._inbox}*", self._on_message)
        login.lost.append(self._lose)

    async def read(self, stream: str, first: int, most: int = BATCH) -> list[Entry]:
        """The next stored messages from this sequence on, in order; none when there are none.

        UnavailableError when the broker does not answer.
        """
        reading, number = _Reading(stream), str(self._count)
        self._count += 1
        self._open[number] = reading
        try:
            self._wire.publish(
                f"{self._api}.DIRECT.GET.{stream}",
                msgspec.json.encode(_Request(first, most)),
                f"{self._inbox}{number}",
            )
            await _complete(reading)
        except NatsError as error:
            raise UnavailableError(
                f"The broker did not read {stream}: {in_words(error)}"
            ) from error
        finally:
            del self._open[number]
        return reading.entries

    async def about(self, stream: str) -> About:
        """Ask the stream's leader."""
        subject = f"{self._api}.STREAM.INFO.{stream}"
        try:
            info = msgspec.json.decode(
                await self._requests.send(subject, b"", SILENCE_S), type=_Info
            )
        except (NatsError, msgspec.DecodeError) as error:
            raise UnavailableError(
                f"The broker tells nothing of {stream}: {in_words(error)}"
            ) from error
        if info.state is None:
            raise UnavailableError(f"The broker has no stream {stream}.")
        state = info.state
        return About(created=info.created, last_seq=state.last_seq, messages=state.messages)

    def _on_message(self, subject: str, _: str, block: bytes, body: bytes) -> None:
        reading = self._open.get(subject[len(self._inbox) :])
        if reading is None or reading.over.done():
            return
        reading.heard_at = clock.monotonic()
        headers = Headers(block)
        if not (seq := headers.get(SEQUENCE, "")):
            has_failed = headers.status not in NOTHING_MORE
            reading.end(UnavailableError(f"{reading.stream}: {block!r}") if has_failed else None)
            return
        reading.entries.append(
            Entry(
                stream=reading.stream,
                seq=int(seq),
                subject=headers.get(SUBJECT, ""),
                at=clock.of_text(headers.get(TIME, "")),
                body=body,
                signature=headers.get(SIGNATURE_HEADER, None),
            )
        )
        if not body or len(reading.entries) == BATCH:
            reading.end()

    def _lose(self) -> None:
        for reading in self._open.values():
            reading.end(ConnectionClosedError())


async def _complete(reading: _Reading) -> None:
    """Wait for the batch's end; one that broke off counts as far as it came."""
    while not reading.over.done():
        rest_s = reading.heard_at + SILENCE_S - clock.monotonic()
        if rest_s <= 0:
            break
        await asyncio.wait({reading.over}, timeout=rest_s)
    if reading.over.done():
        reading.over.result()
    elif not reading.entries:
        raise UnavailableError(f"The broker did not read {reading.stream}.")
