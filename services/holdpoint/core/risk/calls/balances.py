"""Balances that are set or moved by hand: `adjust_balance {"delta": -5000}`."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from holdpoint.core.risk.calls.coins import currency_of
from holdpoint.core.risk.calls.figures import priced
from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.calls.many import MAX_BESIDE
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.money import Money

_SETS = words("words/money:balances.sets")
_ABOUT = word_set("balance balances")
_OTHERS = words("words/money:balances.others")
_MOVED = word_set("delta adjustment change by balance difference")
_OLD = word_set("previous old current before from existing reason type id currency")
_WHOSE = word_set("account user customer wallet card member client userid accountid")


def balances(named: frozenset[str], objects: tuple[Mapping[str, Any], ...]) -> Iterator[Money]:
    """Each sum; one that is set to nothing takes away what nobody stated."""
    if _ABOUT.isdisjoint(named) or _SETS.isdisjoint(named) or not _OTHERS.isdisjoint(named):
        return
    for one in objects:
        whose = any(not _WHOSE.isdisjoint(words_of(str(key))) for key in islice(one, MAX_BESIDE))
        for key, value in islice(one.items(), MAX_BESIDE) if whose else ():
            if money := _moved(str(key), value, one):
                yield money


def _moved(key: str, value: Any, beside: Mapping[str, Any]) -> Money | None:
    words = words_of(key)
    if _MOVED.isdisjoint(words) or not _OLD.isdisjoint(words):
        return None
    if not isinstance(value, int | float | str) or isinstance(value, bool):
        return None
    currency = currency_of(Leaf(f"/{key}", key, value, beside), beside)
    if value == 0 and "balance" in words:
        return Money(value=None, currency=currency)
    return priced(value, currency)
