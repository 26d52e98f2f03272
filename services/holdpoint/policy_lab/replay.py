"""`holdpoint policy replay`: what a candidate would newly halt, pass or deny, and at what cost.

Both policies judge the same calls again, in their order, so that nothing but the policies differs.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta

import msgspec
import numpy as np

from holdpoint.core.digest import policy_digest
from holdpoint.messages.policy import Policy, PolicyRef, VerdictKind
from holdpoint.policy_lab.judge import Judgement
from holdpoint.policy_lab.replay_input import Again
from holdpoint.policy_lab.tally_replay import Memory

MOST = 10
"""Rules, tools and ids that are named of each change, the most frequent first."""

GUESSED = timedelta(minutes=1)
"""What an answer takes a person, where the ledger has none to measure."""

SHOWN_DIGEST = 12
SECONDS = 60
"""In a minute."""


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """Count of something."""

    name: str
    count: int


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """Verdicts that the candidate changes in one way."""

    count: int
    rules: list[Counted]
    """The rules that decide: the candidate's, or for what newly passes those of the base."""

    tools: list[Counted]
    ids: list[str]


class Minutes(msgspec.Struct, frozen=True, kw_only=True):
    """People's time."""

    each: float
    """The median of the answers in the ledger; one minute where there is none."""

    answers: int
    before: float
    after: float


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """Everything judged by both policies."""

    base: PolicyRef
    candidate: PolicyRef
    judged: int
    unchanged: int
    newly_halted: Change
    newly_passed: Change
    newly_denied: Change
    minutes: Minutes
    not_reproduced: int
    """How many of the ledger's the base judges otherwise than the gate did when they came: by
    another policy, an access list, the kill switch, or a dry run that is not kept whole."""


class _Changed(msgspec.Struct, frozen=True, kw_only=True):
    """All that is kept of what is judged otherwise; of the rest only its verdict is counted."""

    id: str
    name: str
    to: VerdictKind
    rules: tuple[str, ...]


def replay(
    cases: Iterable[Again], base: Policy, candidate: Policy, took: Sequence[timedelta]
) -> Replayed:
    """Judge each case by both; `took` is what people's answers took."""
    verdicts = Counter[tuple[VerdictKind, VerdictKind]]()
    changed: list[_Changed] = []
    not_reproduced = 0
    before, after = Memory(base), Memory(candidate)
    for case in cases:
        old, new = before.judged(case), after.judged(case)
        verdicts[old.verdict, new.verdict] += 1
        not_reproduced += case.then not in {None, old.verdict}
        changed.extend(_changed(case, old, new))
    return Replayed(
        base=_named(base),
        candidate=_named(candidate),
        judged=verdicts.total(),
        unchanged=verdicts.total() - len(changed),
        newly_halted=_change(changed, VerdictKind.HOLD),
        newly_passed=_change(changed, VerdictKind.PASS),
        newly_denied=_change(changed, VerdictKind.DENY),
        minutes=_minutes(verdicts, took),
        not_reproduced=not_reproduced,
    )


def _minutes(
    verdicts: Counter[tuple[VerdictKind, VerdictKind]], took: Sequence[timedelta]
) -> Minutes:
    each = _median(took)
    before = sum(count for (old, _), count in verdicts.items() if old is VerdictKind.HOLD)
    after = sum(count for (_, new), count in verdicts.items() if new is VerdictKind.HOLD)
    return Minutes(
        each=round(each, 3),
        answers=len(took),
        before=round(each * before, 3),
        after=round(each * after, 3),
    )


def _changed(case: Again, old: Judgement, new: Judgement) -> Iterator[_Changed]:
    to = _road(new)
    if to is not _road(old):
        rules = (old if to is VerdictKind.PASS else new).deciding
        yield _Changed(id=case.id, name=case.name, to=to, rules=rules)


def _road(found: Judgement) -> VerdictKind:
    """Return a verdict that lets a witnessed call run, as one that passes."""
    return VerdictKind.PASS if found.verdict is VerdictKind.WITNESS else found.verdict


def _median(took: Sequence[timedelta]) -> float:
    """Minutes."""
    seconds = [one.total_seconds() for one in took or [GUESSED]]
    return float(np.quantile(seconds, 0.5)) / SECONDS


def _change(changed: Sequence[_Changed], to: VerdictKind) -> Change:
    these = [one for one in changed if one.to is to]
    return Change(
        count=len(these),
        rules=_most(rule for one in these for rule in one.rules),
        tools=_most(one.name for one in these),
        ids=[one.id for one in these[:MOST]],
    )


def _most(names: Iterable[str]) -> list[Counted]:
    found = sorted(Counter(names).items(), key=lambda one: (-one[1], one[0]))
    return [Counted(name=name, count=count) for name, count in found[:MOST]]


def _named(policy: Policy) -> PolicyRef:
    return PolicyRef(version=policy.version, digest=policy_digest(policy))


def changes(told: Replayed) -> tuple[tuple[str, Change], ...]:
    """Each kind of change with its name."""
    return (
        ("newly halted", told.newly_halted),
        ("newly passed", told.newly_passed),
        ("newly denied", told.newly_denied),
    )


def both(base: PolicyRef, candidate: PolicyRef) -> str:
    """Return which two policies they are: often both have one version."""
    if base == candidate:
        return f"{_called(base)}; the candidate is the same policy"
    return f"{_called(base)} and by the candidate, {_called(candidate)}"


def _called(policy: PolicyRef) -> str:
    return f"{policy.version} ({policy.digest[:SHOWN_DIGEST]})"


def time_told(minutes: Minutes) -> str:
    """Return what it costs people, and how that is known."""
    source = f"the median of {minutes.answers:,} answers" if minutes.answers else "a guess"
    return (
        f"People's minutes: {minutes.before:,.1f} before, {minutes.after:,.1f} after; "
        f"{minutes.each * SECONDS:,.0f} s each ({source})"
    )
