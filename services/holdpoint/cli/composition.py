"""Wiring of each service; only the one that is asked for is loaded."""

import asyncio
import ctypes
import os
import signal
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from holdpoint.cli.domains import (
    OPENING,
    catalog,
    coded_domains,
    domain_names,
    every_tool,
    load_domain,
    part_of,
    parts,
)
from holdpoint.coordinator.workflows import COORDINATOR_FILE
from holdpoint.core.tool import ToolSpec, spec_of
from holdpoint.domains.settings import DOMAINS_FILE, offered
from holdpoint.messages.mcp import MCP_DOMAIN
from holdpoint.runtime.broker.connection import connect, login
from holdpoint.runtime.broker.provisioning import Prepared, Recorded, Report, limits, prepare
from holdpoint.runtime.broker.provisioning import provision as make_streams
from holdpoint.runtime.broker.server import running_pids
from holdpoint.runtime.broker.streams import plan
from holdpoint.runtime.config.api_files import load_api
from holdpoint.runtime.config.channel_files import load_notices, load_slack
from holdpoint.runtime.config.registry import AGENTS_FILE, load_agents
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError, UnavailableError
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.service import Service
from holdpoint.runtime.process.supervisor import COPY, Supervisor, names, with_copies
from holdpoint.runtime.security.credentials import (
    API,
    AUDIT,
    CONSOLE,
    COORDINATOR,
    NOTICES,
    PROVISIONER,
    SLACK,
)
from holdpoint.workers.app import Hands

GATE = "gate"
WORKER = "worker-"

APPS: Mapping[str, str] = {
    GATE: "holdpoint.gate.app",
    "audit": "holdpoint.audit.app",
    CONSOLE: "holdpoint.console.app",
    API: "holdpoint.api.app",
    COORDINATOR: "holdpoint.coordinator.app",
    SLACK: "holdpoint.slack.app",
    NOTICES: "holdpoint.notices.app",
    WORKER: "holdpoint.workers.app",
}
"""The module that builds each service."""

MCP_WORKER = "holdpoint.mcp.worker"
"""The module that starts MCP servers; it needs the extra `mcp`."""

RECORDED = "holdpoint.ledger.recorded_streams"

MCP_EXTRA = "MCP servers need the MCP SDK. Install it with: pip install 'holdpoint[mcp]'"

RELOAD_S = 10.0
"""Time that a broker may know nobody, or answer nothing, while it reads its users again."""

PAUSE_S = 0.2

NOTHING: Mapping[str, str] = {}
"""The settings of a domain of yours: it has none of ours."""

PR_SET_PDEATHSIG = 1


def supervisor(settings: Settings) -> Supervisor:
    """Everything on this machine."""
    known = domain_names(settings)
    return Supervisor(
        settings=settings,
        domains=known,
        services=services(settings),
        recorded=partial(_recorded, settings),
    )


def _recorded(settings: Settings) -> Mapping[str, Recorded]:
    """Streams as the ledger here knows them; a service that reads no ledger loads none."""
    known: Mapping[str, Recorded] = import_module(RECORDED).recorded_streams(settings.ledger_url)
    return known


def services(settings: Settings) -> tuple[str, ...]:
    """Every service of this machine; those that people choose where they are configured."""
    config = load_api(settings.config_dir)
    api = (API,) if config.agents or config.people else ()
    coordinator = (COORDINATOR,) if can_coordinate(settings) else ()
    slack = (SLACK,) if load_slack(settings.config_dir).channels else ()
    notices = (NOTICES,) if load_notices(settings.config_dir).groups else ()
    offered = parts(settings)
    workers = (f"{WORKER}{it}" for it in offered if it != MCP_DOMAIN)  # two would start each server
    copied = (GATE, *workers, AUDIT)
    every = names(offered, *api, *coordinator, *slack, *notices)
    return with_copies(every, copied, settings.copies)


