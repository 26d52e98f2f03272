"""Deriving again: in place, or beside the ledger to compare with it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from sqlalchemy import Connection, Engine, delete, func, insert, select

from holdpoint.runtime.ledger import engines, triggers
from holdpoint.runtime.ledger.book import derive
from holdpoint.runtime.ledger.confirmations import record_in
from holdpoint.runtime.ledger.entries import Record
from holdpoint.runtime.ledger.tables import DERIVED, bodies, events, metadata

CHUNK = 1_000
"""Events held in memory at a time: at most 256 MB of bodies."""


def rebuild(url: str) -> int:
    """Drop every derived row and derive it again, in one transaction; returns from how many.

    The triggers that forbid it are taken away and put back inside the transaction, so that no
    other connection ever sees the ledger without them.
    """
    engine = engines.writer(url)
    try:
        with engine.begin() as connection:
            triggers.remove_from_derived(connection)
            for table in DERIVED:
                connection.execute(delete(table))
            triggers.install(connection)
            return sum(_derived(connection, chunk) for chunk in chunks(connection))
    finally:
        engine.dispose()


def derived_beside(source: Connection, folder: Path) -> Engine:
    """Derive everything from the source's events into a scratch database in this folder."""
    (folder / "scratch.db").touch()
    scratch = engines.creator(f"sqlite:///{folder / 'scratch.db'}")
    with scratch.begin() as connection:
        metadata.create_all(connection)
        triggers.install(connection)
        for chunk in chunks(source):
            _copy(source, connection, chunk)
            _derived(connection, chunk)
    return scratch


def chunks(connection: Connection) -> Iterator[list[Record]]:
    """Every readable event of the ledger in its order, a thousand at a time."""
    last = connection.scalar(select(func.max(events.c.seq))) or 0
    for first in range(1, last + 1, CHUNK):
        rows = connection.execute(
            select(events, bodies.c.body)
            .join(bodies)
            .where(events.c.seq.between(first, first + CHUNK - 1))
            .order_by(events.c.seq)
        )
        yield [record_in(row) for row in rows]


def _derived(connection: Connection, records: Sequence[Record]) -> int:
    derive(connection, records)
    return len(records)


def _copy(source: Connection, target: Connection, records: Sequence[Record]) -> None:
    """Confirmations look around in the ledger, so the scratch needs its events too."""
    if not records:
        return
    span = (records[0].seq, records[-1].seq)
    for table in (events, bodies):
        rows = source.execute(select(table).where(table.c.seq.between(*span)).order_by("seq"))
        target.execute(insert(table), [row._asdict() for row in rows])
