"""The ledger's checkpoints: its size and root, signed, in the transaction of the events."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

import msgspec
from sqlalchemy import Connection, Select, select

from holdpoint.ledger.bulk_insert import insert_rows
from holdpoint.ledger.tables import checkpoints
from holdpoint.ledger.tree import root_at, size_of

Attest: TypeAlias = Callable[[int, bytes], str]
"""From the tree's size and root to the signed checkpoint; empty while there is no key."""

EVERY_EVENTS = 1_000
READ = 1_000
"""Checkpoints that are read at a time."""


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """A checkpoint as the ledger keeps it."""

    number: int
    """Counts from 1."""

    size: int
    note: str


def newest_checkpoint(connection: Connection) -> Stored | None:
    """Which checkpoint covers the most?"""
    return _first(connection, select(checkpoints).order_by(checkpoints.c.number.desc()))


def checkpoint_for(connection: Connection, seq: int) -> Stored | None:
    """Which is the first checkpoint that covers this event?"""
    return _first(connection, select(checkpoints).where(checkpoints.c.size >= seq).order_by("size"))


def every_checkpoint(connection: Connection) -> Iterator[Stored]:
    """Yield all of them, oldest first."""
    asked = select(checkpoints).order_by(checkpoints.c.number)
    for row in connection.execute(asked, execution_options={"yield_per": READ}):
        yield Stored(number=row.number, size=row.size, note=row.note)


def take_checkpoint(connection: Connection, attest: Attest, after: int = 1) -> None:
    """Sign where the tree ends, once so many events are behind the newest checkpoint."""
    size, newest = size_of(connection), newest_checkpoint(connection)
    number, covered = (newest.number, newest.size) if newest else (0, 0)
    if size - covered >= after and (note := attest(size, root_at(connection, size))):
        made = Stored(number=number + 1, size=size, note=note)
        insert_rows(connection, checkpoints, [msgspec.structs.asdict(made)])


def _first(connection: Connection, asked: Select[tuple[object, ...]]) -> Stored | None:
    row = connection.execute(asked.limit(1)).one_or_none()
    return Stored(number=row.number, size=row.size, note=row.note) if row else None
