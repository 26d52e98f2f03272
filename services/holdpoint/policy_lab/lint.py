"""Warnings about rules that are not wrong: one never decides, always or never fires."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import chain
from pathlib import Path

import msgspec

from holdpoint.core.risk import (
    UNKNOWN_PROGRAM,
    UNKNOWN_STATEMENT,
    Shadow,
    fires_on_everything,
    is_everyday,
    make_ready,
    only_reads,
    shadowed_rules,
)
from holdpoint.messages.policy import Policy, VerdictKind
from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged, subject_of
from holdpoint.policy_lab.cases import BadLineError, Line, LineKind, line_in
from holdpoint.policy_lab.corpus import placed_in


class Oddity(StrEnum):
    """Kind of a warning."""

    SHADOWED = "shadowed"
    EVERYTHING = "everything"
    NEVER_FIRED = "never_fired"
    UNREADABLE = "unreadable"
    SAME_VERSION = "same_version"
    PARSED = "parsed"
    READS = "reads"
    ASKS_NOBODY = "asks_nobody"
    UNKNOWN_TOOL = "unknown_tool"
    NO_RULES = "no_rules"
    TOOL_NAME = "tool_name"


class Warned(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to look at; the policy may be judged by all the same."""

    kind: Oddity
    rule: str = ""
    """Empty where it is about the corpus, or about no rule."""

    by: tuple[str, ...] = ()
    """The rules that stand before a shadowed one."""

    text: str


def warnings(policy: Policy, corpus: Path | None) -> list[Warned]:
    """Everything odd about a sound policy."""
    odd = [*_empty(policy), *_before_others(policy), *_short(policy), *_idle(policy)]
    odd += _names_of_tools(policy)
    return [*odd, *_silent(policy, corpus)] if corpus is not None else odd


def told(found: Sequence[Warned]) -> Iterator[str]:
    """For people: a line each, and one for all the rules that never fired."""
    silent = [one.rule for one in found if one.kind is Oddity.NEVER_FIRED]
    yield from (one.text for one in found if one.kind is not Oddity.NEVER_FIRED)
    if silent:
        yield f"Of the rules, {len(silent)} fired on no line of the corpus: {', '.join(silent)}."


def _empty(policy: Policy) -> Iterator[Warned]:
    """Warn where no file holds a rule."""
    if not policy.patterns:
        text = (
            "There is no rule in any file: only the engine judges, and what a house or a trade "
            "calls dangerous goes unasked. Put the packs back, or write a rule."
        )
        yield Warned(kind=Oddity.NO_RULES, text=text)


def _before_others(policy: Policy) -> Iterator[Warned]:
    """Rules that fire on everything, each once; then the others that stand before some."""
    floods = {rule.id for rule in policy.patterns if fires_on_everything(rule)}
    found = shadowed_rules(policy.patterns)
    for rule in sorted(floods):
        behind = len([one for one in found if rule in one.by and one.rule not in floods])
        text = f"{rule} fires on everything: it stands before {behind} rules. Make it ask for less."
        yield Warned(kind=Oddity.EVERYTHING, rule=rule, text=text)
    narrow = [(one, tuple(rule for rule in one.by if rule not in floods)) for one in found]
    pairs = {(one.rule, rule) for one, by in narrow for rule in by}
    paired: set[str] = set()
    for one, by in narrow:
        if by and one.rule not in paired:
            twins = tuple(rule for rule in by if (rule, one.rule) in pairs)
            paired.update(twins)
            yield _shadowed(Shadow(rule=one.rule, by=by), twins)


def _shadowed(one: Shadow, twins: tuple[str, ...]) -> Warned:
    """Of rules that stand before each other one has to stay."""
    if twins:
        text = (
            f"{one.rule} and {', '.join(twins)} fire on each other's must_fire lines, so that "
            "neither decides alone. Keep one of them, or give each a line of its own."
        )
    else:
        text = (
            f"{one.rule} decides on none of its must_fire lines: {', '.join(one.by)} fires on "
            "each, at its level or above. Give it a line of its own, or remove it."
        )
    return Warned(kind=Oddity.SHADOWED, rule=one.rule, by=one.by, text=text)


def _short(policy: Policy) -> Iterator[Warned]:
    """Fragments that stand in nearly every text: each makes it critical."""
    for fragment in policy.high_risk_commands:
        said = fragment.strip().casefold()
        if len(said) < SHORTEST_FRAGMENT or is_everyday(said):
            text = (
                f"high_risk_commands: “{fragment}” is critical wherever it stands, also inside of "
                "words. Write more of the command."
            )
            yield Warned(kind=Oddity.EVERYTHING, rule=HIGH_RISK, text=text)


SHORTEST_FRAGMENT = 4
"""Characters: fewer stand inside of many words."""

HIGH_RISK = "command.high_risk"
"""The rule of these fragments."""


