"""Claims of an agent's own runs, as the server repeats them: signed by the gate, verified here.

A process that runs a function itself believes no reply alone: the claim names the hold and its
action's digest, belongs to this agent, is given once, and ends.
"""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime

from nats.aio.client import Client

from holdpoint.client.outcome import Outcome, RefusedError, SetupError
from holdpoint.messages.codec import UnreadableError
from holdpoint.messages.run import Started
from holdpoint.messages.subject_parts import run_place
from holdpoint.messages.subjects import claims_seen
from holdpoint.runtime.broker.wire import Headers, wire_of
from holdpoint.runtime.errors import SetupError as BrokenError
from holdpoint.runtime.store.journal import Reader, Stored, copy_of
from holdpoint.runtime.store.lru_cache import Recent

HEARD_WITHIN_S = 5.0
"""The copy leaves the server before the gate hears that the claim is stored."""

NOT_VERIFIED = "claim_not_verified"


@dataclass(eq=False, kw_only=True)
class Claims:
    """The claims that one connection has heard for its agent."""

    reader: Reader
    agent: str
    _heard: Recent[Stored] = field(default_factory=Recent)
    _came: asyncio.Event = field(default_factory=asyncio.Event)

    def listen(self, client: Client) -> None:
        """Hear the copies from now on."""
        wire_of(client).subscribe(claims_seen(self.reader.tenant, self.agent), self._on_copy)

    async def check(self, approved: Outcome, now: datetime) -> None:
        """Raise RefusedError unless the gate signed the claim of just this call, for now."""
        copy = await self._copy(approved.hold_id)
        claim = self._believed(copy) if copy else None
        fits = (
            claim is not None
            and (claim.hold_id, claim.owner) == (approved.hold_id, f"agent/{self.agent}")
            and claim.digest == approved.call_digest
            and now < claim.lease_until
        )
        if not fits:
            text = "The claim is not signed by the gate for this call. Nothing may run."
            raise RefusedError(NOT_VERIFIED, text, approved.hold_id)

    async def _copy(self, hold_id: str) -> Stored | None:
        try:
            async with asyncio.timeout(HEARD_WITHIN_S):
                while (copy := self._heard.take(hold_id)) is None:
                    self._came.clear()
                    await self._came.wait()
                return copy
        except TimeoutError:
            return None

    def _believed(self, copy: Stored) -> Started | None:
        try:
            fact = copy.message if self.reader.counts(copy) else None
        except (UnreadableError, BrokenError):  # newer than this SDK, or the keyset is gone
            return None
        return fact if isinstance(fact, Started) and not fact.extended else None

    def _on_copy(self, _subject: str, _reply: str, headers: bytes, body: bytes) -> None:
        copy = copy_of(Headers(headers), body)
        self._heard.put(run_place(copy.subject).hold_id, copy)
        self._came.set()


def without_keys() -> SetupError:
    """Return the error of a process that cannot verify anything."""
    return SetupError(
        "Guarded functions verify the gate's signature, and its public keys are not here: "
        "carry keys/keyset.json to this state folder."
    )
