"""Derived tables, emptied and derived again from the events: the same events, the same rows."""

import hashlib

import msgspec
from sqlalchemy import Connection, Table, delete, select

from holdpoint.ledger import engines
from holdpoint.ledger.tables import DERIVED
from holdpoint.ledger.triggers import install, let_delete
from holdpoint.ledger.writer import chunks, derive

ROWS = 1_000
"""Rows held in memory at a time."""


class Rebuilt(msgspec.Struct, frozen=True, kw_only=True):
    """One derived table after it was rebuilt."""

    table: str
    rows: int
    changed: bool
    """True if it said something else before."""


def rebuild(url: str) -> list[Rebuilt]:
    """Rebuild every derived table in one transaction; the audit waits until it is over."""
    engine = engines.writer(url)
    try:
        with engine.begin() as connection:
            before = {table.name: _state(connection, table) for table in DERIVED}
            derive_everything(connection)
            return [_rebuilt(connection, table, before[table.name]) for table in DERIVED]
    finally:
        engine.dispose()


def derive_everything(connection: Connection) -> None:
    """Empty every derived table, and derive it again from the bodies that are there."""
    install(connection)  # some of them set columns
    for table in DERIVED:
        let_delete(connection, table)
        connection.execute(delete(table))
    for chunk in chunks(connection):
        derive(connection, chunk)
    install(connection)


def _rebuilt(connection: Connection, table: Table, before: tuple[int, str]) -> Rebuilt:
    after = _state(connection, table)
    return Rebuilt(table=table.name, rows=after[0], changed=after != before)


def _state(connection: Connection, table: Table) -> tuple[int, str]:
    """Number of rows, and the hash over all of them in the order of their key."""
    hashed, count = hashlib.sha256(), 0
    rows = connection.execute(
        select(table).order_by(*table.primary_key), execution_options={"yield_per": ROWS}
    )
    for row in rows:
        hashed.update(repr(tuple(row)).encode())
        count += 1
    return count, hashed.hexdigest()
