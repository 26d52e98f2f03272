"""How much may be spent from now on, or unasked: `set_credit_limit`, `auto_approve_below`."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from holdpoint.core.risk.calls.coins import currency_of
from holdpoint.core.risk.calls.figures import priced
from holdpoint.core.risk.calls.leaf import MAX_VALUES, Leaf, words_of
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.money import Money

_SETS = word_set("set update raise increase change configure edit modify put patch lift extend")
_CEILINGS = word_set("limit limits cap ceiling")
_SPENT = word_set(
    "credit spending spend withdrawal overdraft card transfer wire payment payments payout payouts "
    "purchase expense refund transaction loan"
)
_ASKED_FOR = word_set("approve approval approvals approved authorize authorise authorization")
_BEYOND = word_set("below under above over threshold limit")
_OLD = word_set("previous old current before from existing")
_NO_SUM = word_set("rate requests request count number per days attempts users size page api")


def ceilings(tool: str, objects: tuple[Mapping[str, Any], ...]) -> Iterator[Money]:
    """Each that is set, but not where it is lowered."""
    name = tool_name(tool)
    named = frozenset(name.words)
    if name.reads or _SETS.isdisjoint(named):
        return
    about = not _SPENT.isdisjoint(named) and not _CEILINGS.isdisjoint(named)
    for one in objects:
        for key, value in islice(one.items(), MAX_VALUES):
            if not _is_ceiling(frozenset(words_of(str(key))), value, about=about):
                continue
            money = _priced(str(key), value, one)
            if money and not _is_lowered(money, one):
                yield money


def _is_ceiling(words: frozenset[str], value: Any, *, about: bool) -> bool:
    if value is None or isinstance(value, bool | dict | list) or words & (_OLD | _NO_SUM):
        return False
    without_asking = words & _ASKED_FOR and words & _BEYOND
    return bool(without_asking or (about and words & _CEILINGS))


def _is_lowered(money: Money, beside: Mapping[str, Any]) -> bool:
    before = (
        _priced(str(key), value, beside)
        for key, value in islice(beside.items(), MAX_VALUES)
        if value and _OLD & set(words_of(str(key)))
    )
    return any(
        one and one.value is not None and money.value is not None and one.value >= money.value
        for one in before
    )


def _priced(key: str, value: Any, beside: Mapping[str, Any]) -> Money | None:
    if not isinstance(value, int | float | str) or isinstance(value, bool):
        return None
    return priced(value, currency_of(Leaf(f"/{key}", key, value, beside), beside))
