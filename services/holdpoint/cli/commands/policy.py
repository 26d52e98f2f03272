"""`holdpoint policy`: the rules that gates judge by, looked at before they are in force."""

import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from holdpoint.cli import output
from holdpoint.cli.adopted_policy import kept, named, same_version
from holdpoint.cli.commands.assess import (
    KindOption,
    LinesOption,
    PolicyOption,
    TaintOption,
    TaintSourceOption,
    check_one_of,
    of_text,
)
from holdpoint.cli.commands.kill import adopt
from holdpoint.cli.config_checks import Problem, policy_problems, unknown_sources
from holdpoint.cli.domains import catalog, find_tool
from holdpoint.cli.ledger_session import LedgerOption, SinceOption, snapshot
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.policy_files import adopted_or_on_disk, policy_at, sound_policy_at
from holdpoint.cli.session import JsonOption, begun
from holdpoint.cli.views.explanation import explanation_lines, not_considered
from holdpoint.cli.views.replay import replay_lines, suggestion_lines
from holdpoint.core.digest import policy_digest
from holdpoint.core.risk import make_ready, pack_name
from holdpoint.ledger.verdicts import answered, judged, outcomes
from holdpoint.messages.policy import Policy, PolicyRef
from holdpoint.policy_lab.assess import answer_each
from holdpoint.policy_lab.cases import LineKind
from holdpoint.policy_lab.corpus import opened
from holdpoint.policy_lab.explain import explained_line, explanation
from holdpoint.policy_lab.lint import Oddity, Warned, told, warnings
from holdpoint.policy_lab.plot import plot
from holdpoint.policy_lab.replay import Replayed, replay
from holdpoint.policy_lab.replay_input import Known, from_ledger, from_lines
from holdpoint.policy_lab.suggest import Enough, suggest
from holdpoint.runtime.config.registry import load_registry
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError

policy = typer.Typer(help="The rules that gates judge by.", no_args_is_help=True)

TextArgument = Annotated[
    str,
    typer.Argument(
        help="What to explain, as of `assess`; behind `--` where it begins with a dash."
    ),
]


class PolicyChecked(msgspec.Struct, frozen=True, kw_only=True):
    """Result of `policy check`, for programs."""

    ok: bool
    problems: list[Problem]
    warnings: list[Warned]
    policy: PolicyRef | None = None
    """Which policy it would be; none where something is wrong."""

    packs: list[str] = []
    """The packs that are part of it, each with its version if it has one."""

    rules: int
    lines: int
    """`must_fire` and `must_not` lines of the rules themselves that were tried."""


