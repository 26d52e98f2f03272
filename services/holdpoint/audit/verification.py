"""Verifying signatures: each with the commit that enters it.

What was entered while the keys could not be read is verified in the background, and until then
nothing newer is: up to the last event that was verified, none is left out.
"""

import asyncio
from collections.abc import Sequence
from functools import partial

import structlog
from sqlalchemy import Connection

from holdpoint.audit.signatures import verification_of
from holdpoint.runtime.errors import HoldpointError, SetupError
from holdpoint.runtime.keys import Keyset
from holdpoint.runtime.ledger.book import Ledger
from holdpoint.runtime.ledger.entries import Record
from holdpoint.runtime.ledger.signatures import (
    Verification,
    last_verified,
    signed_after,
    write_verifications,
)

log = structlog.get_logger(__name__)

VERIFY_BATCH = 1_000
VERIFY_EVERY_S = 1.0


def verified_with_the_commit(keyset: Keyset, records: Sequence[Record]) -> list[Verification]:
    """What the signatures of these events are worth; nothing while the keys cannot be read."""
    try:
        return _verified(keyset, [it for it in records if it.entry.signature is not None])
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
        found = await asyncio.to_thread(_verified, keyset, records)
        await ledger.write(partial(write_verifications, found=found))
    return len(records) == VERIFY_BATCH


def _next_signed(connection: Connection) -> list[Record]:
    return signed_after(connection, last_verified(connection), VERIFY_BATCH)


def _verified(keyset: Keyset, records: Sequence[Record]) -> list[Verification]:
    return [verification_of(keyset, record) for record in records]
