"""`holdpoint doctor`: is this machine fit for Holdpoint, and is what runs here as it should be?"""

import asyncio
from collections.abc import Iterator
from itertools import chain

import typer
from rich.text import Text

from holdpoint.cli import output
from holdpoint.cli.bus import broker_time, operator
from holdpoint.cli.commands.status import (
    not_in_force,
    policy_named,
    servers_of,
    services_of,
    told,
)
from holdpoint.cli.config_checks import problems
from holdpoint.cli.domains import domain_names
from holdpoint.cli.machine_checks import Check, Health, fail, machine_checks, ok, warn
from holdpoint.cli.output import ExitCode
from holdpoint.cli.session import JsonOption, begun, connected, reach
from holdpoint.runtime.broker.connection import login
from holdpoint.runtime.broker.copies import ServerLine
from holdpoint.runtime.broker.server import check_durability
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import HoldpointError, UnavailableError
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.supervisor import Written, read_running
from holdpoint.runtime.security.credentials import SYSTEM

SKEW_WARN_S = 1.0
SKEW_FAIL_S = 5.0
"""As much as a grant's times may be off."""

STYLES = {Health.OK: "green", Health.WARN: "yellow", Health.FAIL: "bold red"}
NAME_COLUMNS, HEALTH_COLUMNS = 18, 5

doctor_app = typer.Typer()
"""`doctor`: mounted at the top."""


@doctor_app.command()
def doctor(*, as_json: JsonOption = False) -> None:
    """Check this machine and what runs on it; it changes nothing. Exit code 1 if a check fails.

    With --json: one check per line.
    """
    settings = begun()
    written = read_running(settings) if settings.run_dir.exists() else None
    checks = asyncio.run(_checks(settings, written))
    if as_json:
        output.emit(*checks)
    else:
        for check in checks:
            output.show(_lines(check))
    if any(check.health is Health.FAIL for check in checks):
        raise typer.Exit(ExitCode.FAILED)


async def _checks(settings: Settings, written: Written | None) -> list[Check]:
    """Check the machine while whatever does not answer is waited for."""

    def here() -> list[Check]:
        return [*machine_checks(settings, runs=written is not None), *_config(settings)]

    on_machine, running = await asyncio.gather(asyncio.to_thread(here), _running(settings, written))
    return [*on_machine, *running]


def _config(settings: Settings) -> Iterator[Check]:
    found = problems(settings)
    for problem in found:
        yield fail("config", problem.line)
    if not found:
        yield ok("config", f"{settings.config_dir} is as it should be")


async def _running(settings: Settings, written: Written | None) -> list[Check]:
    try:
        await reach(settings)
    except UnavailableError as error:
        should_run = written is not None or settings.nats_url
        return [fail("broker", str(error)) if should_run else warn("broker", str(error))]
    found = await asyncio.gather(_services(written), _system(settings), _streams(settings))
    return [ok("broker", f"{settings.broker_url} answers"), *chain.from_iterable(found)]


async def _services(written: Written | None) -> list[Check]:
    """Each service that was started here."""
    if written is None:
        return [warn("services", "None was started here by `holdpoint up`.")]
    return [
        ok(it.name, f"ready, process {it.pid}")
        if it.alive and it.ready
        else fail(it.name, told(it))
        for it in await services_of(written)
    ]


async def _system(settings: Settings) -> list[Check]:
    """Return what the server says of itself: durability and time."""
    try:
        async with connected(settings, login(settings, SYSTEM)) as client:
            before = clock.now()
            theirs = await broker_time(client)
            middle = before + (clock.now() - before) / 2
            skew = _skew((theirs - middle).total_seconds())
            servers = [_server(it) for it in await servers_of(settings, client)]
            await check_durability(client, settings.sync_interval, settings.servers)
    except HoldpointError as error:
        return [fail("durability", str(error))]
    return [skew, *servers, ok("durability", f"sync_interval {settings.sync_interval}, as set")]


def _server(it: ServerLine) -> Check:
    """One of the broker's three."""
    if not it.answers:
        return fail(it.name, f"{it.text}: start it; without a second one nothing is stored.")
    return warn(it.name, f"{it.text}: it catches up.") if it.behind else ok(it.name, it.text)


def _skew(seconds: float) -> Check:
    skew = f"{abs(seconds):.2f} s {'behind' if seconds > 0 else 'ahead of'} the broker"
    if abs(seconds) > SKEW_FAIL_S:
        return fail("clock", f"{skew}: grants would not count. Set the clock, with NTP.")
    if abs(seconds) > SKEW_WARN_S:
        return warn("clock", f"{skew}: set the clock, with NTP.")
    return ok("clock", skew)


async def _streams(settings: Settings) -> list[Check]:
    try:
        async with operator(settings) as bus:
            different = await bus.differences(settings, domain_names(settings))
            policy = await bus.policy()
    except HoldpointError as error:
        return [fail("streams", str(error))]
    checks = [fail("streams", f"{one}: holdpoint provision") for one in different]
    checks = checks or [ok("streams", "every stream and consumer is as declared")]
    in_force = (policy.version, policy.digest) if policy else ("", "")
    text = await asyncio.to_thread(not_in_force, settings, *in_force)
    return [*checks, warn("policy", text) if text else ok("policy", policy_named(*in_force))]


def _lines(check: Check) -> Iterator[Text]:
    room = output.width() - NAME_COLUMNS - HEALTH_COLUMNS
    for at, piece in enumerate(output.folded(check.text, room)):
        name, health = (check.name, check.health.value) if at == 0 else ("", "")
        yield (
            Text(f"{health:<{HEALTH_COLUMNS}}", style=STYLES[check.health])
            + Text(f"{name:<{NAME_COLUMNS}}")
            + Text(piece)
        )


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(doctor_app)
