"""Numbers of payment cards: as issuers give them, with a digit that checks the others."""

import re
from collections.abc import Iterator

from holdpoint.core.redaction.credential_values import Span

_NUMBER = re.compile(r"(?<![\w.-])[2-6]\d{3}(?:[ -]?\d){9,15}(?![\w-]|\.\d)", re.ASCII)
"""As long as a card's number, which begins as no time of a clock does."""

_ISSUED = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|3[47]\d{13}"
    r"|3(?:0[0-5]|[68]\d)\d{11}|35\d{14}|6(?:011|5\d\d)\d{12}|62\d{14,17}"
)
"""Visa, Mastercard, American Express, Diners Club, JCB, Discover, UnionPay: ISO/IEC 7812."""


def payment_cards(text: str) -> Iterator[Span]:
    """Yield where each begins and ends."""
    for match in _NUMBER.finditer(text):
        number = match[0].replace(" ", "").replace("-", "")
        if _ISSUED.fullmatch(number) and _checks(number):
            yield match.span()


def _checks(number: str) -> bool:
    """By Luhn's formula."""
    digits = [int(char) for char in reversed(number)]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0
