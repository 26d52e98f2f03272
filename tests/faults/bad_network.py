"""A proxy between services and broker, whose network delays, loses, doubles and breaks off.

TCP itself loses and doubles nothing; a proxy, a firewall or broken memory may. Whatever arrives is
no message or is one that comes twice, and nothing may run for it.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import partial
from random import Random  # noqa: TID251  # seeded: a run can be repeated

from holdpoint.runtime.process.health import LOOPBACK

CHUNK = 64 * 1024
LONGEST_DELAY_S = 0.3
LOOK_S = 0.05


class Weather(Enum):
    """What the network does to bytes."""

    FINE = auto()
    BAD = auto()
    """By chance it delays, loses or doubles them, or breaks the connection."""

    PARTED = auto()
    """Nothing arrives, and no connection is broken off: a partition."""


@dataclass(eq=False, kw_only=True)
class Network:
    """Every connection that goes through the proxy."""

    broker_port: int
    dice: Random
    weather: Weather = Weather.FINE
    url: str = ""
    _pumps: set[asyncio.Task[None]] = field(default_factory=set)

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry both directions of one connection until either ends."""
        try:
            there = await asyncio.open_connection(LOOPBACK, self.broker_port)
        except OSError:
            writer.close()
            return
        pumps = [
            asyncio.create_task(self._carry(reader, there[1])),
            asyncio.create_task(self._carry(there[0], writer)),
        ]
        self._pumps.update(pumps)
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for pump in pumps:
            pump.cancel()
        self._pumps.difference_update(pumps)
        for end in (writer, there[1]):
            end.close()

    def end(self) -> None:
        """Break off every connection."""
        for pump in self._pumps:
            pump.cancel()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(CHUNK):
                while self.weather is Weather.PARTED:
                    await asyncio.sleep(LOOK_S)
                times = await self._times() if self.weather is Weather.BAD else 1
                if times is None:
                    return
                for _ in range(times):
                    writer.write(data)
                await writer.drain()

    async def _times(self) -> int | None:
        """Return how often these bytes arrive; None ends their connection."""
        what = self.dice.random()
        if what < 0.1:
            await asyncio.sleep(self.dice.uniform(0, LONGEST_DELAY_S))
        for limit, times in ((0.005, None), (0.0075, 0), (0.01, 2)):
            if what < limit:
                return times
        return 1


@asynccontextmanager
async def network(broker_port: int, seed: int) -> AsyncIterator[Network]:
    """A proxy on a port of its own; the weather is fine at first."""
    dice = Random(seed)  # noqa: S311  # the seed is printed, so that a run can be repeated
    made = Network(broker_port=broker_port, dice=dice)
    server = await asyncio.start_server(partial(Network.accept, made), LOOPBACK, 0)
    made.url = f"nats://{LOOPBACK}:{server.sockets[0].getsockname()[1]}"
    try:
        yield made
    finally:
        made.end()
        server.close()
