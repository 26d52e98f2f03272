"""Sums that are known by what stands beside them: `{units, nanos}`, a rate beside a quantity."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.calls.many import beside
from holdpoint.core.risk.lexicon import word_set

_EACH: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "each": ("price", "each"),
        "apiece": ("price", "each"),
        "nightly": ("price", "per", "night"),
        "hourly": ("price", "per", "hour"),
        "daily": ("price", "per", "day"),
        "weekly": ("price", "per", "week"),
        "monthly": ("price", "per", "month"),
    }
)
"""Keys that say of what their value is the price, where it is one."""

_SUMS = word_set("units v n x")
KEYS = word_set("rate tariff p") | _SUMS | _EACH.keys()
"""Keys that alone say nothing of money."""

_CODES = word_set("nanos currency currencycode currency_code ccy")
_TIMES: MappingProxyType[str, str] = MappingProxyType(
    {
        "rooms": "room",
        "nights": "night",
        "hours": "hour",
        "days": "day",
        "weeks": "week",
        "months": "month",
        "quantity": "unit",
        "qty": "unit",
    }
)
"""What a rate is multiplied by, and what it is the price of."""

_LINES = word_set("line lines item items entries positions services")
MAX_PATH = 80


def by_shape(leaf: Leaf) -> tuple[str, tuple[str, ...]]:
    """The kind of sum, and the words of a key that would say the same; empty for another value."""
    if leaf.key in _SUMS:
        return ("sum", ("amount",)) if _is_priced(leaf.siblings) else ("", ())
    if leaf.key == "p":
        return ("price", ("price",)) if _is_line(leaf) and _counts(leaf.siblings) else ("", ())
    if leaf.key in _EACH:
        priced = _names_currency(leaf.value) or _is_priced(leaf.siblings)
        return ("price", _EACH[leaf.key]) if priced else ("", ())
    per = tuple(_per(leaf.siblings))
    if not per or not (_names_currency(leaf.value) or _is_priced(leaf.siblings) or _is_line(leaf)):
        return "", ()
    return "price", (leaf.key, *per)


def _counts(siblings: Mapping[str, Any]) -> bool:
    """`{"q": 40, "p": 2199.0}`: how many stands beside it."""
    return any(type(siblings.get(key)) is int for key in ("q", "qty", "quantity"))


def _per(siblings: Mapping[str, Any]) -> list[str]:
    """`per room per night`, where rooms and nights stand beside it."""
    things = {_TIMES[words[-1]] for words, _ in beside(siblings) if words[-1] in _TIMES}
    return [word for thing in sorted(things, reverse=True) for word in ("per", thing)]


def _names_currency(value: Any) -> bool:
    """Whether something stands beside the number; other readers know what it is."""
    return isinstance(value, str) and not value.replace(".", "").isdecimal()


def _is_priced(siblings: Mapping[str, Any]) -> bool:
    return any(str(key).lower() in _CODES for key in siblings)


def _is_line(leaf: Leaf) -> bool:
    return not _LINES.isdisjoint(words_of(leaf.path[-MAX_PATH:]))
