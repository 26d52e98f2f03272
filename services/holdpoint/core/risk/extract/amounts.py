"""Amounts of money among a call's arguments."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Any

import msgspec
import re2

from holdpoint.core.risk.extract.counts import beside, listed, number_in
from holdpoint.core.risk.extract.currencies import (
    SIZES,
    UNITS,
    Paid,
    coin_of,
    currency_of,
    in_cents,
    is_order,
    sized,
    unit_in,
)
from holdpoint.core.risk.extract.money import (
    CRYPTO,
    CURRENCIES,
    MAX_SUM,
    SYMBOLS,
    Money,
    decimal_of,
    read_sum,
)
from holdpoint.core.risk.extract.payload import Leaf, words_of
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.knowledge import by_word, entry, words
from holdpoint.core.risk.lexicon import PROSE_KEYS, word_set
from holdpoint.core.risk.remembered import remembered
from holdpoint.core.risk.text import whole_characters
from holdpoint.core.risk.tools.names import turns
from holdpoint.core.risk.wording import plural

_RATE_CODE = f"(?:{'|'.join(sorted(map(str.upper, CURRENCIES)))}|[$€£¥₹])"
_is_rate = glance(
    rf"^(?:{_RATE_CODE} ?\d[\d.,]*|\d[\d.,]* ?{_RATE_CODE}) ?(?:/ ?|per |each |an? )"
    r"\pL[\pL /]{0,40}$"
)
_things = re2.compile(r"(?:/ ?|\b(?:per|each|an?) )(\pL+)")
_RATE_SIZES = words("words/money:rates.sizes")


def per_in(text: str) -> tuple[str, ...]:
    """The words of a key that would say the same, `per room per night`; none for another text."""
    first = text[0]
    if not (first.isdigit() or first.isupper() or first in "$€£¥₹") or not text[-1].isalpha():
        return ()
    text = whole_characters(text.strip())
    things = [one.lower() for one in _things.findall(text)] if _is_rate(text) else []
    if not _RATE_SIZES.isdisjoint(things):
        return ()
    return tuple(word for thing in things for word in ("per", thing))


_EACH: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {key: tuple(said.split()) for key, said in entry("units:each").items()}
)
"""Keys that say of what their value is the price, where it is one."""

_BARE_SUMS = word_set("units v n x")
KEYS = word_set("rate tariff p") | _BARE_SUMS | _EACH.keys()
"""Keys that alone say nothing of money."""

_CODES = word_set("nanos currency currencycode currency_code ccy")
_TIMES = by_word("units:times")
"""What a rate is multiplied by, and what it is the price of."""

_LINES = word_set("line lines item items entries positions services")
MAX_PATH = 80


def by_shape(leaf: Leaf) -> tuple[str, tuple[str, ...]]:
    """The kind of sum, and the words of a key that would say the same; empty for another value."""
    if leaf.key in _BARE_SUMS:
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


_SUMS = words("words/money:keys.sums")
_PRICES = word_set("price prices denomination")
_RATES = word_set("rate cost fare value charge") | _SUMS
_QUANTITIES = word_set("quantity qty shares units count number_of_units volume")
_LIMITS = word_set("credit spending withdrawal")
_PLAIN_CURRENCIES = words("words/money:keys.plain_currencies")

VALUES = word_set("value val figure valor")
MEANING = (
    _SUMS
    | _PRICES
    | _QUANTITIES
    | _LIMITS
    | UNITS.keys()
    | _PLAIN_CURRENCIES
    | VALUES
    | {"rate", "size", "sz", "coins", "vol", "per"}
    | PRICED_BY.keys()
)
"""Words of which a key must have one to stand for money."""

NOT_MONEY = words("words/money:keys.not_money")
TELLING = words("words/money:keys.telling")
_TOLD = words("words/money:keys.told")

_TOLD_ABOVE = words("words/money:keys.told_above")


@remembered(2048)
def kind_of(key: str) -> tuple[str, str]:
    """What a key says its value is: `sum`, `price`, `coins`, `value`; and its currency."""
    words = words_of(key)
    if MEANING.isdisjoint(words) or (words[-1] in NOT_MONEY and "per" not in words):
        return "", ""
    found = set(words)
    if words[0] == "max" and "price" in found:
        return "", ""
    code = next((CURRENCIES[word] for word in words if word in CURRENCIES), "")
    if (
        found & _PRICES
        or found >= {"face", "value"}
        or is_by_thing(words)
        or (found & EACH and found & (_RATES | _PLAIN_CURRENCIES | UNITS.keys()))
    ):
        return "price", code
    if (
        found & UNITS.keys()
        or found >= {"quote", "size"}
        or found & _SUMS
        or (found & _LIMITS and "limit" in found)
        or _in_currency(words)
    ):
        return "sum", code
    if words[-1] in VALUES:
        return "value", code
    return ("coins", code) if words[-1] in _QUANTITIES or words in SIZES else ("", "")


def _in_currency(words: tuple[str, ...]) -> bool:
    """`usd`, `value_eur`; not a price, nor what only tells: `balance_usd`."""
    return words[-1] in _PLAIN_CURRENCIES and TELLING.isdisjoint(words)


@remembered(2048)
def is_told(path: str) -> bool:
    """Whether a sum there is only told: `/filter/min_total`, `/declared_value/amount`."""
    *above, key = path.split("/")
    words = {word for part in above for word in words_of(part)}
    return bool(_TOLD_ABOVE & words) or bool(_TOLD & set(words_of(key)))


def priced(value: Any, currency: str) -> Money | None:
    """A bare amount, or a text such as `$1,200.00`, `900 EUR`, `two thousand dollars`."""
    if not isinstance(value, str):
        return Money(value=_plain(value), currency=currency)
    if value[:2].lower() == "0x":
        return Money(value=_hexadecimal(value), currency=currency)
    found = read_sum(value)
    if found is None:
        blurred = not value.strip() or any(char.isdigit() for char in value)
        return Money(value=None, currency=currency) if currency and blurred else None
    return Money(value=found.value, currency=found.currency or currency)


def _plain(value: Any) -> Decimal | None:
    known = decimal_of(value)
    small = isinstance(value, float) and -1 < value < 1
    return Decimal(str(abs(value))) if known is None and small else known


MAX_HEX = 66
"""Characters of a number on a chain."""


def _hexadecimal(text: str) -> Decimal | None:
    """None for what is no number, or longer than any."""
    try:
        return Decimal(int(text, 16)) if len(text) <= MAX_HEX else None
    except ValueError:
        return None


_UNREADABLE = word_set("price prices amount")
"""Words of a key whose yes or no can be no flag: a sum that cannot be read."""

_BASE = ("base",)
_QUOTED = ("quote", "size")
_GENERIC = VALUES | word_set("amount units number total sum base")
_PARTS = words("words/money:amounts.parts")


class _Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What a place says of a value in it: which kind of sum, and in which currency."""

    kind: str
    words: tuple[str, ...]
    code: str = ""
    outer: bool = False
    """Whether the object around says it, so that what multiplies it stands there."""


