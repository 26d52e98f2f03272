"""Faults of the rules of a policy, and which of them stand in another's shadow."""

import re
from collections.abc import Iterable, Iterator

import msgspec
import re2

from holdpoint.core.prefilter import QUIET
from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.patterns import BadPatternError, compiled
from holdpoint.core.risk.policy_commands import engine_rules_fired, rules_fired
from holdpoint.core.risk.sql.orders import DROPPABLE
from holdpoint.core.risk.sql.rules import by_own_rules
from holdpoint.core.text import fold
from holdpoint.messages.command_rules import ToolRules
from holdpoint.messages.policy import (
    LONGEST_REASON,
    RESERVED_FAMILIES,
    RESERVED_RULES,
    Pattern,
    Policy,
)
from holdpoint.messages.risk import Heuristic
from holdpoint.messages.sql_rules import SqlRule


def rule_faults(policy: Policy) -> Iterator[str]:
    """Yield each problem of its patterns, commands and SQL rules, with what to change."""
    for pattern in policy.patterns:
        yield from _pattern(pattern)
    for name in policy.commands:
        yield from _command(name, policy)
    for rule in policy.sql:
        yield from _statement(rule)


def _pattern(pattern: Pattern) -> Iterator[str]:
    """RE2 takes it, its own lines hold, and people can be told of it."""
    yield from _named("pattern", pattern.id, pattern.reason)
    try:
        regex = compiled(pattern)
    except BadPatternError as error:
        yield f"{error}; write it in RE2's syntax (no look-ahead, no back-references)"
        return
    if regex.search(""):
        yield f"pattern {pattern.id}: fires even on an empty text; make it ask for something"
    if not pattern.must_fire:
        yield f"pattern {pattern.id}: give it at least one `must_fire` line"
    for line in pattern.must_fire:
        if not regex.search(fold(line).folded):
            yield f"pattern {pattern.id}: does not fire on its own must_fire line: {line}"
    for line in pattern.must_not:
        if regex.search(fold(line).folded):
            yield f"pattern {pattern.id}: fires on its own must_not line: {line}"


def _command(name: str, policy: Policy) -> Iterator[str]:
    """RE2 takes the patterns of its rules, and each example says what it is there for."""
    tool = policy.commands[name]
    where = f"commands.{name}"
    for rule in tool.rules:
        if rule.danger is None:
            yield f"{where}: a rule without a danger would say that something is harmless"
            return
        yield from _named(where, rule.danger.id, rule.danger.reason)
        if not rule.fires:
            yield f"{where}: give {rule.danger.id} at least one `fires` line"
    patterns = (
        pattern
        for rule in tool.rules
        for pattern in (*rule.patterns, *rule.unless_patterns, rule.spares)
    )
    refused = [*_refused(where, patterns)]
    yield from refused or _examples(name, tool)


def _refused(where: str, patterns: Iterable[str]) -> Iterator[str]:
    """Each pattern that RE2 refuses, with why; `{name}` stands for a list of words."""
    for pattern in patterns:
        try:
            re2.compile(_listed.sub("x", pattern), QUIET)
        except re2.error as error:
            why = error.args[0]
            said = why.decode() if isinstance(why, bytes) else why
            yield f"{where}: not RE2's syntax ({said}), in its pattern: {pattern}"


_listed = re.compile(r"\{[a-z_]+\}")


def _examples(name: str, tool: ToolRules) -> Iterator[str]:
    """Yield where an example of a tool's rule does not do what it is there for."""
    for line in tool.silent:
        for fired in sorted(engine_rules_fired(line)):
            yield f"commands.{name}: {fired} of the engine fires on its own silent line: {line}"
    for rule in tool.rules:
        wanted = rule.danger.id if rule.danger else ""
        for line in rule.fires:
            if wanted not in rules_fired(line, name, tool):
                yield f"commands.{name}: {wanted} does not fire on its own line: {line}"
        for line in (*rule.silent, *tool.silent):
            if wanted in rules_fired(line, name, tool):
                yield f"commands.{name}: {wanted} fires on its own silent line: {line}"


