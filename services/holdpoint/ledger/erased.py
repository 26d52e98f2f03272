"""Erasures and legal holds, as the ledger itself and ERASURES tell of them."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import TypeAlias

import msgspec
from sqlalchemy import ColumnElement, Connection, func, or_, select

from holdpoint.ledger.entries import LEDGER, Entry
from holdpoint.ledger.tables import bodies, events
from holdpoint.messages.base import Event
from holdpoint.messages.erasure import Erased, Kept, LegalHold, Lifted, Retention
from holdpoint.messages.subjects import ERASURES, TYPES, kind_of

CLOCKS_DIFFER = timedelta(hours=1)
"""At most, between the brokers that say when two streams stored a message."""

_CLASSES: dict[str, type[Kept]] = {TYPES[it]: it for it in (Erased, LegalHold, Lifted, Retention)}

IsErased: TypeAlias = Callable[[int, str, int], bool]
"""Check of an event's body: was it erased? By its number, stream and sequence there."""

_Spans: TypeAlias = list[tuple[int, int]]


def own_events(connection: Connection) -> list[Kept]:
    """Read what was erased and kept, each once, oldest first."""
    return [said for _, said in _kept(connection)]


def erased_events(connection: Connection) -> IsErased:
    """Return what tells whether the ledger itself says that an event's body was erased."""
    here, there = list[tuple[int, int]](), defaultdict[str, _Spans](list)
    for stream, said in _kept(connection):
        if isinstance(said, Erased):
            here += said.spans if kind_of(stream) == LEDGER else ()  # others' are of a lost ledger
            for source, first, last in said.sources:
                there[source].append((first, last))
    numbers, sources = _finder(here), {name: _finder(spans) for name, spans in there.items()}

    def is_erased(seq: int, stream: str, src_seq: int) -> bool:
        return numbers(seq) or (stream in sources and sources[stream](src_seq))

    return is_erased


def erased_before(connection: Connection, batch: Sequence[Entry]) -> set[tuple[str, int]]:
    """Return which of these messages were erased from a ledger before this one."""
    newest: datetime | None = connection.scalar(
        select(func.max(events.c.time)).where(stands_in(ERASURES))
    )
    if newest is None or all(it.at > newest + CLOCKS_DIFFER for it in batch):
        return set()
    is_erased = erased_events(connection)
    return {(it.stream, it.seq) for it in batch if is_erased(0, it.stream, it.seq)}


def _kept(connection: Connection) -> Iterator[tuple[str, Kept]]:
    """Yield each once, with the stream that it stands in: the ledger's own comes first."""
    asked = (
        select(events.c.src_stream, events.c.type, bodies.c.body)
        .join(events, events.c.seq == bodies.c.seq)
        .where(events.c.type.in_(_CLASSES), or_(stands_in(LEDGER), stands_in(ERASURES)))
        .order_by(events.c.seq)
    )
    told = set[str]()
    for stream, kind, body in connection.execute(asked):
        frame = msgspec.json.decode(body, type=Event)
        if frame.id not in told:
            told.add(frame.id)
            yield stream, msgspec.json.decode(bytes(frame.data), type=_CLASSES[kind])


def stands_in(kind: str) -> ColumnElement[bool]:
    """Match the events of one kind of stream."""
    return events.c.src_stream.startswith(f"HP_{kind}_", autoescape=True)


def _finder(spans: _Spans) -> Callable[[int], bool]:
    spans = sorted(spans)
    firsts = [first for first, _ in spans]

    def finds(number: int) -> bool:
        place = bisect_right(firsts, number) - 1
        return place >= 0 and number <= spans[place][1]

    return finds
