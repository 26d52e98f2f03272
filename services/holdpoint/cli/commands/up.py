"""`holdpoint up`: everything on this machine with one command; Ctrl-C stops it cleanly."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, TypeAlias
from urllib.parse import urlsplit

import msgspec
import typer

from holdpoint.cli import composition, events, output
from holdpoint.cli.commands.reset import reset
from holdpoint.cli.commands.status import AUDIT, services_of, standing
from holdpoint.cli.config_checks import problems
from holdpoint.cli.demo.sample_agent import make_sample, run_sample_agent
from holdpoint.cli.demo.sample_servers import offer_sample_servers
from holdpoint.cli.domains import has_mcp_servers
from holdpoint.cli.events import Tell
from holdpoint.cli.hold_names import command
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.passwords import first_password
from holdpoint.cli.policy_files import keep_in_force
from holdpoint.cli.session import JsonOption, settings_here
from holdpoint.messages.mcp import MCP_DOMAIN
from holdpoint.runtime.broker.provisioning import Prepared
from holdpoint.runtime.config.settings import SHIPPED_CONFIG, Settings
from holdpoint.runtime.errors import HoldpointError, SetupError
from holdpoint.runtime.process.logs import configure
from holdpoint.runtime.process.supervisor import BROKER, Supervisor, Written, read_running
from holdpoint.runtime.security.credentials import CONSOLE

WATCH_S = 0.5
RESTART_S = 2.0
STORAGE_S = 5.0
AUDIT_S = 5.0
STOPS_WITHIN_S = 40.0
WAS_ENDED = (
    "a message had ended it. The gate refuses that message, and the ledger names its sender."
)
SHIPPED = "The configuration is the built-in one. Write a copy to edit:  {}"
NO_CHAT = "needs `pip install 'holdpoint[coordinator]'`, and coordinator in the configuration"

Guest: TypeAlias = Callable[[Settings, Tell], Coroutine[Any, Any, None]]
"""Who acts on what runs, until it stops."""


class Down(msgspec.Struct, frozen=True, kw_only=True):
    """Result of `holdpoint down`; empty when nothing ran."""

    stopped: Written | None


def up(
    *,
    sample: Annotated[
        bool,
        typer.Option(help="Run a sample agent and sample MCP servers, on things made for them."),
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """Start the broker, every service and a sample agent on this machine."""
    settings = settings_here()
    configure(settings, "up")
    _check_nothing_runs(settings)
    _check_configuration(settings)
    guests = (offer_sample_servers, run_sample_agent) if sample else ()
    asyncio.run(_up(settings, guests, events.teller(as_json=as_json)))


def down(*, as_json: JsonOption = False) -> None:
    """Stop what `holdpoint up` started."""
    settings = settings_here()
    running = read_running(settings)
    if running is not None:
        os.kill(running.pid, signal.SIGTERM)
        asyncio.run(_gone(settings, running.pid))
    if as_json:
        output.emit(Down(stopped=running))
    elif running is not None:
        events.to_people(events.Stopped())
    else:
        output.say("Nothing runs here.")


def _check_nothing_runs(settings: Settings) -> None:
    running = read_running(settings)
    if running is None:
        return
    where = running.broker or "it is starting"
    raise CommandError(
        ExitCode.FAILED,
        "already_runs",
        f"Holdpoint already runs here: {where} (process {running.pid}). "
        f"Stop it with: {command(settings, 'down')}",
    )


def _check_configuration(settings: Settings) -> None:
    """Refuse what `holdpoint config check` finds, before anything is made or started."""
    if found := problems(settings):
        raise SetupError("\n".join(it.line for it in found))


async def _up(settings: Settings, guests: tuple[Guest, ...], tell: Tell) -> None:
    """Run until a signal comes; whatever ends it, every process is stopped."""
    supervisor = composition.supervisor(settings)
    running = asyncio.create_task(_run(supervisor, guests, tell))
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, running.cancel)
    try:
        with contextlib.suppress(asyncio.CancelledError):
            await running
        tell(events.Stopping())
    finally:
        await supervisor.stop()
    tell(events.Stopped())


async def _run(supervisor: Supervisor, guests: tuple[Guest, ...], tell: Tell) -> None:
    settings = supervisor.settings
    prepared = await supervisor.start_broker()
    make_sample(settings)
    _passwords(settings, supervisor, prepared, tell)
    await supervisor.start_services()
    found = await standing(settings)
    keep_in_force(settings, found.broker.policy_digest)
    tell(ready(supervisor, _next_steps(settings)))
    for text in found.warnings:
        tell(events.Problem(who="careful", text=text))
    await asyncio.gather(
        *(_watch(supervisor, it, tell) for it in (*supervisor.broker, *supervisor.services)),
        _watch_storage(supervisor, tell),
        _watch_audit(settings, tell),
        _watch_for_mcp(supervisor, tell),
        *(guest(settings, tell) for guest in guests),
    )


def _next_steps(settings: Settings) -> tuple[str, ...]:
    shipped = settings.config_dir == SHIPPED_CONFIG
    chat = command(settings, "chat") if composition.can_coordinate(settings) else NO_CHAT
    return (
        f"Or in a terminal:       {command(settings, 'pending')}",
        f"                        {command(settings, 'proceed ID')}   (or cancel ID)",
        f"Ask in plain words:     {chat}",
        f"MCP servers behind it:  {command(settings, 'mcp list')}",
        *((SHIPPED.format(command(settings, "init")),) if shipped else ()),
        "Ctrl-C stops everything.",
    )


def ready(supervisor: Supervisor, next_steps: tuple[str, ...]) -> events.Ready:
    """Return where everything runs."""
    return events.Ready(
        address=supervisor.url,
        pid=os.getpid(),
        state_dir=str(supervisor.settings.state_dir),
        services={name: supervisor.pid(name) for name in supervisor.services},
        moved=_moved(supervisor),
        console=supervisor.settings.console_url,
        api=supervisor.settings.api_url,
        console_moved=_console_moved(supervisor),
        next_steps=next_steps,
    )


def _console_moved(supervisor: Supervisor) -> bool:
    wanted = supervisor.settings.console_port
    console = supervisor.sockets.get(CONSOLE)
    return bool(wanted and console and console.port != wanted)


def _moved(supervisor: Supervisor) -> dict[str, str]:
    """Return where each service serves its health whose port was taken."""
    settings = supervisor.settings
    running = read_running(settings)
    if running is None or not settings.monitor_port_base:
        return {}
    wanted = {name: settings.health_port(at) for at, name in enumerate(supervisor.services)}
    found = {name: it.health for name, it in running.services.items()}
    return {name: url for name, url in found.items() if urlsplit(url).port != wanted[name]}


def _passwords(settings: Settings, supervisor: Supervisor, prepared: Prepared, tell: Tell) -> None:
    """The first run gives the first person a password: an agent must not know it."""
    people = prepared.tenant.people
    if not people or len(prepared.without_password) < len(people):
        return
    if first_password(settings, people[0].name, tell) and supervisor.server is not None:
        supervisor.prepare(supervisor.server.port)
        for node in supervisor.nodes:
            node.reload()


async def _watch(supervisor: Supervisor, name: str, tell: Tell) -> None:
    """Start it again when it dies, whatever else is waited for: the others need the broker."""
    while True:
        code = supervisor.dead().get(name)
        if code is not None:
            supervisor.write()
            tell(events.Died(service=name, exit_code=code))
            await asyncio.sleep(RESTART_S)
            await _restart(supervisor, name, tell)
        await asyncio.sleep(WATCH_S)


async def _watch_for_mcp(supervisor: Supervisor, tell: Tell) -> None:
    """Start the worker of MCP servers once there is one; without any it need not run."""
    name = f"{composition.WORKER}{MCP_DOMAIN}"
    if name in supervisor.services:
        return
    while not has_mcp_servers(supervisor.settings):
        await asyncio.sleep(WATCH_S)
    supervisor.services = (*supervisor.services, name)
    supervisor.start(name)
    await _watch(supervisor, name, tell)


async def _watch_storage(supervisor: Supervisor, tell: Tell) -> None:
    """After a full disk the broker stores nothing until it starts again, which waits for room.

    Two looks have to agree: a broker that only just started is still opening its streams.
    """
    told = before = ""
    while True:
        await asyncio.sleep(STORAGE_S)
        try:
            for stream in await supervisor.mend_streams():
                tell(events.Problem(who=BROKER, text=f"{stream} goes on: {WAS_ENDED}"))
            problem = await supervisor.storage_problem()
        except HoldpointError:  # it is away: `_watch` starts it again
            continue
        if problem != before:
            before = problem
            continue
        if problem and problem != told:
            tell(events.Problem(who=BROKER, text=f"{problem}. Make room on its disk."))
        if told and not problem:
            tell(events.ProblemOver(who=BROKER))
        told = problem
        if problem and supervisor.has_room():
            await supervisor.heal_broker()
            tell(events.Restarted(service=BROKER))
            told = ""


async def _watch_audit(settings: Settings, tell: Tell) -> None:
    """Calls go on while the audit stands still: say why it does, once it has not passed by itself.

    A gap and a broker that starts again are over before the second look at the same process.
    """
    told, before = "", (0, "")
    while True:
        await asyncio.sleep(AUDIT_S)
        found = await services_of(read_running(settings))
        audit = next((it for it in found if it.name == AUDIT), None)
        if audit is None or not (audit.ready or audit.problem):
            continue  # it is starting, and nobody knows how it will stand
        problem = audit.problem
        if (audit.pid, problem) == before and problem != told:
            over = events.ProblemOver(who=AUDIT)
            tell(events.Problem(who=AUDIT, text=problem) if problem else over)
            told = problem
        before = (audit.pid, problem)


async def _restart(supervisor: Supervisor, name: str, tell: Tell) -> None:
    """Without a broker nothing can go on: one that does not come back ends everything."""
    if name in supervisor.broker:
        await supervisor.restart_broker(name)
        tell(events.Restarted(service=name))
        return
    try:
        supervisor.start(name)
        await supervisor.ready(name)
    except SetupError as error:
        tell(events.Problem(who=name, text=str(error)))
    else:
        tell(events.Restarted(service=name))


async def _gone(settings: Settings, pid: int) -> None:
    try:
        async with asyncio.timeout(STOPS_WITHIN_S):
            while read_running(settings) is not None:
                await asyncio.sleep(WATCH_S)
    except TimeoutError:
        text = f"Process {pid} does not stop. End it at once with: kill -9 {pid}"
        raise CommandError(ExitCode.FAILED, "does_not_stop", text) from None


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    for each in (up, down, reset):
        app.command()(each)
