"""Whether a verb is announced or asked for, or only talked about.

```
"I will delete it"  "Delete it."  "Should I delete it?"  "it will be deleted"    announced
"I deleted it"  "don't delete it"  "you can delete it"  "how to delete it"       talked about
```
"""

from enum import StrEnum
from itertools import pairwise

from holdpoint.core.risk.dialogue.clause import (
    FILLERS,
    PROCEEDS,
    begins,
    begins_by,
    governor,
    is_said_of,
    is_subject,
    names_a_thing,
    opens_part,
)
from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.dialogue.denied import (
    DENIES,
    EXEMPLIFIES,
    exemplary,
    is_own_step,
    negated,
    subordinate,
)
from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.wording import Form, Kind
from holdpoint.core.risk.words import ARTICLES, word_set


class Mood(StrEnum):
    """How a verb stands in its sentence."""

    ANNOUNCED = "announced"
    ASKED = "asked"
    """The agent asks for permission: `should I delete`."""

    NONE = "none"


_WILL = words("words/dialogue:mood.will")
_IN_GENERAL = words("words/dialogue:mood.in_general")
_CAN = word_set("can could may might would")
_SELF = word_set("i we i'm we're i'll we'll i'd")
_BE = words("words/dialogue:mood.be")
_LIST_OF = word_set("with continue proceed start begin ahead started")
_ABOUT = words("words/dialogue:mood.about")
_REACH = 6
_AND = word_set("and or &")
_TO_A_VERB = FILLERS - {"and", "or", "to", "then"}
_TO_ONGOING = FILLERS - {"to", "proceed", "start"}
_TO_INTENT = FILLERS - {"to", "proceed", "ahead", "step", "next", "go"}
"""What is skipped on the way back to what governs each."""


def mood_of(sentence: Sentence, place: int, form: Form, last: Mood, last_place: int) -> Mood:
    """The mood of the verb here; `last` is that of the verb before it in the sentence."""
    words = sentence.words
    taken_back = sentence.cues & (DENIES | EXEMPLIFIES)
    if taken_back and (negated(sentence, place) or exemplary(sentence, place)):
        return Mood.NONE
    if form is Form.PAST:
        return _passive(sentence, place)
    if form is Form.BASE and sentence.cues & _JOINS and _joins(words, place):
        joined = _as_joined(sentence, place, last, last_place)
        if joined is not None:
            return joined
    if subordinate(sentence, place):
        return Mood.NONE
    return (_ongoing if form is Form.ING else _plain)(sentence, place, last)


def _passive(sentence: Sentence, place: int) -> Mood:
    """`will be deleted`, `being deleted`; `was deleted` is a report, `can be deleted` advice."""
    if not sentence.cues & _PASSES and sentence.end != "?":
        return Mood.NONE
    words = sentence.words
    before = words[max(0, place - 3) : place]
    if not _BECOMES.isdisjoint(before):
        return Mood.ANNOUNCED
    if words[0] in _MAY_IT and sentence.end == "?":
        return Mood.ASKED
    if "be" not in before and "get" not in before:
        return Mood.NONE
    ahead = words[max(0, place - _REACH) : place]
    return Mood.NONE if _CAN & set(ahead) else Mood.ANNOUNCED


_BECOMES = word_set("being getting gets")
_PASSES = cue(_BECOMES | {"be", "get"})
_MAY_IT = word_set("shall should may")
"""`Shall the order be cancelled?`"""


def _joins(words: list[str], place: int) -> bool:
    """Whether it goes on from a verb before it: `find them and delete them`."""
    return governor(words, place, _TO_A_VERB) in _JOINING


_JOINING = word_set("and or then &")
_JOINS = cue(_JOINING)


def _as_joined(sentence: Sentence, place: int, last: Mood, last_place: int) -> Mood | None:
    """`to arm and disarm`, `can open and close`, `find and delete`; None: judge it alone."""
    words = sentence.words
    lead = words[place - 3] if place > 2 else ""  # noqa: PLR2004  # the word before `X and`
    if words[place - 1] in _AND and lead == "to" and _CARRIES.isdisjoint(words[:place]):
        return _infinitive(sentence, place - 2)
    if words[place - 1] in _AND and lead in _CAN:
        return Mood.NONE
    follows = words[place + 1] if place + 1 < len(words) else ""
    if last_place >= 0 and (last is not Mood.NONE or follows not in _THEM):
        return last if last is not Mood.NONE else None
    if last_place >= 0:
        return _as_first(sentence)
    return Mood.ANNOUNCED if follows in _OBJECTS or _is_plural(follows) else None


_CARRIES = words("words/dialogue:mood.carries")
"""What is done `to b`, and then something else: `b` is no verb."""

