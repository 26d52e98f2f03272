"""Watch of every service on this machine: who is ready, and since when one is not."""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import structlog

from holdpoint.messages.base import Value
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.health import HEALTH_ENDING, Readiness, readiness

log = structlog.get_logger(__name__)

LOOK_S = 5.0


class ServiceNow(Value, frozen=True, kw_only=True):
    """One service, as it said last."""

    name: str
    is_ready: bool
    problem: str
    since: datetime
    """When it was first seen so."""


@dataclass(eq=False, kw_only=True)
class HealthWatch:
    """Asks each service in turn, for as long as it runs."""

    run_dir: Path
    services: dict[str, ServiceNow] = field(default_factory=dict)

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK_S)

    async def look(self) -> None:
        """Ask each service that has said where it listens."""
        addresses = await asyncio.to_thread(self._addresses)
        told = await asyncio.gather(*(readiness(it) for it in addresses.values()))
        now = clock.now()
        silent = {name: Readiness(is_ready=False) for name in self.services}
        for name, said in {**silent, **dict(zip(addresses, told, strict=True))}.items():
            before = self.services.get(name)
            is_same = before is not None and before.is_ready == said.is_ready
            self.services[name] = ServiceNow(
                name=name,
                is_ready=said.is_ready,
                problem=said.problem,
                since=before.since if is_same and before else now,
            )

    def _addresses(self) -> dict[str, str]:
        try:
            paths = sorted(self.run_dir.glob(f"*{HEALTH_ENDING}"))
            return {it.name.removesuffix(HEALTH_ENDING): it.read_text().strip() for it in paths}
        except OSError as error:
            log.info("health_unread", error=type(error).__name__)
            return {}