def can_coordinate(settings: Settings) -> bool:
    """Return whether the coordinator's extra is installed, and the configuration has it."""
    if find_spec("langgraph") is None or not (settings.config_dir / COORDINATOR_FILE).exists():
        return False
    try:
        agents = load_agents(settings.config_dir / AGENTS_FILE)
    except SetupError:  # the command that needs the file says what is wrong
        return True
    return any(agent.name == COORDINATOR for agent in agents)


async def provision(settings: Settings) -> Report:
    """Make what is missing on disk and in the broker; one that runs here reads its users again."""
    port = urlsplit(settings.broker_url.split(",")[0]).port or settings.nats_port
    prepared = prepare(settings, domain_names(settings), port, clock.now())
    settings.remember()
    pids = running_pids(settings.run_dir)
    if not pids and not settings.nats_url:
        written = ", ".join(map(str, prepared.configs))
        raise SetupError(
            f"{written} is written. Start a broker with it (holdpoint up does), and "
            "provision again: streams are made in the running broker. One that runs elsewhere is "
            "named by HP_NATS_URL; have it read this file first."
        )
    for pid in pids:
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
        everything = plan(prepared.tenant, limits(settings))
        return await make_streams(
            client, everything, settings.accept_lost_stream, _recorded(settings)
        )
    finally:
        await client.close()


@asynccontextmanager
async def service(settings: Settings, name: str) -> AsyncIterator[Service]:
    """One service, wired and ready to be served."""
    known = services(settings)
    name, _, _ = name.partition(COPY)
    if name not in {*known, COORDINATOR}:  # which says itself what it misses
        raise SetupError(f"There is no service {name!r}. There are: {', '.join(known)}.")
    if name.startswith(WORKER):
        part = name.removeprefix(WORKER)
        async with _hands(settings, part) as its:
            yield await import_module(APPS[WORKER]).build(settings, part, its)
    elif name == GATE:
        yield await import_module(APPS[GATE]).build(settings, every_tool(settings))
    elif name == CONSOLE:
        yield await import_module(APPS[name]).build(settings, partial(catalog, settings))
    else:
        yield await import_module(APPS[name]).build(settings)


@asynccontextmanager
async def _hands(settings: Settings, part: str) -> AsyncIterator[tuple[Hands, ...]]:
    """A part's domains as their worker needs them, with what the part opened.

    SetupError if it is not offered.
    """
    if part == MCP_DOMAIN:
        check_mcp()
        async with import_module(MCP_WORKER).opened(settings) as servers:
            yield (_hands_of_servers(servers),)
        return
    domains = [it for it in coded_domains(settings) if part_of(settings, it) == part]
    if part in settings.domains:
        yield _hands_of(settings, domains, NOTHING, None)
        return
    chosen: Any = getattr(offered(settings), part)
    if chosen is None:
        raise SetupError(f"{DOMAINS_FILE} does not offer the domain {part}.")
    async with import_module(OPENING[part]).opened(chosen) as resource:
        yield _hands_of(settings, domains, chosen, resource)


def _hands_of(
    settings: Settings, domains: Iterable[str], chosen: Any, resource: Any
) -> tuple[Hands, ...]:
    return tuple(
        Hands(
            domain=name,
            specs=_by_name(spec_of(run) for run in load_domain(settings, name).TOOLS),
            settings=chosen,
            resource=resource,
        )
        for name in domains
    )


def check_mcp() -> None:
    """Raise SetupError where the extra `mcp` is not installed."""
    if find_spec("mcp") is None:
        raise SetupError(MCP_EXTRA)


def _by_name(specs: Iterable[ToolSpec]) -> Mapping[str, ToolSpec]:
    return {spec.tool.name: spec for spec in specs}


def _hands_of_servers(servers: Any) -> Hands:
    return Hands(domain=MCP_DOMAIN, specs=servers.specs, settings=NOTHING)


def end_with_parent() -> None:
    """Have the kernel stop this process when the supervisor that started it is gone."""
    parent = os.environ.get("HP_PARENT")
    if parent is None:
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(parent):
        raise SetupError("The supervisor that started this service is gone.")
