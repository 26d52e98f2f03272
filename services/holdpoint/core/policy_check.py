"""Faults of a policy, in a person's words: whoever adopts one asks here first."""

from collections.abc import Iterator
from decimal import Decimal

import msgspec

from holdpoint.core.quorum import LEAST_VOICES
from holdpoint.core.risk import LONGEST_SOURCE, decimal_of, rule_faults
from holdpoint.messages.base import MAX_MESSAGE_BYTES
from holdpoint.messages.policy import (
    Escalate,
    LevelRule,
    Policy,
    TallyRule,
    Thresholds,
    VerdictKind,
)
from holdpoint.messages.risk import RiskLevel

LEVELS = range(1, 6)
MAX_GRANT_S = 300
LONGEST_S = 30 * 24 * 60 * 60
"""For which anything may be waited: far beyond it no calendar has a date."""

WINDOWS_S = range(60, 7 * 24 * 60 * 60 + 1)
"""A tally's window: longer than a call is on its way, shorter than counters are kept."""

MAX_POLICY_BYTES = MAX_MESSAGE_BYTES - 64 * 1024
"""Bytes that an order can carry beside its reason, its list of changes and its frame."""

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
        *rule_faults(policy),
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
