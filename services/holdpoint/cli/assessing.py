"""`holdpoint assess`: how risky something is, by the policy on disk; no broker is needed."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from holdpoint.cli import output
from holdpoint.cli.assess import assess_text, run
from holdpoint.cli.lines import BadLineError, LineKind
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.policies import policy_at
from holdpoint.cli.reading import opened
from holdpoint.cli.session import JsonOption
from holdpoint.runtime.settings import Settings

assessing = typer.Typer()
"""`assess`: mounted at the top."""


@assessing.command()
def assess(
    text: Annotated[
        str, typer.Argument(help="A command, a statement, a sentence, a call or a request.")
    ] = "",
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
    try:
        found = assess_text(text, kind, policy)
    except BadLineError as error:
        raise CommandError(ExitCode.USAGE, "usage", str(error)) from None
    if json:
        output.emit(found)
        return
    output.say(found.level.value)
    for signal in found.signals:
        output.say(f"  {signal.level.value:<8} {signal.reason} ({signal.rule})")


def mount(app: typer.Typer) -> None:
    """Add this command."""
    app.add_typer(assessing)
