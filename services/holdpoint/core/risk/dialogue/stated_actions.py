"""Each action that a text announces: its verb, how many of what, and whether it takes all of it."""

from itertools import islice, pairwise

import msgspec

from holdpoint.core.risk.dialogue.counts import Count, counts_in
from holdpoint.core.risk.dialogue.denied import negated
from holdpoint.core.risk.dialogue.mood import Mood, mood_of
from holdpoint.core.risk.dialogue.phrasal_verbs import PHRASES, SKIPS
from holdpoint.core.risk.dialogue.reached import REACH, most_near
from holdpoint.core.risk.dialogue.unlisted_verbs import acts_in
from holdpoint.core.risk.dialogue.verb_places import (
    BORROWS,
    SAYS,
    USES,
    named_tool,
    says_much,
    verbs_in,
)
from holdpoint.core.risk.dialogue.verbal_nouns import nominal_mood
from holdpoint.core.risk.dialogue.verbs import NOMINALS, SPOKEN
from holdpoint.core.risk.dialogue.words import Sentence, aside_last
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.wording import Form, Kind, Verb
from holdpoint.core.risk.words import ARTICLES, STOPS, WIDE, word_set

NEAR = 6
"""Words after a verb among which its object is."""

MOST_VERBS = 80
"""Verbs of one sentence that are looked at: nobody says more."""


class StatedAction(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a sentence announces."""

    verb: Verb
    mood: Mood = Mood.ANNOUNCED
    records: int | None = None
    noun: str = ""
    wide: bool = False
    """Whether it names several things, or all of something."""

    edits: bool = False
    """Whether it takes words out of a text that flows by: nothing that is kept."""

    objects: tuple[str, ...] = ()
    """The words after the verb (before it, for a passive): what is done to what."""

    span: tuple[int, int]


def is_tangled(sentence: Sentence) -> bool:
    """Whether it has more verbs than are looked at."""
    if len(sentence.words) <= MOST_VERBS:
        return False
    return says_much(sentence) or any(islice(verbs_in(sentence), MOST_VERBS, None))


def actions_in(sentence: Sentence) -> list[StatedAction]:
    """Every action that this sentence announces, those that no list holds behind the others."""
    told: _Told = []
    if sentence.cues & SAYS:
        told += _listed(sentence)
    told += [(place, verb, Mood.ANNOUNCED) for place, verb in acts_in(sentence)]
    if not told:
        return []
    counts: dict[int, Count] | None = None
    taken: set[int] = set()
    found: list[StatedAction] = []
    for place, verb, mood in told:
        if mood is not Mood.NONE and place not in taken:
            counts = counts_in(sentence) if counts is None else counts
            found.append(_action(verb, mood, sentence, place, counts))
        if mood is not Mood.NONE or sentence.words[place] in PHRASES:
            taken.add(place)
    return found


_Told = list[tuple[int, Verb, Mood]]
"""Verbs, each with its place and how it stands."""


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
    return mood_of(sentence, place, form, last, last_place)


def _form(verb: Verb, word: str) -> Form:
    """That of the word itself: `process the refund` is no form in -ing."""
    known = SPOKEN.get(word)
    if known or word in PHRASES:
        return known.form if known else verb.form
    return Form.ING if word.endswith("ing") else Form.BASE


def _action(
    verb: Verb, mood: Mood, sentence: Sentence, place: int, counts: dict[int, Count]
) -> StatedAction:
    """The verb with the largest count in reach: after it, and before a passive."""
    words = sentence.words
    most = most_near(verb, sentence, place, counts) if counts else None
    if most and verb.kind is Kind.CREATE and most.noun.rpartition("_")[2] in _OF_TEXT:
        most = None
    if verb.kind is Kind.READ:
        return _with(StatedAction(verb=verb, mood=mood, span=sentence.span(place)), most)
    passive = verb.form is Form.PAST
    objects = _objects(verb, sentence, place)
    edits = not passive and verb.kind is Kind.DELETE and is_in_text(objects)
    if edits and not _in_place(words):
        return _edit(verb, objects, sentence, place)
    told = StatedAction(
        verb=verb,
        mood=mood,
        wide=is_wide(objects),
        objects=tuple(objects),
        span=sentence.span(place),
    )
    return _with(told, most)


_OF_TEXT = word_set("lines words characters sentences paragraphs letters syllables verses")
"""What is only written: `200 lines of sample text`."""


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
    if words[place] in USES:
        return [word for word in objects if word not in _OF_TOOLS and not named_tool(word)]
    return objects


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


def _with(action: StatedAction, most: Count | None) -> StatedAction:
    """With how many of what it is done to."""
    if most is None:
        return action
    return msgspec.structs.replace(
        action,
        records=most.records,
        noun=most.noun,
        wide=action.wide or most.records > 1,
        span=(min(action.span[0], most.span[0]), max(action.span[1], most.span[1])),
    )


def _in_place(words: list[str]) -> bool:
    return ("in", "place") in pairwise(words) or "in-place" in words


def _edit(verb: Verb, objects: list[str], sentence: Sentence, place: int) -> StatedAction:
    """`remove all tabs from the input`: its span goes up to the last word of its objects."""
    start, _ = sentence.span(place)
    _, end = sentence.span(min(place + len(objects), len(sentence.words) - 1))
    changed = msgspec.structs.replace(verb, kind=Kind.UPDATE)
    return StatedAction(verb=changed, edits=True, objects=tuple(objects), span=(start, end))


_OF_TOOLS = word_set("the tool function api on for to call")


_ALL = WIDE | words("words/dialogue:extent.all")


def is_wide(objects: list[str]) -> bool:
    """Return True if the object is several things, or all of something."""
    first = next((word for word in objects if word not in {"and", "then", "the", "of"}), "")
    return not is_in_text(objects) and (first in _ALL or not _ALL.isdisjoint(objects[:4]))


def is_in_text(objects: list[str]) -> bool:
    """`all spaces`, `the last line`: parts of a text that flows by, and not files or rows."""
    near = [word.removesuffix("'s") for word in objects[:6]]
    found = [place for place, word in enumerate(near) if word.rpartition("-")[2] in _UNITS]
    if not _PARTLY.isdisjoint(near[1:4]):
        return True
    if not found or not _KEPT.isdisjoint(near[: found[0]]) or not _TABLES.isdisjoint(objects):
        return False
    return any(near[one] not in _ONE_OF or _is_placed(near, one) for one in found)


def _is_placed(near: list[str], place: int) -> bool:
    """`the first line`, `blank lines`, `the word "x"`: `a line` may also be one of a telephone."""
    before, after = near[max(0, place - 2) : place], near[place + 1 : place + 2]
    return not _PLACED.isdisjoint(before) or not _WITHIN.isdisjoint(after)


_UNITS = words("words/dialogue:extent.units")
"""Parts of a text: to replace all of it in a stream changes nothing that is kept."""

_KEPT = words("words/dialogue:extent.kept")
_TABLES = words("words/dialogue:extent.tables")
_ONE_OF = words("words/dialogue:extent.one_of")
"""Words that also name other things."""

_PARTLY = word_set("part portion component variable alias path ending")
"""`the directory part`, `the path from each name`: of a name, not of what it names."""

_PLACED = words("words/dialogue:extent.placed")
_WITHIN = words("words/dialogue:extent.within")
