"""Flags as an admin switched them last: read before each request, if a gate signed them."""

from dataclasses import dataclass

from nats.aio.client import Client

from holdpoint.coordinator.nodes import Flags
from holdpoint.messages.state import CURRENT, Flag, FlagState
from holdpoint.messages.subjects import STATE, state_subject
from holdpoint.runtime.broker.connection import Login
from holdpoint.runtime.security.keys import Keyset
from holdpoint.runtime.store.journal import Reader
from holdpoint.runtime.store.state import FLAG


@dataclass(frozen=True, kw_only=True)
class FlagReader:
    """The one piece of STATE that the coordinator may read."""

    reader: Reader

    @classmethod
    def on(cls, client: Client, login: Login, tenant: str, keyset: Keyset) -> "FlagReader":
        """Read over this connection."""
        return cls(reader=Reader(client, login, tenant, keyset))

    async def now(self) -> Flags:
        """As they stand; UnavailableError when nobody can tell."""
        subject = state_subject(self.reader.tenant, FLAG, CURRENT)
        stored = await self.reader.last_direct(STATE, subject)
        state = stored.message if stored and self.reader.counts(stored) else None
        off = frozenset(state.off) if isinstance(state, FlagState) else frozenset()
        return Flags(
            delegation=Flag.DELEGATION not in off,
            keyword_routing=Flag.KEYWORD_ROUTING not in off,
            workflow_first=Flag.WORKFLOW_FIRST not in off,
        )
