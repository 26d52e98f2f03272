"""Erasures and legal holds, as the ledger itself and ERASURES tell of them."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import product
from typing import TypeAlias

import msgspec
from sqlalchemy import ColumnElement, Connection, func, or_, select

from holdpoint.ledger.entries import LEDGER, Entry, Record
from holdpoint.ledger.tables import bodies, events
from holdpoint.messages.base import Event
from holdpoint.messages.erasure import Erased, Kept, LegalHold, Lifted, Retention
from holdpoint.messages.subjects import ERASURES, TYPES, kind_of, stream, tenant_of

CLOCKS_DIFFER = timedelta(hours=1)
"""At most, between the brokers that say when two streams stored a message."""

_CLASSES: dict[str, type[Kept]] = {TYPES[it]: it for it in (Erased, LegalHold, Lifted, Retention)}

ErasureOf: TypeAlias = Callable[[int, str, int], int | None]
"""The event that tells of a body's erasure, by the body's number, stream and sequence there."""

_Spans: TypeAlias = list[tuple[int, int, int]]
"""First and last that were erased, and the event that says so."""


def own_events(connection: Connection) -> list[Kept]:
    """Read what was erased and kept, each once, oldest first."""
    return [said for _, _, said in _kept(connection, _EVERYWHERE)]


def erasures_in(connection: Connection) -> ErasureOf:
    """Return what finds the event by which the ledger itself says that a body was erased."""
    return _erasures(connection, _EVERYWHERE)


def erasure_finder(erasures: Iterable[tuple[int, str, Erased]]) -> ErasureOf:
    """Return what finds a body's erasure among these, each with its event and its stream."""
    here, there = _Spans(), defaultdict[str, _Spans](list)
    for event, name, said in erasures:
        if kind_of(name) == LEDGER:  # others' numbers are of a lost ledger
            here += ((*span, event) for span in said.spans)
        for source, first, last in said.sources:
            there[source].append((first, last, event))
    by_number = _finder(here)
    by_source = {name: _finder(spans) for name, spans in there.items()}

    def erasure_of(seq: int, stream: str, src_seq: int) -> int | None:
        found = by_number(seq)
        return found or (by_source[stream](src_seq) if stream in by_source else None)

    return erasure_of


def erasure_told(record: Record) -> tuple[int, str, Erased] | None:
    """Return what an event says was erased; None where it is no erasure of the ledger's own."""
    said = record.message(Erased) if record.entry.kind in {LEDGER, ERASURES} else None
    return (record.seq, record.entry.stream, said) if said else None


def erased_before(connection: Connection, batch: Sequence[Entry]) -> set[tuple[str, int]]:
    """Return which of these messages were erased from a ledger before this one."""
    tenants = {tenant_of(it.stream) for it in batch}
    newest: datetime | None = connection.scalar(
        select(func.max(events.c.time)).where(stands_in_streams(tenants, ERASURES))
    )
    if newest is None or all(it.at > newest + CLOCKS_DIFFER for it in batch):
        return set()
    erasure_of = _erasures(connection, stands_in_streams(tenants, LEDGER, ERASURES))
    return {(it.stream, it.seq) for it in batch if erasure_of(0, it.stream, it.seq)}


def _erasures(connection: Connection, here: ColumnElement[bool]) -> ErasureOf:
    return erasure_finder(
        (event, name, said)
        for event, name, said in _kept(connection, here)
        if isinstance(said, Erased)
    )


def _kept(connection: Connection, here: ColumnElement[bool]) -> Iterator[tuple[int, str, Kept]]:
    """Yield each once, with its event and the event's stream: the ledger's own comes first."""
    asked = (
        select(events.c.seq, events.c.src_stream, events.c.type, bodies.c.body)
        .join(events, events.c.seq == bodies.c.seq)
        .where(events.c.type.in_(_CLASSES), here)
        .order_by(events.c.seq)
    )
    told = set[str]()
    for seq, name, kind, body in connection.execute(asked):
        frame = msgspec.json.decode(body, type=Event)
        if frame.id not in told:
            told.add(frame.id)
            yield seq, name, msgspec.json.decode(bytes(frame.data), type=_CLASSES[kind])


def stands_in(kind: str) -> ColumnElement[bool]:
    """Match the events of one kind of stream, of whatever tenant: it reads the whole ledger."""
    return events.c.src_stream.startswith(f"HP_{kind}_", autoescape=True)


def stands_in_streams(tenants: Iterable[str], *kinds: str) -> ColumnElement[bool]:
    """Match the events of these tenants' streams, of kinds of which each has one: by the index."""
    return events.c.src_stream.in_(stream(*it) for it in product(tenants, kinds))


_EVERYWHERE = or_(stands_in(LEDGER), stands_in(ERASURES))


def spans_of(seqs: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Yield first and last of each row of neighbours."""
    first = last = seqs[0]
    for seq in seqs[1:]:
        if seq != last + 1:
            yield first, last
            first = seq
        last = seq
    yield first, last


def _finder(spans: _Spans) -> Callable[[int], int | None]:
    spans = sorted(spans)
    firsts = [first for first, _, _ in spans]

    def event_over(number: int) -> int | None:
        place = bisect_right(firsts, number) - 1
        if place < 0:
            return None
        _, last, event = spans[place]
        return event if number <= last else None

    return event_over
