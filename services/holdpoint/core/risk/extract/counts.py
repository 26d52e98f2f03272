"""Counts of things in arguments: lists, ranges, shares, and how often a price is paid."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Any

import re2

from holdpoint.core.risk.extract.currencies import UNITS
from holdpoint.core.risk.extract.money import decimal_of
from holdpoint.core.risk.extract.numbers import number_at
from holdpoint.core.risk.extract.payload import MAX_VALUES, Leaf, words_of
from holdpoint.core.risk.knowledge import entry, words
from holdpoint.core.risk.wording import plural
from holdpoint.core.risk.words import word_set
from holdpoint.core.text import whole_characters

MAX_COUNT = 60
"""Characters of a number in words."""

MAX_LIST = 8_192
"""Characters of a list whose parts are looked at; in more of them only the marks are counted."""

MAX_BESIDE = MAX_VALUES
"""Keys beside one that are looked at: whatever is walked."""

_range = re2.compile(r"#?(\d{1,9})\s*(?:-|\x{2013}|\.\.\.?|:|to)\s*#?(\d{1,9})")
_ids = re2.compile(r"[\s\[\](),;|]*(?:[\"']*[\w.@:#/+-]+[\"']*(?:[\s\[\](),;|]+|$))+")
_grouped = re2.compile(r"[1-9]\d{0,2}(?:[.' ]\d{3})+")
_marks = str.maketrans(",;|[]()", "       ")
LISTS = words("words/tools:counts.lists")
"""Last words of keys whose text may be a list."""

_BLUR = "~≈≥>+<= \t"
_MANNER = words("words/tools:counts.manner")


def listed(key: str, value: Any) -> int:
    """Return how many things a list or a text under this key names; 1 when it is one thing."""
    if isinstance(value, list | tuple):
        return len(value)
    words = words_of(key) if isinstance(value, str) else ()
    if not words or words[-1] not in LISTS:
        return 1
    text = value if value.isascii() else whole_characters(value[: MAX_LIST + 1])
    ends = _range.fullmatch(text.strip()) if len(text) <= MAX_COUNT else None
    if ends is None:
        return _parts(value)
    # `1-5000`; a year and a month, or a telephone number, is no range.
    return max(int(ends[2]) - int(ends[1]) + 1, 1)


@lru_cache(maxsize=128)
def _parts(text: str) -> int:
    """Ids that stand with the same mark between them."""
    most = max(map(text.count, ",;\n|"))
    if not most or len(text) > MAX_LIST:
        return most + 1
    text = text if text.isascii() else whole_characters(text)
    return len(text.translate(_marks).split()) if _ids.fullmatch(text) else 1


def number_in(value: object) -> Decimal | None:
    """A count, in figures or in words: `~41k`, `2,000 users`, `two hundred`."""
    plain = decimal_of(value)
    if plain is not None or not isinstance(value, str):
        return plain
    words = value[:MAX_COUNT].lower().strip(_BLUR).split()
    while words and words[0] in _MANNER:
        words = words[1:]
    if not words:
        return None
    found = number_at([words[0].strip(_BLUR) or words[0], *words[1:]], 0)
    return found.value if found and found.words >= len(words) - 2 else None


def count_in(value: object) -> Decimal | None:
    """The same where nothing can be counted in parts: `1.200` is more than a thousand."""
    text = value.strip() if isinstance(value, str) and len(value) <= MAX_COUNT else ""
    if text.isascii() and _grouped.fullmatch(text):
        return Decimal("".join(filter(str.isdigit, text)))
    return number_in(value)


def between(values: Mapping[str, Any]) -> int:
    """How many numbers lie in `{"from": 1, "to": 5000}`; 0 when it is no range of numbers."""
    if _LOWS.isdisjoint(values):
        return 0
    alone = len(values) <= 3  # noqa: PLR2004  # beside more, `from` and `to` may be accounts or hours
    for low, high in (*_IDS, *_ENDS) if alone else _IDS:
        first, last = values.get(low), values.get(high)
        if type(first) is int and type(last) is int and 0 <= first < last:
            return last - first + 1
    return 0


_IDS = (
    ("start_id", "end_id"),
    ("id_start", "id_end"),
    ("first_id", "last_id"),
    ("from_id", "to_id"),
    ("min_id", "max_id"),
    ("id_from", "id_to"),
)
_ENDS = (
    ("from", "to"),
    ("start", "end"),
    ("first", "last"),
    ("gte", "lte"),
    ("range_start", "range_end"),
    ("start_index", "end_index"),
)
_LOWS = frozenset(low for low, _ in (*_IDS, *_ENDS))


def beside(values: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The keys of an object as words, with their values."""
    for key, value in islice(values.items(), MAX_BESIDE):
        words = words_of(str(key))
        if words:
            yield words, value


