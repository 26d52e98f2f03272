"""`holdpoint policy`: the rules that gates judge by, looked at before they are in force."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from holdpoint.cli import output
from holdpoint.cli.assess import LineKind, answer_each
from holdpoint.cli.checks import Checked, policy_problems
from holdpoint.cli.explaining import drawn, explained_line, explanation, line_of
from holdpoint.cli.orders import adopt
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.policies import policy_at
from holdpoint.cli.reading import opened
from holdpoint.cli.session import JsonOption, begun
from holdpoint.runtime.settings import Settings

policy = typer.Typer(help="The rules that gates judge by.", no_args_is_help=True)

PolicyOption = Annotated[
    Path | None,
    typer.Option(
        "--policy", help="A configuration folder, a folder of policies, or one policy file."
    ),
]


@policy.command(name="check")
def check(*, as_json: JsonOption = False) -> None:
    """Say what is wrong with the policy on disk. Exit code 1 if anything is."""
    settings = begun()
    problems = policy_problems(settings)
    if as_json:
        output.emit(Checked(ok=not problems, problems=problems))
    else:
        for problem in problems:
            output.say(problem.line)
        if not problems:
            output.say("The policy may be judged by.")
    if problems:
        raise typer.Exit(ExitCode.FAILED)


@policy.command(name="explain")
def explain(
    text: Annotated[str, typer.Argument(help="What to explain; calls and requests as JSON.")] = "",
    *,
    kind: Annotated[LineKind, typer.Option(help="What the text is.")] = LineKind.SHELL,
    jsonl: Annotated[
        Path | None,
        typer.Option(help="Read {id, kind, text or payload, context} a line; - is standard input."),
    ] = None,
    policy_dir: PolicyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say why something has its risk level: each signal, with the words that fired."""
    rules = policy_at(Settings(), policy_dir)
    if jsonl is not None:
        with opened(jsonl) as lines:
            code = answer_each(lines, lambda raw: explained_line(raw, rules), sys.stdout.buffer)
        raise typer.Exit(ExitCode.FAILED if code else ExitCode.OK)
    if not text:
        raise CommandError(ExitCode.USAGE, "usage", "Give a text, or --jsonl FILE.")
    told = explanation(line_of(text, kind), rules)
    if as_json:
        output.emit(told)
    else:
        output.show(drawn(told))


policy.command(name="adopt")(adopt)


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(policy, name="policy")
