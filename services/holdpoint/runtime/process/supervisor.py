"""Everything on one machine: the broker and every service, each a process of its own.

The supervisor starts them, watches them, and stops them; it has no other part in what they do.
"""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import msgspec
import structlog

from holdpoint.runtime.broker.connection import connect, login
from holdpoint.runtime.broker.nats_conf import ANY_PORT
from holdpoint.runtime.broker.nodes import ALONE, choose_ports, free_port, nodes_of
from holdpoint.runtime.broker.provisioning import (
    Prepared,
    Recorded,
    limits,
    prepare,
    provision,
    removal_of,
)
from holdpoint.runtime.broker.server import (
    NatsServer,
    check_durability,
    running_pid,
    running_pids,
)
from holdpoint.runtime.broker.storage import cannot_store, write_errors
from holdpoint.runtime.broker.streams import plan
from holdpoint.runtime.config import files
from holdpoint.runtime.config.remembered import NODES
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import HoldpointError, SetupError
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.health import forget_others, health_file, readiness
from holdpoint.runtime.process.listening import Listening, handed_on, listen, listens
from holdpoint.runtime.process.mending import mend_streams
from holdpoint.runtime.security.credentials import CONSOLE, PROVISIONER, SYSTEM

SERVICES_FILE = "services.json"
LOCK_FILE = "up.lock"


log = structlog.get_logger(__name__)

READY_S = 120.0
"""A crowded machine has taken 30 s; a service that ends meanwhile is told at once."""

STOP_S = 15.0

LONGEST_WORDS = 400
"""Characters of what a service said last."""

POLL_S = 0.05
MENDS_EVERY_S = 1.0
ROOM_BYTES = 16 * 1024 * 1024
"""Free on a disk that was full, before the broker is started on it again."""

BROKER = ALONE
"""The broker's name among the services."""

COPY = "@"
"""Between a service's name and the number of a further process of it: `gate@2`."""


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """One service's process, as `holdpoint status` finds it."""

    pid: int
    health: str
    exit_code: int | None = None
    """Of one that ended; negative is the signal that killed it."""


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """Content of the run folder while everything runs."""

    pid: int
    broker: str
    """Empty while it starts."""

    services: dict[str, Running]


def read_running(settings: Settings) -> Written | None:
    """Return what runs on this state directory; None when nothing does."""
    try:
        raw = (settings.run_dir / SERVICES_FILE).read_bytes()
        written = msgspec.json.decode(raw, type=Written)
    except (OSError, msgspec.DecodeError):
        return None
    return written if _is_locked(settings.run_dir) else None


def only_one(run_dir: Path) -> AbstractContextManager[BinaryIO]:
    """Hold the state directory for this process; SetupError where another one runs on it."""
    text = f"Holdpoint runs on {run_dir.parent}. Stop it first: holdpoint down"
    return files.locked(run_dir / LOCK_FILE, text)


def _is_locked(run_dir: Path) -> bool:
    try:
        with only_one(run_dir):
            return False
    except SetupError:
        return True


