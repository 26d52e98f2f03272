"""What an agent's sentence announces: which deed, on how many of what, for how much money.

Only announced verbs count ("delete", "deleting", "will be deleted"), not reports ("deleted").
"""

from decimal import Decimal

import msgspec

from holdpoint.core.risk.lexicon import (
    ADJECTIVES,
    ARTICLES,
    MEASURES,
    PASSIVE,
    SKIPPED,
    STOPS,
    WIDE,
)
from holdpoint.core.risk.money import CURRENCIES, SYMBOLS, Money
from holdpoint.core.risk.numbers import Number, number_at, written
from holdpoint.core.risk.wording import Form, Kind, Verb, plural, verb_in

REACH = 12
"""Words between a verb and its number: longer than real clauses, bounded for hostile ones."""

_EDGES = "()[]{}<>\"'`*_,.;:!?“”‘’…—–"  # noqa: RUF001  # agents write curly quotes and dashes
_ENDS = frozenset(".!?;")


class Word(msgspec.Struct, frozen=True):
    """A word without its punctuation, and its place in the text."""

    text: str
    start: int
    end: int


class Deed(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a sentence announces."""

    verb: Verb
    records: int | None = None
    noun: str = ""
    wide: bool = False
    """Whether it names all of something."""

    span: tuple[int, int]


class Announcement(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a sentence announces."""

    deeds: tuple[Deed, ...] = ()
    amounts: tuple[Money, ...] = ()
    percents: tuple[Decimal, ...] = ()


class _Count(msgspec.Struct, frozen=True, kw_only=True):
    records: int
    noun: str
    span: tuple[int, int]


def announcement(text: str) -> Announcement:
    """Read a case-folded text.

    Sums count where something is done, and everywhere once the sentence speaks of paying.
    """
    told = [(words, _deeds(words)) for words in _clauses(text)]
    every = tuple(deed for _, deeds in told for deed in deeds)
    pays = any(deed.verb.kind is Kind.PAYMENT for deed in every)
    acting = [words for words, deeds in told if pays or any(_acts(deed) for deed in deeds)]
    return Announcement(
        deeds=every,
        amounts=tuple(money for words in acting for money in _amounts(words)),
        percents=tuple(share for words in acting for share in _percents(words)),
    )


def _acts(deed: Deed) -> bool:
    return deed.verb.kind is not Kind.READ


def gravest(deeds: tuple[Deed, ...]) -> Deed | None:
    """The deed that the whole sentence is about: the worst kind, then the most records."""
    return max(deeds, key=_gravity, default=None)


def _gravity(deed: Deed) -> tuple[int, int, bool]:
    return (list(Kind).index(deed.verb.kind), deed.records or 0, deed.wide)


def _clauses(text: str) -> list[list[Word]]:
    clauses: list[list[Word]] = [[]]
    at = 0
    for raw in text.split():
        start = text.index(raw, at)
        at = start + len(raw)
        core = raw.lstrip(_EDGES)
        start = at - len(core)
        core = core.rstrip(_EDGES)
        if core:
            clauses[-1].append(Word(core, start, start + len(core)))
        if raw[-1] in _ENDS:
            clauses.append([])
    return clauses


def _deeds(words: list[Word]) -> list[Deed]:
    texts = [word.text for word in words]
    counts = _counts(words, texts)
    found = ((place, verb_in(text)) for place, text in enumerate(texts))
    return [
        _deed(verb, words, place, counts)
        for place, verb in found
        if verb and _is_announced(verb, texts, place)
    ]


def _is_announced(verb: Verb, texts: list[str], place: int) -> bool:
    before = texts[max(0, place - 2) : place]
    if verb.form is Form.PAST:
        return any(word in PASSIVE for word in before)
    return not (before and before[-1] in ARTICLES)


def _deed(verb: Verb, words: list[Word], place: int, counts: dict[int, _Count]) -> Deed:
    """The verb with the largest count in reach: after it, or before a passive."""
    reach = range(place - REACH, place) if verb.form is Form.PAST else range(place, place + REACH)
    near = [counts[one] for one in reach if one in counts]
    wide = _is_wide([word.text for word in words[place + 1 : place + 5]])
    if not near:
        return Deed(verb=verb, wide=wide, span=(words[place].start, words[place].end))
    most = max(near, key=lambda count: count.records)
    start = min(most.span[0], words[place].start)
    end = max(most.span[1], words[place].end)
    return Deed(
        verb=verb,
        records=most.records,
        noun=most.noun,
        wide=wide or most.records > 1,
        span=(start, end),
    )


def _is_wide(after: list[str]) -> bool:
    """Whether the object is all of something, or a bare plural: `delete files`."""
    bare = bool(after) and after[0].endswith("s") and not after[0].endswith(("ss", "us", "is"))
    return bare or any(text in WIDE for text in after)


def _counts(words: list[Word], texts: list[str]) -> dict[int, _Count]:
    """By place: each number that counts things, with the things."""
    counts = {}
    place = 0
    while place < len(texts):
        number = number_at(texts, place)
        if number:
            count = _count(number, words, texts, place)
            if count:
                counts[place] = count
        place += number.words if number else 1
    return counts


def _count(number: Number, words: list[Word], texts: list[str], place: int) -> _Count | None:
    end = place + number.words
    if number.value != int(number.value) or _is_measure(texts, place, end):
        return None
    noun, last = _noun(texts, end)
    if not noun or (number.value != 1 and plural(texts[last]) != texts[last]):
        return None
    return _Count(records=int(number.value), noun=noun, span=(words[place].start, words[last].end))


def _is_measure(texts: list[str], start: int, end: int) -> bool:
    before = texts[start - 1] if start else ""
    after = texts[end] if end < len(texts) else ""
    return before in CURRENCIES or after in CURRENCIES or after in MEASURES


def _noun(texts: list[str], start: int) -> tuple[str, int]:
    """The plural noun phrase that begins here, and its last place: at most its last two words."""
    found: list[str] = []
    last = start
    for place in range(start, min(len(texts), start + REACH)):
        text = texts[place]
        if not found and text in SKIPPED:
            continue
        if text in STOPS or not text.replace("-", "").replace("_", "").isalpha():
            break
        last = place
        found.append(text)
    nouns = [text for text in found if text not in ADJECTIVES][-2:]
    named = "_".join([*nouns[:-1], *(plural(noun) for noun in nouns[-1:])])
    return named.replace("-", "_"), last


def _amounts(words: list[Word]) -> list[Money]:
    texts = [word.text for word in words]
    found = []
    place = 0
    while place < len(texts):
        money, length = _amount(texts, place)
        place += length
        if money:
            found.append(money)
    return found


def _amount(texts: list[str], place: int) -> tuple[Money | None, int]:
    """The sum that begins here, if any, and how many words to go on by."""
    symbol = SYMBOLS.get(texts[place][0])
    bare = texts[place : place + REACH]
    bare[0] = bare[0][1:] if symbol else bare[0]
    number = number_at(bare, 0) if bare[0] else None
    if number is None:
        return None, 1
    after = bare[number.words] if number.words < len(bare) else ""
    before = texts[place - 1] if place else ""
    code = symbol or CURRENCIES.get(after) or CURRENCIES.get(before)
    money = Money(value=number.value, currency=code) if code else None
    return money, number.words


def _percents(words: list[Word]) -> list[Decimal]:
    shares = []
    for place, word in enumerate(words):
        after = words[place + 1].text if place + 1 < len(words) else ""
        if word.text.endswith("%") or after in {"%", "percent"}:
            shares.append(written(word.text.removesuffix("%")))
    return [share for share in shares if share is not None]
