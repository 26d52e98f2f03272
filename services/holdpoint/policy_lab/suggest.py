"""Suggestions for rules and thresholds from people's answers, and no more."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import TypeVar

import msgspec
import numpy as np

from holdpoint.core.risk import Money, decimal_of, worth
from holdpoint.ledger.verdicts import Answered
from holdpoint.messages.policy import Policy, Thresholds
from holdpoint.messages.risk import Assessment, Heuristic, RiskLevel, Signal

N = TypeVar("N", int, Decimal)


class Enough(msgspec.Struct, frozen=True, kw_only=True):
    """Thresholds for what counts as evidence."""

    answers: int
    quantile: float


class Approved(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that people were asked about, and never refused."""

    rule: str
    level: RiskLevel
    answers: int
    alone: int
    """How many of those holds it halted by itself: without it nobody would have been asked."""

    people: int
    median_s: float
    """What an answer took, in seconds."""


class Raised(msgspec.Struct, frozen=True, kw_only=True):
    """A threshold under which nothing was refused."""

    threshold: str
    now: str
    suggested: str
    answers: int
    """How many above the threshold, under the smallest that was refused: all of them a yes."""

    smallest_refused: str | None


class Suggested(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the answers suggest."""

    answers: int
    enough: Enough
    rules: list[Approved]
    thresholds: list[Raised]


def suggest(found: Iterable[Answered], policy: Policy, enough: Enough) -> Suggested:
    """Look at every hold that people ended."""
    answers = list(found)
    return Suggested(
        answers=len(answers),
        enough=enough,
        rules=list(_rules(answers, enough)),
        thresholds=list(_thresholds(answers, policy.thresholds, enough)),
    )


def _rules(answers: Iterable[Answered], enough: Enough) -> Iterator[Approved]:
    by_rule: dict[str, list[Answered]] = defaultdict(list)
    for one in answers:
        for rule in _halting(one.hold.assessment):
            by_rule[rule].append(one)
    for rule, these in sorted(by_rule.items(), key=lambda one: (-len(one[1]), one[0])):
        told = _approved(rule, these)
        if len(these) >= enough.answers and told.alone and all(one.confirmed for one in these):
            yield told


def _approved(rule: str, these: Sequence[Answered]) -> Approved:
    found = [_halting(one.hold.assessment) for one in these]
    seconds = [one.took.total_seconds() for one in these]
    return Approved(
        rule=rule,
        level=max((signals[rule].level for signals in found), key=lambda level: level.rank),
        answers=len(these),
        alone=sum(len(signals) == 1 for signals in found),
        people=len({voice.person for one in these for voice in one.hold.voices}),
        median_s=round(float(np.median(seconds)), 1),
    )


def _halting(found: Assessment) -> dict[str, Signal]:
    """The rules that ask people, each by itself."""
    return {
        signal.rule: signal
        for signal in found.signals
        if signal.level >= RiskLevel.HIGH or signal.heuristic is Heuristic.UNCERTAINTY
    }


def _thresholds(answers: Sequence[Answered], now: Thresholds, enough: Enough) -> Iterator[Raised]:
    def records(found: Assessment) -> int | None:
        return found.affected

    def amount(found: Assessment) -> Decimal | None:
        return _worth(found, now)

    yield from _raised("thresholds.records", now.records, records, answers, enough)
    yield from _raised(
        "thresholds.amount", decimal_of(now.amount) or Decimal(0), amount, answers, enough
    )


def _raised(
    name: str,
    now: N,
    size: Callable[[Assessment], N | None],
    answers: Sequence[Answered],
    enough: Enough,
) -> Iterator[Raised]:
    sized = [(value, one.confirmed) for one in answers
             if (value := size(one.hold.assessment)) is not None]  # fmt: skip
    refused = min(
        (value for value, confirmed in sized if not confirmed and value > now), default=None
    )
    above = sorted(value for value, confirmed in sized if confirmed and value > now)
    approved = [value for value in above if refused is None or value < refused]
    if len(approved) < enough.answers:
        return
    at = int(np.quantile(np.arange(len(approved)), enough.quantile, method="lower"))
    yield Raised(
        threshold=name,
        now=_plain(now),
        suggested=_plain(approved[at]),
        answers=len(approved),
        smallest_refused=_plain(refused) if refused is not None else None,
    )


def _worth(found: Assessment, thresholds: Thresholds) -> Decimal | None:
    """In the policy's currency; None where nobody can know."""
    if found.amount is None:
        return None
    value = decimal_of(found.amount.get("value"))
    known = worth(Money(value=value, currency=str(found.amount.get("currency"))), thresholds)
    return known if known.is_finite() else None


def _plain(value: int | Decimal) -> str:
    return f"{value:f}" if isinstance(value, Decimal) else str(value)