_THEM = word_set("them it those these each em all")


def _as_first(sentence: Sentence) -> Mood | None:
    """`Look for what nobody has opened and delete it`: told, if it begins with a verb."""
    first = next((word for word in sentence.words if word not in FILLERS), "")
    verb = SPOKEN.get(first)
    return Mood.ANNOUNCED if verb and verb.form is Form.BASE else None


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


_OBJECTS = ARTICLES | words("words/dialogue:mood.objects")


def _ongoing(sentence: Sentence, place: int, last: Mood) -> Mood:
    before = governor(sentence.words, place, _TO_ONGOING)
    if not before and is_subject(sentence, place):
        return Mood.NONE
    if not before or before in _BE or before in _LIST_OF or begins_by(sentence.words, place):
        return Mood.ANNOUNCED
    if place >= sentence.since_comma(place) > 0 and opens_part(sentence, place):
        return Mood.ANNOUNCED
    if before in _ABOUT or before in ARTICLES or before == "to":
        return Mood.NONE
    verb = SPOKEN.get(sentence.words[place])
    follows = last is Mood.ANNOUNCED and verb is not None and verb.kind is Kind.DELETE
    return Mood.ANNOUNCED if follows and "any" in sentence.words[place : place + 3] else Mood.NONE


def _plain(sentence: Sentence, place: int, last: Mood) -> Mood:
    words = sentence.words
    if place and words[place - 1] in ARTICLES:
        return Mood.NONE
    before = governor(words, place, FILLERS)
    begun = not before or (bool(sentence.commas) and begins(sentence, place))
    at_start = begun and not is_said_of(words, place)
    if words[place].endswith("s") and not words[place].endswith(("ss", "us", "goes")):
        if before in {"this", "it"} or (at_start and not names_a_thing(words, place)):
            return Mood.ANNOUNCED
        return last if _joins(words, place) else Mood.NONE
    if place and words[place - 1] == "to":
        return _infinitive(sentence, place)
    if at_start and before not in _CAN:
        return Mood.ANNOUNCED
    return _governed(words, place, before)


def _governed(words: list[str], place: int, before: str) -> Mood:
    """Words before it: a modal, a subject, or nothing that makes it an action."""
    if before in _SELF:
        return Mood.ASKED if _inverted(words, place) else Mood.ANNOUNCED
    if before in _CAN:
        return Mood.NONE
    if before == "you":
        return Mood.ANNOUNCED if _inverted(words, place) else Mood.NONE
    if before in _WILL:
        ahead = words[max(0, place - _REACH) : place]
        topic = before == "about" and "to" not in ahead
        yours = "you" in ahead[-3:-1] and {"i", "we"}.isdisjoint(ahead[-2:-1])
        return Mood.NONE if topic or yours else Mood.ANNOUNCED
    return Mood.NONE


_INVERTED = word_set("should shall may can could must do will would")


def _inverted(words: list[str], place: int) -> bool:
    """`should I delete`, `can you delete`: the modal stands before its subject."""
    pairs = pairwise(words[max(0, place - 4) : place + 1])
    return any(one in _INVERTED and other in {"i", "we", "you"} for one, other in pairs)


def _infinitive(sentence: Sentence, place: int) -> Mood:
    """`I am going to delete`, `I need to delete`; not `how to delete`, `to delete it, I need …`."""
    words = sentence.words
    before = governor(words, place - 1, _TO_INTENT)
    ahead = set(words[max(0, place - _REACH) : place])
    if not before or before in _IN_GENERAL or "how" in ahead:
        return Mood.NONE
    intends = before in {"is", "was"} and not _INTENTS.isdisjoint(ahead)
    if before in {"going", "about", "planning", "ready"} and not _WERE.isdisjoint(ahead):
        return Mood.NONE
    goes_on = before == "on" and words[place - 3] in PROCEEDS
    if intends or goes_on:
        return Mood.ANNOUNCED
    near = set(words[max(sentence.since_comma(place), place - _REACH) : place])
    advised = tuple(words[place - 3 : place - 1]) in _YOU_HAVE
    yours = "you" in near and near.isdisjoint(_ASKS_FOR) and not is_own_step(words, place)
    if before in _WILL or before in {"you", "me"} or words[place - 2] in _WILL:
        return Mood.NONE if advised or yours else Mood.ANNOUNCED
    return Mood.NONE


_YOU_HAVE = frozenset((you, one) for you in ("you'd", "you'll") for one in ("have", "need"))
"""`You'd have to delete it`: advice."""

_ASKS_FOR = word_set("i me i'd want like you'd need")
_WERE = word_set("was were wasn't weren't had")
_INTENTS = words("words/dialogue:mood.intents")
"""`The plan is to …`."""
