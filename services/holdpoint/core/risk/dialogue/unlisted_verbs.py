"""Actions whose verb stands in no list: whatever is announced and does not belong to the harmless.

```
"I'll gloop it"  "about to gloop"  "I'm glooping it"  "Glooping it now."         under way
"it is being glooped"  "all will be glooped"  "the herd goes to market today"    done to something
```
"""

from collections.abc import Iterator
from itertools import islice

from holdpoint.core.risk.dialogue.clause import FILLERS, is_subject
from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.dialogue.denied import exemplary, negated, subordinate
from holdpoint.core.risk.dialogue.harmless_verbs import HARMLESS
from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.wording import Form, Kind, Verb
from holdpoint.core.risk.words import ARTICLES, STOPS, word_set

MOST = 6
"""Actions of one sentence that are looked for."""

_LEADS = word_set("i'll we'll gonna gotta wanna lemme")
_LEAD_PAIRS = frozenset(
    (one, other)
    for one, others in (
        ("i", "will shall now hereby"), ("we", "will shall now hereby"), ("let", "me us"),
        ("going", "to"), ("about", "to"), ("ready", "to"), ("proceeding", "to"),
    )
    for other in others.split()
)  # fmt: skip
_LAST = word_set("will shall now hereby me us to")
_AM = word_set("i'm we're am")
_GOES = word_set("go goes going")
_WHERE = words("words/dialogue:unlisted_verbs.where")
_SOON = words("words/dialogue:unlisted_verbs.soon")
_DONE_BY = word_set("being be gets get is are")
_NO_OBJECT = words("words/dialogue:unlisted_verbs.no_object")
_ARE = word_set("is are get gets")
_GETS = word_set("get gets")
_DONE_TO = 6
"""Words of what has something done to it: `gets their key card voided`."""

_HAVE_IT = word_set("i'll we'll gonna to will")
"""`I'll have the file shredded`."""

_AHEAD = word_set("ahead with")
_SCALES = word_set("grand thou mil million thousand lakh crore")
"""`Ten grand goes to …`: a sum that goes somewhere is paid."""

_THEY = word_set("it they he she")
_NO_ACTIONS = (HARMLESS | {
    word for word in STOPS | ARTICLES if word not in SPOKEN and not word.endswith("ed")
}) - _GOES  # fmt: skip
"""Words that are never an action, whatever leads to them."""

_MARKS = _LEADS | _AM | _GOES | words("words/dialogue:unlisted_verbs.marks")
_SIGNS = _LEADS | _AM | _GOES | _DONE_BY | _LAST


_UNDERWAY = word_set("trying starting beginning proceeding pressing continuing doing")
_IS_UNDERWAY, _IS_MARKED, _IS_SOON = cue(_UNDERWAY), cue(_MARKS), cue(_SOON)
_LEADS_TO = cue(_SIGNS | {"have", "having"})
"""Without one of these an action can only be a form in -ing."""


def acts_in(sentence: Sentence) -> list[tuple[int, Verb]]:
    """Each action that is announced in words that no list holds, and its place."""
    found: list[tuple[int, Verb]] = []
    cues = sentence.cues
    if cues & _IS_UNDERWAY:
        found += _under_way(sentence)
    if cues & _LEADS_TO and _is_led(sentence):
        found += islice(_found(sentence, _led_places(sentence.words)), MOST)
    elif "ing" in " ".join(sentence.words):
        found += islice(_found(sentence, _opening_places(sentence.words)), MOST)
    return found


def _is_led(sentence: Sentence) -> bool:
    words, cues = sentence.words, sentence.cues
    if cues & _IS_MARKED and not _MARKS.isdisjoint(words):
        return True
    return bool(cues & _IS_SOON) and not (_ARE.isdisjoint(words) or _SOON.isdisjoint(words))


def _under_way(sentence: Sentence) -> Iterator[tuple[int, Verb]]:
    """`Doing it now`, `…, doing it`: behind a comma nothing else is said."""
    words = sentence.words
    for place in (0, *sentence.commas):
        behind = words[place + 1 : place + _A_FEW + 2]
        alone = not behind or (behind[0] in _NOW and (not place or len(behind) <= _A_FEW))
        if alone and words[place : place + 1] and words[place] in _UNDERWAY:
            yield place, Verb(base=words[place], kind=Kind.UPDATE, form=Form.ING)


_A_FEW = 3
"""Words behind `doing` that say nothing else."""

_NOW = word_set("it now anyway enter that this regardless")


def _found(sentence: Sentence, places: list[int]) -> Iterator[tuple[int, Verb]]:
    for place in places:
        word = sentence.words[place]
        form = _form(sentence, place)
        if form is not None and not _taken_back(sentence, place):
            yield place, SPOKEN.get(word) or Verb(base=word, kind=Kind.UPDATE, form=form)


def _opening_places(words: list[str]) -> list[int]:
    """Where such a verb may stand though nothing leads to one."""
    return [
        at
        for at, word in enumerate(words)
        if word.endswith("ing") and word not in HARMLESS and word not in SPOKEN
    ]


def _led_places(words: list[str]) -> list[int]:
    """Where such a verb may stand: behind what leads to one, or as what is done."""
    return [
        at
        for at, (before, word) in enumerate(zip(("", *words), words, strict=False))
        if word not in _NO_ACTIONS
        and (
            word in _MAY_BE_DONE
            or word.endswith(_BENT)
            or ((before in _MAY_LEAD or before.endswith("ly")) and word not in SPOKEN)
        )
    ]


