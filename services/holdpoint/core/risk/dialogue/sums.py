"""Sums of money and shares of a whole, as people write them in sentences."""

from decimal import Decimal

from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.money import CURRENCIES, SYMBOLS, Money
from holdpoint.core.risk.numbers import number_at, number_places, written

REACH = 12
_BEFORE_A_SUM = word_set(
    "of pay pays paying transfer transferring send sending wire wiring amount charge "
    "charging refund refunding deposit withdraw withdrawing invest investing donate donating "
    "spend spending total totalling for about approximately around than to exactly nearly "
    "almost another full up roughly over only just worth"
)
_AFTER_A_SUM = word_set(
    "to from for into using with in on via and by now today as per out at each tomorrow "
    "total towards toward between immediately"
)
_NAMES = word_set(
    "id number account no ending order ticket flight room line version year step page"
)
_NOT_PAID = word_set("budget balance limit range threshold cap")
_NO_MONEY_UNDER = 100
"""A bare number this small after `of` counts other things; sums that matter are larger."""


def sums_in(sentence: Sentence) -> list[Money]:
    """Each sum with a currency."""
    words = sentence.words
    found, free = [], 0
    for place in number_places(words):
        if place >= free:
            money, length = _sum(words, place)
            free = place + length
            if money:
                found.append(money)
    return found


def _sum(words: list[str], place: int) -> tuple[Money | None, int]:
    """The sum that begins here, if any, and how many words to go on by."""
    symbol = SYMBOLS.get(words[place][0])
    bare = words[place : place + REACH]
    bare[0] = bare[0][1:] if symbol else bare[0]
    number = number_at(bare, 0) if bare[0] else None
    if number is None:
        return None, 1
    after = bare[number.words] if number.words < len(bare) else ""
    before = words[place - 1] if place else ""
    code = symbol or CURRENCIES.get(after) or CURRENCIES.get(before)
    if after in _NOT_PAID:
        return None, number.words
    money = Money(value=number.value, currency=code) if code else None
    return money, number.words


def bare_sums_in(sentence: Sentence) -> list[Money]:
    """Numbers without a currency that can only be sums: `transfer 5000 to`, `a premium of 2000`."""
    words = sentence.words
    found = []
    for place in number_places(words):
        word = words[place]
        if place and word[0] not in SYMBOLS and _stands_as_sum(words, place):
            value, end = _bare(words, place)
            after = words[end] if end < len(words) else ""
            ends = not after or after in _AFTER_A_SUM or end in sentence.commas
            named = _NAMES & set(words[max(0, place - 2) : place])
            if value and value >= _NO_MONEY_UNDER and ends and not named and not _is_year(word):
                found.append(Money(value=value, currency=""))
    return found


def _bare(words: list[str], place: int) -> tuple[Decimal | None, int]:
    """The number here, in figures or in words, and where it ends."""
    if words[place][0].isdigit():
        return written(words[place]), place + 1
    number = number_at(words, place)
    return (number.value, place + number.words) if number else (None, place + 1)


def _stands_as_sum(words: list[str], place: int) -> bool:
    total = words[place + 1 : place + 3] == ["in", "total"]
    return words[place - 1] in _BEFORE_A_SUM or total


def _is_year(word: str) -> bool:
    return len(word) == 4 and word[:2] == "20" and word[2] in "123"  # noqa: PLR2004  # a year's digits


def shares_in(sentence: Sentence) -> list[Decimal]:
    """Each percentage."""
    words = sentence.words
    shares = []
    for place, word in enumerate(words):
        if word[-1] == "%" or (word[0].isdigit() and words[place + 1 : place + 2] == ["percent"]):
            shares.append(written(word.removesuffix("%")))
    return [share for share in shares if share is not None]