@dataclass(kw_only=True)
class Supervisor:
    """The processes of one state directory."""

    settings: Settings
    domains: tuple[str, ...]
    services: tuple[str, ...]
    """`gate`, `worker-<domain>`, `audit`, `console`, `api`: what `holdpoint serve` knows."""

    recorded: Callable[[], Mapping[str, Recorded]] = dict
    """Streams that the ledger was written from."""

    nodes: tuple[NatsServer, ...] = ()
    """The broker's servers."""

    sockets: dict[str, Listening] = field(default_factory=dict)
    """Of services that listen; each outlives its service."""

    _children: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    _logs_begin: dict[str, int] = field(default_factory=dict)
    """Where in its log each service wrote first since its last start."""

    _lock: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    @property
    def server(self) -> NatsServer | None:
        """Return the broker's first server, and only one on a laptop."""
        return self.nodes[0] if self.nodes else None

    @property
    def broker(self) -> tuple[str, ...]:
        """Return the names of the broker's servers."""
        return tuple(it.name for it in self.nodes)

    @property
    def url(self) -> str:
        """Return where the broker is: the addresses of its servers, with commas between."""
        self._server()
        return ",".join(it.url for it in self.nodes)

    def prepare(self, port: int) -> Prepared:
        """Keys, credentials and the broker's configuration on disk."""
        return prepare(self.settings, self.domains, port, clock.now())

    async def start_broker(self) -> Prepared:
        """Start the broker on the first free port, with every stream and consumer in place."""
        self._lock.enter_context(only_one(self.settings.run_dir))
        self._lock.callback((self.settings.run_dir / SERVICES_FILE).unlink, missing_ok=True)
        chosen = self.settings
        for path in (chosen.console_file, chosen.api_file, chosen.slack_file):
            self._lock.callback(path.unlink, missing_ok=True)
        for name in filter(listens, self.services):
            self.sockets[name] = listen(self.settings, name)
            self._lock.callback(self.sockets[name].close)
        self.write()
        await _end_orphans(self.settings.run_dir)
        forget_others(self.settings.run_dir, self.services)
        wanted = self.settings.nats_port
        port = free_port(wanted) if wanted > 0 else ANY_PORT
        if self.settings.is_cluster:
            choose_ports(self.settings)
        prepared = self.prepare(port)
        self.nodes = tuple(
            NatsServer(
                config=node.config(self.settings.state_dir),
                run_dir=self.settings.run_dir,
                port=node.port,
                name=node.name,
                has_tls=self.settings.is_cluster,
            )
            for node in nodes_of(self.settings, port)
        )
        await asyncio.gather(*(it.start() for it in self.nodes))
        files.replace(self.settings.url_file, self.url.encode(), files.PUBLIC)
        self.write()
        await self._provision(prepared)
        self.settings.remember(NODES)
        return prepared

    async def start_services(self) -> None:
        """Start every service and wait until each says that it is ready."""
        for name in self.services:
            self.start(name)
        await asyncio.gather(*(self.ready(name) for name in self.services))

    def start(self, name: str) -> None:
        """Start one service."""
        health_file(self.settings.run_dir, name).unlink(missing_ok=True)
        log = self.settings.run_dir / f"{name}.log"
        self._logs_begin[name] = log.stat().st_size if log.exists() else 0
        self._children[name] = self._spawn(name, log)

    def _spawn(self, name: str, log: Path) -> subprocess.Popen[bytes]:
        with log.open("ab") as out:
            return subprocess.Popen(  # noqa: S603  # our own program
                [sys.executable, "-m", "holdpoint", "serve", name],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=self.environment(name),
                pass_fds=self._handed_on(name),
                start_new_session=True,
            )

    def pid(self, name: str) -> int:
        """The process of a service."""
        return self._children[name].pid

    def kill(self, name: str) -> None:
        """Kill a service at once, as a crash would, or one of the broker's servers."""
        if node := self._node(name):
            node.kill()
            return
        self._children[name].kill()
        self._children[name].wait()

    async def restart_broker(self, name: str = BROKER) -> None:
        """Start a server of the broker again on its port after it was killed."""
        self.prepare(self._server().port)
        await (self._node(name) or self._server()).start()

    async def storage_problem(self) -> str:
        """Return what the broker cannot store, or nothing; UnavailableError if it does not say."""
        client = await connect(login(self.settings, SYSTEM))
        try:
            return cannot_store(await write_errors(client, self.settings.servers))
        finally:
            await client.close()

    def has_room(self) -> bool:
        """Return whether the broker's disk has room enough to start with."""
        return shutil.disk_usage(self.settings.state_dir).free >= ROOM_BYTES

    async def heal_broker(self) -> None:
        """Stop the broker and start it again: streams that it could not write to then work."""
        for node in self.nodes:
            await node.stop()
            await self.restart_broker(node.name)

    async def mend_streams(self) -> tuple[str, ...]:
        """Let streams go on that a message ended, and return them."""
        return await mend_streams(self.settings, self.nodes)

    def dead(self) -> Mapping[str, int]:
        """Services whose process has ended, with its exit code."""
        codes = {name: child.poll() for name, child in self._children.items()}
        codes |= {node.name: node.exit_code for node in self.nodes}
        return {name: code for name, code in codes.items() if code is not None}

    async def stop(self) -> None:
        """Stop the services, then the broker; nothing that was acknowledged is lost."""
        for child in self._children.values():
            if child.poll() is None:
                child.terminate()
        await asyncio.gather(*(_ended(child) for child in self._children.values()))
        self._children.clear()
        running = [it for it in self.nodes if running_pid(it.run_dir, it.name) is not None]
        await asyncio.gather(*(it.stop() for it in running))
        self._lock.close()

    async def _provision(self, prepared: Prepared) -> None:
        done = asyncio.Event()
        mending = asyncio.create_task(self._mend_until(done))
        try:
            await self._make_streams(prepared)
        finally:
            done.set()
            await mending

    async def _mend_until(self, done: asyncio.Event) -> None:
        """Streams are not there to be looked at while they are ended, also by an earlier run."""
        while not done.is_set():
            with contextlib.suppress(HoldpointError):
                await self.mend_streams()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(done.wait(), MENDS_EVERY_S)

    async def _make_streams(self, prepared: Prepared) -> None:
        client = await connect(login(self.settings, PROVISIONER))
        try:
            report = await provision(
                client,
                plan(prepared.tenant, limits(self.settings)),
                self.settings.accept_lost_stream,
                self.recorded(),
            )
        finally:
            await client.close()
        for what in report.different:
            log.warning("not_as_declared", what=what)
        for what in report.left_over:
            log.info("consumer_left_over", what=what, advice=removal_of(what))
        system = await connect(login(self.settings, SYSTEM))
        try:
            settings = self.settings
            await check_durability(system, settings.sync_interval, settings.servers)
        finally:
            await system.close()

    async def ready(self, name: str) -> None:
        """Wait until a service that was started says that it is ready."""
        try:
            async with asyncio.timeout(READY_S):
                # What can say what keeps it from its work was started: `status` tells it.
                while not ((said := await readiness(self._health(name))).is_ready or said.problem):
                    if name in self.dead():
                        raise SetupError(self._last_words(name))
                    await asyncio.sleep(POLL_S)
        except TimeoutError:
            raise SetupError(self._last_words(name)) from None
        self.write()

    def _health(self, name: str) -> str:
        try:
            return health_file(self.settings.run_dir, name).read_text()
        except FileNotFoundError:
            return ""

    def _last_words(self, name: str) -> str:
        text = (self.settings.run_dir / f"{name}.log").read_bytes()[self._logs_begin[name] :]
        words = "\n".join(text.decode(errors="replace").splitlines()[-8:])
        code = self.dead().get(name)
        how = how_it_ended(code) if code is not None else f"is not ready after {READY_S:g} s"
        told = f"Its last words:\n{words}" if words else "It said nothing."
        return f"{name} {how}. {told}"

    def environment(self, name: str) -> dict[str, str]:
        """Return what a process needs to be that service here."""
        chosen = self.settings
        return os.environ | {
            "HP_TENANT": chosen.tenant,
            "HP_STATE_DIR": str(chosen.state_dir.resolve()),
            "HP_CONFIG_DIR": str(chosen.config_dir.resolve()),
            "HP_NATS_URL": self.url,
            "HP_DOMAINS": json.dumps({it: str(at.resolve()) for it, at in chosen.domains.items()}),
            "HP_LEDGER_URL": chosen.ledger_url,
            "HP_LEASE_S": str(chosen.lease_s),
            "HP_PASSKEY_FROM_LEVEL": str(chosen.passkey_from_level),
            "HP_LONGEST_RUN_S": str(chosen.longest_run_s),
            "HP_SYNC_INTERVAL": chosen.sync_interval,
            "HP_BROKER_NODES": str(chosen.broker_nodes),
            "HP_REPLICAS": str(chosen.replicas),
            "HP_CONSOLE_PORT": str(chosen.console_port),
            "HP_API_PORT": str(chosen.api_port),
            "HP_SLACK_PORT": str(chosen.slack_port),
            "HP_LOG_LEVEL": chosen.log_level,
            "HP_HEALTH_PORT": str(self._port(name)),
            "HP_PARENT": str(os.getpid()),
            **{handed_on(name): str(number) for number in self._handed_on(name)},
        }

    def _handed_on(self, name: str) -> tuple[int, ...]:
        """The open files that a service is started with."""
        return (self.sockets[name].socket.fileno(),) if name in self.sockets else ()

    def _port(self, name: str) -> int:
        """Wanted for its health; a port that is taken gives way to a free one."""
        known = self.services
        return self.settings.health_port(known.index(name) if name in known else len(known))

    def write(self) -> None:
        """Write down how everything stands, for `holdpoint status`."""
        services = {
            name: Running(pid=child.pid, health=self._health(name), exit_code=child.poll())
            for name, child in self._children.items()
        }
        broker = self.url if self.nodes else ""
        written = Written(pid=os.getpid(), broker=broker, services=services)
        path = self.settings.run_dir / SERVICES_FILE
        files.replace(path, msgspec.json.encode(written), files.PUBLIC)

    def _node(self, name: str) -> NatsServer | None:
        return next((it for it in self.nodes if it.name == name), None)

    def _server(self) -> NatsServer:
        if self.server is None:
            raise SetupError("The broker was not started.")
        return self.server


