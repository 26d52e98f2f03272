"""Sums of money in a payload: under whatever key, in whatever notation, price times quantity."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.money import CRYPTO, CURRENCIES, SYMBOLS, Money, decimal_of
from holdpoint.core.risk.numbers import is_pointed, number_at
from holdpoint.core.risk.text import fold

_SUMS = word_set(
    "spend amount amt amnt budget cost fee fees money payment sum total bid donation deposit "
    "refund salary bonus premium rent loan gross payout invoice subtotal wage stake tip principal"
)
_PRICES = word_set("price prices")
_QUANTITIES = word_set("quantity qty shares units count number_of_units")
_LIMITS = word_set("credit spending withdrawal")
_MINOR = word_set("minor cents pence")
_MEANING = _SUMS | _PRICES | _QUANTITIES | _LIMITS | _MINOR | {"value"}
"""Words of which a key must have one to stand for money."""

_NOT_MONEY = word_set(
    "id ids type status method number name date due currency code description note account "
    "at by to from reason term terms center centre day days months purpose method year count "
    "page results records rows items link url percent percentage email address"
)
_CURRENCY_KEYS = ("currency", "currency_code", "asset", "coin", "unit", "currencyCode", "ccy")
_PLAIN_CURRENCIES = word_set("usd eur gbp chf jpy inr btc eth dollars euros")
"""Names of currencies that mean nothing else: as a key they say that the value is a sum."""

_MEANING = _SUMS | _PRICES | _QUANTITIES | _LIMITS | _MINOR | _PLAIN_CURRENCIES | {"value"}
"""Words of which a key must have one to stand for money."""

_TELLING = word_set("balance rate market worth price prices max min from to old previous")
MAX_VALUE = 60
"""Characters of a text that is an amount with its currency."""

_EVERYTHING = word_set("all everything max maximum full entire total")
_DECIMALS = 100
"""Cents of one unit, in every currency that has any."""


def summed(leaves: tuple[Leaf, ...]) -> tuple[Money, ...]:
    """Amounts at one place of a list add up; those at different places are told apart."""
    sums: dict[tuple[str, str], Money] = {}
    for leaf in leaves:
        for money in _moneys(leaf):
            place = (_named_part.sub(r"/\1/*/", leaf.path), money.currency)
            sums[place] = _plus(sums.get(place), money)
    return tuple(sums.values())


_named_part = re.compile(r"(?i)/(lines|items|payments|entries|legs|positions|transfers)/[^/]+/")
"""A list whose parts have names adds up too."""


def _plus(so_far: Money | None, money: Money) -> Money:
    if so_far is None:
        return money
    if so_far.value is None or money.value is None:
        return Money(value=None, currency=money.currency)
    return Money(value=so_far.value + money.value, currency=money.currency)


def _moneys(leaf: Leaf) -> Iterator[Money]:
    value = leaf.value
    if value is None:
        return
    kind, named = _kind(leaf.key)
    if kind in {"coins", "value"} and _SUMS & set(words_of(_above(leaf.path))):
        kind = "sum"
    if not kind:
        return
    currency = _currency(leaf.siblings) or named or _currency_in(value)
    known = currency in CRYPTO if kind == "coins" else bool(currency) or kind != "value"
    money = _priced(value, currency) if known else None
    if money is None:
        return
    if kind == "minor" and money.value is not None:
        money = Money(value=money.value / _DECIMALS, currency=money.currency)
    if kind == "price":
        money = _times(money, leaf.siblings)
    yield money


def _above(path: str) -> str:
    """The key of the object that a value stands in: `amount` of `/amount/units`."""
    return path.rpartition("/")[0].rpartition("/")[2]


def _currency_in(value: Any) -> str:
    """The currency that stands beside the number: `0.5M USD`, `€900`."""
    if not isinstance(value, str) or len(value) > MAX_VALUE:
        return ""
    signed = (code for sign, code in SYMBOLS.items() if sign in value)
    words = (CURRENCIES[word] for word in value.lower().split() if word in CURRENCIES)
    return next(signed, "") or next(words, "")


@lru_cache(maxsize=2048)
def _kind(key: str) -> tuple[str, str]:
    """What a key says its value is: `sum`, `price`, `minor`, `coins`, `value`; and its currency."""
    words = words_of(key)
    limit = words[:1] in {("max",), ("min",)} and "price" in words
    if _MEANING.isdisjoint(words) or words[-1] in _NOT_MONEY or limit:
        return "", ""
    found = set(words)
    code = next((CURRENCIES[word] for word in words if word in CURRENCIES), "")
    if found & _MINOR:
        return "minor", code
    if found & _SUMS or (found & _LIMITS and "limit" in found) or _in_currency(words):
        return "sum", code
    if found & _PRICES:
        return "price", code
    if words[-1] == "value":
        return "value", code
    return ("coins", code) if words[-1] in _QUANTITIES or words == ("qty",) else ("", "")


def _in_currency(words: tuple[str, ...]) -> bool:
    """`usd`, `value_eur`; not a price, nor what only tells: `balance_usd`."""
    return words[-1] in _PLAIN_CURRENCIES and _TELLING.isdisjoint(words)


def _priced(value: Any, currency: str) -> Money | None:
    """A bare amount, or a text such as `$1,200.00`, `900 EUR`, `two thousand dollars`."""
    if not isinstance(value, str):
        number = decimal_of(value)
        return Money(value=number, currency=currency)
    value = value if value.isascii() else fold(value).folded
    words = value.strip().lower().split()
    if len(words) == 1 and words[0] in _EVERYTHING:
        return Money(value=None, currency=currency)
    symbol = next((code for sign, code in SYMBOLS.items() if sign in value), "")
    named = next((CURRENCIES[word] for word in words if word in CURRENCIES), "")
    number = _number(value)
    if number is None and not (currency and _looks_numeric(value)):
        return None
    return Money(value=number, currency=symbol or named or currency)


_NO_SYMBOLS = str.maketrans(dict.fromkeys(SYMBOLS, " "))


def _number(text: str) -> Decimal | None:
    """The first number in it, in figures or in words."""
    words = text.translate(_NO_SYMBOLS).lower().split()
    for place, word in enumerate(words[:12]):
        bare = word.lstrip("+-")
        if bare[:1].isdigit():
            plain = decimal_of(bare) if not is_pointed(bare) else None
            scaled = number_at([bare, *words[place + 1 : place + 12]], 0)
            if plain is not None and not (scaled and scaled.words > 1):
                return plain
        found = number_at([bare, *words[place + 1 : place + 12]], 0) if bare else None
        if found:
            return found.value
    return None


def _looks_numeric(text: str) -> bool:
    return not text.strip() or any(char.isdigit() for char in text)


def _times(money: Money, siblings: Mapping[str, Any]) -> Money:
    """Price times quantity, when the same object says how many."""
    for key, value in siblings.items():
        if words_of(str(key))[-1:] and words_of(str(key))[-1] in _QUANTITIES:
            count = decimal_of(value)
            if count is not None and money.value is not None:
                return Money(value=money.value * count, currency=money.currency)
    return money


@lru_cache(maxsize=256)
def _code(text: str) -> str:
    upper = text.strip().upper()
    return CURRENCIES.get(text.strip().lower(), upper)


def _currency(siblings: Mapping[str, Any]) -> str:
    found = (siblings.get(key, siblings.get(key.upper())) for key in _CURRENCY_KEYS)
    named = next((_code(str(code)) for code in found if isinstance(code, str) and code), "")
    return named or _pair(siblings)


def _pair(siblings: Mapping[str, Any]) -> str:
    """The coin that an order is about: `{"pair": "BTCUSD"}`, `{"symbol": "ETH/USDT"}`."""
    keys = ("pair", "symbol", "market", "ticker")
    said = (siblings.get(key, siblings.get(key.upper())) for key in keys)
    text = next((one.upper() for one in said if isinstance(one, str)), "")
    return next((code for code in CRYPTO if _trades(text, code)), "")


_QUOTES = frozenset({"", "USD", "USDT", "USDC", "EUR", "GBP", "BTC", "ETH", "BUSD"})


def _trades(pair: str, code: str) -> bool:
    return pair.startswith(code) and pair[len(code) :].lstrip("/-_:") in _QUOTES
