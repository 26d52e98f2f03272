"""The bank's database: one engine that only reads, one that changes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from sqlalchemy import event
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from holdpoint.domains.settings import BankSettings

GRACE_S = 2.0
"""Beyond the database's own time limit: for a network that hangs."""

SQLITE = "sqlite"


class Bank(msgspec.Struct, frozen=True, kw_only=True):
    """The ledger, and two ways into it."""

    dialect: str
    settings: BankSettings
    reader: AsyncEngine
    writer: AsyncEngine


class Books(msgspec.Struct, frozen=True, kw_only=True):
    """One transaction on the ledger."""

    connection: AsyncConnection
    dialect: str
    locks: bool
    """True if it changes: rows that it looks at stay as they are until its end."""


def connected(settings: BankSettings) -> Bank:
    """Both engines; nothing connects before the first use."""
    dialect = make_url(settings.url).get_backend_name()
    reader = _engine(settings, dialect, reads_only=True)
    writer = _engine(settings, dialect, reads_only=False)
    return Bank(dialect=dialect, settings=settings, reader=reader, writer=writer)


@asynccontextmanager
async def reading(bank: Bank, seconds: float) -> AsyncIterator[Books]:
    """A transaction that cannot write, and is rolled back."""
    async with asyncio.timeout(seconds + GRACE_S), bank.reader.connect() as connection:
        transaction = await connection.begin()
        if bank.dialect != SQLITE:
            await connection.exec_driver_sql("SET TRANSACTION READ ONLY")
            await _in_time(connection, bank, seconds)
        yield Books(connection=connection, dialect=bank.dialect, locks=False)
        await transaction.rollback()


async def writing(connection: AsyncConnection, bank: Bank) -> Books:
    """Limit what a transaction that has begun on the writer may take."""
    if bank.dialect != SQLITE:
        await _in_time(connection, bank, bank.settings.timeout_s)
    return Books(connection=connection, dialect=bank.dialect, locks=True)


async def _in_time(connection: AsyncConnection, bank: Bank, seconds: float) -> None:
    lock_s = min(seconds, bank.settings.lock_timeout_s)
    await connection.exec_driver_sql(f"SET LOCAL statement_timeout = {round(seconds * 1000)}")
    await connection.exec_driver_sql(f"SET LOCAL lock_timeout = {round(lock_s * 1000)}")


def _engine(settings: BankSettings, dialect: str, *, reads_only: bool) -> AsyncEngine:
    if dialect != SQLITE:
        arguments = {"timeout": settings.timeout_s}
        return create_async_engine(settings.url, pool_pre_ping=True, connect_args=arguments)
    engine = create_async_engine(settings.url, connect_args={"timeout": settings.lock_timeout_s})

    def connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute(f"PRAGMA {'query_only' if reads_only else 'foreign_keys'} = ON")
        cursor.close()

    def begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN" if reads_only else "BEGIN IMMEDIATE")

    event.listen(engine.sync_engine, "connect", connect)
    event.listen(engine.sync_engine, "begin", begin)
    return engine
