"""`holdpoint status`: what runs here, where, and how far it has come."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from datetime import timedelta

import msgspec
import typer
from msgspec.structs import replace
from nats.aio.client import Client
from rich.text import Text

from holdpoint.audit.room_watch import disk, room_warning
from holdpoint.cli import output
from holdpoint.cli.adopted_policy import named
from holdpoint.cli.bus import Bus, operator
from holdpoint.cli.config_checks import policy_problems
from holdpoint.cli.ledger_session import snapshot
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.policy_files import policy_at
from holdpoint.cli.session import JsonOption, begun, connected, no_state
from holdpoint.core.digest import policy_digest
from holdpoint.ledger.engines import local_file
from holdpoint.ledger.exceptions import refill_of
from holdpoint.ledger.positions import newest_in
from holdpoint.messages.subjects import stream
from holdpoint.runtime.broker.connection import login
from holdpoint.runtime.broker.copies import ServerLine, copies, server_lines
from holdpoint.runtime.broker.nodes import nodes_of
from holdpoint.runtime.broker.storage import cannot_store, full, is_full, write_errors
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import HoldpointError, SetupError
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.health import NO_BROKER, readiness
from holdpoint.runtime.process.supervisor import (
    Written,
    how_it_ended,
    last_words,
    read_running,
)
from holdpoint.runtime.security.credentials import SYSTEM

AUDIT = "audit"
"""The service's name."""

REFILL_IS_NEWS = timedelta(days=7)

NONE_YET = "none was adopted yet"
WIDTH = 18
"""Columns before what is said of a thing."""


class ServiceLine(msgspec.Struct, frozen=True, kw_only=True):
    """One service's process."""

    name: str
    pid: int
    health: str
    alive: bool
    ready: bool
    problem: str = ""
    """Of one that listens and does not do its work: why."""

    exit_code: int | None = None
    """Of one that ended; negative is the signal that killed it."""

    last_words: str = ""
    """Of one that ended by itself with an error: the end of its log, which says why."""


class BrokerLine(msgspec.Struct, frozen=True, kw_only=True):
    """State of the broker."""

    url: str
    reachable: bool
    problem: str = ""
    cannot_store: str = ""
    """Streams that it cannot write to, and why; empty where it can."""

    servers: tuple[ServerLine, ...] = ()
    """Each of three; empty for one alone."""

    open_holds: int = 0
    audit_lag: dict[str, int] = {}
    unread_ledger: str = ""
    """Why the ledger cannot be read here, so that nobody knows how far it has come."""

    policy: str = ""
    policy_digest: str = ""
    room_used: dict[str, float] = {}
    """Share of each audited stream that is used, from 0 to 1."""

    full: list[str] = []
    """Streams of all agents that store nothing more."""

    stopped: dict[str, str] = {}
    """Why agents are stopped, by agent; `_` is everyone."""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that `holdpoint status` tells."""

    running: bool
    pid: int
    broker: BrokerLine
    console: str
    """Address at which people answer in a browser; empty while it does not run here."""

    services: list[ServiceLine]
    warnings: list[str]


status_app = typer.Typer()
"""`status`: mounted at the top."""


@status_app.command()
def status(*, as_json: JsonOption = False) -> None:
    """Tell what runs, how many holds wait, and how far the ledger has come.

    Exit code 0 when every service is ready, 1 when one is not, none was started here or the ledger
    cannot be read, 3 when no broker answers.
    """
    found = asyncio.run(standing(begun()))
    if as_json:
        output.emit(found)
    else:
        output.show(_lines(found))
    if (code := _exit_code(found)) is not ExitCode.OK:
        raise typer.Exit(code)


async def standing(settings: Settings) -> Standing:
    """Look at the processes and ask the broker."""
    written = read_running(settings)
    broker = await _broker(settings)
    services = [_heard(settings, it, broker) for it in await services_of(written)]
    return Standing(
        running=written is not None,
        pid=written.pid if written else 0,
        broker=broker,
        console=settings.console_url if written else "",
        services=services,
        warnings=_warnings(settings, broker),
    )


async def services_of(written: Written | None) -> list[ServiceLine]:
    """Each service that was started here: whether it lives, and says that it is ready."""
    if written is None:
        return []
    said = await asyncio.gather(*(readiness(it.health) for it in written.services.values()))
    return [
        ServiceLine(
            name=name,
            pid=it.pid,
            health=it.health,
            alive=_is_alive(it.pid),
            ready=says.is_ready,
            problem=says.problem,
            exit_code=it.exit_code,
        )
        for (name, it), says in zip(written.services.items(), said, strict=True)
    ]


def _heard(settings: Settings, it: ServiceLine, broker: BrokerLine) -> ServiceLine:
    """Add what a service does not know of itself yet, or can no longer say."""
    if not it.alive and it.exit_code is not None and it.exit_code > 0:
        return replace(it, last_words=last_words(settings.run_dir, it.name))
    if it.alive and not broker.reachable:
        return replace(it, ready=False, problem=NO_BROKER)
    return it


async def _broker(settings: Settings) -> BrokerLine:
    url = settings.broker_url
    try:
        async with operator(settings) as bus:
            asked = await _asked(url, bus, _ledger_ends(settings, await bus.audited()))
        async with connected(settings, login(settings, SYSTEM)) as client:
            return replace(
                asked,
                cannot_store=cannot_store(await write_errors(client, settings.servers)),
                servers=await servers_of(settings, client),
            )
    except HoldpointError as error:
        return BrokerLine(url=url, reachable=False, problem=str(error))


async def servers_of(settings: Settings, system: Client) -> tuple[ServerLine, ...]:
    """Return how each of the broker's servers stands; nothing of one alone."""
    if not settings.is_cluster:
        return ()
    found = await copies(system, settings.servers)
    return server_lines(found, [it.name for it in nodes_of(settings, settings.nats_port)])


