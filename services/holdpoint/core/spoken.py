"""Text for voices: letters, spaces and `.,'-` only, with numbers and money in words (seed 000)."""

import re
import unicodedata
from collections.abc import Mapping
from decimal import Decimal

from num2words import num2words
from num2words.lang_EN import Num2Word_EN

LONGEST = 2_000
"""Characters of a text that is put into words."""

MOST_DIGITS = 28
"""Of a Decimal that is exact; beyond it each digit is said by itself."""

SYMBOLS: Mapping[str, str] = {"$": "USD", "€": "EUR", "£": "GBP"}
FORMS: Mapping[str, tuple[tuple[str, str], tuple[str, str]]] = {
    code: (unit[:2], minor[:2]) for code, (unit, minor) in Num2Word_EN.CURRENCY_FORMS.items()
}
"""Unit and minor unit of a currency, singular and plural; any other is said by its code."""

WORDS: Mapping[str, str] = {
    "%": " percent ", "@": " at ", "&": " and ", "+": " plus ", "=": " equals ", "\n": ". ",
    "\u2019": "'", "\u2018": "'", "\u2013": "-", "\u2014": ", ",
    ";": ",", ":": ",", "?": ".", "!": ".",
}  # fmt: skip
"""Symbols with a word or a pause; every other symbol is a space."""


class _Sayable(dict[int, str]):
    """Words for each sign, filled as signs come: a letter as itself, a symbol by its word."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        is_said = sign.isalpha() or sign in " .,'-"
        said = self[code] = WORDS.get(sign, sign if is_said else " ")
        return said


_SAYABLE = _Sayable()
_PLAIN = re.compile(r"[A-Za-z .,'-]*")
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_PARTS = re.compile(
    rf"(?P<before>(?<!\w)[-\u2212]?[$€£]|(?<!\w)[-\u2212]?(?:{'|'.join(FORMS)})\s+)?"
    rf"(?P<minus>(?<![\w)])[-\u2212](?=\d))?(?P<number>{_NUMBER})"
    rf"(?P<after>\s+(?:{'|'.join(FORMS)})\b)?"
)


def number(value: int | Decimal) -> str:
    """214 -> `two hundred and fourteen`; Decimal("-0.5") -> `minus zero point five`."""
    if isinstance(value, Decimal) and not _is_sayable(value):
        return "a number that is too long to say" if value.is_finite() else "an unknown number"
    digits = f"{value:f}" if isinstance(value, Decimal) else str(value)
    if len(digits) > MOST_DIGITS:
        return _by_digit(digits[:LONGEST])
    whole = value == int(value)
    return str(num2words(int(value) if whole else value))


def counted(value: int, one: str, many: str) -> str:
    """1 -> `one row`, 3 -> `three rows`."""
    return f"{number(value)} {one if value == 1 else many}"


def money(value: Decimal, currency: str) -> str:
    """Decimal("-2500.50"), USD -> `minus two thousand, five hundred dollars and fifty cents`."""
    forms = FORMS.get(currency)
    if forms is None:
        return f"{number(value)} {spoken(currency)}".strip()
    unit, minor = forms
    if not _is_sayable(value) or len(f"{value:f}") > MOST_DIGITS or not _is_in_cents(value):
        return f"{number(value)} {unit[1]}"
    sign, amount = ("minus " if value < 0 else ""), abs(value)
    whole = int(amount)
    cents = int((amount - whole) * 100)
    said = [counted(whole, *unit)] if whole or not cents else []
    said += [counted(cents, *minor)] if cents else []
    return sign + " and ".join(said)


def _is_in_cents(value: Decimal) -> bool:
    """Return whether it has at most two decimals; a whole one may be too long to be rounded."""
    return value == value.to_integral_value() or value == round(value, 2)


def spoken(text: str) -> str:
    """The text with numbers, money and symbols in words; what has none stays as it is."""
    if _PLAIN.fullmatch(text):
        return text
    plain = unicodedata.normalize("NFC", text[:LONGEST])
    kept = _PARTS.sub(_in_words, plain).translate(_SAYABLE)
    tight = re.sub(r"(?<=\w)- ", " ", re.sub(r" +", " ", kept))
    tight = re.sub(r" ?([.,])(?: ?[.,])*", lambda it: _pause(it[0]), tight)
    return tight.strip(" ,")


def _in_words(part: re.Match[str]) -> str:
    """A number, with the currency before or after it."""
    before, after = (part["before"] or "").strip(), (part["after"] or "").strip()
    digits = part["number"].replace(",", "")
    minus = part["minus"] or before[:1] in {"-", "\u2212"}
    code = before.lstrip("-\u2212")
    currency = SYMBOLS.get(code, code) or after
    if not currency and not minus and _is_name(part, digits):
        return f" {_by_digit(digits)} "
    value = Decimal(digits) * (-1 if minus else 1)
    return f" {money(value, currency) if currency else number(value)} "


def _is_name(part: re.Match[str], digits: str) -> bool:
    """Digits of an id or a name, such as `ACC-0042`, that count nothing."""
    start = part.start("number")
    beside = part.string[start - 1 : start] + part.string[part.end() : part.end() + 1]
    leading = digits.startswith("0") and not digits.startswith("0.") and digits != "0"
    return leading or any(it.isalnum() or it in "-_" for it in beside)


def _by_digit(digits: str) -> str:
    names = {"-": "minus", ".": "point"}
    return " ".join(names.get(it) or str(num2words(int(it))) for it in digits)


def _is_sayable(value: Decimal) -> bool:
    """Return whether it is a number that is not absurdly long when it is written out."""
    return value.is_finite() and abs(value.adjusted()) <= LONGEST // 2


def _pause(marks: str) -> str:
    """Of several marks in a row one: a full stop where there is any."""
    return "." if "." in marks else ","
