"""Connections to a ledger's database: one writer that never loses a commit, and readers."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.pool import QueuePool

from holdpoint.runtime.errors import SetupError

BUSY_MS = 5_000
"""Time that SQLite waits for another writer before it says that the ledger is locked."""


def creator(url: str) -> Engine:
    """Open for a migration: the file is made if it is missing, its folder is not."""
    return _opened(url, mode="rwc", begin="BEGIN IMMEDIATE")


def writer(url: str) -> Engine:
    """Open an existing ledger to write, one transaction at a time, synced at each commit."""
    return _opened(url, mode="rw", begin="BEGIN IMMEDIATE")


def reader(url: str) -> Engine:
    """Open an existing ledger to read one snapshot; nothing can be written."""
    return _opened(url, mode="ro", begin="BEGIN")


def file_of(url: str) -> Path:
    """Return the file of a SQLite ledger."""
    database = _sqlite(url).database
    if not database or database == ":memory:":
        raise SetupError("A ledger lives in a file: set HP_LEDGER_URL to sqlite:///<path>.")
    return Path(database)


def _sqlite(url: str) -> URL:
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        raise SetupError(f"The ledger is kept in SQLite; {parsed.drivername} is not built yet.")
    return parsed


def _opened(url: str, *, mode: str, begin: str) -> Engine:
    path = quote(str(file_of(url)))
    engine = create_engine(
        f"sqlite:///file:{path}?mode={mode}&uri=true",
        connect_args={"check_same_thread": False, "isolation_level": None},
        poolclass=QueuePool,
        hide_parameters=True,  # an error's text must not carry what was to be stored
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        connection.execute("PRAGMA recursive_triggers = ON")
        if mode != "ro":
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")

    @event.listens_for(engine, "begin")
    def start(connection: Any) -> None:
        connection.exec_driver_sql(begin)

    return engine
