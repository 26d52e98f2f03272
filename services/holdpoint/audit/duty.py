"""The duty to write the ledger: one audit has it, and others stand by until that one is gone.

It is a lock beside the ledger (of one in PostgreSQL in the state folder), which the kernel lets go
of with the process that holds it.
"""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import structlog

from holdpoint.ledger.engines import local_file
from holdpoint.runtime.config import files
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process.service import Job

log = structlog.get_logger(__name__)

LOOK_AGAIN_S = 0.5


def lock_of(settings: Settings) -> Path:
    """Return the file that the audit on duty holds."""
    file = local_file(settings.ledger_url)
    return file.with_name(f"{file.name}.lock") if file else settings.run_dir / "audit.lock"


@dataclass(eq=False, kw_only=True)
class Duty:
    """The work of the audit on duty, from the moment that it is on duty."""

    lock: Path
    begin: Sequence[Job]
    jobs: Sequence[Callable[[], Coroutine[Any, Any, object]]]
    """Each runs until the service stops."""

    end: Sequence[Job]
    _held: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _is_on: bool = False

    async def take_at_once(self) -> None:
        """Begin before the service says that it is ready, unless another audit is on duty."""
        if self._is_free():
            await self._begin()
        else:
            log.info("standing_by", lock=str(self.lock))

    async def run(self) -> None:
        """Wait for the duty, then do it until the service stops; what fails is raised."""
        while not self._is_on:
            await asyncio.sleep(LOOK_AGAIN_S)
            if self._is_free():
                log.info("on_duty", lock=str(self.lock))
                await self._begin()
        await asyncio.gather(*(job() for job in self.jobs))

    async def leave(self) -> None:
        """Finish what was begun, and let the next audit begin."""
        if self._is_on:
            for job in self.end:
                await job()
        self._held.close()

    async def _begin(self) -> None:
        for job in self.begin:
            await job()
        self._is_on = True

    def _is_free(self) -> bool:
        """Take the lock, or return that another audit holds it."""
        try:
            self._held.enter_context(files.locked(self.lock, "Another audit is on duty."))
        except SetupError:
            return False
        return True
