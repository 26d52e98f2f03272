"""The tasks' database: each change happens once for its key, in one transaction."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec
from sqlalchemy import Column, Integer, MetaData, Table, Text, insert, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from holdpoint.domains.settings import TasksSettings
from holdpoint.messages.base import JsonObject
from holdpoint.runtime.errors import SetupError

metadata = MetaData()
tasks = Table(
    "tasks",
    metadata,
    Column("task_id", Integer, primary_key=True, autoincrement=True),
    Column("user_id", Text, nullable=False, index=True),
    Column("title", Text, nullable=False),
    Column("description", Text, nullable=False, server_default=""),
    Column("status", Text, nullable=False, server_default="pending"),
    Column("deleted_at", Text),
    sqlite_autoincrement=True,
)
runs = Table(
    "task_runs",
    metadata,
    Column("hold_id", Text, primary_key=True),
    Column("outcome", Text, nullable=False),
)

Work = Callable[[AsyncConnection], Awaitable[JsonObject]]


class Tasks(msgspec.Struct, frozen=True, kw_only=True):
    """The open database."""

    engine: AsyncEngine


class TaskError(Exception):
    """The change or question makes no sense as things stand; its text says why."""


class ChangedError(Exception):
    """The task is no longer what people were asked about; its text says so."""


@asynccontextmanager
async def opened(settings: TasksSettings) -> AsyncIterator[Tasks]:
    """Open the database, making its tables where they are missing; SetupError if it cannot be."""
    url = make_url(settings.url)
    if url.get_backend_name() == "sqlite":
        file = Path(unquote(str(url.database).removeprefix("file:")))
        with contextlib.suppress(OSError):  # the database then says why it cannot be opened
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    engine = create_async_engine(settings.url, connect_args={"timeout": settings.timeout_s})
    try:
        async with engine.begin() as connection:
            await connection.run_sync(metadata.create_all)
        yield Tasks(engine=engine)
    except (DBAPIError, OSError) as error:
        raise SetupError(f"domains.yaml: the tasks' database cannot be used: {error}.") from None
    finally:
        await engine.dispose()


def warnings(_settings: TasksSettings) -> tuple[str, ...]:
    """Return what each card of this domain has to say: nothing."""
    return ()


async def once(database: Tasks, key: str, timeout_s: float, work: Work) -> JsonObject:
    """Return the outcome of the work under this key, now or from the first time."""
    try:
        async with asyncio.timeout(timeout_s), database.engine.begin() as connection:
            outcome = await work(connection)
            values = {"hold_id": key, "outcome": json.dumps(outcome)}
            await connection.execute(insert(runs).values(values))
    except IntegrityError:
        first = await outcome_of(database, key, timeout_s)
        if first is None:
            raise
        return first
    return outcome


async def outcome_of(database: Tasks, key: str, timeout_s: float) -> JsonObject | None:
    """Return what came of the key; None when nothing was changed under it."""
    async with asyncio.timeout(timeout_s), database.engine.connect() as connection:
        stored = await connection.scalar(select(runs.c.outcome).where(runs.c.hold_id == key))
    return None if stored is None else dict(json.loads(stored))


async def task_of(connection: AsyncConnection, user_id: str, task_id: int) -> dict[str, Any]:
    """Return one task of the person; TaskError where they have none of this number."""
    rows = await connection.execute(
        select(tasks).where(
            tasks.c.task_id == task_id, tasks.c.user_id == user_id, tasks.c.deleted_at.is_(None)
        )
    )
    row = rows.mappings().first()
    if row is None:
        raise TaskError(f"There is no task {task_id} on this list.")
    return dict(row)
