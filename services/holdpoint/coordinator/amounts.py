"""Amounts and numbers of a sentence, in digits or in words of several languages.

An amount is read whole or not at all. The phrase runs from its first number or currency to its
last; what stands directly before and behind it has to be known as harmless (`amounts.toml`).
Anything else may belong to the amount, so there is none, and the person is asked.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache
from importlib.resources import files

import msgspec

from holdpoint.coordinator.intent_table import table
from holdpoint.coordinator.number_words import numbers
from holdpoint.coordinator.plain_text import plain
from holdpoint.coordinator.words import any_of, mend
from holdpoint.messages.base import JsonObject

_TOKEN = re.compile(r"\d(?:[\d.,']*\d)?|us\$|->|[^\W\d_][\w'-]*(?<![-'])|[^\s\w]|_")
_PLAIN = re.compile(r"\d+(?:[.,]\d{1,2})?")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d{1,3}(?:[' ]\d{3})+(?:[.,]\d{1,2})?")
_GROUPED_BY_POINT = re.compile(r"\d{1,3}(?:\.\d{3})+,\d{1,2}|\d{1,3}(?:\.\d{3}){2,}")
_POINT_IS_NO_MARK = frozenset({"EUR"})
"""Currencies of countries where `1.500` is one thousand and five hundred."""

_JOINS = frozenset({"and", "und", "y", "et"})
_ENDS = frozenset(".!?;)")
_BEGINS = frozenset(":,->")
_CENT = Decimal("0.01")
_LONGEST = 3
"""Words of a phrase beside an amount."""


class _Beside(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Content of `amounts.toml`."""

    before: frozenset[str]
    behind: frozenset[str]
    numbers: dict[str, int]
    currencies: dict[str, str]


