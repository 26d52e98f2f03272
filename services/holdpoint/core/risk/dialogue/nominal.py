"""Deeds said as nouns: somebody goes ahead with the cancellation, or with whatever it may be.

```
"I will proceed with the cancellation"  "I'm going to go ahead with the wipe"     announced
"to proceed with the cancellation, …"   "I cannot proceed with it"                talked about
"Pressing on with the changeover"       "continuing with the next chapter"        a deed, and none
```
"""

from collections.abc import Iterator
from itertools import pairwise

from holdpoint.core.risk.dialogue.begun import begun_at
from holdpoint.core.risk.dialogue.clause import FILLERS, PROCEEDS, governor, is_subject
from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.dialogue.denied import negated, subordinate
from holdpoint.core.risk.dialogue.harmless import HARMLESS
from holdpoint.core.risk.dialogue.mild import PAGES, TEXTS
from holdpoint.core.risk.dialogue.mood import Mood, mood_of
from holdpoint.core.risk.dialogue.ordered import ordered
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.wording import Form, Kind, Verb
from holdpoint.core.risk.words import ARTICLES, STOPS, word_set

_REACH = 6
_MOST = 20
"""Words of one sentence that something may be gone on with behind."""

_TO_A_NOUN = FILLERS - {"to", "proceed"}
_BOUND = word_set("going about ready have need want decided")
"""`I'm going to proceed with it`: what makes `to` an announcement."""


def nominal_mood(sentence: Sentence, place: int) -> Mood:
    """How the noun here stands: `with the cancellation`."""
    words = sentence.words
    if _is_begun(words, place):
        return Mood.NONE if negated(sentence, place) else Mood.ANNOUNCED
    if (begun := begun_at(words, place)) >= 0:
        form = Form.ING if words[begun].endswith("ing") else Form.BASE
        return mood_of(sentence, begun, form, Mood.NONE, -1)
    start = max(0, place - _REACH)
    before = words[start:place]
    goes = [start + at for at, word in enumerate(before) if word in PROCEEDS]
    if not goes or "with" not in before or negated(sentence, goes[-1]):
        return Mood.NONE
    asks = "like" in words[max(0, goes[-1] - 4) : goes[-1]] or sentence.end == "?"
    if subordinate(sentence, goes[-1]) and not asks:
        return Mood.NONE
    return Mood.ANNOUNCED if asks or _is_announced(sentence, goes[-1]) else Mood.NONE


def _is_begun(words: list[str], place: int) -> bool:
    """`Starting the deletion of the bucket`, `the deletion starts now`."""
    behind = words[place + 1 : place + 8]
    if any(one in _BEGIN and two in _AT_ONCE for one, two in pairwise(behind)):
        return True
    at = place - 1 - (words[place - 1] in ARTICLES)
    return at >= 0 and words[at] in _BEGINNING and (not at or words[at - 1] in _NOW)


_BEGIN = word_set("starts begins commences")
_AT_ONCE = word_set("now immediately shortly today tonight")
_BEGINNING = word_set("starting beginning commencing")
_NOW = word_set("i'm we're now am")


def _is_announced(sentence: Sentence, at: int) -> bool:
    words = sentence.words
    before = governor(words, at, _TO_A_NOUN)
    if before == "to":
        if ordered(sentence, at):
            return True
        return governor(words, words.index("to", max(0, at - _REACH)), FILLERS) in _BOUND
    return bool(before) or words[at].endswith("ing")


def gone_on_with(sentence: Sentence) -> Iterator[tuple[int, Verb]]:
    """Where somebody goes on with something that no list holds, and that is not only read."""
    if not sentence.cues & _IS_GOING_ON:
        return
    words = sentence.words
    near = [at for at, word in enumerate(words) if word in _WITHS and at][:_MOST]
    for at in near:
        if words[at - 1] not in _GOES_ON:
            continue
        first = at - 1 - (words[at - 1] in _AHEAD)
        if words[first] in _STARTS and _is_ours(words, first) and _is_a_step(sentence, at, first):
            taken_back = negated(sentence, first) or subordinate(sentence, first)
            if not taken_back:
                yield first, GOES_ON


def _is_a_step(sentence: Sentence, at: int, first: int) -> bool:
    """`going on with the changeover`, `proceeding without a backup`; not with what is read."""
    if sentence.words[at] == "with":
        return not _is_read(sentence.words, at + 1)
    return not is_subject(sentence, first)


GOES_ON = Verb(base="proceed", kind=Kind.UPDATE, form=Form.BASE)
_AHEAD = word_set("on ahead")
_WITHS = word_set("with without")
_STARTS = word_set(
    "proceed proceeding continue continuing press pressing push pushing carry carrying go going "
    "forge forging"
)
_GOES_ON = word_set("proceed proceeding continue continuing on ahead")
WITH, _IS_GOING_ON = cue(_WITHS), cue(_GOES_ON)
_OURS = word_set("i'm we're i'll we'll will")


def _is_ours(words: list[str], first: int) -> bool:
    if not first:
        return words[0].endswith("ing")
    before = words[max(0, first - 4) : first]
    return not _OURS.isdisjoint(before)


def _is_read(words: list[str], start: int) -> bool:
    """Whether what it goes on with is a text, a search, the next of something."""
    near = words[start : start + _REACH]
    end = next((at for at, one in enumerate(near) if one in STOPS and one not in ARTICLES), _REACH)
    return not near[:end] or not _TOLD.isdisjoint(near[:end])


_TOLD = (
    (HARMLESS - ARTICLES - STOPS - word_set("order not"))
    | TEXTS
    | PAGES
    | word_set(
        "second half rest remaining other others reading tour chapters part parts section sections "
        "paper papers scene lesson round exercise course game story recipe"
    )
)
