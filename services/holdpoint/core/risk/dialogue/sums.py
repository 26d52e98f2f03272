"""Sums of money and shares of a whole, as people write them in sentences."""

from collections.abc import Iterator
from decimal import Decimal

from holdpoint.core.risk.dialogue.cues import FIGURE, HYPHEN, cue
from holdpoint.core.risk.dialogue.phrasal_verbs import PHRASES
from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.extract.currencies import UNITS
from holdpoint.core.risk.extract.money import CURRENCIES, SYMBOLS, Money
from holdpoint.core.risk.extract.numbers import STARTS, Number, number_at, number_places, written
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.wording import Kind
from holdpoint.core.risk.words import ARTICLES, STOPS, word_set

REACH = 12
_BEFORE_A_SUM = words("words/dialogue:sums.before_a_sum")
_MONEYS = words("words/dialogue:sums.moneys")
"""What a bare number before it is a sum of: `the 900 bill`."""

_AFTER_A_SUM = words("words/dialogue:sums.after_a_sum")
_FIGURED = word_set("figure figures")
_DIGITED = word_set("digit digits")
_MOST_FIGURES = 15
_NAMES = words("words/dialogue:sums.names")
_EMPHATIC = word_set("cool whole mere tidy measly neat handsome")
_FILLS = word_set("top topping fund funding load loading credit crediting")
_NOT_PAID = word_set("budget balance limit range threshold cap")
_OWED = word_set("balance")
_SETTLES = words("words/dialogue:sums.settles")
_NO_MONEY_UNDER = 100
"""A bare number this small after `of` counts other things; sums that matter are larger."""


COINS = words("words/dialogue:sums.coins")
"""Small coins that people speak of."""


def sums_in(sentence: Sentence) -> list[Money]:
    """Each sum with a currency."""
    words = sentence.words
    found, free = [], 0
    for place in number_places(words) if sentence.cues & NUMBERS else ():
        if place >= free:
            money, length = _sum(words, place)
            free = place + length
            if money:
                found.append(money)
    if not sentence.cues & _IN_DIGITS:
        return found
    return [*found, *_figures(words), *(money for word in words if (money := _joined(word)))]


NUMBERS = cue(STARTS) | FIGURE | HYPHEN
"""Without one of these a sentence has no number."""

_IN_DIGITS = cue(_FIGURED | _DIGITED) | HYPHEN


def _joined(word: str) -> Money | None:
    """`a ten-thousand-dollar payment`, `a ten-grand retainer`."""
    parts = word.split("-")
    number = parts[:-1] if parts[-1] in CURRENCIES else parts if parts[-1] in _GRAND else []
    said = number_at(number, 0) if len(parts) > 1 and number else None
    if said is None or said.words < len(number):
        return None
    return Money(value=said.value, currency=CURRENCIES.get(parts[-1], ""))


def _figures(words: list[str]) -> Iterator[Money]:
    """`a six-figure claim` is as much as can be written with so many digits."""
    for place, word in enumerate(words):
        number, _, kind = word.rpartition("-")
        if kind in _DIGITED and _MONEYS.isdisjoint(words[place + 1 : place + 3]):
            continue
        if kind in _FIGURED and not number and place and _is_of_money(words, place):
            number = words[place - 1]
        value = _digits(number) if number and kind in _FIGURED | _DIGITED else None
        if value:
            yield Money(value=value, currency="")


def _digits(number: str) -> Decimal | None:
    counted = number_at([number], 0) if number_places([number]) else None
    known = counted is not None and 1 < counted.value < _MOST_FIGURES
    return Decimal(10) ** int(counted.value) - 1 if counted and known else None


def _is_of_money(words: list[str], place: int) -> bool:
    handed = not _HANDED.isdisjoint(words[max(0, place - 5) : place])
    return handed or not _MONEYS.isdisjoint(words) or any(map(_is_payment, words))


_HANDED = word_set("hand handing sink sinking earmark earmarking advance advancing")
"""What `five figures` are done with when they are no figures of a page."""


def _is_payment(word: str) -> bool:
    verb = SPOKEN.get(word)
    return verb is not None and verb.kind is Kind.PAYMENT


def _sum(words: list[str], place: int) -> tuple[Money | None, int]:
    """The sum that begins here, if any, and how many words to go on by."""
    symbol = SYMBOLS.get(words[place][0])
    number = _after_symbol(words, place) if symbol else number_at(words, place)
    if number is None:
        return None, 1
    after = words[place + number.words] if place + number.words < len(words) else ""
    before = words[place - 1] if place else ""
    code = symbol or CURRENCIES.get(after) or CURRENCIES.get(before)
    if after in _NOT_PAID and not (after in _OWED and _is_settled(words, place)):
        return None, number.words
    if after in COINS and not symbol:
        small, size = UNITS[after]
        return Money(value=number.value * size, currency=small), number.words
    end = place + number.words
    grand = words[end - 1] in _GRAND and _is_over(words, end)
    money = Money(value=number.value, currency=code or "") if code or grand else None
    return money, number.words


def _is_settled(words: list[str], place: int) -> bool:
    """`pay the outstanding $700 balance`."""
    return not _SETTLES.isdisjoint(words[max(0, place - 4) : place])


