"""Progress of each domain's workers with their grants, as the broker knows it.

A domain that stands in domains.yaml and was never provisioned has no consumer, and the gate may not
even ask for it. Its grants are then looked at from the beginning, and the gate's health says so.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

from nats.errors import TimeoutError as NatsTimeoutError
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from holdpoint.messages.subjects import HOLDS, stream
from holdpoint.runtime.broker.connection import Login
from holdpoint.runtime.broker.streams import worker_durable
from holdpoint.runtime.process import clock

ASK_AGAIN_S = 60.0
"""After which a consumer that was missing is asked for again."""


@dataclass(frozen=True, kw_only=True)
class WorkerLanes:
    """The consumers of workers, and which of them are missing."""

    tenant: str
    jetstream: JetStreamContext
    login: Login
    _missing: dict[str, float] = field(default_factory=dict)
    """When each was last asked for in vain."""

    async def floors(self, domains: Iterable[str]) -> dict[str, int]:
        """Return the sequence in HOLDS below which each domain's grants are settled."""
        wanted = list(domains)
        return dict(zip(wanted, await asyncio.gather(*map(self._floor, wanted)), strict=True))

    def problem(self) -> str:
        """Return which domains have no consumer; empty where all have one."""
        if not self._missing:
            return ""
        names = ", ".join(sorted(self._missing))
        return f"The broker has no consumer for the workers of {names}: run holdpoint provision."

    async def _floor(self, domain: str) -> int:
        asked = self._missing.get(domain)
        if asked is not None and clock.monotonic() - asked < ASK_AGAIN_S:
            return 0
        durable = worker_durable(domain)
        try:
            info = await self.jetstream.consumer_info(stream(self.tenant, HOLDS), durable)
        except NotFoundError:
            return self._lacks(domain)
        except NatsTimeoutError:
            if not any(f'.{durable.lower()}"' in denial for denial in self.login.denials):
                raise  # the broker is slow: nothing may be taken for settled
            return self._lacks(domain)
        self._missing.pop(domain, None)
        return (info.ack_floor.stream_seq or 0) if info.ack_floor else 0

    def _lacks(self, domain: str) -> int:
        self._missing[domain] = clock.monotonic()
        return 0
