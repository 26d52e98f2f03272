"""Rolling sums: what an action adds, which counters hold the rest, when together it is too much.

A window is cut into four buckets of time, each a counter of its own. The sum is the current bucket
and the four before it: the window and at most a quarter more, for over-counting is the safe side.
"""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from decimal import ROUND_CEILING, Decimal
from decimal import Context as Arithmetic
from typing import Any, assert_never

import msgspec
import re2

from holdpoint.core.digest import canonical
from holdpoint.core.grouped_digits import grouped
from holdpoint.core.risk.case import READ_LEVEL
from holdpoint.core.risk.context import Context, Tallied, trees_in
from holdpoint.core.risk.extract.money import Money, decimal_of, worth
from holdpoint.core.risk.text import fold
from holdpoint.messages.action import Action
from holdpoint.messages.base import MAX_SAFE_INTEGER
from holdpoint.messages.policy import Measure, Policy, TallyBy, TallyRule, Thresholds
from holdpoint.messages.risk import Assessment

BUCKETS = 4
"""Parts of a window."""

KEY_LENGTH = 26
"""130 bits of base32: no two keys are the same by chance."""

LONGEST_REASON = 90
"""Characters of a signal's sentence."""

LONGEST_SUM = 120
"""Characters of a sum's sentence, which says what it counts, whose it is and the limit."""

UNREADABLE = "the running sums cannot be read or written, so a person looks"
_exact = Arithmetic(prec=80)
_OF_NOBODY = "by this agent alone"
"""Whose a person's sum is where the agent acts for nobody: it is kept for each such agent."""

_AGENTS = ((TallyBy.AGENT,), (TallyBy.TREE,))
_WHOSE = {
    TallyBy.AGENT: "by this agent",
    TallyBy.TREE: "by this agent and its subagents",
    TallyBy.PERSON: "for the person it acts for",
    TallyBy.TOOL: "with this tool",
    TallyBy.RESOURCE: "on this resource",
}


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """What one action adds to one tally."""

    rule: TallyRule
    key: str
    amount: int
    person: str = ""
    """For whom the action is, where the tally is a sum."""


def due(action: Action, context: Context, found: Assessment, policy: Policy) -> tuple[Due, ...]:
    """Whatever this action adds to the policy's tallies; one that only reads adds nothing."""
    if context.tool is not None and context.tool.level == READ_LEVEL:
        return ()
    added = ((rule, _added(rule, found, policy.thresholds)) for rule in policy.tallies)
    return tuple(
        Due(
            rule=rule,
            key=tally_key(rule, action, found, policy.thresholds, tree),
            amount=amount,
            person=action.on_behalf_of,
        )
        for rule, amount in added
        if amount > 0
        for tree in (trees_in(action, context) if TallyBy.TREE in rule.by else ("",))
    )


def tally_key(
    rule: TallyRule, action: Action, found: Assessment, thresholds: Thresholds, tree: str
) -> str:
    """One token for everything that is summed together; `tree` counts where the rule says so."""
    unit = thresholds.currency if rule.of is Measure.AMOUNT else ""
    whose = [[each.value, _value(each, action, found, tree)] for each in rule.by]
    return key_of([rule.id, rule.of.value, unit, whose])


def key_of(named: list[Any]) -> str:
    """The token of a counter that is named so."""
    raw = hashlib.sha256(canonical(named)).digest()
    return base64.b32encode(raw).decode().lower()[:KEY_LENGTH]


