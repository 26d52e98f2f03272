"""Amounts in minor units, as text, as JSON and in words."""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from holdpoint.core.spoken import number
from holdpoint.domains.bank.errors import BankError
from holdpoint.domains.bank.schemas import Money
from holdpoint.messages.base import JsonObject


class Currency(NamedTuple):
    """A currency the bank keeps accounts in."""

    places: int
    sign: str
    unit: tuple[str, str]
    """Spoken: one, many."""

    part: tuple[str, str] = ("", "")


CURRENCIES: Mapping[str, Currency] = {
    "USD": Currency(2, "$", ("dollar", "dollars"), ("cent", "cents")),
    "EUR": Currency(2, "€", ("euro", "euros"), ("cent", "cents")),
    "GBP": Currency(2, "£", ("pound", "pounds"), ("penny", "pence")),
    "MXN": Currency(2, "MX$", ("Mexican peso", "Mexican pesos"), ("centavo", "centavos")),
    "JPY": Currency(0, "¥", ("yen", "yen")),
}
HUNDREDS = range(11, 100)
"""2,500 is spoken as twenty-five hundred."""


def minor(money: Money) -> int:
    """Return an amount above zero in minor units; BankError where the currency has no such one."""
    known = CURRENCIES.get(money.currency)
    if known is None:
        raise BankError(f"The bank keeps no accounts in {money.currency}.")
    scaled = Decimal(money.value).scaleb(known.places)
    if scaled != int(scaled):
        raise BankError(f"{money.currency} has no amounts as small as {money.value}.")
    if scaled <= 0:
        raise BankError("The amount must be above zero.")
    return int(scaled)


def from_plain(text: str, currency: str) -> int:
    """Return the minor units of what `plain` wrote."""
    return int(Decimal(text).scaleb(CURRENCIES[currency].places))


def as_money(amount: int, currency: str) -> JsonObject:
    """Return `{"value": 150.0, "currency": "USD"}`."""
    return {"value": float(_decimal(amount, currency)), "currency": currency}


def plain(amount: int, currency: str) -> str:
    """Return `150.00`."""
    return f"{_decimal(amount, currency):.{CURRENCIES[currency].places}f}"


def coded(amount: int, currency: str) -> str:
    """Return `USD 1,150.00`."""
    return f"{currency} {_decimal(amount, currency):,.{CURRENCIES[currency].places}f}"


def written(amount: int, currency: str) -> str:
    """Return `$1,150.00`, or `-$12.00` below zero."""
    known = CURRENCIES[currency]
    text = f"{_decimal(abs(amount), currency):,.{known.places}f}"
    return f"{'-' if amount < 0 else ''}{known.sign}{text}"


def spoken(amount: int, currency: str) -> str:
    """Return `twenty-five hundred dollars and five cents`."""
    known = CURRENCIES[currency]
    whole, parts = divmod(abs(amount), 10**known.places)
    words = []
    if whole or not parts:
        words.append(f"{_whole(whole)} {known.unit[whole != 1]}")
    if parts:
        words.append(f"{number(parts)} {known.part[parts != 1]}")
    return ("minus " if amount < 0 else "") + " and ".join(words)


def _whole(value: int) -> str:
    hundreds, rest = divmod(value, 100)
    if hundreds in HUNDREDS and hundreds % 10 and not rest:
        return f"{number(hundreds)} hundred"
    return number(value).replace(",", "").replace(" and ", " ")


def _decimal(amount: int, currency: str) -> Decimal:
    return Decimal(amount).scaleb(-CURRENCIES[currency].places)