_SHARES = ("percent", "percentage", "pct")
_DIALS = words("words/tools:shares.dials")

_SET = _DIALS - words("words/tools:shares.set") | word_set(
    "fan fans display screen lights lamp speaker headphones camera projector"
)
"""Words of a tool's name that say that a share is how a device or a display is set."""

_STORES = words("words/tools:shares.stores")

_NO_MORE = frozenset(
    {
        ("percent",),
        ("percentage",),
        ("pct",),
        ("value",),
        ("level",),
        ("level", "percent"),
        ("position", "percent"),
        ("position",),
    }
)
"""Keys that do not say of what their share is."""


def shares_in(leaves: tuple[Leaf, ...], named: tuple[str, ...]) -> Iterator[Decimal]:
    """Each in percent; `named`: the words of the tool's name."""
    dial = not _SET.isdisjoint(named) and _STORES.isdisjoint(named)
    for leaf in leaves:
        shares = leaf.key.lower().endswith(_SHARES)
        text = leaf.value if isinstance(leaf.value, str) else ""
        written = "%" in text and text.rstrip().endswith("%")
        if not (shares or written) or not _DIALS.isdisjoint(leaf.words):
            continue
        if dial and (leaf.words in _NO_MORE or written):
            continue
        share = decimal_of(text.strip().rstrip("%") if text else leaf.value)
        if share is not None:
            yield share


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
    """Return how often the price under a key with these words is paid, by what stands beside it."""
    if words == ("cpm",):
        return times(("per", "impression"), holder) / 1000
    own = _own(words)
    periods = {_PERIODS[word] for word in words if word in _PERIODS}
    per_head = not periods and not EACH.isdisjoint(words)
    found: dict[str, Decimal] = {}
    for near, value in beside(holder):
        own_pieces = near[-1] in own or near in _SHORT
        what = "pieces" if own_pieces else _kind(near, periods, per_head=per_head)
        number = number_in(value) if what else None
        if what and number and what not in found:
            found[what] = number
    product = payees(words, holder) if per_head and "people" not in found else Decimal(1)
    for number in found.values():
        product *= number
    return product


def is_by_thing(words: tuple[str, ...]) -> bool:
    """Return whether a key says only of what its value is the price: `perHead`, `per_barrel`."""
    if len(words) == 1:
        return words[0] in PRICED_BY
    return words[:1] == ("per",) and words[1] in _SINGLE


def _own(words: tuple[str, ...]) -> frozenset[str]:
    """Return what is counted of the thing whose price a key names: `per bushel`, `bushels`."""
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
    """Return how many are paid the same sum; 1 where it is the sum of all."""
    if not _WHOLE.isdisjoint(words):
        return Decimal(1)
    counts = (
        listed("ids", value)
        for near, value in beside(holder)
        if not _PAYEES.isdisjoint(near[-2:])
        and isinstance(value, str | list | tuple)
        and all(isinstance(one, str | int) for one in value[:4])
    )
    return Decimal(max(counts, default=1) or 1)


def _kind(near: tuple[str, ...], periods: set[str], *, per_head: bool) -> str:
    """Return what the number under these words counts; empty when it does not multiply."""
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