@policy.command(name="check")
def check(
    *,
    corpus: Annotated[
        Path | None,
        typer.Option(
            help="Also name the rules that never fire on this .jsonl file, or on those in here."
        ),
    ] = None,
    policy_dir: PolicyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Try the policy on disk: its rules, their own lines. Exit code 1 if anything is wrong."""
    settings = begun()
    found = _checked(settings, corpus, policy_dir)
    if as_json:
        output.emit(found)
    else:
        for line in (*(one.line for one in found.problems), *told(found.warnings)):
            output.say(line)
        if found.ok:
            output.say(_sound(found))
    if not found.ok:
        raise typer.Exit(ExitCode.FAILED)


def _sound(found: PolicyChecked) -> str:
    tried = f"{found.rules} rules, {found.lines} lines of their own"
    beside = f", with the packs {', '.join(found.packs)}" if found.packs else ""
    name = named(found.policy.version, found.policy.digest) if found.policy else ""
    which = f"version {name}{beside}" if name else "this version"
    return f"The policy is fit for use: {tried}; {which}."


def _checked(settings: Settings, corpus: Path | None, path: Path | None) -> PolicyChecked:
    """Warnings only of what may be judged by: a rule that does not compile casts no shadow."""
    if problems := policy_problems(settings, path):
        return PolicyChecked(ok=False, problems=problems, warnings=[], rules=0, lines=0)
    rules = policy_at(settings, path)
    commands = [rule for tool in rules.commands.values() for rule in tool.rules]
    return PolicyChecked(
        ok=True,
        problems=[],
        policy=PolicyRef(version=rules.version, digest=policy_digest(rules)),
        packs=[pack_name(pack) for pack in rules.packs],
        warnings=[
            *_called_alike(settings, rules),
            *_nobodys_tools(settings),
            *warnings(rules, corpus),
        ],
        rules=len(rules.patterns) + len(commands) + len(rules.sql),
        lines=sum(len(rule.must_fire) + len(rule.must_not) for rule in rules.patterns)
        + sum(len(rule.fires) + len(rule.silent) for rule in commands)
        + sum(len(rule.fires) + len(rule.silent) for rule in rules.sql),
    )


def _called_alike(settings: Settings, rules: Policy) -> list[Warned]:
    """Return whether what was adopted here has the same version and other rules."""
    before = kept(settings)
    text = same_version(before.version, policy_digest(before), rules) if before else ""
    return [Warned(kind=Oddity.SAME_VERSION, text=text)] if text else []


def _nobodys_tools(settings: Settings) -> list[Warned]:
    """Tools of the policy that no domain has; of domains themselves `config check` speaks."""
    try:
        found = list(unknown_sources(settings, catalog(settings)))
    except SetupError:
        return []
    return [Warned(kind=Oddity.UNKNOWN_TOOL, text=one.line) for one in found]


@policy.command(name="explain")
def explain(  # noqa: PLR0913  # each is one option
    text: TextArgument = "",
    *,
    kind: KindOption = LineKind.SHELL,
    taint: TaintOption = None,
    taint_source: TaintSourceOption = None,
    jsonl: LinesOption = None,
    policy_dir: PolicyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say why something has its risk level: each signal, with the words that fired."""
    check_one_of(text, jsonl, taint, taint_source)
    rules, find = policy_at(Settings(), policy_dir), find_tool(Settings())
    if jsonl is not None:
        with opened(jsonl) as lines:
            code = answer_each(
                lines, lambda raw: explained_line(raw, rules, find), sys.stdout.buffer
            )
        raise typer.Exit(ExitCode.FAILED if code else ExitCode.OK)
    make_ready(rules.patterns)
    told = of_text(
        text, kind, taint, taint_source, told=lambda line: explanation(line, rules, find)
    )
    if as_json:
        output.emit(told)
    else:
        output.show(explanation_lines(told, kind))
        output.show(not_considered(kind))


@policy.command(name="replay")
def replay_candidate(  # noqa: PLR0913  # each is one option
    *,
    candidate: Annotated[
        Path, typer.Option(help="A configuration folder, a folder of policies, or one policy file.")
    ],
    base: Annotated[
        Path | None,
        typer.Option(
            help="Compared with this; default: what was adopted here, else HP_CONFIG_DIR."
        ),
    ] = None,
    jsonl: Annotated[
        Path | None,
        typer.Option(
            help="Judge lines as of `assess` in place of the ledger; - is standard input."
        ),
    ] = None,
    since: SinceOption = None,
    ledger: LedgerOption = "",
    svg: Annotated[
        Path | None, typer.Option("--plot", help="Also draw it into this file, as SVG.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Judge again what the ledger holds: what would newly halt or pass, and people's minutes."""
    _check_name(svg)
    settings = begun()
    before = policy_at(settings, base) if base else adopted_or_on_disk(settings)
    policies = (before, sound_policy_at(settings, candidate))
    if jsonl is not None:
        with opened(jsonl) as lines:
            told = replay(from_lines(lines), *policies, ())
    else:
        told = _replayed(settings, ledger, since, policies)
    if svg is not None:
        _draw(told, svg)
    if as_json:
        output.emit(told)
    else:
        output.show(replay_lines(told))


def _check_name(svg: Path | None) -> None:
    """Before anything is judged."""
    if svg is not None and svg.suffix.lower() != ".svg":
        text = f"{svg} is no name for an SVG: let it end in .svg."
        raise CommandError(ExitCode.USAGE, "unwritable_file", text)


def _draw(told: Replayed, path: Path) -> None:
    try:
        path.write_text(plot(told), "utf-8")
    except OSError as error:
        text = f"{path} cannot be written: {error.strerror}."
        raise CommandError(ExitCode.USAGE, "unwritable_file", text) from None


def _replayed(
    settings: Settings, ledger: str, since: datetime | None, policies: tuple[Policy, Policy]
) -> Replayed:
    agents = {agent.name: agent for agent in load_registry(settings.config_dir).agents}
    with snapshot(ledger) as connection:
        took = [one.took for one in answered(connection, since)]
        known = Known(catalog(settings), agents, outcomes(connection, since))
        cases = from_ledger(judged(connection, since), known)
        return replay(cases, *policies, took)


@policy.command(name="suggest")
def suggest_changes(
    *,
    answers: Annotated[
        int, typer.Option(min=1, help="How many answers about the same must all be a yes.")
    ] = 20,
    quantile: Annotated[
        float, typer.Option(min=0, max=1, help="The share of those that a threshold lets through.")
    ] = 0.95,
    since: SinceOption = None,
    ledger: LedgerOption = "",
    as_json: JsonOption = False,
) -> None:
    """Say which rules and thresholds people's answers speak against. Changes nothing."""
    now = adopted_or_on_disk(begun())
    enough = Enough(answers=answers, quantile=quantile)
    with snapshot(ledger) as connection:
        told = suggest(answered(connection, since), now, enough)
    if as_json:
        output.emit(told)
    else:
        output.show(suggestion_lines(told))


policy.command(name="adopt")(adopt)


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(policy, name="policy")
