"""Each deed that a text announces: its verb, how many of what, and whether it takes all of it."""

from collections.abc import Iterator
from itertools import takewhile

import msgspec
import re2

from holdpoint.core.risk.dialogue.mood import Mood, mood_of, nominal_mood
from holdpoint.core.risk.dialogue.verbs import NEUTRAL, NOMINALS, OTHERWISE, PHRASES, SPOKEN
from holdpoint.core.risk.dialogue.width import is_whole, is_wide
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.lexicon import (
    ADJECTIVES,
    MEASURES,
    SKIPPED,
    STOPS,
    word_set,
)
from holdpoint.core.risk.money import CURRENCIES, SYMBOLS
from holdpoint.core.risk.numbers import Number, number_at, number_places
from holdpoint.core.risk.wording import Form, Kind, Verb, plural

REACH = 12
"""Words between a verb and its number: longer than real clauses, bounded for hostile ones."""


class Deed(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a sentence announces."""

    verb: Verb
    mood: Mood = Mood.ANNOUNCED
    records: int | None = None
    noun: str = ""
    wide: bool = False
    """Whether it names several things, or all of something."""

    whole: bool = False
    """Whether it names all of something: `all`, `every`, `the entire`."""

    objects: tuple[str, ...] = ()
    """The words after the verb (before it, for a passive): what is done to what."""

    span: tuple[int, int]


class _Count(msgspec.Struct, frozen=True, kw_only=True):
    records: int
    noun: str
    span: tuple[int, int]


def deeds_in(sentence: Sentence) -> list[Deed]:
    """Every deed that this sentence announces, in order."""
    places = list(_verbs(sentence))
    if not places:
        return []
    found: list[Deed] = []
    counts: dict[int, _Count] | None = None
    last, last_place = Mood.NONE, -1
    for place, verb in places:
        noun = verb is NOMINALS.get(sentence.words[place])
        mood = nominal_mood(sentence, place) if noun else mood_of(sentence, place, last, last_place)
        if mood is not Mood.NONE:
            counts = _counts(sentence) if counts is None else counts
            found.append(_deed(verb, mood, sentence, place, counts))
        if verb.form is Form.BASE or mood is not Mood.NONE:
            last, last_place = mood, place
    return found


def _verbs(sentence: Sentence) -> Iterator[tuple[int, Verb]]:
    words = sentence.words
    if _SAYING.isdisjoint(words) and "-" not in "".join(words):
        return
    before = ""
    for place, word in enumerate(words):
        if word not in _DOES and (
            word in _TELLING or ("-" in word and word.rpartition("-")[2] in SPOKEN)
        ):
            verb = _verb(words, place)
            if verb and place not in sentence.quoted and not _other(words, place):
                yield place, verb
        elif word in _LIGHT and (light := _light(words, place)):
            yield place, light
        elif before in _AHEAD and _is_deed(words, place):
            yield place, Verb(base=word, kind=Kind.UPDATE, form=Form.BASE)
        before = word


def _light(words: list[str], place: int) -> Verb | None:
    """A verb that says little, by what follows: `process the refund`, `use the PayBill tool`."""
    word = words[place]
    if word in _DOES:
        near = takewhile(_still_near, words[place + 1 : place + 5])
        return next((NOMINALS[one] for one in near if one in NOMINALS), None)
    return next(filter(None, map(_named, words[place + 1 : place + 4])), None)


_DOES = word_set("process perform complete finalize finalise conduct carry initiate trigger")
_USES = word_set("use call invoke utilize utilise")
_LIGHT = _DOES | _USES
_TOOL = re2.compile(
    r"\w{3,}(withdraw|transfer|delete|remove|terminate|cancel|purge|revoke|disable)\w*"
)


def _named(word: str) -> Verb | None:
    """What a tool's name says it does, in the middle of the word."""
    match = _TOOL.fullmatch(word)
    return SPOKEN[match[1]] if match else None


def _is_deed(words: list[str], place: int) -> bool:
    """`I will <word> 300 things`: whatever the word means, it is done to many."""
    word, before = words[place], words[max(0, place - 2) : place]
    announced = before[-1] in {"i'll", "we'll"} or tuple(before) in _ANNOUNCING
    many = number_places(words[place + 1 : place + 4]) or words[place + 1 : place + 2] == ["all"]
    return announced and bool(many) and word.isalpha() and word not in NEUTRAL


_AHEAD = word_set("i'll we'll will to")
_ANNOUNCING = frozenset(
    (one, other) for one, other in (("i", "will"), ("we", "will"), ("going", "to"), ("about", "to"))
)


_TELLING = frozenset((*SPOKEN, *PHRASES, *NOMINALS))
_SAYING = _TELLING | _LIGHT | _AHEAD
"""Words without which a sentence announces no deed, but for one with a hyphen."""


def _verb(words: list[str], place: int) -> Verb | None:
    """The verb here, with its particle (`turn … off`), or as a noun (`with the cancellation`)."""
    word = words[place]
    if word in NOMINALS and "with" in words[max(0, place - 4) : place]:
        return NOMINALS[word]
    second = PHRASES.get(word)
    if second:
        near = takewhile(_still_near, words[place + 1 : place + 5])
        return next((second[one] for one in near if one in second), SPOKEN.get(word))
    return SPOKEN.get(word) or SPOKEN.get(word.rpartition("-")[2])


def _still_near(word: str) -> bool:
    return word not in {"to", "and", "or"}


def _other(words: list[str], place: int) -> bool:
    """Whether what looks like a verb is another word here: `close variants`, `a set of`."""
    after = words[place + 1] if place + 1 < len(words) else ""
    return after in OTHERWISE.get(words[place], ())


def _deed(
    verb: Verb, mood: Mood, sentence: Sentence, place: int, counts: dict[int, _Count]
) -> Deed:
    """The verb with the largest count in reach: after it, or before a passive."""
    words = sentence.words
    passive = verb.form is Form.PAST
    reach = range(place - REACH, place) if passive else range(place, place + REACH)
    near = [counts[one] for one in reach if one in counts]
    first = place if words[place] in NOMINALS else place + 1
    objects = words[max(0, place - REACH) : place] if passive else words[first : place + REACH]
    wide = is_wide(objects, passive=passive, verb=verb)
    most = max(near, key=lambda count: count.records, default=None)
    start, end = sentence.span(place)
    return Deed(
        verb=verb,
        mood=mood,
        records=most.records if most else None,
        noun=most.noun if most else "",
        wide=wide or (most is not None and most.records > 1),
        whole=is_whole(objects),
        objects=tuple(objects),
        span=(min(start, most.span[0]), max(end, most.span[1])) if most else (start, end),
    )


def _counts(sentence: Sentence) -> dict[int, _Count]:
    """By place: each number that counts things, with the things."""
    words = sentence.words
    counts: dict[int, _Count] = {}
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


def _count(number: Number, sentence: Sentence, place: int) -> _Count | None:
    words = sentence.words
    end = place + number.words
    if number.value != int(number.value) or _is_measure(words, place, end):
        return None
    noun, last = _noun(words, end, many=number.value != 1)
    if not noun:
        return None
    span = (sentence.starts[place], sentence.span(last)[1])
    return _Count(records=int(number.value), noun=noun, span=span)


def _is_measure(words: list[str], start: int, end: int) -> bool:
    before = words[start - 1] if start else ""
    after = words[end] if end < len(words) else ""
    return before in CURRENCIES or after in CURRENCIES or after in MEASURES


def _noun(words: list[str], start: int, *, many: bool) -> tuple[str, int]:
    """The noun phrase that begins here, and its last place: at most its last two words.

    Behind a number above one it ends with its last plural; without one it is no count.
    """
    found: list[str] = []
    last = start
    for place in range(start, min(len(words), start + REACH)):
        word = words[place]
        if not found and word in SKIPPED:
            continue
        if word in STOPS or not word.replace("-", "").replace("_", "").isalpha():
            break
        last = place
        found.append(word)
    while many and found and plural(found[-1]) != found[-1]:
        found.pop()
        last -= 1
    nouns = [word for word in found if word not in ADJECTIVES][-2:]
    named = "_".join([*nouns[:-1], *(plural(noun) for noun in nouns[-1:])])
    return named.replace("-", "_"), last
