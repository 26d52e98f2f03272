"""Amounts and numbers of a sentence, in digits or in words of several languages."""

import re
from decimal import Decimal, InvalidOperation

from holdpoint.coordinator.number_words import numbers
from holdpoint.coordinator.plain_text import plain
from holdpoint.coordinator.words import MONEY
from holdpoint.messages.base import JsonObject

CURRENCIES = {
    "$": "USD", "us$": "USD", "usd": "USD", "dollar": "USD", "dollars": "USD", "bucks": "USD",
    "dolares": "USD", "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR", "£": "GBP",
    "gbp": "GBP", "pounds": "GBP", "pound": "GBP", "¥": "JPY", "chf": "CHF",
}  # fmt: skip
_SIGNS = "|".join(re.escape(it) for it in sorted(CURRENCIES, key=len, reverse=True))
_SIGN = re.compile(rf"(?<![a-z])(?:{_SIGNS})(?![a-z])")
_DIGITS = re.compile(r"\d[\d.,' ]*")
_NEGATIVE = re.compile(r"(?<!\w)[-\u2212]\s*[$€£¥]?\s*\d|\bminus\b")
_NUMBER = re.compile(r"(?<![\w#.,-])\d[\d.,']*(?![\w-])")
_NUMBERED = frozenset(
    {"account", "konto", "cuenta", "compte", "task", "aufgabe", "tarea", "number"}
)
"""Words whose number is no amount."""

_BEHIND_AMOUNT = frozenset({
    "to", "into", "in", "from", "auf", "aufs", "ins", "nach", "von", "vom", "zu", "zum", "a", "al",
    "en", "de", "desde", "vers", "sur", "dans", "->", "please", "bitte", "por",
})  # fmt: skip
_IN_PART = re.compile(
    r"\d[kme]\d*\b|(?<![\w.,-])\d[\d.,]*\s*[-\u2013]\s*[$€£¥]?\d|\d\s*%|\b\d+\s*x\b|\bx\s*\d|\d\s*x\s*[$€£¥]?\d"
)
"""An amount that is only a part of what is said: `$1k`, `$5-10`, `3x $10`, `$10%`."""

_COMPARED = re.compile(
    r"\d\S*(?: [a-z]+)? (?:(?:a|per|each|every) (?:day|week|month|year)|less than|more than)\b"
)
"""An amount of a rate or a comparison."""

_CENT = Decimal("0.01")
_GROUPED = re.compile(r"\d{1,3}(?: \d{3})+(?:[.,]\d{1,2})?")
CENTS = 2
LONGEST = 8
"""Words of a number."""


def money_in(text: str) -> JsonObject | None:
    """Return the one amount of a sentence, `{"value": "150.00", "currency": "USD"}`.

    None where there is none, or several, or it could be read in two ways.
    """
    folded = plain(text)
    if _NEGATIVE.search(folded) or _is_in_part(folded):
        return None
    found = [it for match in MONEY.finditer(folded) if (it := _money(match.group()))]
    if not found and (worded := _worded_money(folded)):
        found = [worded]
    return found[0] if len({str(it) for it in found}) == 1 else None


def bare_amount(text: str) -> JsonObject | None:
    """Return the one number that stands as an amount without a currency, `{"value": "150.00"}`.

    None where another number is there, a currency, or a word that makes it something else.
    """
    folded = plain(text)
    numbers = list(_NUMBER.finditer(folded))
    if len(numbers) != 1 or _NEGATIVE.search(folded) or _SIGN.search(folded):
        return None
    if _is_in_part(folded):
        return None
    before, after = folded[: numbers[0].start()].split(), folded[numbers[0].end() :].split()
    if (before[-1:] and before[-1] in _NUMBERED) or (after[:1] and after[0] not in _BEHIND_AMOUNT):
        return None
    value = value_of(numbers[0].group())
    return {"value": f"{value.quantize(_CENT)}"} if value else None


def _is_in_part(folded: str) -> bool:
    """Return whether a number says more than an amount: a multiple, a range, a rate."""
    return bool(_IN_PART.search(folded) or _COMPARED.search(folded))


def is_money(amount: JsonObject | None) -> bool:
    """Return whether an amount has its currency."""
    return amount is not None and "currency" in amount


def currency_in(text: str) -> str | None:
    """Return the one currency that is named."""
    found = {CURRENCIES[it] for it in _SIGN.findall(plain(text))}
    return found.pop() if len(found) == 1 else None


def value_of(digits: str) -> Decimal | None:
    """Return `1,250.50`, `1.250,50`, `1 250` or `150` as a number; None where it could be two."""
    text = digits.strip(" .,'").replace("'", " ")
    if " " in text and not _GROUPED.fullmatch(text):
        return None
    text = text.replace(" ", "")
    marks = [it for it in text if it in ".,"]
    if marks:
        last = marks[-1]
        before, _, after = text.rpartition(last)
        is_cents = len(after) <= CENTS or len(set(marks)) > 1
        if is_cents and last in before:
            return None
        whole = re.sub(r"[.,]", "", before)
        text = f"{whole}.{after}" if is_cents else whole + after
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def number_in(text: str) -> int | None:
    """Return the one whole number of a sentence, in digits or words; None where there is none."""
    folded = plain(text)
    digits = re.findall(r"(?<![\w.,-])#?(\d{1,9})(?![\w-]|[.,]\d)", folded)
    if len(digits) == 1:
        return int(digits[0])
    words = folded.split()
    found = {numbers()[it.strip(".,!?")] for it in words if it.strip(".,!?") in numbers()} - {1}
    return found.pop() if not digits and len(found) == 1 else None


def _money(text: str) -> JsonObject | None:
    sign, digits = _SIGN.search(text), _DIGITS.search(text)
    value = value_of(digits.group()) if digits else None
    return _amount(value, CURRENCIES[sign.group()]) if sign and value is not None else None


def _worded_money(folded: str) -> JsonObject | None:
    """`one hundred and fifty dollars`: the longest number in front of a currency."""
    words = folded.replace("-", " ").split()
    for at, word in enumerate(words):
        currency = CURRENCIES.get(word.strip(".,!?"))
        if currency is None:
            continue
        for begin in range(max(0, at - LONGEST), at):
            value = numbers().get(" ".join(words[begin:at]))
            if value is not None:
                return _amount(Decimal(value), currency)
    return None


def _amount(value: Decimal, currency: str) -> JsonObject:
    return {"value": f"{value.quantize(_CENT)}", "currency": currency}
