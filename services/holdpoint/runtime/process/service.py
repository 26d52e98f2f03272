"""A service as a process: connected, listening, healthy, and stopped cleanly by a signal."""

import asyncio
import gc
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

import structlog
from faststream import FastStream
from faststream.nats import NatsBroker
from nats.aio.client import Client
from nats.errors import Error as NatsError

from holdpoint.runtime.broker.connection import Login
from holdpoint.runtime.broker.faststream_broker import PatientBroker
from holdpoint.runtime.broker.wire import WireClient
from holdpoint.runtime.config import files
from holdpoint.runtime.process.health import (
    BROKER_ANSWERS_S,
    LOOPBACK,
    NO_BROKER,
    Health,
    Readiness,
    health_file,
)
from holdpoint.runtime.process.metrics import BUILD

log = structlog.get_logger(__name__)

FLUSH_S = 10

BUSY_S = BROKER_ANSWERS_S + 0.5
BUSY = "it is too busy to answer"
"""Its loop does not come to ask the broker within that time."""

Job: TypeAlias = Callable[[], Coroutine[Any, Any, None]]


@dataclass(frozen=True, kw_only=True)
class Service:
    """Parts that a service runs beside its lanes."""

    name: str
    broker: NatsBroker
    client: Client
    others: Sequence[Client] = ()
    """Connections beside that one; `at_end` closes them."""

    at_start: Sequence[Job] = ()
    jobs: Sequence[Job] = ()
    """Each runs until the service stops; one that ends or fails ends the service."""

    at_end: Sequence[Job] = ()
    problem: Callable[[], str] = str
    """Why it does not do its work although it listens; empty when it does."""


async def connected(who: Login) -> tuple[NatsBroker, Client]:
    """A broker whose connection stands, so that handlers can be wired to it."""
    broker = PatientBroker(who)
    return broker, await broker.connect()


async def serve(service: Service, health_port: int, run_dir: Path) -> None:
    """Listen until a signal says stop or a job fails; what is in hand is finished first.

    Where its health is served is written down in the run folder.
    """
    app = FastStream(service.broker, logger=None)
    life = _Life(service=service, app=app)
    app.on_startup(life.prepare)
    app.after_startup(life.listen)
    app.on_shutdown(life.finish)
    server = Health(service=service.name, readiness=life.readiness).start(health_port)
    address = f"http://{LOOPBACK}:{server.server_port}"
    files.replace(health_file(run_dir, service.name), address.encode(), files.PUBLIC)
    BUILD.labels(version("holdpoint")).set(1)
    log.info("serving", health=f"{address}/readyz")
    await app.run()
    server.shutdown()
    life.check()


@dataclass(eq=False, kw_only=True)
class _Life:
    """A service between its start and its end."""

    service: Service
    app: FastStream
    _running: list[asyncio.Task[None]] = field(default_factory=list)
    _listens: bool = False
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)

    def readiness(self) -> Readiness:
        """Return whether it does its work; without a broker nothing else is told.

        For threads beside the loop's: the broker is asked, and answers or not.
        """
        if not self._listens:
            return Readiness(is_ready=False, problem=self.service.problem())
        asked = asyncio.run_coroutine_threadsafe(self._broker_answers(), self._loop)
        try:
            answers = asked.result(BUSY_S)
        except TimeoutError:
            return Readiness(is_ready=False, problem=BUSY)
        problem = self.service.problem() if answers else NO_BROKER
        return Readiness(is_ready=not problem, problem=problem)

    async def _broker_answers(self) -> bool:
        async def answers(client: Client) -> bool:
            return isinstance(client, WireClient) and await client.answers(BROKER_ANSWERS_S)

        clients = (self.service.client, *self.service.others)
        return all(await asyncio.gather(*map(answers, clients)))

    async def prepare(self) -> None:
        for job in self.service.at_start:
            await job()

    async def listen(self) -> None:
        gc.collect()
        gc.freeze()  # what a gate begins with stays: to look it all through stops it for 50 ms
        try:
            for client in (self.service.client, *self.service.others):
                await client.flush(timeout=FLUSH_S)
        except NatsError as error:  # the broker is away: the client subscribes again later
            log.warning("broker_away_at_start", error=repr(error))
        for job in self.service.jobs:
            task = asyncio.create_task(job())
            task.add_done_callback(self._ended)
            self._running.append(task)
        self._listens = True

    async def finish(self) -> None:
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        for job in self.service.at_end:
            await job()

    def check(self) -> None:
        """Raise what a job died of, so that the supervisor sees it."""
        for task in self._running:
            if not task.cancelled():
                task.result()

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            self.app.exit()
