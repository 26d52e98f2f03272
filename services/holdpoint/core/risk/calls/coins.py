"""Which currency a sum is in, by what stands beside it: `currency`, `sell_token`, a pair."""

from collections.abc import Mapping
from typing import Any

from holdpoint.core.risk.calls.leaf import Leaf
from holdpoint.core.risk.calls.notation import currency_named
from holdpoint.core.risk.calls.units import UNITS
from holdpoint.core.risk.knowledge import ordered_words, phrases, words
from holdpoint.core.risk.money import CRYPTO, CURRENCIES

_CURRENCY_KEYS = ordered_words("words/money:coins.currency_keys")  # fmt: skip
_UNIT_KEYS = ("unit", "denom", "denomination")


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
    """Whether a size is how much is bought or sold: a side stands beside it, or the tool trades."""
    return not _SIDES.isdisjoint(siblings) or not _TRADES.isdisjoint(tool)


_SIDES = words("words/money:coins.sides")
_TRADES = words("words/money:coins.trades")


def _beside(leaf: Leaf) -> str:
    """The coin that is named as the sum is: `sell_token` beside `sell_amount`."""
    start = leaf.key[: -len(_AMOUNT)] if leaf.key.lower().endswith(_AMOUNT) else ""
    keys = (f"{start}{end}" for end in _COIN_ENDS) if start else ()
    said = (leaf.siblings.get(key) for key in keys)
    named = next((currency_named(one) for one in said if isinstance(one, str)), "")
    bare = leaf.siblings.get(start.rstrip("_")) if start and not named else ""
    return named or (CURRENCIES.get(bare.lower(), "") if isinstance(bare, str) else "")


_AMOUNT = "amount"
_COIN_ENDS = ("token", "currency", "asset", "coin", "Token", "Currency", "Asset", "Coin")


def _stated(siblings: Mapping[str, Any]) -> str:
    """The currency that is named beside a sum; a unit counts only where it is one."""
    for key in _CURRENCY_KEYS:
        code = siblings.get(key, siblings.get(key.upper()))
        if isinstance(code, str) and code and code.lower() not in UNITS:
            return currency_named(code) or code.strip().upper()
    units = (siblings.get(key) for key in _UNIT_KEYS)
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
    return next((code for code in CRYPTO if _trades(text, code)), "")


_PAIRS = ordered_words("words/money:coins.pairs")  # fmt: skip
_PAIR_KEYS = {spelled: rank for rank, key in enumerate(_PAIRS) for spelled in (key.upper(), key)}
"""Where each stands in the order in which they count, in small and in capital letters."""

_QUOTES = frozenset(phrases("words/money:coins.quotes"))  # fmt: skip


def _trades(pair: str, code: str) -> bool:
    return pair.startswith(code) and pair[len(code) :].lstrip("/-_:") in _QUOTES
