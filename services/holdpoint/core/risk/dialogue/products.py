"""Sums that are paid several times over: ten payments of 500, 30 chairs at 200 each."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import takewhile

import msgspec

from holdpoint.core.risk.dialogue.sums import COINS, NUMBERS
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.extract.currencies import UNITS
from holdpoint.core.risk.extract.money import CURRENCIES, SYMBOLS, Money
from holdpoint.core.risk.extract.numbers import number_at, number_places
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.wording import plural
from holdpoint.core.risk.words import MEASURES, word_set

_EACH = word_set("each apiece every")
_TIMES = word_set("times x")
_A_PIECE = word_set("a an per the")
_PIECES = words("words/dialogue:products.pieces")
"""What a price is for, when it is the price of one of many: `at $49 a seat`."""

_AT = word_set("of at for")
_PARTS = words("words/dialogue:products.parts")
MOST = 8
"""Numbers of one sentence that are multiplied with each other."""


class _Number(msgspec.Struct, frozen=True, kw_only=True):
    value: Decimal
    start: int
    end: int
    currency: str | None


def products_in(sentence: Sentence, sums: list[Money], *, pays: bool) -> Iterator[Money]:
    """What the sums of a sentence come to, where it says how often each of them is paid.

    Where a text `pays`, a price may go without a currency.
    """
    words = sentence.words
    if not (sums or (pays and sentence.cues & NUMBERS)) or _SIGNS.isdisjoint(words):
        return
    numbers = list(_numbers(words))
    counts = [one for one in numbers if one.currency is None and one.value > 1]
    for one in numbers:
        if one.currency is None and not (pays and _is_price(words, one)):
            continue
        times = max((how.value for how in counts if _multiplies(words, how, one)), default=None)
        if times is not None:
            yield Money(value=one.value * times, currency=one.currency or "")


def _is_price(words: list[str], one: _Number) -> bool:
    """`at 90 each`, `at about 41 apiece`, `for 200 an evening`: what one of many costs."""
    at = one.start - 1
    while at > 0 and words[at] in _ABOUT:
        at -= 1
    behind = words[one.end] if one.end < len(words) else ""
    return at >= 0 and words[at] in _AT_A_PRICE and behind in _EACH | _A_PRICE


_AT_A_PRICE = word_set("at for")
_A_PRICE = word_set("a an per")
_ABOUT = word_set("about around roughly approximately some just only nearly almost")


_SIGNS = _EACH | _TIMES | _PARTS | _PIECES | _A_PIECE
_BY = tuple([word] for word in _TIMES)


def _numbers(words: list[str]) -> Iterator[_Number]:
    free = 0
    for place in number_places(words)[:MOST]:
        symbol = SYMBOLS.get(words[place][0])
        bare = [words[place][1:] if symbol else words[place], *words[place + 1 : place + 12]]
        number = number_at(bare, 0) if bare[0] and place >= free else None
        if number:
            free = place + number.words
            after = words[free] if free < len(words) else ""
            before = words[place - 1] if place else ""
            small = UNITS[after] if after in COINS else None
            code = symbol or CURRENCIES.get(after) or CURRENCIES.get(before)
            if small and not symbol:
                value = number.value * small[1]
                yield _Number(value=value, start=place, end=free + 1, currency=small[0])
            elif code or after not in _LASTING:
                yield _Number(value=number.value, start=place, end=free, currency=code)


_THEM = word_set("them those these")
_SPANS = word_set("hours days weeks months years")
"""What is paid for by the hour, the month: counted only where the price says so."""
_LASTING = MEASURES - _TIMES - _SPANS


def _multiplies(words: list[str], count: _Number, one: _Number) -> bool:
    after = words[count.end] if count.end < len(words) else ""
    if after in _SPANS:
        return count.start < one.start and plural(_piece(words, one) or "_") == after
    if after in _TIMES or (words[one.end : count.start] in _BY and one.end < count.start):
        return True
    between = words[count.end : one.start]
    if between and between[-1] in _AT and not _PARTS.isdisjoint(between):
        return True
    counted = [*takewhile(str.isalpha, words[count.end : count.end + NEAR])]
    many = [word for word in counted[:3] if plural(word) == word or word in _THEM]
    piece = _piece(words, one)
    if piece in _PIECES:
        return bool(many) and count.start < one.start
    if piece and plural(piece) in counted:
        return True
    return "per" not in words and not _EACH.isdisjoint(words) and bool(many)


NEAR = 5
"""Words behind a count among which stands what is counted."""


def _piece(words: list[str], one: _Number) -> str:
    """What the price is for: `$49 a seat`, `30 euros per chair`, `20 dollars pp`."""
    at = one.end + (words[one.end : one.end + 1] != [] and words[one.end] in CURRENCIES)
    if words[at : at + 1] != [] and words[at] in _PIECES:
        return words[at]
    if "per" in words[at:]:
        at = words.index("per", at)
    elif words[at : at + 1] == [] or words[at] not in _A_PIECE:
        return ""
    return next(iter(words[at + 1 : at + 2]), "")
