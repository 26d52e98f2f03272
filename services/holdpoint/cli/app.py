"""`holdpoint`: every command; only what was asked for is loaded."""

import os
import sys
import tomllib
from contextlib import suppress
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

COMMANDS: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("commands.toml").read_text("utf-8")
)
"""The module in `commands` that mounts each command, and the command's line in the overview."""

FOR_OVERVIEW: tuple[list[str], ...] = ([], ["--help"])
COMPLETES = "_HOLDPOINT_COMPLETE"
"""Set while a shell completes what is typed, which takes every command."""


def app_for(arguments: list[str]) -> typer.Typer:
    """The command line, with at least the command that the arguments begin with."""
    app = _empty()
    wanted = [it for name, it in COMMANDS.items() if [name] == arguments[:1]]
    for module in dict.fromkeys(it["module"] for it in wanted or COMMANDS.values()):
        import_module(f"holdpoint.cli.commands.{module}").mount(app)
    return app


def overview() -> typer.Typer:
    """The command line as its help shows it, without any of the commands loaded."""
    app = _empty()
    for name, told in COMMANDS.items():
        app.command(name, help=told["help"])(_nothing_runs)
    return app


def main() -> None:
    """Run the command line; what a person has to mend is told in one sentence."""
    arguments = sys.argv[1:]
    if arguments in FOR_OVERVIEW and COMPLETES not in os.environ and sys.stdout is not None:
        with suppress(OSError):  # told below, in a sentence
            try:
                overview()(arguments)
            finally:
                sys.stdout.flush()
    import_module("holdpoint.cli.output").run(app_for(arguments), arguments)


def _empty() -> typer.Typer:
    app = typer.Typer(
        name="holdpoint",
        help="Risky agent actions wait here until the right people say yes.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
    )
    app.callback()(_nothing)
    return app


def _version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"holdpoint {version('holdpoint')}")
        raise typer.Exit


def _nothing(
    *,
    version: Annotated[  # answered before anything else is looked at
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Risky agent actions wait here until the right people say yes."""


def _nothing_runs() -> None:
    """Stand for a command in the overview."""


if __name__ == "__main__":
    main()
