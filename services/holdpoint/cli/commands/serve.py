"""`serve` and `provision`: what production runs."""

import asyncio
import os
from dataclasses import replace
from typing import Annotated

import typer
import uvloop

from holdpoint.cli import composition, output
from holdpoint.cli.events import Serving, Stopped, Tell, teller
from holdpoint.cli.session import JsonOption, begun, settings_here
from holdpoint.runtime.broker.provisioning import Report, removal_of
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process.health import health_file
from holdpoint.runtime.process.logs import configure
from holdpoint.runtime.process.service import serve as serve_it


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(serve)
    app.command()(provision)


def serve(
    service: Annotated[
        str, typer.Argument(metavar="SERVICE", help="gate, worker-<domain>, audit, console or api.")
    ],
    *,
    as_json: JsonOption = False,
) -> None:
    """Run one service in the foreground; a signal stops it cleanly."""
    settings = settings_here()
    settings.check_folders()
    configure(settings, service)
    composition.end_with_parent()
    uvloop.run(_serve(settings, service, teller(as_json=as_json)))


def provision(*, json: JsonOption = False) -> None:
    """Make what is missing: keys, credentials, the broker's configuration, streams, consumers."""
    report = asyncio.run(composition.provision(begun()))
    if json:
        output.emit(report)
        return
    for line in _told(report):
        output.say(line)


async def _serve(settings: Settings, name: str, tell: Tell) -> None:
    async def announced() -> None:
        """A job of a service begins when it listens, and lasts as long as the service."""
        address = health_file(settings.run_dir, name).read_text()
        tell(Serving(service=name, address=address, pid=os.getpid()))
        await asyncio.Event().wait()

    async with composition.service(settings, name) as wired:
        told = replace(wired, name=name, jobs=(*wired.jobs, announced))
        await serve_it(told, int(os.environ.get("HP_HEALTH_PORT", "0")), settings.run_dir)
    tell(Stopped())


def _told(report: Report) -> list[str]:
    told = [
        *(f"made: {it}" for it in report.created),
        *(f"changed: {it}" for it in report.updated),
        *(f"NOT as declared, left as it is: {it}" for it in report.different),
        *(f"nobody declares: {it}. {removal_of(it)}" for it in report.left_over),
    ]
    return told or ["Everything is in place."]