def _after_symbol(words: list[str], place: int) -> Number | None:
    bare = [words[place][1:], *words[place + 1 : place + REACH]]
    return number_at(bare, 0) if bare[0] else None


_GRAND = word_set("grand crore crores lakh lakhs mil thou")
"""After one of these a number without a currency is a sum."""


def _is_over(words: list[str], end: int) -> bool:
    """Whether no noun follows: `two grand`, not `two grand pianos`."""
    return end >= len(words) or words[end] in _AFTER_A_SUM or words[end] in STOPS


def bare_sums_in(sentence: Sentence) -> list[Money]:
    """Numbers without a currency that can only be sums: `transfer 5000 to`, `a premium of 2000`."""
    words = sentence.words
    found = []
    for place in number_places(words) if sentence.cues & NUMBERS else ():
        word = words[place]
        if place and word[0] not in SYMBOLS and _stands_as_sum(words, place):
            value, end = _bare(words, place)
            after = words[end] if end < len(words) else ""
            ends = not after or after in _AFTER_A_SUM or end in sentence.commas
            ends = ends or _is_payment(after) or not _MONEYS.isdisjoint(words[end : end + 3])
            named = _is_named(words[max(0, place - 2) : place])
            if value and value >= _NO_MONEY_UNDER and ends and not named and not _is_year(word):
                found.append(Money(value=value, currency=""))
    return found


def _is_named(before: list[str]) -> bool:
    """`order 67890`, `the number of 500`; not `a standing order of 500`."""
    linked = before[-1:] in (["of"], ["with"])
    return not (_COUNTED if linked else _NAMES).isdisjoint(before)


_COUNTED = word_set("id number no version year step page")


def _bare(words: list[str], place: int) -> tuple[Decimal | None, int]:
    """The number here, in figures or in words, and where it ends."""
    number = number_at(words, place)
    return (number.value, place + number.words) if number else (None, place + 1)


def _stands_as_sum(words: list[str], place: int) -> bool:
    total = words[place + 1 : place + 3] == ["in", "total"]
    before = words[place - 1]
    if before in ARTICLES and place > 1 and _MONEYS.isdisjoint(words[place : place + 4]):
        before = words[place - 2]
    if before == "is" and not _MONEYS.isdisjoint(words[:place]):
        return True
    if before in _EMPHATIC and place > 1:
        before = words[place - 2]
    if before in _VAGUE and place > 1:
        near = words[max(0, place - REACH) : place - 1]
        return bool(near) and _stands_as_sum([*near, *words[place : place + REACH]], len(near))
    named = before in ARTICLES or before in {"have", "get"}
    to_whom = _is_noun(before) and any(map(_is_payment, words[max(0, place - 4) : place - 1]))
    spent = before in _PARTICLES and place > 1 and words[place - 2] in PHRASES
    filled = before == "with" and not _FILLS.isdisjoint(words[:place])
    return (
        spent
        or filled
        or before in _BEFORE_A_SUM
        or named
        or total
        or to_whom
        or _is_payment(before)
    )


_VAGUE = word_set("several few good some")
"""`Pay several thousand`: no more is said of how much."""

_PARTICLES = word_set("out in up down over off")
"""`splash out four thousand`, `chip in fifteen hundred`."""


def _is_noun(word: str) -> bool:
    """Whether it may be whom a sum is paid to: `lend my cousin 500`."""
    return word.isalpha() and word not in STOPS and not number_places([word])


def _is_year(word: str) -> bool:
    return len(word) == 4 and word[:2] == "20" and word[2] in "123"  # noqa: PLR2004  # a year's digits


def shares_in(sentence: Sentence) -> list[Decimal]:
    """Each percentage."""
    if not sentence.cues & (FIGURE | _SHARED):
        return []
    words = sentence.words
    places = (at for at, word in enumerate(words) if word in _OF_A_HUNDRED or word[-1] == "%")
    shares = (_share(words, at) for at in places if not _is_dial(words, at))
    return [share for share in shares if share is not None]


def _share(words: list[str], place: int) -> Decimal | None:
    figure = words[place][-1] == "%"
    return written(words[place][:-1]) if figure else _before(words, place)


def _is_dial(words: list[str], place: int) -> bool:
    """How a thing at home is set, and how sure somebody is, are no share of a whole."""
    if words[place + 1 : place + 2] in _SURE:
        return True
    near = words[max(0, place - REACH) : place]
    return not _DIALS.isdisjoint(near) and _WHOLES.isdisjoint(words)


_SURE = (["sure"], ["certain"], ["confident"], ["that"], ["likely"])
_DIALS = words("words/dialogue:sums.dials")
_WHOLES = words("words/dialogue:sums.wholes")


def _before(words: list[str], end: int) -> Decimal | None:
    """The number before `percent` or `per cent`, in figures or in words."""
    end -= words[end] == "cent"
    for start in range(max(0, end - _LONGEST), end):
        number = number_at(words, start) if _is_counted(words, start) else None
        if number and start + number.words == end:
            return number.value
    return None


def _is_counted(words: list[str], start: int) -> bool:
    return bool(number_places(words[start : start + 1]))


_OF_A_HUNDRED = word_set("percent cent")
_SHARED = cue(_OF_A_HUNDRED)
_LONGEST = 4
"""Words of a number of percents: `a hundred and ten`."""
