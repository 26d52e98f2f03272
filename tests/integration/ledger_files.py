"""Ledgers in files: made, filled and asked as the audit and an auditor do it."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from alembic import command
from alembic.config import Config
from nacl.signing import SigningKey
from sqlalchemy import Connection, Table, create_engine, make_url, select, text

from holdpoint.core.checkpoint import Checkpoint, signed_note
from holdpoint.ledger import engines
from holdpoint.ledger.checkpoints import Attest, take_checkpoint
from holdpoint.ledger.entries import Entry
from holdpoint.ledger.migrations import LOCATION
from holdpoint.ledger.tables import DERIVED, metadata, traces
from holdpoint.ledger.writer import enter, upgrade

T = TypeVar("T")

ORIGIN = "holdpoint/acme"
KEY = SigningKey(bytes(range(32)))
PUBLIC_KEY = bytes(KEY.verify_key)


_servers: list[str] = []
"""The PostgreSQL server at which ledgers are made, while there is one."""

_numbers = count(1)


@contextmanager
def ledgers_at(server: str) -> Iterator[None]:
    """Make new ledgers at this PostgreSQL server."""
    _servers.append(server)
    try:
        yield
    finally:
        _servers.pop()


def new_ledger(folder: Path, name: str = "ledger") -> str:
    """A ledger's URL; it is there and empty."""
    if _servers:
        return database_at(_servers[-1], f"ledger_{next(_numbers)}", _blank_at(_servers[-1]))
    path = folder / f"{name}.db"
    path.write_bytes(_blank())
    return f"sqlite+aiosqlite:///{path}"


@cache
def _blank_at(server: str) -> str:
    """The name of an empty ledger at this server, migrated once."""
    upgrade(database_at(server, "blank", "template0"))
    return "blank"


def database_at(server: str, name: str, template: str) -> str:
    """Make a database as a copy of another one, and return its URL."""
    url = make_url(server)
    engine = create_engine(url.set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {template}"))
    finally:
        engine.dispose()
    return url.set(database=name).render_as_string(hide_password=False)


@cache
def _blank() -> bytes:
    """An empty ledger, migrated once for the whole run."""
    with TemporaryDirectory() as folder:
        upgrade(f"sqlite:///{folder}/blank.db")
        return (Path(folder) / "blank.db").read_bytes()


def migrated(connection: Connection, revision: str) -> None:
    """Make the tables of an earlier release's ledger."""
    config = Config()
    config.set_main_option("script_location", LOCATION)
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def attested(size: int, root: bytes) -> str:
    """Sign a checkpoint with the tests' key."""

    def sign(text: bytes) -> tuple[bytes, bytes]:
        return PUBLIC_KEY, KEY.sign(text).signature

    return signed_note(Checkpoint(origin=ORIGIN, size=size, root=root), sign)


def entered(url: str, *batches: Iterable[Entry], attest: Attest | None = None) -> int:
    """Enter each batch in one transaction, as the audit does; how many entries were new.

    With `attest` a checkpoint is signed after each.
    """
    engine = engines.writer(url)
    new = 0
    try:
        for batch in batches:
            with engine.begin() as connection:
                new += enter(connection, batch)
                if attest is not None:
                    take_checkpoint(connection, attest)
    finally:
        engine.dispose()
    return new


@contextmanager
def unguarded(url: str) -> Iterator[Connection]:
    """Write without the triggers, as whoever owns the database can."""
    engine = engines.writer(url)
    try:
        with engine.begin() as connection:
            if engines.local_file(url):
                named = text("SELECT name FROM sqlite_master WHERE type = 'trigger'")
                for name in connection.scalars(named).all():
                    connection.execute(text(f"DROP TRIGGER {name}"))
            else:
                for table in metadata.tables:
                    connection.execute(text(f"ALTER TABLE {table} DISABLE TRIGGER USER"))
            yield connection
    finally:
        engine.dispose()


def asked(url: str, question: Callable[[Connection], T]) -> T:
    """Ask one snapshot."""
    engine = engines.reader(url)
    try:
        with engine.begin() as connection:
            return question(connection)
    finally:
        engine.dispose()


def rows_of(url: str, *tables: Table) -> list[list[tuple[Any, ...]]]:
    """Every row of each table, in the order of its key."""

    def every(connection: Connection) -> list[list[tuple[Any, ...]]]:
        return [
            [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))]
            for table in tables
        ]

    return asked(url, every)


def derived(url: str) -> list[list[tuple[Any, ...]]]:
    return rows_of(url, *DERIVED)


def derived_by_name(url: str) -> list[list[tuple[Any, ...]]]:
    """The same with each trace named by its message: its id tells when it arrived."""
    *others, found = derived(url)
    agent, name = (traces.c.keys().index(it) for it in ("agent", "trace_id"))
    names = {row[0]: f"{row[agent]}/{row[name]}" for row in found}
    named = [(*(names.get(it) for it in row[:3]), *row[3:]) for row in found]
    return [*others, sorted(named, key=lambda row: str(row[0]))]
