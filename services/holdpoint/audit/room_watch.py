"""How full audited streams and the ledger's disk are: who runs them is told before they refuse."""

import asyncio
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import structlog
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.errors import APIError

from holdpoint.messages.subjects import kind_of
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.metrics import LEDGER_BEHIND, ROOM_USED

WARN_FROM = 0.8
"""Of what it may hold. What is full refuses everything new, and calls stop."""


log = structlog.get_logger(__name__)

EVERY_S, LEAST_S = 5.0, 0.5
"""Between two looks; the shorter, the faster a store fills."""

LEDGER_DISK = "the ledger's disk"

STEP = 0.05
"""It is said again when it is so much fuller."""


@dataclass(frozen=True, kw_only=True)
class Room:
    """Size and limit of a store, in bytes."""

    name: str
    used: int
    most: int
    last_seq: int = 0
    """Of a stream: its last sequence."""

    @property
    def share(self) -> float:
        """Of what it may hold, from 0 to 1."""
        return self.used / self.most if self.most > 0 else 0.0


def room_warning(name: str, share: float) -> str:
    """Return what to say about it; empty while there is room."""
    return f"{name} is {share:.0%} full: see Room in docs/operate.md." if share >= WARN_FROM else ""


def disk(name: str, path: Path) -> Room:
    """The disk that this path is on."""
    existing = next(folder for folder in (path, *path.parents) if folder.exists())
    usage = shutil.disk_usage(existing)
    return Room(name=name, used=usage.total - usage.free, most=usage.total)


@dataclass(eq=False, kw_only=True)
class RoomWatch:
    """The stores that it looks at, and how full each was when that was last said."""

    jetstream: JetStreamContext
    streams: Sequence[str]
    ledger: Path | None
    """Its file; None where a server keeps it."""

    entered_to: Callable[[str], int]
    """The last sequence of a stream that the ledger holds."""

    _said: dict[str, float] = field(default_factory=dict)
    _shares: dict[str, float] = field(default_factory=dict)
    _before: dict[str, float] = field(default_factory=dict)
    _at: float = 0.0
    """When it looked before, and how full each was then and at the look before that."""

    async def run(self) -> None:
        """Look again and again until cancelled."""
        while True:
            try:
                await self.look()
            except (NatsError, APIError) as error:
                log.info("room_not_looked_at", why=repr(error))
            if (task := asyncio.current_task()) and task.cancelling():
                return  # nats-py makes a timeout of a cancellation that meets its request
            await asyncio.sleep(self._rest_s())

    async def look(self) -> None:
        """Look once: metrics for all, a line in the log for each that fills up."""
        rooms = [await self._stream(name) for name in self.streams]
        fullest: dict[str, float] = {}
        behind: dict[str, int] = {}
        for name, room in zip(self.streams, rooms, strict=True):
            kind = kind_of(name)
            fullest[kind] = max(fullest.get(kind, 0.0), room.share)
            behind[kind] = max(behind.get(kind, 0), room.last_seq - self.entered_to(name))
        if self.ledger:
            rooms.append(disk(LEDGER_DISK, self.ledger))
            fullest["ledger_disk"] = rooms[-1].share
        for kind, count in behind.items():
            LEDGER_BEHIND.labels(kind).set(count)
        for store, share in fullest.items():
            ROOM_USED.labels(store).set(share)
        self._shares = {room.name: room.share for room in rooms}
        for room in rooms:
            self._say(room)

    def _rest_s(self) -> float:
        """Until the next look: before a store that fills as fast as lately has come to be told."""
        now = clock.monotonic()
        passed_s, self._at = now - self._at, now
        grown = {
            name: share - self._before.get(name, share) for name, share in self._shares.items()
        }
        self._before = self._shares
        left_s = (
            (max(WARN_FROM - share, STEP) / grown[name] * passed_s)
            for name, share in self._shares.items()
            if grown[name] > 0
        )
        return min(EVERY_S, max(LEAST_S, min(left_s, default=EVERY_S) / 2))

    async def _stream(self, name: str) -> Room:
        info = await self.jetstream.stream_info(name)
        most, last_seq = info.config.max_bytes or 0, info.state.last_seq
        return Room(name=name, used=info.state.bytes, most=most, last_seq=last_seq)

    def _say(self, room: Room) -> None:
        if room.share < WARN_FROM:
            self._said.pop(room.name, None)
        elif room.share >= self._said.get(room.name, 0.0) + STEP:
            self._said[room.name] = room.share
            log.warning("room_runs_out", store=room.name, share=round(room.share, 2))