def _ledger_ends(settings: Settings, audited: Sequence[str]) -> Mapping[str, int] | str:
    """Return how far the ledger holds each stream, or why it cannot be read."""
    try:
        with snapshot("") as connection:
            return {it: newest_in(connection, stream(settings.tenant, it)) for it in audited}
    except CommandError as error:
        return error.text


async def _asked(url: str, bus: Bus, ends: Mapping[str, int] | str) -> BrokerLine:
    policy, kills, rooms = await bus.policy(), await bus.kills(), await bus.rooms()
    return BrokerLine(
        url=url,
        reachable=True,
        open_holds=await bus.open_holds(),
        audit_lag={} if isinstance(ends, str) else await bus.audit_lag(ends),
        unread_ledger=ends if isinstance(ends, str) else "",
        policy=policy.version if policy else "",
        policy_digest=policy.digest if policy else "",
        room_used={it.name: round(it.share, 3) for it in rooms},
        full=[it.name for it in rooms if is_full(it.used, it.most) and "@" not in it.name],
        stopped=kills.stopped if kills else {},
    )


def _warnings(settings: Settings, broker: BrokerLine) -> list[str]:
    found = [
        f"The kill switch is on for {'everyone' if agent == '_' else agent}: {why}"
        for agent, why in broker.stopped.items()
    ]
    found += [text] if (text := no_state(settings)) else []
    found += [text] if (text := refilled()) else []
    found += [broker.unread_ledger] if broker.unread_ledger else []
    found += [f"{broker.cannot_store}: see Room in docs/operate.md."] if broker.cannot_store else []
    found += [f"{text}: see Room in docs/operate.md."] if (text := full(broker.full)) else []
    shares = dict(broker.room_used)
    if file := local_file(settings.ledger_url):
        ledger = disk("The ledger's disk", file)
        shares[ledger.name] = ledger.share
    found += [text for name, share in shares.items() if (text := room_warning(name, share))]
    if faults := policy_problems(settings):
        in_force = policy_named(broker.policy, broker.policy_digest)
        return [*found, *(one.line for one in faults), _meanwhile(in_force)]
    text = not_in_force(settings, broker.policy, broker.policy_digest)
    return [*found, text] if text else found


