"""The world of a test: broker and services as processes, in a folder and on ports of its own."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, Unpack
from urllib.parse import unquote

from sqlalchemy.engine import URL, make_url

from holdpoint.client import Holdpoint, SyncHoldpoint
from holdpoint.client.options import Way
from holdpoint.domains.settings import BANK, BANK_DOMAINS, DomainsSettings, offered
from holdpoint.messages.catalog import Agent, Person
from holdpoint.runtime.broker.connection import Login
from holdpoint.runtime.config import files
from holdpoint.runtime.config.registry import load_registry
from holdpoint.runtime.config.settings import MEBIBYTE, Settings
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.supervisor import BROKER, Supervisor, names
from holdpoint.runtime.security.credentials import (
    WorkFactor,
    create_person_key,
    person_user,
    read_seed,
    unlock_person_key,
    view_user,
)
from holdpoint.runtime.security.keys import load_seal_key
from holdpoint.testing.person import Someone, attend
from holdpoint.testing.phone import Phone

T = TypeVar("T")

QUICK = WorkFactor(passes=1, memory_bytes=64 * 1024)
"""Nothing worth guessing lies behind the passwords of a test."""

STREAM_BYTES = 64 * MEBIBYTE
CONSOLE = "console"
"""Nobody looks at a test's."""

LOOPBACK = "127.0.0.1"
ENDS_WITHIN_S = 60.0
CANCEL_AGAIN_S = 0.2


@dataclass(eq=False, kw_only=True)
class World:
    """Everything that runs, and the ways in."""

    settings: Settings
    agents: tuple[Agent, ...]
    people: tuple[Person, ...]
    passwords: dict[str, str] = field(repr=False)
    supervisor: Supervisor
    loop: asyncio.AbstractEventLoop = field(repr=False)
    phones: dict[str, Phone] = field(default_factory=dict, repr=False)
    """Authenticator apps, by person; set up when the person first comes."""

    @property
    def url(self) -> str:
        """The broker's address."""
        return self.supervisor.url

    def connect(self, agent: str = "", **way: Unpack[Way]) -> Holdpoint:
        """Connect an agent, the first one by default: `async with world.connect() as hp`."""
        return Holdpoint.connect(agent or self.agents[0].name, self.settings, **way)

    def connect_sync(self, agent: str = "", **way: Unpack[Way]) -> SyncHoldpoint:
        """Connect without `await`: `with world.connect_sync() as hp`."""
        return SyncHoldpoint(self.connect(agent, **way))

    @contextlib.contextmanager
    def somebody(self, name: str = "") -> Iterator[Someone]:
        """A person who answers as told; by default the first who is in a group and no principal."""
        whose = name or self._bystander()
        someone = Someone(name=whose, phone=self.phones.setdefault(whose, Phone()))
        seal_key = load_seal_key(self.settings.keys_dir)
        living = attend(someone, self.settings.tenant, seal_key, *self._logins(whose))
        task = self.run(_begun(living))
        try:
            yield someone
        finally:
            self.run(_ended(task))

    def kill(self, service: str) -> None:
        """Kill a service at once: `gate`, `worker-<domain>`, `audit`; `nats` is the broker."""
        self.supervisor.kill(service)

    def start(self, service: str) -> None:
        """Start a service again after it was killed, and wait until it is ready."""
        self.run(self._started(service))

    def _bystander(self) -> str:
        principals = {name for agent in self.agents for name in agent.acts_for[:1]}
        inside = [person.name for person in self.people if person.groups]
        return next((name for name in inside if name not in principals), inside[0])

    def _logins(self, name: str) -> tuple[Login, Login]:
        view = read_seed(self.settings.credentials_dir, view_user(name))
        own = unlock_person_key(self.settings.people_dir, name, self.passwords[name])
        return (
            Login(user=view_user(name), seed=view, url=self.url),
            Login(user=person_user(name), seed=own, url=self.url),
        )

    async def _started(self, service: str) -> None:
        if service == BROKER:
            await self.supervisor.restart_broker()
        else:
            self.supervisor.start(service)
            await self.supervisor.ready(service)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something on the world's own event loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(ENDS_WITHIN_S)


@contextlib.contextmanager
def started(folder: Path, config_dir: Path) -> Iterator[World]:
    """Start everything in the folder, as the configuration says; stop it at the end."""
    settings = _settings(folder, config_dir)
    built_in = (name for name in DomainsSettings.model_fields if name != BANK)
    every = (*built_in, *BANK_DOMAINS, *settings.domains)
    services = tuple(name for name in names(_offered(settings)) if name != CONSOLE)
    supervisor = Supervisor(settings=settings, domains=every, services=services)
    registry = load_registry(config_dir)
    with _loop_of_its_own() as loop:
        world = World(
            settings=settings,
            agents=registry.agents,
            people=registry.people,
            passwords=_passwords(settings, registry.people),
            supervisor=supervisor,
            loop=loop,
        )
        try:
            world.run(_start(supervisor))
            yield world
        finally:
            world.run(supervisor.stop())


async def _begun(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    return asyncio.create_task(work)


async def _ended(task: asyncio.Task[None]) -> None:
    """Cancelled, as often as it takes: before Python 3.12 `wait_for` may swallow it.

    What it failed of before that is raised.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=CANCEL_AGAIN_S)
    if not task.cancelled():
        task.result()


async def _start(supervisor: Supervisor) -> None:
    await supervisor.start_broker()
    await supervisor.start_services()


def _settings(folder: Path, config_dir: Path) -> Settings:
    return Settings(
        state_dir=folder / "var",
        config_dir=config_dir,
        nats_url="",
        nats_port=_free_port(),
        monitor_port_base=0,
        console_port=0,
        stream_max_bytes=STREAM_BYTES,
        ledger_url=f"sqlite+aiosqlite:///{folder / 'var' / 'ledger.db'}",
        log_level="warning",
    )


def _offered(settings: Settings) -> tuple[str, ...]:
    """The domains that the configuration offers; what they work on is made, empty."""
    files.private_folder(settings.state_dir)
    found = offered(settings)
    if found.shell is not None:
        found.shell.root.mkdir(parents=True, exist_ok=True)
    if found.database is not None:
        for database in found.database.databases.values():
            _make_file(make_url(database.url))
    built_in = (name for name in DomainsSettings.model_fields if getattr(found, name))
    return (*built_in, *settings.domains)


def _make_file(url: URL) -> None:
    """An empty file is an empty SQLite database; any other database is there already."""
    if url.get_backend_name() == "sqlite" and url.database:
        file = Path(unquote(url.database.removeprefix("file:")))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()


def _passwords(settings: Settings, people: tuple[Person, ...]) -> dict[str, str]:
    """Give each person a password before the broker's configuration names who may answer."""
    passwords = {person.name: clock.new_nonce() for person in people}
    for name, password in passwords.items():
        create_person_key(settings.people_dir, name, password, QUICK, must_change=False)
    return passwords


@contextlib.contextmanager
def _loop_of_its_own() -> Iterator[asyncio.AbstractEventLoop]:
    """Processes die with the thread that started them, so this one lives as long as the world."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="holdpoint-world", daemon=True)
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])
