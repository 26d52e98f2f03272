"""Actions said as nouns: somebody goes ahead with the cancellation, or with whatever it may be.

```
"I will proceed with the cancellation"  "I'm going to go ahead with the wipe"     announced
"to proceed with the cancellation, …"   "I cannot proceed with it"                talked about
"commence the purge"  "kick off the full teardown"  "the deletion starts now"     begun
```
"""

from collections.abc import Sequence
from itertools import pairwise

from holdpoint.core.risk.dialogue.clause import FILLERS, PROCEEDS, governor
from holdpoint.core.risk.dialogue.denied import negated, subordinate
from holdpoint.core.risk.dialogue.mood import Mood, mood_of
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.wording import Form
from holdpoint.core.risk.words import ARTICLES, STOPS, word_set

_REACH = 6

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
        return governor(words, words.index("to", max(0, at - _REACH)), FILLERS) in _BOUND
    return bool(before) or words[at].endswith("ing")


_STARTS = words("words/dialogue:verbal_nouns.starts")
_KICKS = word_set("kick kicking set setting")
_BETWEEN = 2
"""Words between the noun and its article, at most: `the planned full teardown`."""

_MAY_FOLLOW = STOPS | words("words/dialogue:verbal_nouns.may_follow")
"""What may stand behind the noun; anything else is what it only describes: `the wipe effect`."""


def begun_at(words: Sequence[str], place: int) -> int:
    """Return where the verb stands that begins the noun here; -1 when nobody does."""
    if not is_head(words, place):
        return -1
    at = place - 1
    while at >= 0 and place - at <= _BETWEEN and _may_describe(words[at]):
        at -= 1
    at -= at >= 0 and words[at] in ARTICLES
    if at > 0 and words[at] == "off" and words[at - 1] in _KICKS:
        return at - 1
    return at if at >= 0 and words[at] in _STARTS else -1


def is_head(words: Sequence[str], place: int) -> bool:
    """Return True if the noun here is what is named, and no mere part of another name."""
    behind = words[place + 1 : place + 2]
    return not behind or behind[0] in _MAY_FOLLOW


def _may_describe(word: str) -> bool:
    known = word in ARTICLES or word in STOPS or word in _STARTS or word == "off"
    return not (known or word in _TRIED)


_TRIED = word_set("simulate simulated simulation dry-run trial mock pretend")
"""Of what only shows what it would do."""
