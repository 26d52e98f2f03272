"""Readings of the ledger, as the ledger has them."""

from collections.abc import Iterable, Iterator
from datetime import datetime

import msgspec
from sqlalchemy import Connection, select

from holdpoint.ledger.confirmations import record_in
from holdpoint.ledger.entries import Record
from holdpoint.ledger.search import Search
from holdpoint.ledger.tables import bodies, events
from holdpoint.messages.reading import LedgerRead
from holdpoint.messages.subjects import READS, stream


class ReadFound(msgspec.Struct, frozen=True, kw_only=True):
    """One reading of the ledger."""

    at: datetime
    person: str
    surface: str
    """The console or the command line."""

    what: str
    asked: dict[str, str]


def reads_found(connection: Connection, search: Search, tenant: str) -> list[ReadFound]:
    """Return who read, oldest first; of the filters person and times count."""
    order = events.c.src_seq.desc() if search.newest else events.c.src_seq
    wanted = (
        select(events, bodies.c.body)
        .join(bodies)
        .where(events.c.src_stream == stream(tenant, READS))
        .order_by(order)
        .limit(search.limit)
    )
    if search.person:
        wanted = wanted.where(events.c.principal == search.person)
    if search.since is not None:
        wanted = wanted.where(events.c.time >= search.since)
    if search.until is not None:
        wanted = wanted.where(events.c.time < search.until)
    rows = [record_in(row) for row in connection.execute(wanted)]
    return list(_found(reversed(rows) if search.newest else rows))


def _found(records: Iterable[Record]) -> Iterator[ReadFound]:
    for record in records:
        said = record.message(LedgerRead)
        if said is not None:
            yield ReadFound(
                at=record.entry.at,
                person=record.place.principal or "",
                surface=record.entry.subject.split(".")[3],
                what=said.what,
                asked=said.asked,
            )
