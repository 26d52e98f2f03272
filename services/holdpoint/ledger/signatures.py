"""The side table of verified signatures: filled in the background, never in the hot path."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from sqlalchemy import Connection, func, select

from holdpoint.ledger.bulk_insert import insert_rows
from holdpoint.ledger.confirmations import records_in
from holdpoint.ledger.entries import Record
from holdpoint.ledger.tables import events, verifications


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """Result of verifying one event's signature."""

    seq: int
    ok: bool
    key_id: str | None
    at: datetime


def last_verified(connection: Connection) -> int:
    """Up to which event has somebody looked?"""
    return connection.scalar(select(func.max(verifications.c.seq))) or 0


def bad_signatures(connection: Connection) -> int:
    """How many events have a signature that does not verify?"""
    bad = select(func.count()).select_from(verifications).where(verifications.c.ok.is_(False))
    return connection.scalar(bad) or 0


def signed_after(connection: Connection, seq: int, limit: int) -> list[Record]:
    """Which events after this one carry a signature?"""
    signed = events.c.signature.is_not(None)
    return records_in(connection, events.c.seq > seq, signed, limit=limit)


def write_verifications(connection: Connection, found: Sequence[Verification]) -> None:
    """Keep what was found."""
    insert_rows(connection, verifications, [msgspec.structs.asdict(each) for each in found])
