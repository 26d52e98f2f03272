"""Calls that were refused: no hold came of them, so only their own events tell of them."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, select, tuple_

from holdpoint.ledger.confirmations import record_in
from holdpoint.ledger.entries import Record
from holdpoint.ledger.tables import bodies, events
from holdpoint.messages.hold import Refused
from holdpoint.messages.subjects import CALLS, TYPES, call_place, kind_of, stream, tenant_of

READ = 500
"""Refusals that are read at a time."""

Place = tuple[str, int]
"""Stream and sequence of a call."""


def refusals_of(agent: str) -> ColumnElement[bool]:
    """Match the refusals of an agent's messages: their subject names the sender alone."""
    named = events.c.agent.is_(None) & (events.c.principal == agent)
    return named & (events.c.type == TYPES[Refused])


def refused_saying(connection: Connection, text: str) -> list[int]:
    """Return the events of refused calls with this text, whatever its case, and what refused them.

    It is looked for in the messages' bytes: JSON that escapes its letters hides it.
    """
    wanted, found = text.casefold(), set[int]()
    for told in _refusals(connection):
        refused = {place: record.seq for record in told for place in _places(record)}
        here = tuple_(events.c.src_stream, events.c.src_seq).in_([*refused])
        for row in connection.execute(_with_bodies().where(here)):
            if wanted in row.body.decode("utf-8", "replace").casefold():
                found |= {row.seq, refused[row.src_stream, row.src_seq]}
    return sorted(found)


def of_refused(connection: Connection, seq: int) -> ColumnElement[bool] | None:
    """Match a refused call and what refused it alone; None where it is none."""
    call = connection.execute(select(events).where(events.c.seq == seq)).one()
    place = (call.src_stream, call.src_seq)
    if kind_of(call.src_stream) != CALLS:
        return None
    by = [
        record
        for told in _refusals(connection, events.c.principal == call.principal)
        for record in told
        if place in _places(record)
    ]
    alone = [record.seq for record in by if len(_places(record)) == 1]
    return events.c.seq.in_([seq, *alone]) if by else None


def _refusals(
    connection: Connection, *conditions: ColumnElement[bool]
) -> Iterator[Sequence[Record]]:
    asked = _with_bodies().where(events.c.type == TYPES[Refused], *conditions)
    with connection.execute(asked, execution_options={"yield_per": READ}) as rows:
        for some in rows.partitions():
            yield [record_in(row) for row in some]


def _with_bodies() -> Select[Any]:
    return select(events, bodies.c.body).join(bodies).order_by(events.c.seq)


def _places(record: Record) -> list[Place]:
    """Return the calls that a refusal is about; none where it refused an answer."""
    refused = record.message(Refused)
    if refused is None:
        return []
    source, _, _ = refused.cause.partition(":")
    place = call_place(refused.cause)
    seqs = refused.sequences or ((place[1],) if place else ())
    return [(stream(tenant_of(record.entry.stream), source), seq) for seq in seqs]
