"""A bare amount in a payload: a number, a number on a chain, or a text that is a sum."""

from decimal import Decimal
from typing import Any

from holdpoint.core.risk.calls.notation import read_sum
from holdpoint.core.risk.money import Money, decimal_of


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