def not_in_force(settings: Settings, version: str, digest: str) -> str:
    """Return what becomes of a policy on disk that gates do not judge by; empty of another one."""
    try:
        on_disk = policy_digest(policy_at(settings, None))
    except SetupError:
        return _meanwhile(policy_named(version, digest))
    if digest in ("", on_disk):
        return ""
    return "The policy on disk is not the one in force. To judge by it: holdpoint policy adopt"


def refilled() -> str:
    """Return that the ledger was lost, for some days; empty where it was not."""
    try:
        with snapshot("") as connection:
            found = refill_of(connection)
    except CommandError:
        return ""
    if found is None or clock.now() - found[0] > REFILL_IS_NEWS:
        return ""
    return (
        f"The ledger was lost and is being refilled from the bus: {found[1]:,} events, since "
        f"{found[0]:%Y-%m-%d %H:%M} UTC. See Erasure in docs/audit.md."
    )


def _meanwhile(in_force: str) -> str:
    """Return what gates do while the files are faulty."""
    if in_force == NONE_YET:
        return "A gate does not start by such a policy: mend it (holdpoint policy check)."
    return (
        f"Gates go on by the policy in force, {in_force}; the one on disk cannot be adopted "
        "before it is mended (holdpoint policy check)."
    )


def _lines(found: Standing) -> list[Text]:
    broker = found.broker
    answers = "answers" if broker.reachable else f"does not answer: {broker.problem}"
    lines = [
        _line("up", f"process {found.pid}" if found.running else "does not run here"),
        _line("broker", f"{broker.url} {answers}"),
        *(_line(it.name, it.text) for it in broker.servers),
        *([_line("browser", found.console)] if found.console else []),
        *(_line(it.name, told(it)) for it in found.services),
    ]
    if broker.reachable:
        lines += [
            _line("policy", policy_named(broker.policy, broker.policy_digest)),
            _line("open holds", str(broker.open_holds)),
            _line("audit", _audited(found)),
        ]
    return [*lines, *(_line("careful", text) for text in found.warnings)]


def _audited(found: Standing) -> str:
    """An audit that stands still has not everything, wherever the sequences end."""
    if found.broker.unread_ledger:
        return "unknown here: the ledger cannot be read"
    behind = ", ".join(f"{kind} {lag}" for kind, lag in found.broker.audit_lag.items() if lag)
    here = next((it for it in found.services if it.name == AUDIT), None)
    if here is not None and not (here.alive and here.ready):
        return f"stands still, behind by {behind}" if behind else "stands still"
    return f"behind by {behind}" if behind else "has everything"


def policy_named(version: str, digest: str) -> str:
    """Return the policy in force as people tell it from another one."""
    return named(version, digest) if version else NONE_YET


def _line(name: str, text: str) -> Text:
    return Text(f"{name:<{WIDTH}}", style="bold") + Text(output.word(text))


def told(it: ServiceLine) -> str:
    """Return how a service stands, and what becomes of one that is gone."""
    if not it.alive:
        how = "is gone" if it.exit_code is None else how_it_ended(it.exit_code)
        text = f"process {it.pid} {how}; holdpoint up starts it again"
        return text + (f". Its last words: {it.last_words}" if it.last_words else "")
    state = "ready" if it.ready else f"not ready: {it.problem}" if it.problem else "not ready"
    return f"{state}, process {it.pid}, {it.health}/readyz"


def _exit_code(found: Standing) -> ExitCode:
    if not found.broker.reachable:
        return ExitCode.UNREACHABLE
    every = all(it.alive and it.ready for it in found.services)
    broken = found.broker.cannot_store or found.broker.full or found.broker.unread_ledger
    sound = every and not broken
    return ExitCode.OK if found.services and sound else ExitCode.FAILED


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(status_app)