def _statement(rule: SqlRule) -> Iterator[str]:
    """The same of a SQL rule."""
    danger = rule.danger
    where = f"sql {danger.id}"
    yield from _named("sql", danger.id, danger.reason)
    if not rule.fires:
        yield f"{where}: give it at least one `fires` line"
    refused = [*_refused(where, (*rule.match, *rule.unless))]
    yield from refused or _spoken(where, rule)


def _spoken(where: str, rule: SqlRule) -> Iterator[str]:
    """Yield where an example of a SQL rule does not do what it is there for."""
    try:
        for line in rule.fires:
            if not any(by_own_rules(line, (rule,))):
                yield f"{where}: does not fire on its own line: {line}"
        for line in rule.silent:
            if any(by_own_rules(line, (rule,))):
                yield f"{where}: fires on its own silent line: {line}"
    except KeyError as error:
        yield f"{where}: no word list is called {error}"


def _named(where: str, rule: str, reason: str) -> Iterator[str]:
    if not _id.fullmatch(rule):
        yield f"{where} {rule!r}: an id is made of letters, digits, dots, `-` and `_`"
    family = rule.partition(".")[0]
    if rule in RESERVED_RULES or ("." in rule and family in RESERVED_FAMILIES):
        yield (
            f"{where} {rule}: the engine's own rules have such ids, and nobody could tell "
            f"whose rule fired; begin it with another word than `{family}`"
        )
    if not 1 <= len(reason) <= LONGEST_REASON or not reason.isprintable():
        yield f"{where} {rule}: a reason is one line of 1 to {LONGEST_REASON} characters"


_id = re.compile(r"[A-Za-z0-9][\w.-]*", re.ASCII)


def is_everyday(fragment: str) -> bool:
    """Return whether a fragment stands in nearly every text, or people say it of much else."""
    return fragment in _EVERYDAY or any(fragment in text for text in _UNLIKE)


_EVERYDAY = SPOKEN.keys() | {word.lower() for word in DROPPABLE}
"""Words that people say of much else: `delete`, `restart`, `table`."""


class Shadow(msgspec.Struct, frozen=True, kw_only=True):
    """A rule, and those in whose shadow it stands."""

    rule: str
    by: tuple[str, ...]


def shadowed_rules(patterns: Iterable[Pattern]) -> tuple[Shadow, ...]:
    """Every rule in a shadow, as far as its own `must_fire` lines tell.

    Raises `BadPatternError` for a pattern that does not compile.
    """
    rules = tuple(patterns)
    searches = [compiled(rule).search for rule in rules]
    found = []
    for rule in rules:
        lines = [fold(line).folded for line in rule.must_fire]
        by = tuple(
            other.id
            for other, search in zip(rules, searches, strict=True)
            if _could(other, rule) and lines and all(map(search, lines))
        )
        found.append(Shadow(rule=rule.id, by=by))
    return tuple(shadow for shadow in found if shadow.by)


def fires_on_everything(rule: Pattern) -> bool:
    """Return whether texts that have nothing in common all make it fire."""
    search = compiled(rule).search
    return all(search(text) for text in _UNLIKE)


_UNLIKE = ("ls", "good morning", "x = 1", "(hm)", "kept")
"""Nobody would ask a person about any of them, and no letter stands in all."""


def _could(other: Pattern, rule: Pattern) -> bool:
    """Return whether it can decide in the rule's place wherever both fire.

    A parse of commands silences only some, and of the words beside a call only doubts count.
    """
    if other is rule or other.level < rule.level or (other.commands and not rule.commands):
        return False
    doubts = Heuristic.UNCERTAINTY
    return other.heuristic is doubts or rule.heuristic is not doubts