async def _end_orphans(run_dir: Path) -> None:
    """A broker whose supervisor was killed still holds the store: stop it."""
    for pid in running_pids(run_dir):
        log.warning("stopping_orphaned_broker", pid=pid)
        os.kill(pid, signal.SIGTERM)
    async with asyncio.timeout(STOP_S):
        while running_pids(run_dir):
            await asyncio.sleep(POLL_S)


async def _ended(child: subprocess.Popen[bytes]) -> None:
    try:
        await asyncio.to_thread(child.wait, STOP_S)
    except subprocess.TimeoutExpired:
        child.kill()
        await asyncio.to_thread(child.wait)


def last_words(run_dir: Path, name: str) -> str:
    """The last line that a service wrote into its log; of an old one nothing may be left."""
    try:
        lines = (run_dir / f"{name}.log").read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")[:LONGEST_WORDS]


def how_it_ended(exit_code: int) -> str:
    """Return how a process ended, in words."""
    if exit_code >= 0:
        return f"ended with exit code {exit_code}"
    try:
        return f"was killed by {signal.Signals(-exit_code).name}"
    except ValueError:
        return f"was killed by signal {-exit_code}"


def names(domains: Sequence[str], *others: str) -> tuple[str, ...]:
    """Every service of a machine; `others` run only where they are configured."""
    return ("gate", *(f"worker-{domain}" for domain in domains), "audit", CONSOLE, *others)


def with_copies(services: Sequence[str], copied: Sequence[str], copies: int) -> tuple[str, ...]:
    """Return the services, and so many processes of each of those that are copied."""
    further = (f"{name}{COPY}{at}" for at in range(2, copies + 1) for name in copied)
    return (*services, *further)
