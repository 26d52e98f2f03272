"""`holdpoint config`: what is set, and what is wrong with the files."""

from typing import Any

import msgspec
import typer
from rich.text import Text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from holdpoint.cli import output
from holdpoint.cli.acting_as import Who
from holdpoint.cli.config_checks import Checked, problems
from holdpoint.cli.output import ExitCode
from holdpoint.cli.session import JsonOption, begun
from holdpoint.core.redaction.display import MASK
from holdpoint.runtime.config.settings import Settings

config = typer.Typer(help="Settings and configuration files.", no_args_is_help=True)

URLS = frozenset({"nats_url", "ledger_url"})
"""They may carry a password."""


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """One setting as it counts now."""

    variable: str
    value: str
    is_default: bool
    description: str


@config.command()
def check(*, as_json: JsonOption = False) -> None:
    """Check every configuration file. Exit code 1 if anything is wrong."""
    settings = begun()
    found = problems(settings)
    if as_json:
        output.emit(Checked(ok=not found, problems=found))
    else:
        for problem in found:
            output.say(problem.line)
        problems_found = f"{len(found)} problem{'s' if len(found) > 1 else ''}"
        summary = problems_found if found else "all files are as they should be"
        output.say(f"{settings.config_dir}: {summary}.")
    if found:
        raise typer.Exit(ExitCode.FAILED)


@config.command()
def show(*, as_json: JsonOption = False) -> None:
    """Show every setting as it counts now, without passwords."""
    lines = [*_lines(begun()), *_lines(Who())]
    if as_json:
        output.emit(*lines)
        return
    for line in lines:
        chosen = "" if line.is_default else " (set)"
        output.show(Text(f"{line.variable:<22} {output.word(line.value)}{chosen}"))


def _lines(settings: Settings | Who) -> list[Setting]:
    return [
        Setting(
            variable=f"HP_{name.upper()}",
            value=_value(name, getattr(settings, name)),
            is_default=name not in settings.model_fields_set,
            description=field.description or "",
        )
        for name, field in type(settings).model_fields.items()
    ]


def _value(name: str, value: Any) -> str:
    if name not in URLS or not value:
        return str(value)
    try:
        return ",".join(str(make_url(one)) for one in str(value).split(","))
    except ArgumentError:
        return MASK


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(config, name="config")
