"""The side table of verified signatures: filled in the background, never in the hot path."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from sqlalchemy import Connection, func, insert, select

from holdpoint.runtime.ledger.confirmations import record_in
from holdpoint.runtime.ledger.entries import Record
from holdpoint.runtime.ledger.tables import bodies, events, verifications


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """What was found about one event's signature."""

    seq: int
    ok: bool
    key_id: str | None
    at: datetime


def last_verified(connection: Connection) -> int:
    """Up to which event has somebody looked?"""
    return connection.scalar(select(func.max(verifications.c.seq))) or 0


def signed_after(connection: Connection, seq: int, limit: int) -> list[Record]:
    """Which events after this one carry a signature?"""
    rows = connection.execute(
        select(events, bodies.c.body)
        .join(bodies)
        .where(events.c.seq > seq, events.c.signature.is_not(None))
        .order_by(events.c.seq)
        .limit(limit)
    )
    return [record_in(row) for row in rows]


def write_verifications(connection: Connection, found: Sequence[Verification]) -> None:
    """Keep what was found."""
    connection.execute(insert(verifications), [msgspec.structs.asdict(each) for each in found])