def _levels(policy: Policy) -> Iterator[tuple[str, RiskLevel]]:
    """Each rule of the policy with its level: of texts, of commands and of statements."""
    yield from ((rule.id, rule.level) for rule in policy.patterns)
    of_commands = (rule.danger for tool in policy.commands.values() for rule in tool.rules)
    dangers = chain(of_commands, (rule.danger for rule in policy.sql))
    yield from ((danger.id, danger.level) for danger in dangers if danger)


def _idle(policy: Policy) -> Iterator[Warned]:
    """Rules that can never ask anybody."""
    make_ready(policy.patterns)
    for rule_id, level in _levels(policy):
        if _asks_nobody(level, policy):
            text = (
                f"{rule_id} has the level {level.value}, which asks nobody. Raise it, or "
                "remove the rule."
            )
            yield Warned(kind=Oddity.ASKS_NOBODY, rule=rule_id, text=text)
    for rule in policy.patterns:
        if _asks_nobody(rule.level, policy):
            continue
        if rule.commands and not any(_goes_up(line, policy) for line in rule.must_fire):
            text = (
                f"{rule.id} has `commands: true`, and as a command or statement none of its "
                "must_fire lines is a danger: the parse decides in its place. Take that away."
            )
            yield Warned(kind=Oddity.PARSED, rule=rule.id, text=text)
        elif not rule.commands and (
            lines := [line for line in rule.must_fire if _only_reads(line, policy)]
        ):
            text = (
                f"{rule.id} is silent on its must_fire line “{lines[0]}” where that is a command: "
                "no rule counts in what only reads, and the level of the tool that runs it decides."
            )
            yield Warned(kind=Oddity.READS, rule=rule.id, text=text)


def _names_of_tools(policy: Policy) -> Iterator[Warned]:
    """Patterns that are a tool's name and nothing more: they see its arguments only."""
    for rule in policy.patterns:
        if _tool_name.fullmatch(rule.pattern):
            text = (
                f"{rule.id} looks for what reads like a tool's name, and patterns see a call's "
                "arguments, not its name. Give the tool a level of its own in its domain."
            )
            yield Warned(kind=Oddity.TOOL_NAME, rule=rule.id, text=text)


_tool_name = re.compile(
    r"(?:\(\?i\))?[\^]?(?:\\b)?[A-Za-z]+(?:(?:_|\\?\.)[A-Za-z0-9]+)+(?:\\b)?\$?"
)


def _asks_nobody(risk: RiskLevel, policy: Policy) -> bool:
    level = policy.levels.get(policy.risk_levels.get(risk, 0))
    return level is None or level.verdict in {VerdictKind.PASS, VerdictKind.WITNESS}


def _only_reads(text: str, policy: Policy) -> bool:
    """Return whether as a command it is proven to only read, so that a rule says nothing of it.

    A sentence may begin as a command does: it has a capital, or says itself what it does.
    """
    line = Line(id="", kind=LineKind.SHELL, text=text)
    if text[:1].isupper() or not only_reads(*subject_of(line), policy):
        return False
    return not _dangers(msgspec.structs.replace(line, kind=LineKind.DIALOGUE), policy)


def _goes_up(text: str, policy: Policy) -> bool:
    """Return whether it is dangerous as a command or, by its parse, as a statement.

    What is no statement is not parsed as one, and there the rule would fire. An unknown program
    alone is no danger.
    """
    line = Line(id="", kind=LineKind.SHELL, text=text)
    statement = msgspec.structs.replace(line, kind=LineKind.SQL)
    found = (it for it in judged(line, policy).signals if it.rule != UNKNOWN_PROGRAM)
    return any(it.level > RiskLevel.LOW for it in found) or _dangers(statement, policy)


def _dangers(line: Line, policy: Policy) -> bool:
    """Return whether it is more than nothing by the engine itself."""
    written = {rule.id for rule in policy.patterns}
    silent = written | {UNKNOWN_STATEMENT}
    own = (one for one in judged(line, policy).signals if one.rule not in silent)
    return any(one.level > RiskLevel.LOW for one in own)


def _silent(policy: Policy, corpus: Path) -> Iterator[Warned]:
    """Rules that say nothing about any line of the folder's files."""
    fired: set[str] = set()
    unreadable: list[str] = []
    read_lines = 0
    for place, raw in placed_in(corpus):
        try:
            found = judged(line_in(raw), policy)
        except BadLineError as error:
            unreadable.append(f"{place}: {error}")
            continue
        read_lines += 1
        fired.update(signal.rule for signal in found.signals)
    for pattern in policy.patterns if read_lines else ():
        if pattern.id not in fired:
            text = f"{pattern.id} fired on none of {read_lines:,} lines in {corpus}."
            yield Warned(kind=Oddity.NEVER_FIRED, rule=pattern.id, text=text)
    if unreadable:
        text = (
            f"{len(unreadable):,} of {len(unreadable) + read_lines:,} lines in {corpus} are not "
            f"what `assess --jsonl` reads; the first is {unreadable[0]}"
        )
        yield Warned(kind=Oddity.UNREADABLE, text=text)