MAX_SUMS = 100
"""Sums in one payload that are read: a payload with more goes up."""

MAX_BESIDE_SUMS = 20_000
"""Keys beside them that are looked through, for each of them: with more it goes up, too."""


def summed(leaves: tuple[Leaf, ...], paid: Paid) -> tuple[tuple[Money, ...], bool]:
    """Amounts at one place of a list add up; those at different places are told apart.

    And whether there were more than are read.
    """
    sums: dict[tuple[str, str], Money] = {}
    said = ((leaf, one) for leaf in leaves if (one := _said(leaf)))
    left = MAX_BESIDE_SUMS
    for leaf, one in islice(said, MAX_SUMS):
        left -= len(leaf.siblings) + len(leaf.around)
        if left < 0:
            return tuple(_in_one_currency(sums).values()), True
        for money in _moneys(leaf, one, paid):
            place = (_named_part.sub(r"/\1/*", leaf.path), money.currency)
            sums[place] = _plus(sums.get(place), money)
    return tuple(_in_one_currency(sums).values()), next(said, None) is not None


_named_part = re2.compile(
    r"(?i)/(lines|items|entries|legs|positions|" + "|".join(sorted(_PARTS)) + r")/[^/]+"
)
"""A list whose parts have names adds up too."""


def _plus(so_far: Money | None, money: Money) -> Money:
    if so_far is None:
        return money
    if so_far.value is None or money.value is None:
        return Money(value=None, currency=money.currency)
    return Money(value=so_far.value + money.value, currency=money.currency)


