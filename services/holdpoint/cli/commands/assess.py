"""`holdpoint assess`: how risky something is, by the policy on disk; no broker is needed."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from holdpoint.cli import output
from holdpoint.cli.domains import find_tool
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.policy_files import policy_at
from holdpoint.cli.session import JsonOption
from holdpoint.cli.views.explanation import NO_WORRY, asked_by_level, called_as
from holdpoint.messages.risk import Assessment
from holdpoint.policy_lab.assess import answer_of, assess_text, run
from holdpoint.policy_lab.cases import BadLineError, Line, LineKind, line_of
from holdpoint.policy_lab.corpus import opened
from holdpoint.policy_lab.gate_view import GateView
from holdpoint.runtime.config.settings import Settings

T = TypeVar("T")
GIVE = "Give a text, or --jsonl FILE."

assessing = typer.Typer()
"""`assess`: mounted at the top."""

KindOption = Annotated[LineKind, typer.Option(help="What the text is.")]
TaintOption = Annotated[
    list[str] | None,
    typer.Option(help="A JSON pointer of an argument that came from untrusted content."),
]
TaintSourceOption = Annotated[
    str | None,
    typer.Option(help="What that content was: a web page. Alone it means every argument."),
]
LinesOption = Annotated[
    Path | None,
    typer.Option(help="Read {id, kind, text or payload, context} a line; - is standard input."),
]
PolicyOption = Annotated[
    Path | None,
    typer.Option(
        "--policy", help="A configuration folder, a folder of policies, or one policy file."
    ),
]


@assessing.command()
def assess(  # noqa: PLR0913  # each is one option
    text: Annotated[
        str,
        typer.Argument(
            help="A command, a statement, a sentence, a call or a request; "
            "behind `--` where it begins with a dash."
        ),
    ] = "",
    *,
    kind: KindOption = LineKind.SHELL,
    taint: TaintOption = None,
    taint_source: TaintSourceOption = None,
    jsonl: LinesOption = None,
    policy_dir: PolicyOption = None,
    json: JsonOption = False,
) -> None:
    """Say how risky something is, and what the gate would do with it.

    Exit code 0 whatever the level is: the level is the answer. 1 when a line cannot be read.
    """
    check_one_of(text, jsonl, taint, taint_source)
    policy, find = policy_at(Settings(), policy_dir), find_tool(Settings())
    if jsonl is not None:
        with opened(jsonl) as lines:
            code = run(lines, policy, sys.stdout.buffer, find)
        raise typer.Exit(ExitCode.FAILED if code else ExitCode.OK)
    line, (found, view) = of_text(
        text, kind, taint, taint_source, told=lambda line: (line, assess_text(line, policy, find))
    )
    if json:
        output.emit(answer_of(line, found, view))
        return
    for said in _lines(found, view, kind):
        output.say(said)


def _lines(found: Assessment, view: GateView, kind: LineKind) -> Iterator[str]:
    yield f"{found.level.value}: {view.judged.verdict.value}"
    yield from called_as(view.tool, view.judged.level, kind)
    if not found.signals:
        yield NO_WORRY
        yield from asked_by_level(view.judged.verdict, kind)
    for signal in found.signals:
        yield f"  {signal.level.value:<8} {signal.reason} ({signal.rule})"


def check_one_of(
    text: str, jsonl: Path | None, taint: list[str] | None, taint_source: str | None
) -> None:
    """A text or lines: of both one would go unread."""
    if jsonl is not None and (text or taint or taint_source is not None):
        told = "With --jsonl each line has its own text and taint: leave those out. "
        raise CommandError(ExitCode.USAGE, "usage", f"{told}{GIVE}")
    if text == "-":
        told = "A text comes as an argument; lines come from standard input with --jsonl -. "
        raise CommandError(ExitCode.USAGE, "usage", f"{told}{GIVE}")
    if jsonl is None and not text.strip():
        raise CommandError(ExitCode.USAGE, "usage", f"There is nothing to assess. {GIVE}")
    if taint_source is not None and not taint_source.strip():
        told = "--taint-source is empty: say what the content was, as in `a web page`."
        raise CommandError(ExitCode.USAGE, "usage", told)


def of_text(
    text: str,
    kind: LineKind,
    taint: list[str] | None,
    taint_source: str | None,
    *,
    told: Callable[[Line], T],
) -> T:
    """Return what is told of a text on the command line; one that is none is typed wrongly."""
    try:
        return told(line_of(text, kind, tuple(taint or ()), taint_source or ""))
    except BadLineError as error:
        raise CommandError(ExitCode.USAGE, "usage", str(error)) from None


def mount(app: typer.Typer) -> None:
    """Add this command."""
    app.add_typer(assessing)
