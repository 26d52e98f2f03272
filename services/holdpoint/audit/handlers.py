"""What the audit does with each message: into the next commit, and only then acknowledged."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import structlog
from sqlalchemy import Connection

from holdpoint.audit.signatures import verification_of
from holdpoint.runtime import crash
from holdpoint.runtime.errors import HoldpointError
from holdpoint.runtime.keys import SIGNATURE_HEADER, Keyset
from holdpoint.runtime.lanes import Delivery
from holdpoint.runtime.ledger.book import Ledger
from holdpoint.runtime.ledger.entries import Entry, Record
from holdpoint.runtime.ledger.signatures import (
    Verification,
    last_verified,
    signed_after,
    write_verifications,
)
from holdpoint.runtime.metrics import LEDGER_ROWS

log = structlog.get_logger(__name__)

BATCH = 500
LINGER_S = 0.02
"""How long the first message of a batch waits for others."""

VERIFY_BATCH = 200
VERIFY_EVERY_S = 1.0


@dataclass(frozen=True)
class _Waiting:
    """A message that is not stored yet, and who waits for it."""

    entry: Entry
    stored: asyncio.Future[None]


class GroupCommit:
    """Collects what many handlers bring and enters it in one transaction."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._waiting: list[_Waiting] = []
        self._came = asyncio.Event()
        self._full = asyncio.Event()

    @property
    def is_busy(self) -> bool:
        """Whether messages wait to be stored."""
        return bool(self._waiting)

    async def handle(self, delivery: Delivery) -> None:
        """Return when the message is on disk and acknowledged; raise, and it comes again."""
        stored = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(entry_of(delivery), stored))
        self._came.set()
        if len(self._waiting) >= BATCH:
            self._full.set()
        await stored
        await delivery.ack()

    async def run(self) -> None:
        """Commit batch after batch until cancelled."""
        while True:
            await self._came.wait()
            await self._linger()
            await self._commit(self._take())

    async def _linger(self) -> None:
        try:
            async with asyncio.timeout(LINGER_S):
                await self._full.wait()
        except TimeoutError:
            return

    def _take(self) -> Sequence[_Waiting]:
        batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
        if not self._waiting:
            self._came.clear()
        if len(self._waiting) < BATCH:
            self._full.clear()
        return batch

    async def _commit(self, batch: Sequence[_Waiting]) -> None:
        """Tell everyone what became of the batch; one that breaks us is looked for in halves."""
        entering = self._ledger.enter([each.entry for each in batch])
        crash.passing("commit", "before")
        (outcome,) = await asyncio.gather(entering, return_exceptions=True)
        crash.passing("commit", "after")
        is_ours = not isinstance(outcome, BaseException) or isinstance(outcome, HoldpointError)
        if isinstance(outcome, int):
            LEDGER_ROWS.inc(outcome)
        if is_ours or len(batch) == 1:
            _tell(batch, outcome if isinstance(outcome, BaseException) else None)
            return
        half = len(batch) // 2
        await self._commit(batch[:half])
        await self._commit(batch[half:])


def _tell(batch: Sequence[_Waiting], error: BaseException | None) -> None:
    for each in batch:
        if each.stored.done():
            continue
        if error is None:
            each.stored.set_result(None)
        else:
            each.stored.set_exception(error)


async def verify_signatures(ledger: Ledger, keyset: Keyset, commits: GroupCommit) -> None:
    """Verify in the background what was stored, until cancelled: a batch a second at least, and
    batch after batch when nothing waits to be stored.
    """
    while True:
        try:
            more = await verify_a_batch(ledger, keyset)
        except HoldpointError as error:
            more = False
            log.warning("verification_waits", error=str(error))
        if commits.is_busy or not more:
            await asyncio.sleep(VERIFY_EVERY_S)


async def verify_a_batch(ledger: Ledger, keyset: Keyset) -> bool:
    """Verify the next signatures that were stored since the last time; whether there were any."""
    records = await ledger.write(_next_signed)
    if records:
        found = await asyncio.to_thread(_verified, keyset, records)
        await ledger.write(partial(write_verifications, found=found))
    return bool(records)


def _next_signed(connection: Connection) -> list[Record]:
    return signed_after(connection, last_verified(connection), VERIFY_BATCH)


def _verified(keyset: Keyset, records: Sequence[Record]) -> list[Verification]:
    return [verification_of(keyset, record) for record in records]


def entry_of(delivery: Delivery) -> Entry:
    """What the ledger keeps of a delivery."""
    return Entry(
        stream=delivery.stream,
        seq=delivery.seq,
        subject=delivery.subject,
        at=delivery.at,
        body=delivery.data,
        signature=delivery.headers.get(SIGNATURE_HEADER, None),
    )
