"""What is wrong with a policy, in a person's words: whoever adopts one asks here first."""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

import msgspec
import re2

from holdpoint.core.prefilter import QUIET
from holdpoint.core.quorum import LEAST_VOICES
from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.extract.money import decimal_of
from holdpoint.core.risk.patterns import BadPatternError, compiled
from holdpoint.core.risk.policy_commands import engine_rules_fired, rules_fired
from holdpoint.core.risk.sql.orders import DROPPABLE
from holdpoint.core.risk.sql.rules import by_own_rules
from holdpoint.core.risk.taint import LONGEST_SOURCE
from holdpoint.core.text import fold
from holdpoint.messages.base import MAX_MESSAGE_BYTES
from holdpoint.messages.command_rules import ToolRules
from holdpoint.messages.policy import (
    LONGEST_REASON,
    RESERVED_FAMILIES,
    RESERVED_RULES,
    Escalate,
    LevelRule,
    Pattern,
    Policy,
    TallyRule,
    Thresholds,
    VerdictKind,
)
from holdpoint.messages.risk import Heuristic, RiskLevel
from holdpoint.messages.sql_rules import SqlRule

LEVELS = range(1, 6)
MAX_GRANT_S = 300
LONGEST_S = 30 * 24 * 60 * 60
"""For which anything may be waited: far beyond it no calendar has a date."""

WINDOWS_S = range(60, 7 * 24 * 60 * 60 + 1)
"""A tally's window: longer than a call is on its way, shorter than counters are kept."""

MAX_POLICY_BYTES = MAX_MESSAGE_BYTES - 64 * 1024
"""What an order can carry beside its reason, its list of changes and its frame."""

FOUR_EYES = 2
UNASKED = frozenset({VerdictKind.PASS, VerdictKind.WITNESS})


def check_policy(policy: Policy) -> list[str]:
    """Every problem, each with what to change; an empty list means it may be judged by."""
    return [
        *_levels(policy),
        *_risk_levels(policy),
        *_grants(policy),
        *_thresholds(policy.thresholds),
        *_tallies(policy),
        *_untrusted(policy),
        *(problem for pattern in policy.patterns for problem in _pattern(pattern)),
        *(problem for name in policy.commands for problem in _command(name, policy)),
        *(problem for rule in policy.sql for problem in _statement(rule)),
        *_together(policy),
        *_size(policy),
    ]


def _levels(policy: Policy) -> Iterator[str]:
    for level in LEVELS:
        if level not in policy.levels:
            yield f"levels: {level} is missing; say `verdict: deny` if it is to be refused"
    for level, rule in policy.levels.items():
        if level not in LEVELS:
            yield f"levels.{level}: there are only levels 1 to 5; remove it"
        yield from _rule(level, rule, policy)


def _risk_levels(policy: Policy) -> Iterator[str]:
    for risk, level in policy.risk_levels.items():
        if level not in LEVELS:
            yield f"risk_levels.{risk.value}: {level} is no level; use 1 to 5"
    for risk in (RiskLevel.HIGH, RiskLevel.CRITICAL):
        if risk not in policy.risk_levels:
            yield f"risk_levels.{risk.value}: is missing; without it such a risk asks nobody"


def _rule(level: int, rule: LevelRule, policy: Policy) -> Iterator[str]:
    path = f"levels.{level}"
    if rule.verdict in UNASKED and LEAST_VOICES.get(level, 0):
        yield (
            f"{path}.verdict: workers run nothing of level {level} without a person's yes, so "
            f"`{rule.verdict.value}` would only fail; use `hold` or `deny`"
        )
    if rule.verdict is VerdictKind.DENY and not rule.why:
        yield f"{path}.why: say why it is denied; the agent is told"
    if rule.verdict is VerdictKind.HOLD:
        yield from _hold(path, rule, policy)


def _hold(path: str, rule: LevelRule, policy: Policy) -> Iterator[str]:
    yield from _people(path, rule, policy)
    yield from _proofs(path, rule)
    if not 0 < rule.deadline_s <= LONGEST_S:
        yield f"{path}.deadline_s: {rule.deadline_s} is not between 1 s and 30 days"
    if not 0 <= rule.cooling_off_s <= LONGEST_S:
        yield f"{path}.cooling_off_s: {rule.cooling_off_s} is not between 0 s and 30 days"
    yield from _times(path, rule)
    if rule.escalate is not None:
        yield from _escalation(path, rule.escalate, rule.deadline_s, policy)


def _escalation(path: str, it: Escalate, deadline_s: int, policy: Policy) -> Iterator[str]:
    if not 0 < it.after_s < deadline_s:
        yield f"{path}.escalate.after_s: {it.after_s} s is not before the deadline"
    if not policy.groups.get(it.group):
        yield f"{path}.escalate.group: nobody answers in `{it.group}`"


def _times(path: str, rule: LevelRule) -> Iterator[str]:
    """Yield what would never happen, though the policy says when."""
    for after_s in rule.remind_after_s:
        if not 0 < after_s < rule.deadline_s:
            yield f"{path}.remind_after_s: {after_s} s is not before the deadline"
    for before_s in rule.notice_before_s:
        if not 0 < before_s < rule.cooling_off_s:
            yield f"{path}.notice_before_s: {before_s} s is not within the cooling-off"
    if not 0 <= rule.extend_up_to_s <= LONGEST_S:
        yield f"{path}.extend_up_to_s: {rule.extend_up_to_s} is not between 0 s and 30 days"


