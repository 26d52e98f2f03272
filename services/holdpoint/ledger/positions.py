"""Position of each source stream in the ledger, and the stream's origin.

The place is what the ledger holds, so it is written in the transaction of the rows themselves.
"""

from collections.abc import Mapping, Sequence

import msgspec
from sqlalchemy import Connection, func, select

from holdpoint.ledger.tables import events, origins
from holdpoint.runtime.errors import UnavailableError

WERE_IN_HAND = 10_000
"""Ledgers of an audit that acknowledged message by message may lack some among their last ones."""


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """The end of one stream in the ledger."""

    seq: int
    """The newest source sequence; 0 before the first."""

    body_sha256: str
    """Of that message."""

    created: str
    """When the stream was made, in the broker's words; empty until it is known."""

    whole_to: int
    """Up to which sequence nothing is missing that may still be on the stream."""


def position_of(connection: Connection, stream: str) -> Position:
    """How far does the ledger go?"""
    newest = connection.execute(
        select(events.c.src_seq, events.c.body_sha256)
        .where(events.c.src_stream == stream)
        .order_by(events.c.src_seq.desc())
        .limit(1)
    ).one_or_none()
    created = connection.scalar(select(origins.c.created).where(origins.c.src_stream == stream))
    seq = newest.src_seq if newest else 0
    return Position(
        seq=seq,
        body_sha256=newest.body_sha256 if newest else "",
        created=created or "",
        whole_to=seq if created else _whole_to(connection, stream, seq),
    )


def newest_in(connection: Connection, stream: str) -> int:
    """Which sequence of this stream is the ledger's last? 0 before the first."""
    newest = select(func.max(events.c.src_seq)).where(events.c.src_stream == stream)
    return connection.scalar(newest) or 0


def body_hashes(connection: Connection, stream: str, seqs: Sequence[int]) -> dict[int, str]:
    """Which bodies does the ledger hold under these sequences?"""
    here = select(events.c.src_seq, events.c.body_sha256).where(
        events.c.src_stream == stream, events.c.src_seq.in_(seqs)
    )
    return {row.src_seq: row.body_sha256 for row in connection.execute(here)}


def check_positions(connection: Connection, expected: Mapping[str, int]) -> None:
    """Raise UnavailableError unless the ledger still ends where its reader thinks."""
    for stream, seq in expected.items():
        if (newest := newest_in(connection, stream)) != seq:
            raise UnavailableError(
                f"The ledger holds {stream} up to {newest}, not up to {seq}: it was replaced, or "
                "somebody else writes to it."
            )


def noted_origins(connection: Connection) -> dict[str, str]:
    """Return when each stream was made that the ledger reads."""
    rows = connection.execute(select(origins.c.src_stream, origins.c.created))
    return {row.src_stream: row.created for row in rows}


def _whole_to(connection: Connection, stream: str, newest: int) -> int:
    """Return where the first hole among the last messages begins."""
    seqs = connection.scalars(
        select(events.c.src_seq)
        .where(events.c.src_stream == stream, events.c.src_seq > newest - WERE_IN_HAND)
        .order_by(events.c.src_seq)
    )
    last = max(0, newest - WERE_IN_HAND)
    for seq in seqs:
        if seq != last + 1:
            return last
        last = seq
    return newest
