"""Each deed that a text announces: its verb, how many of what, and whether it takes all of it."""

from collections.abc import Iterator
from itertools import pairwise, takewhile

import msgspec

from holdpoint.core.risk.dialogue.mood import Mood, mood_of, nominal_mood
from holdpoint.core.risk.dialogue.verbs import NEUTRAL, NOMINALS, OTHERWISE, PHRASES, SPOKEN
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.lexicon import (
    ADJECTIVES,
    ARTICLES,
    MEASURES,
    SKIPPED,
    STOPS,
    WIDE,
    word_set,
)
from holdpoint.core.risk.money import CURRENCIES, SYMBOLS
from holdpoint.core.risk.numbers import Number, number_at, number_places
from holdpoint.core.risk.wording import Form, Kind, Verb, plural

REACH = 12
"""Words between a verb and its number: longer than real clauses, bounded for hostile ones."""

_ALL = WIDE | word_set(
    "any entire whole half most rest completely everybody anything hundreds thousands dozens full"
)
_WHOLE = word_set(
    "all every each both everything everyone everybody entire whole half most full hundreds "
    "thousands"
)
_SINGULAR = word_set("a an one single this it")


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
    for place, word in enumerate(words):
        if word in _TELLING or ("-" in word and word.rpartition("-")[2] in SPOKEN):
            verb = _verb(words, place)
            if verb and place not in sentence.quoted and not _other(words, place):
                yield place, verb
        elif place and words[place - 1] in _AHEAD and _is_deed(words, place):
            yield place, Verb(base=word, kind=Kind.UPDATE, form=Form.BASE)


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
    wide = _is_wide(objects, passive=passive, verb=verb)
    most = max(near, key=lambda count: count.records, default=None)
    start, end = sentence.spans[place]
    return Deed(
        verb=verb,
        mood=mood,
        records=most.records if most else None,
        noun=most.noun if most else "",
        wide=wide or (most is not None and most.records > 1),
        whole=bool(_WHOLE & {word.removesuffix("'s") for word in objects[:4]}) or _of_all(objects),
        objects=tuple(objects),
        span=(min(start, most.span[0]), max(end, most.span[1])) if most else (start, end),
    )


def _is_wide(objects: list[str], *, passive: bool, verb: Verb) -> bool:
    """Whether the object is all of something, or a bare plural: `delete files`."""
    if passive:
        return bool(_ALL & set(objects[:4])) or (bool(objects) and objects[0] in _ALL)
    first = next((word for word in objects if word not in {"and", "then", "the", "of"}), "")
    if first in _ALL or _ALL & set(objects[:4]) or _of_all(objects):
        return True
    return verb.kind is Kind.DELETE and (_bare_plural(objects) or _for_a_time(objects))


def _of_all(objects: list[str]) -> bool:
    """`a third of the …`, `the bin of the whole department`."""
    shares = pairwise(objects)
    part = any(one in _PARTS and other == "of" for one, other in shares)
    behind = objects[objects.index("of") + 1 :][:3] if "of" in objects[:6] else []
    return part or not _TOGETHER.isdisjoint(behind)


_PARTS = word_set("third thirds quarter quarters fifth majority bulk percent rest remainder half")
_TOGETHER = word_set("whole entire complete all every everyone")


def _for_a_time(objects: list[str]) -> bool:
    """`the last six months of orders`: everything from then."""
    places = (place for place, word in enumerate(objects[:-1]) if word in MEASURES)
    return any(objects[place + 1] == "of" for place in places)


def _bare_plural(objects: list[str]) -> bool:
    """A plural before any article or preposition: `old log files`, `directories`."""
    start = 2 if objects[:1] == ["and"] else 0  # `delete and count files`
    for word in objects[start : start + 4]:
        if word in ARTICLES or word in _SINGULAR or word in STOPS:
            return False
        if word.endswith("s") and not word.endswith(("ss", "us", "is", "'s")):
            return True
    return False


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
    span = (sentence.spans[place][0], sentence.spans[last][1])
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