def _people(path: str, rule: LevelRule, policy: Policy) -> Iterator[str]:
    if not rule.all_of:
        yield f"{path}.all_of: name at least one group that is asked"
    for each in rule.all_of:
        people = len(set(policy.groups.get(each.group, ())))
        if not 1 <= each.voices <= people:
            yield (
                f"{path}.all_of: {each.voices} of `{each.group}` can never say yes, it has "
                f"{people} people; change `voices`, or the group in people.yaml"
            )
    asked = {person for each in rule.all_of for person in policy.groups.get(each.group, ())}
    if rule.four_eyes and len(asked) < FOUR_EYES:
        yield f"{path}.four_eyes: needs two people who may answer, and there are {len(asked)}"


def _proofs(path: str, rule: LevelRule) -> Iterator[str]:
    if not rule.proofs:
        yield f"{path}.proofs: name how people prove who they are, `[chat]` at least"
    if len(set(rule.proofs)) < len(rule.proofs):
        yield f"{path}.proofs: name each proof once"


def _grants(policy: Policy) -> Iterator[str]:
    if not 0 < policy.grant_s <= MAX_GRANT_S:
        yield f"grant_s: {policy.grant_s} is not between 1 and {MAX_GRANT_S} seconds"
    if policy.valid_for_s > LONGEST_S:
        yield f"valid_for_s: {policy.valid_for_s} is more than 30 days"
    if policy.valid_for_s < policy.grant_s:
        yield "valid_for_s: a yes must stay good at least as long as a grant lives (grant_s)"
    if not 0 <= policy.confidence_below <= 1:
        yield f"confidence_below: {policy.confidence_below} is not between 0 and 1"


def _thresholds(thresholds: Thresholds) -> Iterator[str]:
    if _plain(thresholds.amount) is None:
        yield f"thresholds.amount: `{thresholds.amount}` is no plain decimal such as 1000.00"
    for currency, rate in thresholds.rates.items():
        if not _plain(rate):
            yield f"thresholds.rates.{currency}: `{rate}` is no plain decimal above 0"


def _plain(said: str) -> Decimal | None:
    """The engine reads over a sign: no limit may look as if it were another."""
    return None if said.strip().startswith(("+", "-")) else decimal_of(said)


def _tallies(policy: Policy) -> Iterator[str]:
    """Each can be counted, and what it finds asks somebody."""
    ids = [rule.id for rule in policy.tallies]
    for twice in sorted({one for one in ids if ids.count(one) > 1}):
        yield f"tallies.{twice}: two tallies have this id; rename one"
    for rule in policy.tallies:
        yield from _tally(rule)
    if policy.tallies and _high_asks_nobody(policy):
        yield "tallies: a sum above its limit is a high risk, and risk_levels.high asks nobody"


def _high_asks_nobody(policy: Policy) -> bool:
    level = policy.levels.get(policy.risk_levels.get(RiskLevel.HIGH, 0))
    return level is not None and level.verdict in UNASKED


def _untrusted(policy: Policy) -> Iterator[str]:
    """Yield faults of untrusted content: named in many words, forgotten early, asking nobody."""
    if not policy.untrusted.tools:
        if policy.untrusted.window_s not in WINDOWS_S:
            yield f"untrusted.window_s: {policy.untrusted.window_s} is not between 60 s and 7 days"
        return
    for tool, source in policy.untrusted.tools.items():
        if not source.strip() or len(source) > LONGEST_SOURCE:
            yield f"untrusted.tools.{tool}: say what it brings in 1 to {LONGEST_SOURCE} characters"
    window_s = policy.untrusted.window_s
    if window_s not in WINDOWS_S or window_s < policy.valid_for_s:
        yield (
            f"untrusted.window_s: {window_s} is not between 60 s and 7 days, or less than "
            "valid_for_s: so late a result may still come"
        )
    if _high_asks_nobody(policy):
        yield "untrusted: what content may steer is a high risk, and risk_levels.high asks nobody"


def _tally(rule: TallyRule) -> Iterator[str]:
    path = f"tallies.{rule.id}"
    if not rule.by or len(set(rule.by)) < len(rule.by):
        yield f"{path}.by: name whose sum it is, each once: agent, tree, person, tool, resource"
    if rule.window_s not in WINDOWS_S:
        yield f"{path}.window_s: {rule.window_s} is not between 60 s and 7 days"
    if _plain(rule.limit) is None:
        yield f"{path}.limit: `{rule.limit}` is no plain decimal such as 1000.00"


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


def _size(policy: Policy) -> Iterator[str]:
    """It travels in one message, beside what changed and why."""
    size = len(msgspec.json.encode(policy))
    if size > MAX_POLICY_BYTES:
        yield (
            f"the policy has {size:,} bytes, and one of more than {MAX_POLICY_BYTES:,} cannot be "
            "adopted: remove rules, or merge some into one"
        )


def _together(policy: Policy) -> Iterator[str]:
    ids: set[str] = set()
    for where, rule in _ids(policy):
        if rule in ids:
            both = where.startswith("pattern ")
            advice = "two patterns have this id; rename one"
            yield f"{where}: {advice if both else f'two rules cannot share this id: {rule}'}"
        ids.add(rule)
    if any(not fragment.strip() for fragment in policy.high_risk_commands):
        yield "high_risk_commands: an empty fragment is in every text; remove it"


def _ids(policy: Policy) -> Iterator[tuple[str, str]]:
    """Every rule's id, behind the place that it has: signals and packs know a rule by it."""
    for pattern in policy.patterns:
        yield f"pattern {pattern.id}", pattern.id
    for name, tool in policy.commands.items():
        for rule in tool.rules:
            if rule.danger:
                yield f"commands.{name}", rule.danger.id
    for statement in policy.sql:
        yield f"sql {statement.danger.id}", statement.danger.id


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
