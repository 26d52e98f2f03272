"""Verifying signatures: each with the commit that enters it, and again when the ledger is verified.

What was entered while the keys could not be read is verified in the background, and until then
nothing newer is: up to the last event that was verified, none is left out.

No tree covers the table that notes it: anyone who can write the file could note there that a forged
fact is signed well. So verification asks the keys again.
"""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import structlog
from sqlalchemy import ColumnElement, Connection, Row, select

from holdpoint.ledger.confirmations import record_in
from holdpoint.ledger.entries import Record
from holdpoint.ledger.signatures import (
    Verification,
    last_verified,
    signed_after,
    write_verifications,
)
from holdpoint.ledger.tables import bodies, events, verifications
from holdpoint.ledger.writer import Ledger
from holdpoint.runtime.errors import HoldpointError, SetupError, SignatureError
from holdpoint.runtime.security.keys import RECHECK_S, Keyset
from holdpoint.runtime.store.journal import signer_of

log = structlog.get_logger(__name__)

VERIFY_BATCH = 1_000
VERIFY_EVERY_S = 1.0
STALE = timedelta(seconds=2 * RECHECK_S)
"""The audit's view of the keys may be that old when it looks; twice, as no clock is exact."""

CHUNK = 1_000
"""Events held in memory at a time."""


def verified_with_the_commit(keyset: Keyset, records: Sequence[Record]) -> list[Verification]:
    """What the signatures of these events are worth; nothing while the keys cannot be read."""
    try:
        return _verified_all(keyset, [it for it in records if it.entry.signature is not None])
    except SetupError as error:
        log.warning("verification_waits", error=str(error))
        return []


async def verify_signatures(ledger: Ledger, keyset: Keyset) -> None:
    """Verify in the background what was stored without, until cancelled."""
    while True:
        try:
            has_more = await verify_a_batch(ledger, keyset)
        except HoldpointError as error:
            has_more = False
            log.warning("verification_waits", error=str(error))
        if not has_more:
            await asyncio.sleep(VERIFY_EVERY_S)


async def verify_a_batch(ledger: Ledger, keyset: Keyset) -> bool:
    """Verify the next signatures that were stored since the last time; whether more may wait."""
    records = await ledger.read(_next_signed)
    if records:
        found = await asyncio.to_thread(_verified_all, keyset, records)
        await ledger.write(partial(write_verifications, found=found))
    return len(records) == VERIFY_BATCH


def _next_signed(connection: Connection) -> list[Record]:
    return signed_after(connection, last_verified(connection), VERIFY_BATCH)


def _verified_all(keyset: Keyset, records: Sequence[Record]) -> list[Verification]:
    """Verify each event as of its own time."""
    return [verified(keyset, record, record.entry.at) for record in records]


def why_unusable(keyset: Keyset | None) -> str:
    """Why no signature can be verified with these keys; empty when they can be read."""
    if keyset is None:
        return "No keyset was given."
    try:
        _ = keyset.edition
    except (SetupError, ValueError) as error:
        return str(error)
    return ""


def wrong_verifications(
    connection: Connection, keyset: Keyset | None, within: ColumnElement[bool]
) -> Iterator[tuple[int, str]]:
    """Yield which of these events has no row, or one that says something else than the keys.

    Without keys only the first is seen. What comes after the last row nobody looked at yet.
    """
    looked_at = select(events, bodies.c.body, *_NOTED).join(bodies).outerjoin(verifications)
    rows = connection.execute(
        looked_at.where(
            within, events.c.signature.is_not(None), events.c.seq <= last_verified(connection)
        ).order_by(events.c.seq),
        execution_options={"yield_per": CHUNK},
    )
    for row in rows:
        if row.noted_ok is None:
            yield row.seq, "was left out when signatures were looked at"
        elif keyset is not None and not _agrees(keyset, row):
            said = "good" if row.noted_ok else "bad"
            yield row.seq, f"has a signature noted as {said}; the keys say otherwise"


_NOTED = tuple(
    column.label(f"noted_{column.name}") for column in verifications.c if column.name != "seq"
)


def idle_verifications(connection: Connection) -> Iterator[int]:
    """Yield the rows of events that have no signature."""
    unsigned = select(verifications.c.seq).outerjoin(events).where(events.c.signature.is_(None))
    yield from connection.scalars(unsigned.order_by(verifications.c.seq))


def _agrees(keyset: Keyset, row: Row[Any]) -> bool:
    """Whether the audit may have found this: with the keys of then, or of a moment before."""
    record = record_in(row)
    noted = Verification(seq=row.seq, ok=row.noted_ok, key_id=row.noted_key_id, at=row.noted_at)
    moments = (row.time, row.time - STALE)
    return any(verified(keyset, record, moment) == noted for moment in moments)


def verified(keyset: Keyset, record: Record, as_of: datetime) -> Verification:
    """Return what an event's signature is worth with the keys as of a moment."""
    entry = record.entry
    try:
        role = signer_of(entry.subject)
        key_id = keyset.verify(entry.body, entry.signature or "", role, as_of)
    except SignatureError:
        return Verification(seq=record.seq, ok=False, key_id=None, at=entry.at)
    ok = record.event is not None and record.event.subject == entry.subject
    return Verification(seq=record.seq, ok=ok, key_id=key_id, at=entry.at)
