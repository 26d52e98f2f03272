"""Each deed that a text announces: its verb, how many of what, and whether it takes all of it."""

from collections.abc import Iterable
from itertools import islice, pairwise

import msgspec

from holdpoint.core.risk.dialogue.acts import acts_in
from holdpoint.core.risk.dialogue.counts import Count, counts_in
from holdpoint.core.risk.dialogue.denied import negated
from holdpoint.core.risk.dialogue.handed import HANDS, handed_out
from holdpoint.core.risk.dialogue.mood import Mood, mood_of
from holdpoint.core.risk.dialogue.nominal import nominal_mood
from holdpoint.core.risk.dialogue.ordered import HAS_DONE, SETS_GOING, has_done, set_going
from holdpoint.core.risk.dialogue.particles import PHRASES, SKIPS
from holdpoint.core.risk.dialogue.reached import REACH, most_near
from holdpoint.core.risk.dialogue.resumed import AFTER_ALL, done_after_all
from holdpoint.core.risk.dialogue.reworked import reworks
from holdpoint.core.risk.dialogue.source import is_source
from holdpoint.core.risk.dialogue.spending import PRICES, bought
from holdpoint.core.risk.dialogue.verb_places import (
    BORROWS,
    SAYS,
    USES,
    named_tool,
    says_much,
    verbs_in,
)
from holdpoint.core.risk.dialogue.verbs import NOMINALS, SPOKEN
from holdpoint.core.risk.dialogue.width import is_in_text, is_whole, is_wide
from holdpoint.core.risk.dialogue.words import Sentence, aside_last
from holdpoint.core.risk.wording import Form, Kind, Verb
from holdpoint.core.risk.words import ARTICLES, STOPS, word_set

NEAR = 6
"""Words after a verb among which its object is."""

MOST_VERBS = 80
"""Verbs of one sentence that are looked at: nobody says more."""


