"""The table `holdpoint_runs` in each target: claim and effect stand or fall in one transaction."""

import json
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote

from sqlalchemy import Column, MetaData, Table, Text, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from holdpoint.domains.database.connections import Database
from holdpoint.domains.database.statements import RUNS
from holdpoint.messages.base import JsonObject
from holdpoint.runtime.errors import SetupError

metadata = MetaData()
runs = Table(
    RUNS,
    metadata,
    Column("hold_id", Text, primary_key=True),
    Column("nonce", Text, nullable=False),
    Column("result", Text),
    Column("at", Text, nullable=False),
)


async def prepare(database: Database) -> None:
    """Make the table if it is missing; another worker may do the same at the same time."""
    _exists(database)
    for last in (False, True):
        try:
            async with database.writer.begin() as connection:
                await connection.run_sync(metadata.create_all)
        except (DBAPIError, OSError) as error:
            if last:
                raise SetupError(
                    f"The database `{database.name}` cannot be used: {error}. It must exist, and "
                    f"the role must be able to write the table `{RUNS}`."
                ) from None
        else:
            return


def _exists(database: Database) -> None:
    """A SQLite file that is missing is not made: its name is probably wrong."""
    if database.dialect == "sqlite":
        file = Path(unquote(str(database.writer.url.database).removeprefix("file:")))
        if not file.is_file():
            raise SetupError(
                f"The database `{database.name}` cannot be used: there is no file {file}."
            )


async def claim(
    connection: AsyncConnection, database: Database, hold_id: str, nonce: str, now: datetime
) -> bool:
    """Take the hold; False when it was taken before. Waits for the one who is about to."""
    insert = sqlite.insert if database.dialect == "sqlite" else postgresql.insert
    taken = await connection.execute(
        insert(runs)
        .values(hold_id=hold_id, nonce=nonce, at=now.isoformat())
        .on_conflict_do_nothing()
    )
    return taken.rowcount == 1


async def record(connection: AsyncConnection, hold_id: str, result: JsonObject) -> None:
    """Record the result."""
    await connection.execute(
        update(runs).where(runs.c.hold_id == hold_id).values(result=json.dumps(result))
    )


async def recorded(connection: AsyncConnection, hold_id: str) -> JsonObject | None:
    """Return what came of it, if it happened."""
    found = await connection.scalar(select(runs.c.result).where(runs.c.hold_id == hold_id))
    return None if found is None else dict(json.loads(found))
