"""Amounts of money: as arguments and sentences carry them, and what they are worth by policy."""

from decimal import Context, Decimal

import msgspec
import re2

from holdpoint.core.risk.knowledge import mapping, words
from holdpoint.core.risk.text import fold
from holdpoint.messages.base import JsonObject
from holdpoint.messages.policy import Thresholds

_exact = Context(prec=80)
"""Enough digits that no product below is ever rounded."""

_plain = re2.compile(r"[+-]?(?:\d{1,3}(?:,\d{3}){1,9}|\d{1,36})(?:\.\d{1,18})?")

SYMBOLS = mapping("words/money:money.symbols")
NAMES = mapping("words/money:money.names")
_CODES = words("words/money:money.codes")
CRYPTO = ("BTC", "ETH", "SOL", "XRP", "USDT", "USDC", "BNB", "DOGE", "LTC")
"""Coins that a trading pair may begin with."""

CURRENCIES = {**NAMES, **{code: code.upper() for code in _CODES}}
"""What a currency is called in lower case, and its code."""


class Money(msgspec.Struct, frozen=True, kw_only=True):
    """An amount. A value of None stands for one that could not be read: it counts as large."""

    value: Decimal | None
    currency: str

    def as_object(self) -> JsonObject:
        """`{value, currency}`, the value a decimal string."""
        value = "unreadable" if self.value is None else f"{self.value:f}"
        return {"value": value, "currency": self.currency}


def decimal_of(value: object) -> Decimal | None:
    """The size of an amount as given: a number or a decimal string; None when unreadable."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value).strip()
    text = text if text.isascii() else fold(text).folded
    return abs(Decimal(text.replace(",", ""))) if _plain.fullmatch(text) else None


def worth(money: Money, thresholds: Thresholds) -> Decimal:
    """What it is worth in the policy's currency; infinite when nobody can know."""
    rate = "1" if money.currency == thresholds.currency else thresholds.rates.get(money.currency)
    known = decimal_of(rate)
    if money.value is None or known is None:
        return Decimal("Infinity")
    return _exact.multiply(money.value, known)


def is_large(money: Money, thresholds: Thresholds) -> bool:
    """Strictly above the threshold; an unreadable threshold makes every amount large."""
    limit = decimal_of(thresholds.amount)
    return limit is None or worth(money, thresholds) > limit
