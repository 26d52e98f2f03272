"""Prices of one of several things, and what multiplies them: pieces, people, periods, payees."""

from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import re2

from holdpoint.core.risk.extract.counts import beside, listed, number_in
from holdpoint.core.risk.extract.currencies import UNITS
from holdpoint.core.risk.extract.money import CURRENCIES
from holdpoint.core.risk.extract.payload import Leaf, words_of
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.knowledge import entry, mapping, words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import whole_characters
from holdpoint.core.risk.wording import plural

_CODE = f"(?:{'|'.join(sorted(map(str.upper, CURRENCIES)))}|[$€£¥₹])"
_is_rate = glance(
    rf"^(?:{_CODE} ?\d[\d.,]*|\d[\d.,]* ?{_CODE}) ?(?:/ ?|per |each |an? )\pL[\pL /]{{0,40}}$"
)
_things = re2.compile(r"(?:/ ?|\b(?:per|each|an?) )(\pL+)")
_SIZES = words("words/money:rates.sizes")


def per_in(text: str) -> tuple[str, ...]:
    """The words of a key that would say the same, `per room per night`; none for another text."""
    first = text[0]
    if not (first.isdigit() or first.isupper() or first in "$€£¥₹") or not text[-1].isalpha():
        return ()
    text = whole_characters(text.strip())
    things = [one.lower() for one in _things.findall(text)] if _is_rate(text) else []
    if not _SIZES.isdisjoint(things):
        return ()
    return tuple(word for thing in things for word in ("per", thing))


_EACH: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {key: tuple(said.split()) for key, said in entry("units:each").items()}
)
"""Keys that say of what their value is the price, where it is one."""

_SUMS = word_set("units v n x")
KEYS = word_set("rate tariff p") | _SUMS | _EACH.keys()
"""Keys that alone say nothing of money."""

_CODES = word_set("nanos currency currencycode currency_code ccy")
_TIMES = mapping("units:times")
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


_PIECES = words("words/money:multipliers.pieces")
_PEOPLE = words("words/money:multipliers.people")
_PERIODS = MappingProxyType(
    {word: period for period, names in entry("units:periods").items() for word in names.split()}
)
_ADVERBS = word_set("hourly daily nightly weekly monthly yearly annual annually")
"""Words that say how often, and count nothing."""

_GOODS = words("words/money:multipliers.goods")

PRICED_BY = MappingProxyType(
    {price: word_set(names) for price, names in entry("units:priced_by").items()}
)
"""How advertising abbreviates prices, and what they are the price of; the first of a thousand."""

_SAME = tuple(map(word_set, entry("units:same.units")))
"""Units with more than one name."""

_SHORT = (("n",), ("q",))
"""How lines abbreviate how many; a name under such a key is no number."""

_NUMBER = words("words/money:multipliers.number")
EACH = word_set("per each apiece unit") | _PERIODS.keys()
"""Words of a key that make its value one of several."""

_PAYEES = words("words/money:multipliers.payees")
_WHOLE = word_set("total gross grand budget subtotal sum overall combined")


def times(words: tuple[str, ...], holder: Mapping[str, Any]) -> Decimal:
    """How often the price under a key with these words is paid, by what stands beside it."""
    if words == ("cpm",):
        return times(("per", "impression"), holder) / 1000
    own = _own(words)
    periods = {_PERIODS[word] for word in words if word in _PERIODS}
    per_head = not periods and not EACH.isdisjoint(words)
    found: dict[str, Decimal] = {}
    for near, value in beside(holder):
        what = (
            "pieces"
            if near[-1] in own or near in _SHORT
            else _kind(near, periods, per_head=per_head)
        )
        number = number_in(value) if what else None
        if what and number and what not in found:
            found[what] = number
    product = payees(words, holder) if per_head and "people" not in found else Decimal(1)
    for number in found.values():
        product *= number
    return product


def is_by_thing(words: tuple[str, ...]) -> bool:
    """Whether a key says no more than of what its value is the price: `perHead`, `per_barrel`."""
    if len(words) == 1:
        return words[0] in PRICED_BY
    return words[:1] == ("per",) and words[1] in _SINGLE


def _own(words: tuple[str, ...]) -> frozenset[str]:
    """What may be counted of the thing whose price stands under a key: `per bushel`, `bushels`."""
    if len(words) == 1 and words[0] in PRICED_BY:
        return PRICED_BY[words[0]]
    if "per" in words:
        said = words[words.index("per") + 1 :][:1]
        one = frozenset(said).union(*(same for same in _SAME if not same.isdisjoint(said)))
        return one.union(*map(_plurals, one)) - _PERIODS.keys()
    said = tuple(word for word in words if word not in _WHOLE and word not in UNITS)
    return frozenset().union(*map(_plurals, said))


def _plurals(word: str) -> frozenset[str]:
    return frozenset({plural(word), f"{word}s"})


_SINGLE = frozenset(
    one
    for word in (_GOODS | _PIECES | _PEOPLE | _PERIODS.keys())
    for one in (word, word.removesuffix("s"))
) - word_set("page minute second")  # fmt: skip


def payees(words: tuple[str, ...], holder: Mapping[str, Any]) -> Decimal:
    """How many are paid the same sum; 1 where it is the sum of all."""
    if not _WHOLE.isdisjoint(words):
        return Decimal(1)
    counts = (
        listed("ids", value)
        for near, value in beside(holder)
        if (near[-1] in _PAYEES or set(near[-2:]) & _PAYEES) and _are_names(value)
    )
    return Decimal(max(counts, default=1) or 1)


def _are_names(value: Any) -> bool:
    return isinstance(value, str) or (
        isinstance(value, list | tuple) and all(isinstance(one, str | int) for one in value[:4])
    )


def _kind(near: tuple[str, ...], periods: set[str], *, per_head: bool) -> str:
    """What the number under these words counts; empty when it does not multiply."""
    said = [word for word in near if word not in _NUMBER] or list(near[-1:])
    last = said[-1]
    if last in _ADVERBS:
        return ""
    if last in _PERIODS:
        return _PERIODS[last] if _PERIODS[last] in periods else ""
    if last in {"rooms", "room"}:
        return "rooms"
    if last in _PIECES or (per_head and last in _GOODS):
        return "pieces"
    return "people" if per_head and last in _PEOPLE else ""
