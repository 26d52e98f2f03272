"""What a sentence counts: each number of things, and what things they are."""

import msgspec

from holdpoint.core.risk.dialogue.sums import COINS, NUMBERS
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.extract.money import CURRENCIES, SYMBOLS
from holdpoint.core.risk.extract.numbers import Number, number_at, number_places
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.wording import plural
from holdpoint.core.risk.words import ADJECTIVES, MEASURES, SKIPPED, STOPS, word_set

_REACH = 12
"""Words of a noun, at most: longer than real ones, bounded for hostile ones."""


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """So many of what, and where it says so."""

    records: int
    noun: str
    span: tuple[int, int]


def counted(sentence: Sentence) -> tuple[int, str]:
    """The most that a sentence counts, and of what; nothing is `(0, "")`."""
    most = max(counts_in(sentence).values(), key=lambda count: count.records, default=None)
    return (most.records, most.noun) if most else (0, "")


def counts_in(sentence: Sentence) -> dict[int, Count]:
    """By place: each number that counts things, with the things."""
    if not sentence.cues & NUMBERS:
        return {}
    words = sentence.words
    counts: dict[int, Count] = {}
    free = 0
    for place in number_places(words):
        if place < free or words[place][0] in SYMBOLS:
            continue
        number = number_at(words, place)
        if number:
            free = place + number.words
            count = _count(number, sentence, place)
            if count:
                counts[place] = count
    return counts


def _count(number: Number, sentence: Sentence, place: int) -> Count | None:
    words = sentence.words
    end = place + number.words
    end += 2 if tuple(words[end : end + 2]) in _AND_MORE else 0
    records = int(number.value)
    if number.value != records or _is_measure(words, place, end):
        return None
    noun, last = _noun(words, end, many=number.value != 1)
    last = last if noun else end - 1
    if noun.rpartition("_")[2] in _DATED and _is_year(words, place):
        return None
    named = words[end - 1] in _VAST or _of_them(words, end) or _apart(sentence, place, end)
    if not noun and not named:
        return None
    span = (sentence.starts[place], sentence.span(last)[1])
    return Count(records=records, noun=noun, span=span)


def _is_year(words: list[str], place: int) -> bool:
    """`the 2019 invoices`: those of that year."""
    year = words[place]
    return place > 0 and words[place - 1] in _OWNED and len(year) == 4 and year[:2] == "20"  # noqa: PLR2004  # `2019`


_OWNED = word_set("the our your my his her their its")
_DATED = words("words/dialogue:counts.dated")
"""What is known by the year that it is of."""


def _of_them(words: list[str], end: int) -> bool:
    """`all six hundred of them`: of what was named before."""
    return end < len(words) and words[end] == "of" and words[end + 1 : end + 2] in _THEM


def _apart(sentence: Sentence, place: int, end: int) -> bool:
    """`The tickets, ten thousand or so, …`: of what was just named."""
    return place in sentence.commas and tuple(sentence.words[end : end + 2]) in _ROUGHLY


_AND_MORE = frozenset({("and", "some"), ("and", "odd"), ("and", "change")})
"""`four hundred and some meters`."""

_ROUGHLY = frozenset(
    {
        ("or", "so"),
        ("or", "thereabouts"),
        ("or", "more"),
        ("in", "all"),
        ("in", "total"),
        ("to", "be"),
    }
)
_THEM = (["them"], ["those"], ["these"], ["us"])
_VAST = word_set("million millions billion billions")
"""So many of whatever it is are many."""


def _is_name(word: str) -> bool:
    bare = word.replace("-", "").replace("_", "").replace("'", "")
    return bare.isalnum() and not word[0].isdigit()


_MEASURES = MEASURES | COINS


def _is_measure(words: list[str], start: int, end: int) -> bool:
    before = words[start - 1] if start else ""
    after = words[end] if end < len(words) else ""
    return before in CURRENCIES or after in CURRENCIES or after in _MEASURES


def _noun(words: list[str], start: int, *, many: bool) -> tuple[str, int]:
    """The noun phrase that begins here, and its last place: at most its last two words.

    Behind a number above one it ends with its last plural; without one it is no count.
    """
    found: list[str] = []
    last = start
    for place in range(start, min(len(words), start + _REACH)):
        word = words[place]
        if not found and word in SKIPPED:
            continue
        if word in STOPS or not (word.isalpha() or _is_name(word)):
            break
        last = place
        found.append(word)
    while many and found and plural(found[-1]) != found[-1]:
        found.pop()
        last -= 1
    nouns = [word for word in found if word not in ADJECTIVES][-2:]
    if nouns:
        nouns[-1] = plural(nouns[-1])
    return "_".join(nouns).replace("-", "_"), last
