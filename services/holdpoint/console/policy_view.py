"""The policy as people read it: what each level asks, its packs, and how its rules did. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta

from holdpoint.console.card_view import HEURISTICS
from holdpoint.console.timeline import lasting
from holdpoint.core.enrolment import NAMES
from holdpoint.ledger.figures import RuleCount
from holdpoint.messages.base import Value
from holdpoint.messages.policy import LevelRule, OnSilence, Pattern, Policy, VerdictKind

LEVELS: Mapping[int, str] = {
    1: "read",
    2: "create",
    3: "update",
    4: "financial",
    5: "irreversible",
}
VERDICTS: Mapping[VerdictKind, str] = {
    VerdictKind.PASS: "It runs without asking anybody.",
    VerdictKind.WITNESS: "It runs, and people are told.",
    VerdictKind.HOLD: "It stops until people answer.",
    VerdictKind.DENY: "It is refused, and nobody is asked.",
}
ALWAYS = 5
"""Answers from which on a rule that was only ever approved may be a false alarm."""


class Level(Value, frozen=True, kw_only=True):
    """One operation level, and what it asks of people."""

    number: int
    name: str
    asks: str
    takes: str
    """The proof that a yes takes."""

    time: str


class Rule(Value, frozen=True, kw_only=True):
    """One rule that fired, and how people answered."""

    rule: str
    reason: str
    """Of a pattern, as the policy gives it; of the engine's own rules, what they worry about."""

    asked: int
    approved: int
    cancelled: int
    may_be_false: bool
    is_pattern: bool
    """True if the policy gives it, so that a replay can leave it out."""


def levels_of(policy: Policy) -> tuple[Level, ...]:
    """List what the policy asks of each level; one that it leaves out is denied."""
    return tuple(_level(number, policy.levels.get(number)) for number in LEVELS)


def rules_of(policy: Policy, counts: Iterable[RuleCount]) -> tuple[Rule, ...]:
    """List the rules that fired, the busiest first."""
    reasons = {it.id: it.reason for it in policy.patterns}
    return tuple(
        Rule(
            rule=it.rule,
            reason=reasons.get(it.rule, HEURISTICS[it.heuristic]),
            asked=it.asked,
            approved=it.approved,
            cancelled=it.cancelled,
            is_pattern=it.rule in reasons,
            may_be_false=it.approved >= ALWAYS and it.approved == it.asked,
        )
        for it in counts
    )


def silent_of(policy: Policy, counts: Sequence[RuleCount]) -> tuple[Pattern, ...]:
    """List the policy's patterns that fired on none of these holds."""
    fired = {it.rule for it in counts}
    return tuple(it for it in policy.patterns if it.id not in fired)


def takes(rule: LevelRule) -> str:
    """Name the proof that a yes takes: `a one-time code or a passkey`."""
    return (" and " if rule.every_proof else " or ").join(NAMES[it] for it in rule.proofs)


def _level(number: int, rule: LevelRule | None) -> Level:
    name = LEVELS[number]
    if rule is None:
        return Level(number=number, name=name, asks="is refused", takes="", time="")
    if rule.verdict is not VerdictKind.HOLD:
        return Level(number=number, name=name, asks=_UNASKED[rule.verdict], takes="", time="")
    return Level(number=number, name=name, asks=_asks(rule), takes=takes(rule), time=_time(rule))


_UNASKED = {
    VerdictKind.PASS: "runs without asking",
    VerdictKind.WITNESS: "runs, and people are told",
    VerdictKind.DENY: "is refused",
}


def _asks(rule: LevelRule) -> str:
    asked = " and ".join(f"{it.voices} of {it.group}" for it in rule.all_of)
    return f"{asked}, two people at least" if rule.four_eyes else asked


def _time(rule: LevelRule) -> str:
    ends = "is parked" if rule.on_silence is OnSilence.PARK else "expires"
    waits = f"{ends} after {lasting(timedelta(seconds=rule.deadline_s))}"
    if not rule.cooling_off_s:
        return waits
    return f"{waits}; a yes cools off for {lasting(timedelta(seconds=rule.cooling_off_s))}"