def _in_one_currency(sums: dict[tuple[str, str], Money]) -> dict[tuple[str, str], Money]:
    """Where one line of a list names the currency, the others are in it as well."""
    for place in [place for place, currency in sums if not currency and "*" in place]:
        named = [key for key in sums if key[0] == place and key[1]]
        if len(named) == 1:
            bare = sums.pop((place, ""))
            whole = _plus(sums[named[0]], bare)
            sums[named[0]] = Money(value=whole.value, currency=named[0][1])
    return sums


def _said(leaf: Leaf) -> _Reading | None:
    """What its place, or itself, says of a value; None when it is no sum."""
    if leaf.value is None:
        return None
    alone = len(leaf.path) == len(leaf.key) + 1 and MEANING.isdisjoint(leaf.words)
    shaped = _by_shape(leaf) if leaf.key in KEYS or leaf.key in _VALUED else None
    said = shaped or (None if alone else _read(leaf.key, _paid_path(leaf)))
    if said is None and isinstance(leaf.value, str):
        said = _by_value(leaf, leaf.value)
    return said if said and _may_be(leaf.value, said) else None


def _by_shape(leaf: Leaf) -> _Reading | None:
    """Of a value in an object by the key of that, `{"rate": {"amount": 310}, "nights": 5}`."""
    within = leaf.key in _VALUED
    if within:
        path = leaf.path.rpartition("/")[0]
        key = path.rpartition("/")[2]
        if key not in KEYS:
            return None
        leaf = Leaf(path, key, leaf.value, {**leaf.around, **leaf.siblings})
    kind, words = by_shape(leaf)
    return _Reading(kind=kind, words=words, outer=within) if kind else None


_VALUED = word_set("amount value")


def _paid_path(leaf: Leaf) -> str:
    """Its path; what is sent abroad is no goal although it is called a target."""
    if leaf.key[:6].lower() != _GOAL or _LEGS.isdisjoint(leaf.siblings):
        return leaf.path
    return leaf.path[: -len(leaf.key)] + leaf.key[6:]


_GOAL = "target"
_LEGS = word_set(
    "source source_currency sourceCurrency target_currency targetCurrency recipient beneficiary"
)


def _moneys(leaf: Leaf, said: _Reading, paid: Paid) -> Iterator[Money]:
    holder = leaf.around if said.outer else leaf.siblings
    currency = currency_of(leaf, holder) or said.code or _currency_in(leaf.value)
    if said.words in SIZES and not is_order(leaf.siblings, paid.tool):
        return
    if turns(paid.tool, leaf):
        return
    if not currency and said.kind in {"value", "sum"}:
        currency = coin_of(leaf.siblings, paid)
    elif not currency and said.kind == "coins":
        currency = paid.traded
    money = priced(leaf.value, currency) if _is_known(said.kind, currency) else None
    if money is None:
        return
    unit = unit_in(leaf.words, leaf.siblings) or _unit_beside(leaf.value)
    money = sized(money, unit, leaf.siblings)
    money = money if unit else in_cents(money, leaf.value, leaf.siblings, paid)
    yield _multiplied(money, said, holder, _around_each(leaf))


def _unit_beside(value: Any) -> tuple[str, Decimal] | None:
    """The small coin behind a number, where nothing else stands there: `500 cents`."""
    words = words_of(value) if isinstance(value, str) and len(value) <= MAX_SUM else ()
    return UNITS.get(words[0]) if len(words) == 1 else None


def _by_value(leaf: Leaf, text: str) -> _Reading | None:
    """A text that is a sum with its currency is one under any key that tells of no other thing."""
    if not 2 < len(text) <= MAX_SUM or text[0].islower():  # noqa: PLR2004  # `$5`
        return None
    per = per_in(text)
    digit = not per and (text[0].isdigit() or text[-1].isdigit() or text[1].isdigit())
    if not per and not (digit and _is_sum(whole_characters(text))):
        return None
    words = leaf.words
    other = (
        leaf.key.lower() in PROSE_KEYS or not words or words[-1] in (_NO_RATE if per else _OTHER)
    )
    if other or is_told(leaf.path):
        return None
    return _Reading(kind="price" if per else "value", words=(*words, *per))


