"""Commands that need no broker: assess risks, write the contract."""

import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from holdpoint import contract
from holdpoint.cli import output
from holdpoint.cli.assess import LineKind, assess_text, run
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.policies import policy_at
from holdpoint.cli.reading import opened
from holdpoint.cli.session import JsonOption
from holdpoint.runtime.settings import Settings


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """What `holdpoint schemas` wrote."""

    written: list[str]
    """The files' paths."""


offline = typer.Typer()
"""`assess`, `schemas`: mounted at the top."""


@offline.command()
def assess(
    text: Annotated[str, typer.Argument(help="A command, a statement or a sentence.")] = "",
    *,
    kind: Annotated[LineKind, typer.Option(help="What the text is.")] = LineKind.SHELL,
    jsonl: Annotated[
        Path | None,
        typer.Option(help="Read {id, kind, text or payload, context} a line; - is standard input."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Say how risky something is, and why, by the policy on disk."""
    policy = policy_at(Settings(), None)
    if jsonl is not None:
        with opened(jsonl) as lines:
            code = run(lines, policy, sys.stdout.buffer)
        raise typer.Exit(ExitCode.FAILED if code else ExitCode.OK)
    if not text:
        raise CommandError(ExitCode.USAGE, "usage", "Give a text, or --jsonl FILE.")
    found = assess_text(text, kind, policy)
    if json:
        output.emit(found)
        return
    output.say(found.level.value)
    for signal in found.signals:
        output.say(f"  {signal.level.value:<8} {signal.reason} ({signal.rule})")


@offline.command()
def schemas(
    directory: Annotated[Path, typer.Argument(help="Where the contract is written.")],
    *,
    json: JsonOption = False,
) -> None:
    """Write the contract for any language: JSON Schema, AsyncAPI, TypeScript."""
    paths = contract.write(directory)
    if json:
        output.emit(Written(written=[str(path) for path in paths]))


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(offline)
