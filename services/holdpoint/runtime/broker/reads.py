"""Noting who read the ledger: one message on READS, which the audit enters like any other."""

import asyncio
from dataclasses import dataclass

import structlog

from holdpoint.messages import subjects
from holdpoint.messages.base import one_token
from holdpoint.messages.codec import encode_event
from holdpoint.messages.reading import LedgerRead
from holdpoint.runtime.broker.connection import Requests
from holdpoint.runtime.errors import HoldpointError, UnavailableError
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.metrics import UNRECORDED_READS

log = structlog.get_logger(__name__)

NOTED_WITHIN_S = 2.0
"""A page waits no longer for it."""


@dataclass(frozen=True, kw_only=True)
class Reads:
    """Notes that one surface, the console or commands, makes of its readers."""

    requests: Requests
    tenant: str
    surface: str

    async def record(self, person: str, read: LedgerRead) -> None:
        """Store it; UnavailableError when nobody says that it is stored."""
        subject = subjects.read_subject(self.tenant, self.surface, one_token(person))
        body = encode_event(
            read,
            event_id=clock.new_id(),
            source=f"holdpoint/{self.surface}",
            subject=subject,
            at=clock.now(),
            salt=clock.new_nonce(),
        )
        name = subjects.stream(self.tenant, subjects.READS)
        try:
            async with asyncio.timeout(NOTED_WITHIN_S):
                await self.requests.publish(subject, body, name)
        except (HoldpointError, TimeoutError) as error:
            why = str(error) or f"the broker did not store it within {NOTED_WITHIN_S:g} s"
            raise UnavailableError(f"The reading could not be recorded: {why}") from error

    async def note(self, person: str, read: LedgerRead) -> None:
        """Store it; where that fails, it is logged and counted, and the page is shown."""
        try:
            await self.record(person, read)
        except UnavailableError as error:
            UNRECORDED_READS.labels(self.surface).inc()
            log.warning("reading_not_recorded", who=person, what=read.what, why=str(error))