def bucket_s(rule: TallyRule) -> int:
    """Return how much time one of its counters covers: together they are never less than the
    window.
    """
    return max(1, -(-rule.window_s // BUCKETS))


def bucket_of(at: datetime, size_s: int) -> int:
    """The number of the bucket that a moment lies in."""
    return int(at.timestamp()) // size_s


def window_of(bucket: int, size_s: int) -> str:
    """The bucket as a token of its counter's subject."""
    return f"{size_s}-{bucket}"


def counts_at(at: datetime, now: datetime, size_s: int) -> datetime:
    """The moment that an action counts at: its own, the broker's, so that a repeat counts there
    too. What comes long after its time counts when it comes.
    """
    return at if now - at <= timedelta(seconds=size_s) else now


def covered(since: datetime, now: datetime, size_s: int) -> range:
    """The buckets of a sum: four before, and all up to the next, which a faster clock may be in."""
    return range(bucket_of(since, size_s) - BUCKETS, bucket_of(max(since, now), size_s) + 2)


def each_once(tallies: Sequence[Tallied]) -> Iterator[Tallied]:
    """The sums without those that another tells: of one rule the largest, and of whom acts for
    nobody, his own and his tree's are one where he is the tree.
    """
    largest: dict[str, Tallied] = {}
    for one in tallies:
        largest[one.rule.id] = max(largest.get(one.rule.id, one), one, key=_size)
    for one in largest.values():
        mine = (one.rule.of, one.rule.window_s, one.rule.limit, one.total)
        others = (it for it in tallies if it.rule.by in _AGENTS)
        same = ((it.rule.of, it.rule.window_s, it.rule.limit, it.total) == mine for it in others)
        is_own = one.rule.by == (TallyBy.PERSON,) and not one.person and one.total is not None
        if not (is_own and any(same)):
            yield one


def _size(tallied: Tallied) -> Decimal:
    """A sum that nobody can tell counts as the largest."""
    return Decimal("Infinity") if tallied.total is None else Decimal(tallied.total)


def why_too_much(tallied: Tallied, currency: str) -> str:
    """One sentence when the sum is strictly above its limit, or unknown; else nothing."""
    if tallied.total is None:
        return UNREADABLE
    rule, limit = tallied.rule, decimal_of(tallied.rule.limit)
    total = Decimal(tallied.total)
    of_money = rule.of is Measure.AMOUNT
    if of_money:
        total = total.scaleb(-2, _exact)
    if limit is not None and total <= limit:
        return ""
    said = f"{total:,f} {currency}" if of_money else f"{total:,f} records"
    return _sentence(tallied, said, currency)


def _sentence(tallied: Tallied, total: str, currency: str) -> str:
    """As much of it as fits."""
    rule = tallied.rule
    most = grouped(rule.limit)
    limit = f"{most} {currency}" if rule.of is Measure.AMOUNT else most
    window = during(rule.window_s)
    named = _WHOSE if tallied.person else _WHOSE | {TallyBy.PERSON: _OF_NOBODY}
    whose = " ".join(named[each] for each in rule.by)
    counted = f"with what still waits, this makes {total} in {window}"
    said = (f"{counted} {whose}; the limit is {limit}", f"{counted}; the limit is {limit}")
    short = f"with what still waits, this makes more in {window} than the policy allows"
    return next((each for each in said if len(each) <= LONGEST_SUM), short)


def during(seconds: int) -> str:
    """A window in the largest unit that fits."""
    for size, word in ((3600, "h"), (60, "min")):
        if seconds % size == 0:
            return f"{seconds // size} {word}"
    return f"{seconds} s"


def _added(rule: TallyRule, found: Assessment, thresholds: Thresholds) -> int:
    """Return what it adds: nothing for an amount that cannot be converted: it is large."""
    if rule.of is Measure.RECORDS:
        return min(found.affected or 0, MAX_SAFE_INTEGER)
    if found.amount is None:
        return 0
    money = Money(value=decimal_of(found.amount["value"]), currency=found.amount["currency"])
    value = worth(money, thresholds)
    if not value.is_finite():
        return 0
    hundredths = value.scaleb(2, _exact).to_integral_value(ROUND_CEILING, _exact)
    return int(min(hundredths, Decimal(MAX_SAFE_INTEGER)))


def _value(by: TallyBy, action: Action, found: Assessment, tree: str) -> str:
    match by:
        case TallyBy.AGENT:
            return action.agent
        case TallyBy.TREE:
            return tree
        case TallyBy.PERSON:
            return action.on_behalf_of or f"{action.agent}, for nobody"
        case TallyBy.TOOL:
            return action.tool
        case TallyBy.RESOURCE:
            return resource_key(action.domain, found.target)
        case _:
            assert_never(by)


_space = re2.compile(r"\s+")
_AROUND = "\"'`[] \t\n/"


def resource_key(domain: str, target: str) -> str:
    """The domain and the thing acted on, whatever the case, quotes or look-alikes it came in.

    All targets that are not known share one key: what cannot be told apart counts together.
    """
    return f"{domain}:{_space.sub(' ', fold(target).folded).strip(_AROUND)}"
