"""Writing many rows at once: each statement is compiled once and handed to the driver.

Derived rows are filled: what is known stays, what is NULL is filled in, in either database.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final, TypeAlias

import msgspec
from sqlalchemy import Connection, Dialect, Table, func
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError

_Insert: TypeAlias = sqlite.Insert | postgresql.Insert
_Convert: TypeAlias = Callable[[Any], Any]

PREPARED = 64
"""Statements kept: a handful for each open engine."""

_INSERTS: Final[dict[str, Callable[[Table], _Insert]]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}


@dataclass(frozen=True, kw_only=True)
class Fill:
    """A table whose rows are filled: by which key, and which columns only the first one sets."""

    table: Table
    key: tuple[str, ...]
    assigned: tuple[str, ...] = ()
    """Columns that a trigger sets."""

    fixed: tuple[str, ...] = ()


def insert_rows(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows that name every column."""
    if rows and connection.dialect.name == "postgresql":
        _copy(connection, _plain(table, connection.dialect), rows)
    elif rows:
        _run(connection, _plain(table, connection.dialect), rows)


def fill_rows(connection: Connection, fill: Fill, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert each row, or fill the NULLs of the one that has its key."""
    if rows:
        _run(connection, _filling(fill, connection.dialect), _merged(fill, rows))


def as_json(value: Any) -> str:
    """The value's JSON with sorted keys: the same value is the same text."""
    return msgspec.json.encode(value, order="sorted").decode()


@dataclass(frozen=True, kw_only=True)
class _Prepared:
    """A statement as the driver takes it, and how each value is made ready for it."""

    table: str
    sql: str
    columns: tuple[str, ...]
    converted: tuple[tuple[int, _Convert], ...]
    """Columns whose values the driver takes in another form, by their place."""


def _merged(fill: Fill, rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Merge rows of one key, as the database would fill them one after the other."""
    merged: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    key_of = itemgetter(*fill.key)
    for row in rows:
        key = key_of(row)
        first = merged.setdefault(key, row)
        if first is not row:
            merged[key] = {
                name: row[name] if value is None and name not in fill.fixed else value
                for name, value in first.items()
            }
    return list(merged.values())


def _run(connection: Connection, made: _Prepared, rows: Sequence[Mapping[str, Any]]) -> None:
    connection.exec_driver_sql(made.sql, _values(made, rows))


def _copy(connection: Connection, made: _Prepared, rows: Sequence[Mapping[str, Any]]) -> None:
    """Hand over all rows in one statement, which costs a server a fraction of as many inserts."""
    driver: Any = connection.connection
    dbapi: Any = connection.dialect.dbapi
    statement = f"COPY {made.table} ({', '.join(made.columns)}) FROM STDIN"
    try:
        with driver.cursor() as cursor, cursor.copy(statement) as copy:
            for row in _values(made, rows):
                copy.write_row(row)
    except dbapi.Error as error:
        raise DBAPIError(statement, None, error, hide_parameters=True) from error


def _values(made: _Prepared, rows: Sequence[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    """Return the rows as the driver takes them, made ready column by column."""
    columns: list[Sequence[Any]] = list(zip(*map(itemgetter(*made.columns), rows), strict=True))
    for place, convert in made.converted:
        columns[place] = [None if it is None else convert(it) for it in columns[place]]
    return list(zip(*columns, strict=True))


@lru_cache(maxsize=PREPARED)
def _plain(table: Table, dialect: Dialect) -> _Prepared:
    names = tuple(column.name for column in table.c)
    return _prepared(_INSERTS[dialect.name](table), table, names, dialect)


@lru_cache(maxsize=PREPARED)
def _filling(fill: Fill, dialect: Dialect) -> _Prepared:
    table = fill.table
    names = tuple(column.name for column in table.c if column.name not in fill.assigned)
    insert = _INSERTS[dialect.name](table)
    filled = {
        name: func.coalesce(table.c[name], insert.excluded[name])
        for name in names
        if name not in {*fill.key, *fill.fixed}
    }
    statement = insert.on_conflict_do_update(index_elements=fill.key, set_=filled)
    return _prepared(statement, table, names, dialect)


def _prepared(
    statement: _Insert, table: Table, names: tuple[str, ...], dialect: Dialect
) -> _Prepared:
    compiled = statement.compile(dialect=dialect, column_keys=list(names))
    processors = (
        table.c[name].type.dialect_impl(dialect).bind_processor(dialect) for name in names
    )
    return _Prepared(
        table=table.name,
        sql=str(compiled),
        columns=names,
        converted=tuple((place, it) for place, it in enumerate(processors) if it is not None),
    )