class Deed(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a sentence announces."""

    verb: Verb
    mood: Mood = Mood.ANNOUNCED
    records: int | None = None
    noun: str = ""
    wide: bool = False
    """Whether it names several things, or all of something."""

    edits: bool = False
    """Whether it takes words out of a text that flows by: nothing that is kept."""

    whole: bool = False
    """Whether it names all of something: `all`, `every`, `the entire`."""

    objects: tuple[str, ...] = ()
    """The words after the verb (before it, for a passive): what is done to what."""

    span: tuple[int, int]


def is_tangled(sentence: Sentence) -> bool:
    """Whether it has more verbs than are looked at."""
    if len(sentence.words) <= MOST_VERBS:
        return False
    return says_much(sentence) or any(islice(verbs_in(sentence), MOST_VERBS, None))


def deeds_in(sentence: Sentence, *, going: bool) -> list[Deed]:
    """Every deed that this sentence announces, those that no list holds behind the others.

    `going`: it tells what comes of a deed that was announced right before it, with a colon.
    """
    told: _Told = []
    if going or sentence.cues & (HANDS | PRICES):
        told += _announced((*handed_out(sentence, going=going), *bought(sentence)))
    if sentence.cues & SAYS:
        told += _listed(sentence)
    if others := acts_in(sentence):
        told += _announced(others)
    if not told:
        return []
    counts: dict[int, Count] | None = None
    taken: set[int] = set()
    found: list[Deed] = []
    for place, verb, mood in told:
        if mood is not Mood.NONE and place not in taken:
            counts = counts_in(sentence) if counts is None else counts
            found.append(_deed(verb, mood, sentence, place, counts))
        if mood is not Mood.NONE or sentence.words[place] in PHRASES:
            taken.add(place)
    return found


_Told = list[tuple[int, Verb, Mood]]
"""Verbs, each with its place and how it stands."""


def _announced(deeds: Iterable[tuple[int, Verb]]) -> _Told:
    return [(place, verb, Mood.ANNOUNCED) for place, verb in deeds]


def _listed(sentence: Sentence) -> _Told:
    """Each verb that a list holds, and how it stands."""
    last, last_place = Mood.NONE, -1
    found: _Told = []
    for place, verb in islice(verbs_in(sentence), MOST_VERBS):
        mood = _mood(verb, sentence, place, last, last_place)
        if verb.form is Form.BASE or mood is not Mood.NONE:
            last, last_place = mood, place
        found.append((place, verb, mood))
    return found


def _mood(verb: Verb, sentence: Sentence, place: int, last: Mood, last_place: int) -> Mood:
    if verb is BORROWS:
        return Mood.NONE if negated(sentence, place) else Mood.ANNOUNCED
    if verb is NOMINALS.get(sentence.words[place]):
        return nominal_mood(sentence, place)
    form = _form(verb, sentence.words[place])
    if sentence.cues & _TURNS and _is_turned(sentence, place, form):
        return Mood.ANNOUNCED
    return mood_of(sentence, place, form, last, last_place)


_TURNS = SETS_GOING | HAS_DONE | AFTER_ALL


def _is_turned(sentence: Sentence, place: int, form: Form) -> bool:
    """Whether what stands around it has it done, whatever its own mood is."""
    cues = sentence.cues
    if cues & SETS_GOING and set_going(sentence, place):
        return True
    if cues & HAS_DONE and form is Form.BASE and has_done(sentence, place):
        return True
    return bool(cues & AFTER_ALL) and done_after_all(sentence, place, form)


def _form(verb: Verb, word: str) -> Form:
    """That of the word itself: `process the refund` is no form in -ing."""
    known = SPOKEN.get(word)
    if known or word in PHRASES:
        return known.form if known else verb.form
    return Form.ING if word.endswith("ing") else Form.BASE


def _deed(verb: Verb, mood: Mood, sentence: Sentence, place: int, counts: dict[int, Count]) -> Deed:
    """The verb with the largest count in reach: after it, and before a passive."""
    words = sentence.words
    most = most_near(verb, sentence, place, counts) if counts else None
    if most and verb.kind is Kind.CREATE and most.noun.rpartition("_")[2] in _OF_TEXT:
        most = None
    if verb.kind is Kind.READ:
        return _with(Deed(verb=verb, mood=mood, span=sentence.span(place)), most)
    passive = verb.form is Form.PAST
    if not passive and (reworked := reworks(verb.base, sentence, place)):
        return _edit(verb, reworked, sentence, place)
    objects = _objects(verb, sentence, place)
    edits = not passive and verb.kind is Kind.DELETE and (is_in_text(objects) or is_source(objects))
    if edits and not _in_place(words):
        return _edit(verb, objects, sentence, place)
    whole = is_whole(objects)
    wide = whole or is_wide(objects, passive=passive, verb=verb)
    told = Deed(
        verb=verb,
        mood=mood,
        wide=wide or _each_before(words, place, objects),
        whole=whole,
        objects=(*objects, *(() if passive else _meant(words, place, objects))),
        span=sentence.span(place),
    )
    return _with(told, most)


_OF_TEXT = word_set("lines words characters sentences paragraphs letters syllables verses")
"""What is only written: `200 lines of sample text`."""


def _meant(words: list[str], place: int, objects: list[str]) -> list[str]:
    """`export the list and mail it`: what `it` stands for is named in front of the verb."""
    return words[max(0, place - REACH) : place] if objects[:1] in _IT else []


_IT = (["it"], ["them"])


def _objects(verb: Verb, sentence: Sentence, place: int) -> list[str]:
    words = sentence.words
    if verb.form is Form.PAST:
        before = words[max(sentence.since_comma(place), place - REACH) : place]
        return before[before.index("until") + 1 :] if "until" in before else before
    objects = words[_behind(words, place) : place + REACH]
    if "including" in objects and sentence.commas:
        objects = aside_last(sentence, _behind(words, place), place + REACH)
    if words[place] in NOMINALS:
        return _with_kind(words, place, objects)
    if "keep" in objects and _keeps(objects) > 0:
        return objects[: _keeps(objects)]
    if words[place] in USES:
        return [word for word in objects if word not in _OF_TOOLS and not named_tool(word)]
    return objects


def _keeps(objects: list[str]) -> int:
    """`drop the idea and keep the accounts`: where it begins to say what stays; else -1."""
    at = objects.index("keep") - 1
    goes_on = any(word == "on" or word.endswith("ing") for word in objects[at + 2 : at + 3])
    return at if at > 0 and objects[at] in {"and", "but"} and not goes_on else -1


def _with_kind(words: list[str], place: int, objects: list[str]) -> list[str]:
    """`the share sale`: with what stands before the noun, where it is near."""
    start = place
    while start > max(0, place - _COMPOUND) and _is_kind(words[start - 1]):
        start -= 1
    kind = words[start:place]
    return [*objects[: NEAR - len(kind)], *kind, *objects[NEAR - len(kind) :]]


_COMPOUND = 3
"""Words before a noun that say what it is of, at most: `the customer data deletion`."""


def _is_kind(word: str) -> bool:
    return not (word in _BEFORE_A_NOUN or word in STOPS or word.endswith("ing") or "'" in word)


_BEFORE_A_NOUN = ARTICLES | word_set("of that those these")


def _behind(words: list[str], place: int) -> int:
    """Where the objects begin: behind the verb, and behind its particle."""
    if words[place] in NOMINALS:
        return place
    particle = PHRASES.get(words[place], {}).keys() & words[place + 1 : place + 2]
    if not particle or words[place] in SKIPS:
        return place + 1
    return place + 2 + (words[place + 2 : place + 3] in (["with"], ["of"]))


def _with(deed: Deed, most: Count | None) -> Deed:
    """With how many of what it is done to."""
    if most is None:
        return deed
    return msgspec.structs.replace(
        deed,
        records=most.records,
        noun=most.noun,
        wide=deed.wide or most.records > 1,
        span=(min(deed.span[0], most.span[0]), max(deed.span[1], most.span[1])),
    )


def _in_place(words: list[str]) -> bool:
    return ("in", "place") in pairwise(words) or "in-place" in words


def _edit(verb: Verb, objects: list[str], sentence: Sentence, place: int) -> Deed:
    """`remove all tabs from the input`: its span goes up to the last word of its objects."""
    start, _ = sentence.span(place)
    _, end = sentence.span(min(place + len(objects), len(sentence.words) - 1))
    changed = msgspec.structs.replace(verb, kind=Kind.UPDATE)
    return Deed(verb=changed, edits=True, objects=tuple(objects), span=(start, end))


def _each_before(words: list[str], place: int, objects: list[str]) -> bool:
    """`find every old file and remove it`: what it means was named as many before."""
    named = not _EACH.isdisjoint(words[:place])
    return named and ("it" in objects[:4] or words[0] in {"for", "on", "in", "from"})


_EACH = word_set("every each any all whatever anything")
_OF_TOOLS = word_set("the tool function api on for to call")
