"""`holdpoint`: every command, mounted in one place."""

import asyncio
import os
import sys
from typing import Annotated

import typer
import uvloop

from holdpoint.cli import commands, output, wiring
from holdpoint.cli.audit import audit
from holdpoint.cli.demo import demo
from holdpoint.cli.offline import offline
from holdpoint.cli.session import JsonOption, begun
from holdpoint.cli.up import down, reset, up
from holdpoint.runtime.logs import configure
from holdpoint.runtime.provisioning import Report
from holdpoint.runtime.service import serve as serve_it
from holdpoint.runtime.settings import Settings

app = typer.Typer(
    name="holdpoint",
    help="Risky agent actions wait here until the right people say yes.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
for command in (up, down, reset, demo):
    app.command()(command)
app.add_typer(offline)
app.add_typer(audit, name="audit")
commands.mount(app)


@app.command()
def serve(
    service: Annotated[
        str, typer.Argument(metavar="SERVICE", help="gate, worker-<domain> or audit.")
    ],
) -> None:
    """Run one service in the foreground; a signal stops it cleanly."""
    settings = Settings()
    configure(settings, service)
    wiring.end_with_parent()
    uvloop.run(_serve(settings, service))


@app.command()
def provision(*, json: JsonOption = False) -> None:
    """Make what is missing: keys, credentials, the broker's configuration, streams, consumers."""
    report = asyncio.run(wiring.provision(begun()))
    if json:
        output.emit(report)
        return
    for line in _told(report):
        output.say(line)


def main() -> None:
    """Run the command line; what a person has to mend is told in one sentence."""
    output.run(app, sys.argv[1:])


async def _serve(settings: Settings, name: str) -> None:
    async with wiring.service(settings, name) as wired:
        await serve_it(wired, int(os.environ.get("HP_HEALTH_PORT", "0")), settings.run_dir)


def _told(report: Report) -> list[str]:
    told = [
        *(f"made: {it}" for it in report.created),
        *(f"changed: {it}" for it in report.updated),
        *(f"NOT as declared, left as it is: {it}" for it in report.different),
        *(f"nobody declares: {it}" for it in report.left_over),
    ]
    return told or ["Everything is in place."]
