"""Counters around an action: what it adds to rolling sums, and trails of untrusted content.

A window is cut into four buckets of time, each a counter of its own. The sum is the current bucket
and the four before it: the window and at most a quarter more, for over-counting is the safe side.
"""

import base64
import hashlib
from datetime import datetime, timedelta
from decimal import ROUND_CEILING, Decimal
from decimal import Context as Arithmetic
from typing import Any, assert_never

import msgspec
import re2

from holdpoint.core.digest import canonical
from holdpoint.core.risk import Context, Money, decimal_of, trees_in, worth
from holdpoint.core.text import fold
from holdpoint.messages.action import Action
from holdpoint.messages.base import MAX_SAFE_INTEGER
from holdpoint.messages.catalog import READ_LEVEL, Tool
from holdpoint.messages.policy import Measure, Policy, TallyBy, TallyRule, Thresholds
from holdpoint.messages.risk import Assessment

BUCKETS = 4
"""Parts of a window."""

KEY_LENGTH = 26
"""130 bits of base32: no two keys are the same by chance."""

_exact = Arithmetic(prec=80)


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """Addition of one action to one tally."""

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


class Trail(msgspec.Struct, frozen=True, kw_only=True):
    """Place to look up whether one kind of content came in before an action."""

    source: str
    own: Due
    """The counter, and how much of it this very action adds."""


def marks(action: Action, context: Context, policy: Policy) -> tuple[Due, ...]:
    """Return what an action leaves on its trees' trails if its tool brings untrusted content."""
    source = _brings(context.tool, policy)
    if not source:
        return ()
    return tuple(_mark(source, tree, policy, 1) for tree in trees_in(action, context))


def trails(action: Action, context: Context, policy: Policy) -> tuple[Trail, ...]:
    """Return where to look before an action that changes something."""
    if context.tool is not None and context.tool.level == READ_LEVEL:
        return ()
    own = _brings(context.tool, policy)
    return tuple(
        Trail(source=source, own=_mark(source, tree, policy, int(source == own)))
        for source in sorted(set(policy.untrusted.tools.values()))
        for tree in trees_in(action, context)
    )


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


def _brings(tool: Tool | None, policy: Policy) -> str:
    """Return what the tool's results are, in the policy's words; empty when it brings nothing
    foreign.
    """
    names = (tool.name, *tool.aliases) if tool else ()
    return next((said for it in names if (said := policy.untrusted.tools.get(it))), "")


def _mark(source: str, tree: str, policy: Policy, amount: int) -> Due:
    """A counter as those of sums, without a limit: that it cannot be written is what it tells."""
    rule = TallyRule(
        id="untrusted",
        of=Measure.RECORDS,
        by=(TallyBy.TREE,),
        window_s=policy.untrusted.window_s,
        limit=str(MAX_SAFE_INTEGER),
    )
    return Due(rule=rule, key=key_of(["untrusted", source, tree]), amount=amount)
