"""Amounts of money among a call's arguments."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Any

import msgspec
import re2

from holdpoint.core.memoize import memoize
from holdpoint.core.prefilter import prefilter
from holdpoint.core.risk.extract.counts import EACH, PRICED_BY, beside, is_by_thing, payees, times
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
    CODE,
    CRYPTO,
    CURRENCIES,
    MAX_SUM,
    Money,
    priced,
    read_sum,
)
from holdpoint.core.risk.extract.payload import Leaf, key_above, words_of
from holdpoint.core.risk.knowledge import by_word, entry, words
from holdpoint.core.risk.tools.names import turns
from holdpoint.core.risk.words import PROSE_KEYS, word_set
from holdpoint.core.text import whole_characters

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
        counted = any(type(leaf.siblings.get(key)) is int for key in ("q", "qty", "quantity"))
        return ("price", ("price",)) if counted and _is_line(leaf) else ("", ())
    if leaf.key in _EACH:
        priced = _names_currency(leaf.value) or _is_priced(leaf.siblings)
        return ("price", _EACH[leaf.key]) if priced else ("", ())
    near = {_TIMES[words[-1]] for words, _ in beside(leaf.siblings) if words[-1] in _TIMES}
    per = [word for thing in sorted(near, reverse=True) for word in ("per", thing)]
    if not per or not (_names_currency(leaf.value) or _is_priced(leaf.siblings) or _is_line(leaf)):
        return "", ()
    return "price", (leaf.key, *per)


def _names_currency(value: Any) -> bool:
    """Return whether something stands beside the number; other readers know what it is."""
    return isinstance(value, str) and not value.replace(".", "").isdecimal()


def _is_priced(siblings: Mapping[str, Any]) -> bool:
    return any(str(key).lower() in _CODES for key in siblings)


def _is_line(leaf: Leaf) -> bool:
    return not _LINES.isdisjoint(words_of(leaf.path[-MAX_PATH:]))


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


@memoize(2048)
def kind_of(key: str) -> tuple[str, str]:
    """Return what a key says its value is: `sum`, `price`, `coins`, `value`; and its currency."""
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
        or (words[-1] in _PLAIN_CURRENCIES and TELLING.isdisjoint(words))
    ):
        return "sum", code
    if words[-1] in VALUES:
        return "value", code
    return ("coins", code) if words[-1] in _QUANTITIES or words in SIZES else ("", "")


@memoize(2048)
def is_told(path: str) -> bool:
    """Return whether a sum there is only told: `/filter/min_total`, `/declared_value/amount`."""
    *above, key = path.split("/")
    words = {word for part in above for word in words_of(part)}
    return bool(_TOLD_ABOVE & words) or bool(_TOLD & set(words_of(key)))


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
    said = ((leaf, one) for leaf in leaves if not _is_no_sum(leaf) and (one := _said(leaf)))
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
    """Return the list with one currency: where one line names it, the others are in it as well."""
    for place in [place for place, currency in sums if not currency and "*" in place]:
        named = [key for key in sums if key[0] == place and key[1]]
        if len(named) == 1:
            bare = sums.pop((place, ""))
            whole = _plus(sums[named[0]], bare)
            sums[named[0]] = Money(value=whole.value, currency=named[0][1])
    return sums


def _said(leaf: Leaf) -> _Reading | None:
    """Return what its place, or itself, says of a value; None when it is no sum."""
    if leaf.value is None:
        return None
    alone = len(leaf.path) == len(leaf.key) + 1 and MEANING.isdisjoint(leaf.words)
    shaped = _by_shape(leaf) if leaf.key in KEYS or leaf.key in _VALUED else None
    sent = leaf.words[:1] == ("target",) and not _LEGS.isdisjoint(leaf.siblings)
    path = leaf.path.replace(leaf.key, leaf.key[len("target") :]) if sent else leaf.path
    said = shaped or (None if alone else _read(leaf.key, path))
    if said is None and isinstance(leaf.value, str):
        said = _by_value(leaf, leaf.value)
    if isinstance(leaf.value, bool):
        return said if said and not _UNREADABLE.isdisjoint(said.words) else None
    in_numbers = said is None or said.kind != "part" or isinstance(leaf.value, int | float)
    return said if in_numbers else None


def _is_no_sum(leaf: Leaf) -> bool:
    """Return whether it is a plain word or number on top whose key gives it no other meaning."""
    if len(leaf.path) != len(leaf.key) + 1 or leaf.key in KEYS or leaf.key in _VALUED:
        return False
    plain = not isinstance(leaf.value, str) or leaf.value.isalpha()
    return plain and MEANING.isdisjoint(leaf.words)


_LEGS = word_set(
    "source source_currency sourceCurrency target_currency targetCurrency recipient beneficiary"
)
"""Keys of what is sent abroad: beside one of them a target is no goal."""


def _by_shape(leaf: Leaf) -> _Reading | None:
    """Of a value in an object by the key of that, `{"rate": {"amount": 310}, "nights": 5}`."""
    within = leaf.key in _VALUED
    if within:
        path = leaf.path.rpartition("/")[0]
        key = path.rpartition("/")[2]
        if key not in KEYS:
            return None
        leaf = Leaf(path, key, leaf.value, {**leaf.around, **leaf.siblings}, {}, words_of(key))
    kind, words = by_shape(leaf)
    return _Reading(kind=kind, words=words, outer=within) if kind else None


_VALUED = word_set("amount value")


def _moneys(leaf: Leaf, said: _Reading, paid: Paid) -> Iterator[Money]:
    holder = leaf.around if said.outer else leaf.siblings
    short = isinstance(leaf.value, str) and len(leaf.value) <= MAX_SUM
    written = read_sum(leaf.value) if short else None
    currency = currency_of(leaf, holder) or said.code or (written.currency if written else "")
    if said.words in SIZES and not is_order(leaf.siblings, paid.tool):
        return
    if turns(paid.tool, leaf):
        return
    if not currency and said.kind in {"value", "sum"}:
        currency = coin_of(leaf.siblings, paid)
    elif not currency and said.kind == "coins":
        currency = paid.traded
    known = CRYPTO if said.kind == "coins" else CURRENCIES.values() if said.kind == "value" else ()
    money = priced(leaf.value, currency) if not known or currency.upper() in known else None
    if money is None:
        return
    beside = words_of(leaf.value) if short else ()  # `500 cents`
    unit = unit_in(leaf.words, leaf.siblings) or (
        UNITS.get(beside[0]) if len(beside) == 1 else None
    )
    money = sized(money, unit, leaf.siblings)
    money = money if unit else in_cents(money, leaf.value, leaf.siblings, paid)
    yield _multiplied(money, said, leaf)


def _by_value(leaf: Leaf, text: str) -> _Reading | None:
    """A text that is a sum with its currency is one under any key that tells of no other thing."""
    if not len("$") < len(text) <= MAX_SUM or text[0].islower() or not leaf.words:
        return None
    per = _per_in(text)
    if not per and not (text[0].isdigit() or text[-1].isdigit() or text[1].isdigit()):
        return None
    other = leaf.key.lower() in PROSE_KEYS or leaf.words[-1] in (_NO_RATE if per else _OTHER)
    is_sum = not other and not is_told(leaf.path) and (per or _is_sum(whole_characters(text)))
    return _Reading(kind="value", words=leaf.words) if is_sum else None


_SCALE = "(?: ?(?i:k|m|mm|mn|mio|bn|thousand|million|billion))?"
_SUM = rf"(?:{CODE} ?\d(?:[\d.,]*\d)?{_SCALE}|\d[\d.,]*{_SCALE} ?{CODE})"
_is_sum = prefilter(rf"^{_SUM}$")
_is_rate = prefilter(rf"^{_SUM} ?(?:/ ?|per |each |an? )\pL[\pL /]{{0,40}}$")
_things = re2.compile(r"(?:/ ?|\b(?:per|each|an?) )(\pL+)")
_SIZES = by_word("units:scale").keys()
"""Behind a rate they would be one of a thousand, `$12 per mille`."""

_NO_RATE = NOT_MONEY | word_set("query limit filter")
_OTHER = NOT_MONEY | TELLING | word_set("limit query q search keyword keywords filter name")


def _per_in(text: str) -> tuple[str, ...]:
    """The words of a key that would say the same of a rate, `per room per night`; else none."""
    if not len("$") < len(text) <= MAX_SUM or not text[-1].isalpha() or text[0].islower():
        return ()
    text = whole_characters(text)
    things = [one.lower() for one in _things.findall(text)] if _is_rate(text) else []
    if not _SIZES.isdisjoint(things):
        return ()
    return tuple(word for thing in things for word in ("per", thing))


@lru_cache(maxsize=4096)
def _read(key: str, path: str) -> _Reading | None:
    """By its own key, else by the key of the object that it stands in; None when it is no sum."""
    words, above = words_of(key), key_above(path)
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


def _multiplied(money: Money, said: _Reading, leaf: Leaf) -> Money:
    """Price times quantity, and a sum as often as somebody is paid it."""
    holder = leaf.around if said.outer else leaf.siblings
    by = Decimal(1)
    one_of_several = said.words in _ONE_VALUE and not _MANY.isdisjoint(holder)
    if said.kind == "price" or (said.kind == "value" and (said.outer or one_of_several)):
        by = times(said.words, holder)
    elif said.kind == "sum":
        by = payees(said.words, holder)
    if said.kind == "price" and not EACH.isdisjoint(words_of(key_above(leaf.path))):
        by = max(by, times(said.words, leaf.around))
    if isinstance(leaf.value, str) and (per := _per_in(leaf.value)):
        by = max(by, times((*said.words, *per), holder))
    value = None if money.value is None else money.value * by
    return Money(value=value, currency=money.currency)


_ONE_VALUE = (("value",), ("face", "value"))
_MANY = word_set("quantity qty count")
"""`{"quantity": 30, "value": "50 USD"}`: beside one of these a value is that of one."""
