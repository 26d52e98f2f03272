"""Ledgers in files: made, filled and asked as the audit and an auditor do it."""

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from alembic import command
from alembic.config import Config
from nacl.signing import SigningKey
from sqlalchemy import Connection, Table, select

from holdpoint.core.checkpoint import Checkpoint, signed_note
from holdpoint.ledger import engines
from holdpoint.ledger.checkpoints import Attest, take_checkpoint
from holdpoint.ledger.entries import Entry
from holdpoint.ledger.migrations import LOCATION
from holdpoint.ledger.tables import DERIVED, traces
from holdpoint.ledger.writer import enter, upgrade

T = TypeVar("T")

ORIGIN = "holdpoint/acme"
KEY = SigningKey(bytes(range(32)))
PUBLIC_KEY = bytes(KEY.verify_key)


def new_ledger(folder: Path, name: str = "ledger") -> str:
    """A ledger's URL; the file is there and empty."""
    path = folder / f"{name}.db"
    path.write_bytes(_blank())
    return f"sqlite+aiosqlite:///{path}"


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
