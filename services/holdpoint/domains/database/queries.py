"""Runs one proven SELECT and takes a bounded number of rows."""

import msgspec

from holdpoint.domains.database.connections import Database, reading
from holdpoint.domains.database.schemas import Scalar
from holdpoint.domains.database.statements import Statement
from holdpoint.domains.database.values import Json, cell

MAX_CHARACTERS = 48 * 1024
"""Of all values together: a message holds 256 KiB."""


class Rows(msgspec.Struct, frozen=True, kw_only=True):
    """The first rows; `more` says that there are others."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Json, ...], ...]
    more: bool


async def rows(database: Database, statement: Statement, parameters: dict[str, Scalar]) -> Rows:
    """At most as many as the settings and a message allow."""
    limit = database.settings.max_rows
    async with reading(database, database.settings.timeout_s) as connection:
        found = await connection.exec_driver_sql(
            f"SELECT * FROM (\n{statement.text}\n) AS asked LIMIT {limit + 1:d}",  # noqa: S608  # proven
            statement.bound(parameters),
        )
        columns, raw = tuple(found.keys()), found.all()
    kept = _fitting([tuple(cell(value) for value in row) for row in raw[:limit]])
    return Rows(columns=columns, rows=kept, more=len(kept) < len(raw))


def _fitting(found: list[tuple[Json, ...]]) -> tuple[tuple[Json, ...], ...]:
    """As many rows from the beginning as a message takes."""
    size = 0
    for count, row in enumerate(found):
        size += sum(len(str(value)) for value in row)
        if size > MAX_CHARACTERS:
            return tuple(found[:count])
    return tuple(found)
