"""How much may be spent from now on, or unasked: `set_credit_limit`, `auto_approve_below`."""

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any

from holdpoint.core.risk.calls.coins import currency_of
from holdpoint.core.risk.calls.figures import priced
from holdpoint.core.risk.calls.leaf import MAX_VALUES, Leaf, words_of
from holdpoint.core.risk.calls.many import MAX_BESIDE
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.money import Money

MAX_CEILINGS = 16
"""Ceilings in one payload that are read: more of them nobody sets at once."""

_SETS = words("words/money:ceilings.sets")
_CEILINGS = word_set("limit limits cap ceiling")
_BIDS = word_set("bid bids autobid")
_LIMITS = _SETS | _BIDS
_MOST = word_set("max maximum limit ceiling")
"""What a bid goes up to, if it must."""

_NO_END = frozenset({"unlimited", "infinite", "infinity", "no limit", "none", "no_limit"})
_SPENT = words("words/money:ceilings.spent")
_ASKED_FOR = word_set("approve approval approvals approved authorize authorise authorization")
_BEYOND = word_set("below under above over threshold limit")
_BOUNDS = _CEILINGS | _BEYOND
_OLD = word_set("previous old current before from existing")
_NO_SUM = words("words/money:ceilings.no_sum")


_Ceiling = tuple[str, Any, Mapping[str, Any]]
"""A key, its value, and the object that they stand in."""


def ceilings(tool: str, objects: tuple[Mapping[str, Any], ...]) -> Iterator[Money]:
    """Each that is set, but not where it is lowered; unknown where there are too many."""
    name = tool_name(tool)
    named = frozenset(name.words)
    if name.reads or _LIMITS.isdisjoint(named):
        return
    found = chain(_bid(named, objects), _set(named, objects))
    for key, value, beside in islice(found, MAX_CEILINGS):
        money = _priced(key, value, beside)
        if money and not _is_lowered(money, beside):
            yield money
    if next(found, None):
        yield Money(value=None, currency="")


def _set(named: frozenset[str], objects: tuple[Mapping[str, Any], ...]) -> Iterator[_Ceiling]:
    if not _SETS.isdisjoint(named):
        about = not _SPENT.isdisjoint(named) and not _CEILINGS.isdisjoint(named)
        yield from _found(objects, about=about)


def _bid(named: frozenset[str], objects: tuple[Mapping[str, Any], ...]) -> Iterator[_Ceiling]:
    """`bid {"max": 25000}`: what may be paid for it."""
    for one in objects if not _BIDS.isdisjoint(named) else ():
        for key, value in islice(one.items(), MAX_VALUES):
            if _MOST.issuperset(words_of(str(key))) and not isinstance(value, dict | list | None):
                yield str(key), value, one


def _found(objects: tuple[Mapping[str, Any], ...], *, about: bool) -> Iterator[_Ceiling]:
    for one in objects:
        for key, value in islice(one.items(), MAX_VALUES):
            words = words_of(str(key))
            if not _BOUNDS.isdisjoint(words) and _is_ceiling(words, value, about=about):
                yield str(key), value, one


def _is_ceiling(words: tuple[str, ...], value: Any, *, about: bool) -> bool:
    if value is None or isinstance(value, bool | dict | list):
        return False
    if not (_OLD | _NO_SUM).isdisjoint(words):
        return False
    unasked = not _ASKED_FOR.isdisjoint(words)
    about = about or not _SPENT.isdisjoint(words)
    return unasked or (about and not _CEILINGS.isdisjoint(words))


def _is_lowered(money: Money, beside: Mapping[str, Any]) -> bool:
    """Whether what it was before stands beside it, and was no less."""
    old = (
        (str(key), value)
        for key, value in islice(beside.items(), MAX_BESIDE)
        if not _OLD.isdisjoint(words_of(str(key)))
    )
    before = [_priced(key, value, beside) for key, value in old]
    return any(one and one.value and money.value and one.value >= money.value for one in before)


def _priced(key: str, value: Any, beside: Mapping[str, Any]) -> Money | None:
    if not isinstance(value, int | float | str) or isinstance(value, bool):
        return None
    if isinstance(value, str) and value.strip().lower() in _NO_END:
        return Money(value=None, currency="")
    return priced(value, currency_of(Leaf(f"/{key}", key, value, beside), beside))
