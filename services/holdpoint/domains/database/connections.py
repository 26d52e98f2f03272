"""Connections that can only do what they are for: one engine reads, another changes."""

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import msgspec
from sqlalchemy import event
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from holdpoint.domains.database.statements import RUNS
from holdpoint.domains.settings import DatabaseSettings
from holdpoint.runtime.process.clock import monotonic

GRACE_S = 2.0
"""Beyond the database's own time limit: for a network that hangs."""

CHECK_EVERY = 1000
"""SQLite looks at the clock after so many of its instructions."""

AS_TEXT = ("numeric", "date", "time", "timetz", "timestamp", "timestamptz", "interval", "uuid")
"""PostgreSQL types that travel as strings: exact, and parsed by PostgreSQL itself."""

READING = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})
CHANGING = READING | {
    sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE, sqlite3.SQLITE_REINDEX,
    sqlite3.SQLITE_CREATE_TABLE, sqlite3.SQLITE_DROP_TABLE, sqlite3.SQLITE_ALTER_TABLE,
    sqlite3.SQLITE_CREATE_INDEX, sqlite3.SQLITE_DROP_INDEX,
    sqlite3.SQLITE_CREATE_VIEW, sqlite3.SQLITE_DROP_VIEW,
}  # fmt: skip
HARMFUL_FUNCTIONS = frozenset({"load_extension", "fts3_tokenizer"})
HARMLESS_PRAGMAS = frozenset({"foreign_key_list", "read_uncommitted"})
"""One lists foreign keys; SQLAlchemy asks for the other when it connects."""


class Database(msgspec.Struct, frozen=True, kw_only=True):
    """One database by its name, and two ways into it."""

    name: str
    dialect: str
    """`sqlite` or `postgres`, as sqlglot calls them."""

    settings: DatabaseSettings
    reader: AsyncEngine
    writer: AsyncEngine


@asynccontextmanager
async def connected(name: str, settings: DatabaseSettings) -> AsyncIterator[Database]:
    """Both engines; nothing connects before the first use."""
    read_url = settings.read_url or settings.url
    if make_url(settings.url).get_backend_name() == "sqlite":
        dialect = "sqlite"
        reader = _sqlite(read_url, settings, reads_only=True)
        writer = _sqlite(settings.url, settings, reads_only=False)
    else:
        dialect = "postgres"
        reader, writer = _postgres(read_url, settings), _postgres(settings.url, settings)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(reader.dispose)
        stack.push_async_callback(writer.dispose)
        yield Database(name=name, dialect=dialect, settings=settings, reader=reader, writer=writer)


@asynccontextmanager
async def reading(database: Database, seconds: float) -> AsyncIterator[AsyncConnection]:
    """A transaction that cannot write, and is rolled back."""
    async with asyncio.timeout(seconds + GRACE_S), database.reader.connect() as connection:
        transaction = await connection.begin()
        if database.dialect == "postgres":
            await connection.exec_driver_sql("SET TRANSACTION READ ONLY")
            await in_time(connection, database, seconds)
        async with guarded(connection, database, seconds, may_only_read):
            yield connection
        await transaction.rollback()


async def in_time(connection: AsyncConnection, database: Database, seconds: float) -> None:
    """PostgreSQL ends each statement of this transaction in time; SQLite: see `guarded`."""
    if database.dialect == "postgres":
        lock_s = min(seconds, database.settings.lock_timeout_s)
        await connection.exec_driver_sql(f"SET LOCAL statement_timeout = {round(seconds * 1000)}")
        await connection.exec_driver_sql(f"SET LOCAL lock_timeout = {round(lock_s * 1000)}")


@asynccontextmanager
async def guarded(
    connection: AsyncConnection,
    database: Database,
    seconds: float,
    authorizer: Callable[..., int],
) -> AsyncIterator[None]:
    """In here SQLite asks the authorizer, and ends what takes too long."""
    if database.dialect == "postgres":
        yield
        return
    driver: Any = (await connection.get_raw_connection()).driver_connection
    until = monotonic() + seconds
    await driver.set_progress_handler(lambda: monotonic() > until, CHECK_EVERY)
    await driver.set_authorizer(authorizer)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):  # a cancelled statement closed the connection
            await driver.set_authorizer(None)
            await driver.set_progress_handler(None, CHECK_EVERY)


def _sqlite(url: str, settings: DatabaseSettings, *, reads_only: bool) -> AsyncEngine:
    engine = create_async_engine(url, connect_args={"timeout": settings.lock_timeout_s})

    def connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA {'query_only' if reads_only else 'foreign_keys'} = ON")
        cursor.close()

    def begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN" if reads_only else "BEGIN IMMEDIATE")

    event.listen(engine.sync_engine, "connect", connect)
    event.listen(engine.sync_engine, "begin", begin)
    return engine


def _postgres(url: str, settings: DatabaseSettings) -> AsyncEngine:
    """Connect; reads are marked in each transaction, as a pooler may refuse session settings."""
    engine = create_async_engine(
        url, pool_pre_ping=True, connect_args={"timeout": settings.timeout_s}
    )

    def connect(connection: Any, _record: Any) -> None:
        for kind in AS_TEXT:
            connection.run_async(_text_codec(kind))

    event.listen(engine.sync_engine, "connect", connect)
    return engine


def _text_codec(kind: str) -> Callable[[Any], Any]:
    return lambda driver: driver.set_type_codec(
        kind, schema="pg_catalog", encoder=str, decoder=str, format="text"
    )


def _authorizer(actions: frozenset[int]) -> Callable[..., int]:
    """SQLite asks it, while it prepares a statement, about everything the statement will do."""

    def decide(action: int, first: str | None, second: str | None, *_: str | None) -> int:
        if action == sqlite3.SQLITE_FUNCTION:
            allowed = (second or "").lower() not in HARMFUL_FUNCTIONS
        elif action == sqlite3.SQLITE_PRAGMA:
            allowed = first in HARMLESS_PRAGMAS
        else:
            own = RUNS in (first, second) and action not in READING
            allowed = action in actions and not own
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY

    return decide


may_only_read = _authorizer(READING)
may_change = _authorizer(frozenset(CHANGING))