_SCALE = "(?: ?(?i:k|m|mm|mn|mio|bn|thousand|million|billion))?"
_CODE = f"(?:{'|'.join(sorted(map(str.upper, CURRENCIES)))}|[{''.join(SYMBOLS)}])"
_is_sum = glance(rf"^(?:{_CODE} ?\d(?:[\d.,]*\d)?{_SCALE}|\d[\d.,]*{_SCALE} ?{_CODE})$")
_NO_RATE = NOT_MONEY | word_set("query limit filter")
_OTHER = NOT_MONEY | TELLING | word_set("limit query q search keyword keywords filter name")


def _may_be(value: Any, said: _Reading) -> bool:
    """A flag is no sum, and in an object of sums only a number is one."""
    if isinstance(value, bool):
        return not _UNREADABLE.isdisjoint(said.words)
    return said.kind != "part" or isinstance(value, int | float)


def _is_known(kind: str, currency: str) -> bool:
    if kind == "coins":
        return currency in CRYPTO
    return kind != "value" or currency.lower() in CURRENCIES


@lru_cache(maxsize=4096)
def _read(key: str, path: str) -> _Reading | None:
    """By its own key, else by the key of the object that it stands in; None when it is no sum."""
    words, above = words_of(key), _above(path)
    kind, code = kind_of(key)
    outer, outer_code = kind_of(above) if words and words[-1] in _GENERIC else ("", "")
    if outer == "price" or (outer == "sum" and (kind in {"coins", "value"} or words == _BASE)):
        told = _Reading(kind=outer, words=words_of(above), code=outer_code or code, outer=True)
    elif not kind and EACH & set(words) and kind_of(above)[0]:
        told = _Reading(kind="price", words=words, code=kind_of(above)[1], outer=True)
    elif kind and words[-1] in _GENERIC and EACH & set(words_of(above)):
        each = kind if kind == "value" else "price"
        told = _Reading(kind=each, words=words_of(above), code=code, outer=True)
    elif kind:
        told = _Reading(kind=kind, words=words, code=code)
    elif _PARTS & set(words_of(above)) and not (words and words[-1] in NOT_MONEY):
        told = _Reading(kind="part", words=words)
    else:
        return None
    ordered = told.kind == "coins" or words == _QUOTED
    where = path.replace("market", "") if ordered else path
    return None if is_told(where) else told


def _around_each(leaf: Leaf) -> Mapping[str, Any]:
    """The object around `{"unit": {"price": 59}}`, where it says how many."""
    return leaf.around if not EACH.isdisjoint(words_of(_above(leaf.path))) else {}


def _multiplied(
    money: Money, said: _Reading, holder: Mapping[str, Any], around: Mapping[str, Any]
) -> Money:
    """Price times quantity, and a sum as often as somebody is paid it."""
    if money.value is None:
        return money
    each = said.kind == "price" or (said.kind == "value" and (said.outer or _is_each(said, holder)))
    by = times(said.words, holder) if each else Decimal(1)
    if said.kind == "price" and by == 1 and around:
        by = times(said.words, around)
    if said.kind == "sum":
        by = payees(said.words, holder)
    return Money(value=money.value * by, currency=money.currency)


def _is_each(said: _Reading, holder: Mapping[str, Any]) -> bool:
    """Whether a value is that of one of several: `{"quantity": 30, "value": "50 USD"}`."""
    return said.words in _ONE_VALUE and not _MANY.isdisjoint(holder)


_ONE_VALUE = (("value",), ("face", "value"))
_MANY = word_set("quantity qty count")


def _above(path: str) -> str:
    """The key of the object that a value stands in: `amount` of `/amount/units`."""
    return path.rpartition("/")[0].rpartition("/")[2]


def _currency_in(value: Any) -> str:
    """The currency that stands beside the number: `0.5M USD`, `€900`."""
    found = read_sum(value) if isinstance(value, str) and len(value) <= MAX_SUM else None
    return found.currency if found else ""
