"""Derived rows, held against what their events say today."""

from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Connection,
    DateTime,
    Engine,
    Integer,
    Table,
    Text,
    func,
    insert,
    select,
    type_coerce,
)

from holdpoint.audit.in_ranges import Tell
from holdpoint.audit.tree_checks import Finding
from holdpoint.ledger import engines
from holdpoint.ledger.entries import without_nul
from holdpoint.ledger.tables import DERIVED, bodies, events, metadata
from holdpoint.ledger.triggers import install
from holdpoint.ledger.writer import chunks, derive


def other_derived_rows(connection: Connection, tell: Tell) -> Iterator[Finding]:
    """Derive all again beside the ledger, and yield the first row of each table that differs."""
    with TemporaryDirectory() as folder:
        scratch = _derived_beside(connection, Path(folder), tell)
        try:
            with scratch.begin() as fresh:
                for table in DERIVED:
                    yield from _differences(connection, fresh, table)
        finally:
            scratch.dispose()


def _derived_beside(source: Connection, folder: Path, tell: Tell) -> Engine:
    """Derive everything from the source's events into a scratch database in this folder."""
    (folder / "scratch.db").touch()
    scratch = engines.creator(f"sqlite:///{folder / 'scratch.db'}")
    with scratch.begin() as connection:
        metadata.create_all(connection)
        install(connection)
        last = source.scalar(select(func.max(events.c.seq))) or 0
        copied = 0
        for chunk in filter(None, chunks(source)):
            _copy(source, connection, copied, chunk[-1].seq)
            copied = chunk[-1].seq
            derive(connection, chunk)
            tell(copied, last)
    return scratch


def _copy(source: Connection, target: Connection, after: int, last: int) -> None:
    """Confirmations look around in the ledger, so the scratch needs its events too."""
    for table in (events, bodies):
        wanted = select(table).where(table.c.seq > after, table.c.seq <= last)
        rows = source.execute(wanted.order_by("seq"))
        target.execute(insert(table), [row._asdict() for row in rows])


def _differences(stored: Connection, fresh: Connection, table: Table) -> Iterator[Finding]:
    """Walk both in the order of their keys, up to the first row that differs."""
    key = [column.name for column in table.primary_key.columns]
    wanted = select(*map(_as_stored(stored), table.columns)).order_by(*table.primary_key.columns)
    keeps = _kept_in(stored)
    for pair in zip_longest(stored.execute(wanted), fresh.execute(wanted)):
        told, made = (row._asdict() if row else None for row in pair)
        made = {name: keeps(it) for name, it in made.items()} if made else None
        if told != made:
            yield _difference(table.name, key, told, made)
            return


def _as_stored(connection: Connection) -> Callable[[Column[Any]], ColumnElement[Any]]:
    """Return what reads a column as SQLite keeps it: there 7 is true, and any text can be a time.

    PostgreSQL holds no such values.
    """
    if connection.dialect.name != "sqlite":
        return lambda column: column

    def raw(column: Column[Any]) -> ColumnElement[Any]:
        match column.type:
            case DateTime():
                return type_coerce(column, Text).label(column.name)
            case Boolean():
                return type_coerce(column, Integer).label(column.name)
            case _:
                return column

    return raw


def _kept_in(connection: Connection) -> Callable[[Any], Any]:
    """Return what becomes of a value in this database: PostgreSQL holds no NUL in texts."""
    if connection.dialect.name == "sqlite":
        return lambda value: value
    return lambda value: without_nul(value) if isinstance(value, str) else value


def _difference(
    table: str, key: list[str], told: dict[str, Any] | None, made: dict[str, Any] | None
) -> Finding:
    places = [[row[name] for name in key] for row in (told, made) if row]
    row = f"{table}.{'/'.join(map(str, min(places)))}"
    if told and made and len(set(map(tuple, places))) == 1:
        others = [name for name in told if told[name] != made[name]]
        return Finding(row=row, text=f"says something else than its events in {', '.join(others)}")
    is_extra = told is not None and min(places) == [told[name] for name in key]
    text = "follows from no event" if is_extra else "follows from the events and is missing"
    return Finding(row=row, text=text)
