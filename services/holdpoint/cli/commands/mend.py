"""`holdpoint mend`: let streams go on that a message ended, where no `holdpoint up` does it."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from holdpoint.cli import output
from holdpoint.cli.commands.reset import alone
from holdpoint.cli.session import JsonOption, begun
from holdpoint.runtime.broker.nodes import ALONE
from holdpoint.runtime.broker.raft_log import rename_header
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """Result of `holdpoint mend`: one line for each stream."""

    stream: str
    stores: list[str]
    """The servers' stores in which it goes on."""


mend_app = typer.Typer()
"""`mend`: mounted at the top."""


@mend_app.command()
def mend(
    streams: Annotated[list[str], typer.Argument(metavar="STREAM...", help="As status names it.")],
    *,
    as_json: JsonOption = False,
) -> None:
    """Let streams of three brokers go on that a message ended. Stop the broker on this host first.

    `holdpoint up` does this by itself. Exit code 1 where no message on this host ended a stream.
    """
    settings = begun()
    with alone(settings):
        _check_stopped(settings)
        stores = sorted(settings.state_dir.glob(f"{ALONE}*/"))
        found = [
            Found(stream=it, stores=[str(store) for store in stores if rename_header(store, it)])
            for it in dict.fromkeys(streams)
        ]
    if as_json:
        output.emit(*found)
    else:
        for it in found:
            output.say(_told(it))
    if not all(it.stores for it in found):
        raise typer.Exit(output.ExitCode.FAILED)


def _check_stopped(settings: Settings) -> None:
    """A server that something else started writes its process id down, and nothing else here."""
    for path in settings.run_dir.glob(f"{ALONE}*.pid"):
        pid = path.read_text().strip()
        program = Path("/proc", pid, "comm")
        if program.exists() and program.read_text().strip() == "nats-server":
            raise SetupError(f"{path.stem} runs (process {pid}). Stop it first.")


def _told(it: Found) -> str:
    if not it.stores:
        return f"No message ended {it.stream} here."
    return f"{it.stream} goes on once the broker is started again."


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(mend_app)
