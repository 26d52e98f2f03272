"""Connections to a ledger's database: one writer that never loses a commit, and readers.

A ledger is a SQLite file or a PostgreSQL database of its own.
"""

from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import QueuePool

from holdpoint.runtime.errors import SetupError

BUSY_MS = 5_000
"""Time to wait for another writer before it is said that the ledger is locked."""

AWAY_S = 5
"""Time to wait for a server that does not answer."""

WRITE_URL = (
    "Set HP_LEDGER_URL or --ledger to sqlite:///<path> or postgresql://<user>@<host>/<database>."
)

WRITER_LOCK: Final = 0x686F6C64
"""PostgreSQL's advisory lock that a writer holds for a transaction."""

_SETTINGS = f"-c timezone=UTC -c lock_timeout={BUSY_MS} -c synchronous_commit=on"
_SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"


def creator(url: str) -> Engine:
    """Open for a migration: a file is made if it is missing, its folder is not."""
    return _opened(url, mode="rwc")


def writer(url: str) -> Engine:
    """Open an existing ledger to write, one transaction at a time, synced at each commit."""
    return _opened(url, mode="rw")


def reader(url: str) -> Engine:
    """Open an existing ledger to read one snapshot; nothing can be written."""
    return _opened(url, mode="ro")


def file_of(url: str) -> Path:
    """Return the file of a ledger in SQLite; SetupError of another one."""
    file = local_file(url)
    if file is None:
        raise SetupError(f"The ledger {place_of(url)} is kept by a server, not in a file.")
    return file


def local_file(url: str) -> Path | None:
    """Return the file of a ledger in SQLite; None of one in PostgreSQL."""
    parsed = _parsed(url)
    if parsed.get_backend_name() == "postgresql":
        return None
    if parsed.get_backend_name() != "sqlite":
        raise SetupError(
            f"The ledger is kept in SQLite or PostgreSQL, not in {parsed.get_backend_name()}. "
            f"{WRITE_URL}"
        )
    if not parsed.database or parsed.database == ":memory:":
        raise SetupError(f"A ledger in SQLite lives in a file. {WRITE_URL}")
    return Path(parsed.database)


def _parsed(url: str) -> URL:
    """Return the URL's parts; what is none is not repeated, for it may hold a password."""
    try:
        return make_url(url)
    except ArgumentError:
        what = "cannot be read" if url else "is empty"
        raise SetupError(f"The ledger's URL {what}. {WRITE_URL}") from None


def place_of(url: str) -> str:
    """Return the file, or the address without its password: what a person is told."""
    return str(local_file(url) or make_url(url).render_as_string(hide_password=True))


def _opened(url: str, *, mode: str) -> Engine:
    if local_file(url) is None:
        return _at_server(make_url(url), mode)
    return _in_file(file_of(url), mode)


def _in_file(file: Path, mode: str) -> Engine:
    engine = create_engine(
        f"sqlite:///file:{quote(str(file))}?mode={mode}&uri=true",
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
        connection.exec_driver_sql("BEGIN" if mode == "ro" else "BEGIN IMMEDIATE")

    return engine


def _at_server(url: URL, mode: str) -> Engine:
    """Open a database: writers take turns, as they do at a file."""
    try:
        from holdpoint.ledger.postgresql_texts import without_nul_bytes  # noqa: PLC0415  # an extra

        engine = create_engine(
            url.set(drivername="postgresql+psycopg"),
            connect_args={"options": _SETTINGS, "connect_timeout": AWAY_S},
            paramstyle="format",  # rows are handed over as tuples
            hide_parameters=True,
        )
    except ImportError:
        raise SetupError(
            "A ledger in PostgreSQL needs a driver: pip install 'holdpoint[postgres]'"
        ) from None
    event.listen(engine, "connect", without_nul_bytes)

    @event.listens_for(engine, "begin")
    def start(connection: Any) -> None:
        take_turn = f"SELECT pg_advisory_xact_lock({WRITER_LOCK})"
        connection.exec_driver_sql(_SNAPSHOT if mode == "ro" else take_turn)

    return engine
