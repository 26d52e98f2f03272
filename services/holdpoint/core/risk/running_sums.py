"""Rolling sums with an action in them: when they are too much, and the sentence that says so."""

from collections.abc import Iterator, Sequence
from decimal import Context as Arithmetic
from decimal import Decimal

from holdpoint.core.grouped_digits import grouped
from holdpoint.core.risk.context import Tallied
from holdpoint.core.risk.extract.money import decimal_of
from holdpoint.messages.policy import Measure, TallyBy

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


def each_once(tallies: Sequence[Tallied]) -> Iterator[Tallied]:
    """Return the sums without those that another includes: of each rule the largest."""
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
    counted = f"counting what waits, this makes {total} in {window}"
    said = (f"{counted} {whose}; the limit is {limit}", f"{counted}; the limit is {limit}")
    short = f"counting what waits, this makes more in {window} than the policy allows"
    return next((each for each in said if len(each) <= LONGEST_SUM), short)


def during(seconds: int) -> str:
    """A window in the largest unit that fits."""
    for size, word in ((3600, "h"), (60, "min")):
        if seconds % size == 0:
            return f"{seconds // size} {word}"
    return f"{seconds} s"
