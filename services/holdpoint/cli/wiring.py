"""Which domains there are, and how each service is wired: the only list of both."""

import asyncio
import ctypes
import importlib.util
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from holdpoint.audit import app as audit
from holdpoint.console import app as console
from holdpoint.core.catalog import Catalog
from holdpoint.core.tool import Run, spec_of
from holdpoint.domains.database import tools as database
from holdpoint.domains.shell import tools as shell
from holdpoint.gate import app as gate
from holdpoint.runtime import clock
from holdpoint.runtime.connection import connect, login
from holdpoint.runtime.credentials import PROVISIONER
from holdpoint.runtime.domain_settings import DomainsSettings, load
from holdpoint.runtime.errors import SetupError, UnavailableError
from holdpoint.runtime.provisioning import Prepared, Report, limits, prepare
from holdpoint.runtime.provisioning import provision as make_streams
from holdpoint.runtime.server import running_pid
from holdpoint.runtime.service import Service
from holdpoint.runtime.settings import Settings
from holdpoint.runtime.streams import plan
from holdpoint.runtime.supervisor import Supervisor, names
from holdpoint.workers import app as workers

DOMAINS_FILE = "domains.yaml"
NOTHING: Mapping[str, str] = {}
"""The settings of a domain that has none."""

RELOAD_S = 10.0
"""How long a broker may know nobody, or answer nothing, while it reads its users again."""

PAUSE_S = 0.2
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, kw_only=True)
class Domain:
    """A domain as it is registered: its tools, its settings, and what it opens."""

    name: str
    tools: tuple[Run, ...]
    settings_of: Callable[[DomainsSettings], Any]
    opened: Callable[[Any], AbstractAsyncContextManager[Any]]


BUILT_IN = (
    Domain(
        name="shell",
        tools=shell.TOOLS,
        settings_of=lambda settings: settings.shell,
        opened=shell.opened,
    ),
    Domain(
        name="database",
        tools=database.TOOLS,
        settings_of=lambda settings: settings.database,
        opened=database.opened,
    ),
)


def domains(settings: Settings) -> Mapping[str, Domain]:
    """Every domain by name: the built-in ones, and yours."""
    own = (_own(name, path) for name, path in settings.domains.items())
    return {domain.name: domain for domain in (*BUILT_IN, *own)}


def catalog(settings: Settings) -> Catalog:
    """Every tool of every domain."""
    known = domains(settings).values()
    return Catalog(spec_of(run).tool for domain in known for run in domain.tools)


def supervisor(settings: Settings) -> Supervisor:
    """Everything on this machine."""
    known = tuple(domains(settings))
    return Supervisor(settings=settings, domains=known, services=names(known))


async def provision(settings: Settings) -> Report:
    """Make what is missing on disk and in the broker; one that runs here reads its users again."""
    port = urlsplit(settings.broker_url).port or settings.nats_port
    prepared = prepare(settings, tuple(domains(settings)), port, clock.now())
    pid = running_pid(settings.run_dir)
    if pid is None and not settings.nats_url:
        raise SetupError(
            f"{prepared.config} is written. Start a broker with it (holdpoint up does), and "
            "provision again: streams are made in the running broker. One that runs elsewhere is "
            "named by HP_NATS_URL; have it read this file first."
        )
    if pid is not None:
        os.kill(pid, signal.SIGHUP)
    gives_up_at = clock.monotonic() + RELOAD_S
    while True:
        try:
            return await _made(settings, prepared)
        except (SetupError, UnavailableError):
            if clock.monotonic() > gives_up_at:
                raise
        await asyncio.sleep(PAUSE_S)


async def _made(settings: Settings, prepared: Prepared) -> Report:
    client = await connect(login(settings, PROVISIONER))
    try:
        return await make_streams(client, plan(prepared.tenant, limits(settings)))
    finally:
        await client.close()


@asynccontextmanager
async def service(settings: Settings, name: str) -> AsyncIterator[Service]:
    """One service, wired and ready to be served."""
    known = domains(settings)
    if name == "gate":
        yield await gate.build(settings, catalog(settings))
    elif name == "audit":
        yield await audit.build(settings)
    elif name == "console":
        yield await console.build(settings)
    elif name.removeprefix("worker-") in known:
        async with _hands(settings, known[name.removeprefix("worker-")]) as hands:
            yield await workers.build(settings, hands)
    else:
        there = ", ".join(names(tuple(known)))
        raise SetupError(f"There is no service {name!r}. There are: {there}.")


@asynccontextmanager
async def _hands(settings: Settings, domain: Domain) -> AsyncIterator[workers.Hands]:
    chosen = domain.settings_of(load(settings.config_dir / DOMAINS_FILE, settings.state_dir))
    if chosen is None:
        raise SetupError(f"{DOMAINS_FILE} does not offer the domain {domain.name}.")
    async with domain.opened(chosen) as resource:
        specs = tuple(spec_of(run) for run in domain.tools)
        yield workers.Hands(domain=domain.name, specs=specs, settings=chosen, resource=resource)


def _own(name: str, path: Path) -> Domain:
    """A domain of yours: a Python file with `TOOLS`, without settings of ours."""
    spec = importlib.util.spec_from_file_location(f"holdpoint_domain_{name}", path)
    if spec is None or spec.loader is None or not path.exists():
        raise SetupError(f"HP_DOMAINS: {path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return Domain(name=name, tools=module.TOOLS, settings_of=lambda _: NOTHING, opened=_nothing)


@asynccontextmanager
async def _nothing(_: Any) -> AsyncIterator[None]:
    yield


def end_with_parent() -> None:
    """Have the kernel stop this process when the supervisor that started it is gone."""
    parent = os.environ.get("HP_PARENT")
    if parent is None:
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(parent):
        raise SetupError("The supervisor that started this service is gone.")