class _Token(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    glued: bool
    """True if nothing separates it from the token before."""


@cache
def _beside() -> _Beside:
    """Return the data, read once."""
    raw = files("holdpoint.coordinator").joinpath("amounts.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(raw), _Beside)


def money_in(text: str) -> JsonObject | None:
    """Return the one amount of a sentence, `{"value": "150.00", "currency": "USD"}`.

    None where there is none, or several, or any part of it is not understood.
    """
    tokens = _tokens(text)
    found = [_read(tokens, *it) for it in _runs(tokens)]
    money = [it for it in found if it.currency]
    if not money or any(it.value is None for it in money):
        return None
    amounts = {(it.value, it.currency) for it in money}
    if len(amounts) > 1:
        return None
    return _amount(money[0])


def bare_amount(text: str) -> JsonObject | None:
    """Return the one number that stands as an amount without a currency, `{"value": "150.00"}`.

    None where another number is there, a currency, or a part of it is not understood.
    """
    tokens = _tokens(text)
    found = [_read(tokens, *it) for it in _runs(tokens)]
    digits = [it for it in found if it.in_digits]
    if len(digits) != 1 or not digits[0].value or any(it.text in _names() for it in tokens):
        return None
    return _amount(digits[0])


def names_amount(text: str) -> bool:
    """Return whether a number or an amount is in a sentence, understood or not."""
    return any(_runs(_tokens(text)))


def is_money(amount: JsonObject | None) -> bool:
    """Return whether an amount has its currency."""
    return amount is not None and "currency" in amount


def currency_in(text: str) -> str | None:
    """Return the one currency that is named."""
    found = {_names()[it.text] for it in _tokens(text) if it.text in _names()}
    return found.pop() if len(found) == 1 else None


def number_in(text: str) -> int | None:
    """Return the one whole number of a sentence, in digits or words; None where there is none."""
    folded = plain(text)
    digits = re.findall(r"(?<![\w.,-])#?(\d{1,9})(?![\w-]|[.,]\d)", folded)
    if len(digits) == 1:
        return int(digits[0])
    words = folded.split()
    found = {numbers()[it.strip(".,!?")] for it in words if it.strip(".,!?") in numbers()} - {1}
    return found.pop() if not digits and len(found) == 1 else None


class _Phrase(msgspec.Struct, frozen=True, kw_only=True):
    """A number phrase; `value` is None where it is not understood completely."""

    value: Decimal | None
    currency: str
    in_digits: bool


def _tokens(text: str) -> list[_Token]:
    folded, end = plain(text), -1
    tokens = []
    for match in _TOKEN.finditer(folded):
        tokens.append(_Token(text=match.group(), glued=match.start() == end))
        end = match.end()
    return tokens


def _names() -> dict[str, str]:
    return _beside().currencies


def _worded(words: Sequence[str]) -> int | None:
    text = " ".join(words).replace("-", " ")
    return numbers().get(text, _beside().numbers.get(text))


@cache
def _number_words() -> frozenset[str]:
    """Return every word that numbers are made of: `deux`, `cents`."""
    phrases = (*numbers(), *_beside().numbers)
    return frozenset(word for it in phrases for word in it.split()) - _JOINS


def _is_number(word: str) -> bool:
    return word[0].isdigit() or word in _number_words()


def _runs(tokens: Sequence[_Token]) -> Iterator[tuple[int, int]]:
    """Yield where each run of numbers and currencies begins and ends, if a number is in it.

    An `and` between two of them belongs to the run: `one hundred and fifty`.
    """
    at = 0
    while at < len(tokens):
        end = at
        while end < len(tokens) and _belongs(tokens, at, end):
            end += 1
        if any(_is_number(it.text) for it in tokens[at:end]):
            yield at, end
        at = max(end, at + 1)


def _belongs(tokens: Sequence[_Token], begin: int, at: int) -> bool:
    word = tokens[at].text
    if word in _names() or _is_number(word):
        return True
    joins = word in _JOINS and begin < at < len(tokens) - 1
    return joins and (_is_number(tokens[at + 1].text) or tokens[at + 1].text in _names())


def _read(tokens: Sequence[_Token], begin: int, end: int) -> _Phrase:
    words = [it.text for it in tokens[begin:end]]
    named = {_names()[it] for it in words if it in _names()}
    currency = named.pop() if len(named) == 1 else "?" if named else ""
    number = list(words)
    while number and number[0] in _names():
        number.pop(0)
    while number and number[-1] in _names():
        number.pop()
    is_whole = currency != "?" and not set(number) & _names().keys()
    is_clear = is_whole and _is_harmless_around(tokens, begin, end)
    return _Phrase(
        value=_value(number, currency) if is_clear else None,
        currency=currency,
        in_digits=any(it[0].isdigit() for it in number),
    )


def _value(number: Sequence[str], currency: str) -> Decimal | None:
    if not any(it[0].isdigit() for it in number):
        worded = _worded(number)
        return None if worded is None else Decimal(worded)
    text = " ".join(number)
    by_point = bool(_GROUPED_BY_POINT.fullmatch(text)) or (
        currency in _POINT_IS_NO_MARK and bool(re.fullmatch(r"\d{1,3}(?:\.\d{3})+", text))
    )
    if by_point:
        return Decimal(text.replace(".", "").replace(",", "."))
    if _PLAIN.fullmatch(text):
        return Decimal(text.replace(",", "."))
    if not _GROUPED.fullmatch(text) or (currency in _POINT_IS_NO_MARK and _is_three(text)):
        return None
    cents = re.search(r"[.,]\d{1,2}$", text)
    whole = re.sub(r"[,' ]", "", text[: cents.start()] if cents else text)
    return Decimal(whole + (f".{cents.group()[1:]}" if cents else ""))


def _is_three(text: str) -> bool:
    """Return whether a single comma stands before three digits, which may be decimals."""
    return re.fullmatch(r"\d{1,3},\d{3}", text) is not None


def _is_harmless_around(tokens: Sequence[_Token], begin: int, end: int) -> bool:
    before, behind = tokens[max(0, begin - _LONGEST) : begin], tokens[end : end + _LONGEST]
    if before and not _is_harmless_before([it.text for it in before]):
        return False
    if before and tokens[begin].glued and before[-1].text not in _BEGINS:
        return False
    if not behind or (behind[0].text in _ENDS and not _is_joined(behind)):
        return True
    if behind[0].text == ",":
        behind = behind[1:]
    elif behind[0].glued:
        return False
    words = [it.text for it in behind]
    known = next(
        (n for n in range(1, len(words) + 1) if " ".join(words[:n]) in _beside().behind), 0
    )
    return bool(known) and not (len(words) > known and _is_number(words[known]))


def _is_joined(behind: Sequence[_Token]) -> bool:
    """Return whether more follows a mark at once, as in `$10.x`."""
    return len(behind) > 1 and behind[1].glued


def _is_harmless_before(words: Sequence[str]) -> bool:
    if words[-1] in {":", ",", "->"}:
        return True
    tails = {" ".join(words[at:]) for at in range(len(words))}
    verbs = table().words["transfer"]
    meant = mend(words[-1], frozenset(it for it in verbs if it.isalpha()))
    return bool(tails & _beside().before) or any_of(f" {meant} ", verbs)


def _amount(found: _Phrase) -> JsonObject | None:
    if found.value is None:
        return None
    value: JsonObject = {"value": f"{found.value.quantize(_CENT)}"}
    return {**value, "currency": found.currency} if found.currency else value