_MAY_BE_DONE = _GOES | {word for word, verb in SPOKEN.items() if verb.form is Form.PAST}
_BENT = ("ing", "ed")
"""How a verb ends that needs nothing in front of it."""


def _taken_back(sentence: Sentence, place: int) -> bool:
    return (
        place in sentence.quoted
        or negated(sentence, place)
        or exemplary(sentence, place)
        or subordinate(sentence, place)
    )


def _form(sentence: Sentence, place: int) -> Form | None:
    """How it is announced here, if it is."""
    words = sentence.words
    word = words[place]
    if word in _GOES:
        return Form.PAST if _goes(words, place) else None
    verb = SPOKEN.get(word)
    done = verb.form is Form.PAST if verb else word.endswith("ed")
    if done and _is_bound(words, place):
        return Form.PAST
    if verb or word in STOPS or word in ARTICLES or not word[0].isalpha():
        return None
    return _led_form(sentence, place, _led_by(words, place))


def _led_form(sentence: Sentence, place: int, before: int | None) -> Form | None:
    words = sentence.words
    if words[place].endswith("ing"):
        goes_on = before is not None and _is_under_way(words, before)
        return Form.ING if goes_on or _opens(sentence, place) else None
    if before is None:
        return None
    if words[place].endswith(("ed", "en")):
        return Form.PAST if _is_done(words, before) else None
    return Form.BASE if _leads(words, before) else None


def _is_under_way(words: list[str], at: int) -> bool:
    """`I'm glooping`, `I'll be glooping`; not `it may be glooping`."""
    will = words[at] == "be" and not _WILL.isdisjoint(words[max(0, at - 2) : at])
    return will or words[at] in _AM


_OF = word_set("of without about")
"""`No record of it being glooped`: what is said of something, not that it is done."""

_WILL = word_set("will shall i'll we'll it'll they'll")


def _led_by(words: list[str], place: int) -> int | None:
    """The place of the word that governs it, fillers skipped."""
    at = place - 1
    if at >= 0 and words[at] in _LAST:
        return at
    while at >= 0 and place - at <= _BETWEEN and (words[at] in _SKIP or words[at].endswith("ly")):
        at -= 1
    return at if at >= 0 and words[at] in _SIGNS else None


_BETWEEN = 4
"""Fillers that may stand between a verb and what leads to it."""

_SKIP = FILLERS - _LAST
_MAY_LEAD = _SIGNS | _SKIP
"""What stands right before a verb that something leads to, fillers among it."""


def _leads(words: list[str], at: int) -> bool:
    if words[at] in _LEADS:
        return True
    return (
        at > 0 and (words[at - 1], words[at]) in _LEAD_PAIRS and words[at - 2 : at - 1] != ["how"]
    )


def _is_done(words: list[str], at: int) -> bool:
    """`is being glooped`, `will be glooped`, `is glooped tonight`."""
    word = words[at]
    if word == "being":
        return words[at - 1] in _ARE or _OF.isdisjoint(words[max(0, at - _DONE_TO) : at])
    ahead = words[max(0, at - 3) : at]
    if word == "be":
        return "to" in ahead or not _WILL.isdisjoint(ahead)
    return not _SOON.isdisjoint(words[at + 1 :][:12])


def _is_bound(words: list[str], place: int) -> bool:
    """`nine in ten are dropped by this step`: a report of what is to come."""
    before = words[max(0, place - _DONE_TO) : place]
    if words[0] == "having" and place <= _DONE_TO:
        return True
    if "have" in before[:-1]:
        at = place - len(before) + before.index("have")
        return at > 0 and words[at - 1] in _HAVE_IT
    has = not _ARE.isdisjoint(before[-1:]) or not _GETS.isdisjoint(before)
    return has and not _SOON.isdisjoint(words[place:][:12])


def _opens(sentence: Sentence, place: int) -> bool:
    """`Glooping it now`, `…, glooping it`: it begins its part, and is not its subject."""
    words = sentence.words
    in_front = not place or place in sentence.commas or words[place - 1] in _JOINS
    if not in_front or len(words[place]) < _A_VERB or words[place] in _NO_OPENING:
        return False
    behind = words[place + 1 : place + 8]
    if place and not _NO_OBJECT.isdisjoint(behind[:1]):
        return False
    return not is_subject(sentence, place, past_commas=True)


_A_VERB = 6
"""Letters of a verb in -ing, at least: `king` and `thing` are none."""

_JOINS = word_set("and so then now just")
_NO_OPENING = word_set("barring")
"""Also a preposition: `barring accidents`."""


def _goes(words: list[str], place: int) -> bool:
    """`goes to the shredder today`, `is going onto every press`, `going ahead with it`."""
    after = words[place + 1 : place + 2]
    if not after:
        return _goes_first(words, place)
    if place and words[place - 1] in _LEADS:
        return after[0] in _AHEAD or after[0] == "for"
    if words[place] == "going":
        if after[0] in _AHEAD:
            return not place or words[place - 1] in _AM or words[place - 1] in {"just", "so"}
        return after[0] in _WHERE - {"to"} and not _SOON.isdisjoint(words[place:])
    soon = not _SOON.isdisjoint(words[place : place + 16]) or words[place - 1] in _SCALES
    return (after[0] in _WHERE and soon) or _goes_first(words, place)


def _goes_first(words: list[str], place: int) -> bool:
    """`Out it goes`, `so they go`."""
    if words[place - 2 : place] == ["so", "they"]:
        return True
    first = place > 1 and words[place - 2] in _WHERE - {"to", "on"}
    return first and words[place - 1] in _THEY
