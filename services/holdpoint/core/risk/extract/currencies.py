"""Currencies and units of sums: by keys beside them, by their minor units, by the tool's name."""

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import msgspec

from holdpoint.core.risk.extract.money import CRYPTO, CURRENCIES, Money, currency_named
from holdpoint.core.risk.extract.payload import Leaf, words_of
from holdpoint.core.risk.knowledge import by_word, data_file, ordered_words, phrases, words
from holdpoint.core.risk.words import word_set

_CENT = Decimal("0.01")
UNITS: MappingProxyType[str, tuple[str, Decimal]] = MappingProxyType(
    {
        name: (row.get("currency", ""), Decimal(row["size"]))
        for name, row in by_word("units:coin").items()
    }
)
"""What small coins are called: their currency, where the name says it, and their size in it."""

_WITHOUT_CENTS = words("words/money:small_coins.without_cents")
_UNIT_KEYS = ("unit", "units", "denomination", "denom", "currency", "currency_unit", "amount_unit")
_DECIMALS = ("decimals", "exponent", "scale", "precision", "token_decimals")
MAX_DECIMALS = 30

_COINS = MappingProxyType(
    {
        word: code
        for code, row in data_file("currencies").items()
        for word in row.get("chain", "").split()
    }
)
_CHAINS = ("network", "chain", "blockchain", "coin")
_BY_CENTS = word_set("adyen razorpay paystack square")
"""Services whose programs count in the smallest coin."""

_STRIPE = "api.stripe.com"
"""The service itself, and no wrapper: it counts in the smallest coin."""

_BY_CENTS_IN_LOWER_CASE = word_set("stripe")
"""Those that do where the currency is in lower case: in capitals it may be somebody's wrapper."""

_WEI = Decimal(10) ** 15
"""No sum of ether is so large; so many wei are."""


class Paid(msgspec.Struct, frozen=True, kw_only=True):
    """What a call's name and address say about the sums in it."""

    coin: str = ""
    """The coin of the chain that it pays on."""

    tool: tuple[str, ...] = ()
    """The words of its name."""

    traded: str = ""
    """The coin that the order is about."""

    by_cents: bool = False
    in_lower_case: bool = False
    """Whether it pays by cents only where the currency is in lower case."""


def paid_by(tool: str, arguments: Mapping[str, Any]) -> Paid:
    """Read the tool's name, and the host of an address."""
    url = arguments.get("url")
    host = url.partition("://")[2].partition("/")[0] if isinstance(url, str) else ""
    return _paid(tool, host[:MAX_HOST])


MAX_HOST = 100


@lru_cache(maxsize=1024)
def _paid(tool: str, host: str) -> Paid:
    named = words_of(tool)
    words = (*named, *words_of(host))
    return Paid(
        coin=next((_COINS[word] for word in words if word in _COINS), ""),
        tool=named,
        by_cents=not _BY_CENTS.isdisjoint(words) or host == _STRIPE,
        in_lower_case=not _BY_CENTS_IN_LOWER_CASE.isdisjoint(words),
    )


def coin_of(siblings: Mapping[str, Any], paid: Paid) -> str:
    """The coin of the chain that is named beside a sum, else of the tool."""
    said = (siblings.get(key) for key in _CHAINS)
    named = (word for one in said if isinstance(one, str) for word in words_of(one[:100]))
    return next((_COINS[word] for word in named if word in _COINS), paid.coin)


def unit_in(words: tuple[str, ...], siblings: Mapping[str, Any]) -> tuple[str, Decimal] | None:
    """The small coin that a key or what stands beside it names."""
    for word in words:
        if word in UNITS:
            return UNITS[word]
    said = (siblings.get(key) for key in _UNIT_KEYS)
    return next(
        (UNITS[one.lower()] for one in said if isinstance(one, str) and one.lower() in UNITS), None
    )


def sized(money: Money, unit: tuple[str, Decimal] | None, siblings: Mapping[str, Any]) -> Money:
    """The sum in whole coins."""
    code, size = unit or ("", Decimal(1))
    currency = code or money.currency
    if size == _CENT and currency in _WITHOUT_CENTS:
        size = Decimal(1)
    if unit is None and (places := _places(money, siblings)):
        size = Decimal(1).scaleb(-places)
    if unit is None and money.currency == "ETH" and money.value and money.value >= _WEI:
        size = UNITS["wei"][1]
    value = None if money.value is None else money.value * size
    return Money(value=value, currency=currency)


