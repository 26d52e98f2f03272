"""`holdpoint`: every command, in one table; only what was asked for is loaded."""

import sys
from importlib import import_module
from importlib.metadata import version
from typing import Annotated

import typer

from holdpoint.cli import output

TABLE: dict[str, tuple[str, ...]] = {
    "up": ("up", "down", "reset"),
    "init": ("init",),
    "backup": ("backup", "restore"),
    "tenant": ("tenant",),
    "demo": ("demo",),
    "serve": ("serve", "provision"),
    "people": ("pending", "show", "proceed", "confirm", "cancel", "reconcile", "people"),
    "chat": ("chat",),
    "inbox": ("inbox", "watch"),
    "propose": ("call", "say"),
    "outcome": ("withdraw", "outcome"),
    "status": ("status",),
    "doctor": ("doctor",),
    "mend": ("mend",),
    "kill": ("kill",),
    "flag": ("flag",),
    "permissions": ("permissions",),
    "policy": ("policy",),
    "intents": ("intents",),
    "audit": ("audit",),
    "assess": ("assess",),
    "schemas": ("schemas",),
    "catalog": ("catalog",),
    "tools": ("tools",),
    "hook": ("hook",),
    "mcp": ("mcp",),
    "agents": ("agents",),
    "keys": ("keys",),
    "config": ("config",),
}
"""The module in `commands` that mounts each command."""


def app_for(arguments: list[str]) -> typer.Typer:
    """The command line, with at least the command that the arguments begin with."""
    app = typer.Typer(
        name="holdpoint",
        help="Risky agent actions wait here until the right people say yes.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
    )
    app.callback()(_nothing)
    wanted = arguments[0] if arguments else ""
    fitting = [module for module, commands in TABLE.items() if wanted in commands]
    for module in fitting or TABLE:
        import_module(f"holdpoint.cli.commands.{module}").mount(app)
    return app


def main() -> None:
    """Run the command line; what a person has to mend is told in one sentence."""
    arguments = sys.argv[1:]
    output.run(app_for(arguments), arguments)


def _version(*, wanted: bool) -> None:
    if wanted:
        output.say(f"holdpoint {version('holdpoint')}")
        raise typer.Exit


def _nothing(
    *,
    version: Annotated[  # answered before anything else is looked at
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Risky agent actions wait here until the right people say yes."""


if __name__ == "__main__":
    main()