def _places(money: Money, siblings: Mapping[str, Any]) -> int:
    """Return how many figures of a whole number are decimals, where an argument says so.

    Of a currency of a state they are as many as its cents have: else it is said how to show it.
    """
    key = next((key for key in _DECIMALS if key in siblings), "")
    places = siblings.get(key)
    if type(places) is not int or not 0 < places <= MAX_DECIMALS or not _is_whole(money):
        return 0
    if not money.currency or money.currency in CRYPTO:
        return places
    return places if key in _EXPONENTS and places <= MAX_OF_CENTS else 0


_EXPONENTS = ("exponent", "scale")
MAX_OF_CENTS = 3
"""Decimals that a currency of a state has: three in Kuwait, two nearly everywhere."""


def in_cents(money: Money, given: Any, siblings: Mapping[str, Any], paid: Paid) -> Money:
    """A whole number that goes to a service which counts in cents."""
    code = siblings.get("currency")
    lower = paid.in_lower_case and isinstance(code, str) and code.islower()
    if (paid.by_cents or lower) and _is_whole(money) and str(given).isdecimal():
        return sized(money, UNITS["cents"], {})
    return money


def _is_whole(money: Money) -> bool:
    return money.value is not None and money.value == money.value.to_integral_value()


_CURRENCY_KEYS = ordered_words("words/money:currency_keys.currency_keys")  # fmt: skip
_COINS_UNIT_KEYS = ("unit", "denom", "denomination")


def currency_of(leaf: Leaf, holder: Mapping[str, Any]) -> str:
    """The currency that is stated beside a sum, or around it; empty when none is."""
    if code := _beside(leaf):
        return code
    for siblings in (leaf.siblings, holder):
        if code := _stated(siblings):
            return code
    return traded_in(leaf.siblings) or traded_in(leaf.around)


SIZES = frozenset({
    ("size",), ("base", "size"), ("order", "size"), ("trade", "size"), ("lot", "size"),
    ("position", "size"), ("sz",), ("coins",), ("vol",),
})  # fmt: skip
"""How an order says how much of a coin; of what else they say nothing."""


def is_order(siblings: Mapping[str, Any], tool: tuple[str, ...]) -> bool:
    """Return whether a size is traded: a side stands beside it, or the tool trades."""
    return not _SIDES.isdisjoint(siblings) or not _TRADES.isdisjoint(tool)


_SIDES = words("words/money:currency_keys.sides")
_TRADES = words("words/money:currency_keys.trades")


def _beside(leaf: Leaf) -> str:
    """The coin that is named as the sum is: `sell_token` beside `sell_amount`."""
    start = leaf.key[: -len("amount")] if leaf.key.lower().endswith("amount") else ""
    said = (leaf.siblings.get(f"{start}{end}") for end in _COIN_ENDS if start)
    named = next((currency_named(one) for one in said if isinstance(one, str)), "")
    bare = leaf.siblings.get(start.rstrip("_")) if start and not named else ""
    return named or (CURRENCIES.get(bare.lower(), "") if isinstance(bare, str) else "")


_COIN_ENDS = ("token", "currency", "asset", "coin", "Token", "Currency", "Asset", "Coin")


def _stated(siblings: Mapping[str, Any]) -> str:
    """The currency that is named beside a sum; a unit counts only where it is one."""
    for key in _CURRENCY_KEYS:
        code = siblings.get(key, siblings.get(key.upper()))
        if isinstance(code, str) and code and code.lower() not in UNITS:
            return currency_named(code) or code.strip().upper()
    units = (siblings.get(key) for key in _COINS_UNIT_KEYS)
    named = (currency_named(unit) for unit in units if isinstance(unit, str))
    return next((code for code in named if code), "")


def traded_in(siblings: Mapping[str, Any]) -> str:
    """The coin that an order is about: `{"pair": "BTCUSD"}`, `{"symbol": "ETH/USDT"}`."""
    near = _PAIR_KEYS.keys() & siblings.keys()
    said = (key for key in near if siblings[key] and isinstance(siblings[key], str))
    first = min(said, key=lambda key: (_PAIR_KEYS[key], key), default="")
    if not first:
        return ""
    text = siblings[first].upper()
    text = text[1:] if text[:1] == "X" and "Z" in text else text
    text = f"BTC{text[3:]}" if text[:3] == "XBT" else text
    quotes = ((code, text[len(code) :]) for code in CRYPTO if text.startswith(code))
    return next((code for code, quote in quotes if quote.lstrip("/-_:") in _QUOTES), "")


_PAIRS = ordered_words("words/money:currency_keys.pairs")  # fmt: skip
_PAIR_KEYS = {spelled: rank for rank, key in enumerate(_PAIRS) for spelled in (key.upper(), key)}
"""Where each stands in the order in which they count, in small and in capital letters."""

_QUOTES = frozenset(phrases("words/money:currency_keys.quotes"))  # fmt: skip
