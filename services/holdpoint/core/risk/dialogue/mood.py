"""Whether a verb is announced or asked for, or only talked about.

```
"I will delete it"  "Delete it."  "Should I delete it?"  "it will be deleted"    announced
"I deleted it"  "don't delete it"  "you can delete it"  "how to delete it"       talked about
```
"""

from enum import StrEnum
from itertools import pairwise

from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.lexicon import ARTICLES, word_set
from holdpoint.core.risk.wording import Form, Kind


class Mood(StrEnum):
    """How a verb stands in its sentence."""

    ANNOUNCED = "announced"
    ASKED = "asked"
    """The agent asks for leave: `should I delete`."""

    NONE = "none"


_FILLERS = word_set(
    "now then also just simply please kindly next first finally lastly so and ok okay hey "
    "well go ahead therefore immediately again instead only step today soon both or quickly "
    "thus hence to permanently automatically recursively forcefully manually directly really "
    "actually carefully safely completely entirely fully temporarily once later directly "
    "proceed right straight force forcibly"
)
"""What may stand between a verb and what governs it."""

_NOT = word_set(
    "not never no nothing none without cannot nor neither avoid avoids avoiding instead "
    "unable don't won't didn't doesn't can't isn't aren't wasn't weren't hasn't haven't "
    "hadn't shouldn't wouldn't couldn't needn't mustn't mightn't ain't cant dont wont refuse "
    "refused prevent prevents preventing rather nobody fail failed fails stop forbidden"
)
_WILL = word_set(
    "will shall i'll we'll let's lets should must i'd time going about need needs want wants "
    "plan plans planning ready proceed proceeding have has had try trying attempt attempting "
    "intend decided prepared continue begin start ahead it'll they'll gonna next step able "
    "like happy request requested asked asks told instructed requests wish would ought "
    "wanting needing supposed authorised authorized approved allowed option maximum willing "
    "us me how's you'll i'm go starting beginning hoping decide agree agreed aim aiming "
    "tasked required requires"
)
_IN_GENERAL = word_set(
    "how way ways button command tool option ability able possible permission used"
)
_CAN = word_set("can could may might would")
_SELF = word_set("i we i'm we're i'll we'll i'd")
_BE = word_set("am are is be being i'm we're start begin keep now currently")
_LIST_OF = word_set("with continue proceed start begin ahead started")
_UNLESS = word_set(
    "if when whether once after before until unless while how what which who where why "
    "because that's although whenever wherever in-case since"
)
_ABOUT = word_set(
    "of for about by from in on over against despite upon include includes including mean "
    "means consider considering suggest recommend avoid"
)
_REACH = 6


def mood_of(sentence: Sentence, place: int, last: Mood, last_place: int) -> Mood:
    """The mood of the verb here; `last` is that of the verb before it in the sentence."""
    words = sentence.words
    verb = SPOKEN.get(words[place])
    form = verb.form if verb else Form.BASE
    if _negated(sentence, place) or _exemplary(words, place):
        return Mood.NONE
    if form is Form.PAST:
        return _passive(words, place)
    if form is Form.BASE and _joins(words, place):
        joined = _as_joined(sentence, place, last, last_place)
        if joined is not None:
            return joined
    if _subordinate(sentence, place):
        return Mood.NONE
    return (_ongoing if form is Form.ING else _plain)(sentence, place, last)


def _negated(sentence: Sentence, place: int) -> bool:
    words = sentence.words
    start = max(sentence.since_comma(place), place - 4)
    if not _NOT.isdisjoint(words[start:place]):
        return True
    return words[0] in {"no", "nothing", "none"} and place < 2 * _REACH


def _passive(words: list[str], place: int) -> Mood:
    """`will be deleted`, `being deleted`; `was deleted` is a report, `can be deleted` advice."""
    before = words[max(0, place - 3) : place]
    if not _BECOMES.isdisjoint(before):
        return Mood.ANNOUNCED
    if "be" not in before and "get" not in before:
        return Mood.NONE
    ahead = words[max(0, place - _REACH) : place]
    return Mood.NONE if _CAN & set(ahead) else Mood.ANNOUNCED


_BECOMES = word_set("being getting gets")


def _joins(words: list[str], place: int) -> bool:
    """Whether it goes on from a verb before it: `find them and delete them`."""
    before = _governor(words, place, skip=_FILLERS - {"and", "or", "to", "then"})
    return before in {"and", "or", "then"}


def _as_joined(sentence: Sentence, place: int, last: Mood, last_place: int) -> Mood | None:
    """`to arm and disarm`, `can open and close`, `find and delete`; None: judge it alone."""
    words = sentence.words
    lead = words[place - 3] if place > 2 else ""  # noqa: PLR2004  # the word before `X and`
    if words[place - 1] in {"and", "or"} and lead == "to":
        return _infinitive(sentence, place - 2)
    if words[place - 1] in {"and", "or"} and lead in _CAN:
        return Mood.NONE
    if last_place >= 0:
        return last if last is not Mood.NONE else None
    follows = words[place + 1] if place + 1 < len(words) else ""
    return Mood.ANNOUNCED if follows in _OBJECTS or _is_plural(follows) else None


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


_OBJECTS = ARTICLES | word_set("multiple several all every everything them it for those these any")


def _exemplary(words: list[str], place: int) -> bool:
    """After `e.g.`, `such as`, `for example`."""
    before = words[max(0, place - 2 * _REACH) : place]
    if _EXEMPLARY.isdisjoint(before):
        return False
    pairs = pairwise(before)
    return any(pair in {("e", "g"), ("such", "as"), ("for", "example")} for pair in pairs)


_WOULD = word_set("would could might may can costs cost requires involves takes means is was")
"""Behind a verb that begins a sentence they make it its subject: `deleting it would cost …`."""

_EXEMPLARY = word_set("g as example")


def _governor(words: list[str], place: int, skip: frozenset[str]) -> str:
    """The nearest word before that is no filler."""
    at = place - 1
    while at >= 0 and (words[at] in skip or words[at].endswith("ly")):
        at -= 1
    return words[at] if at >= 0 else ""


def _subordinate(sentence: Sentence, place: int) -> bool:
    """Whether it stands after `if`, `whether`, `how many` … in its part of the sentence."""
    start = max(sentence.since_comma(place), place - 2 * _REACH)
    return not _UNLESS.isdisjoint(sentence.words[start:place])


def _ongoing(sentence: Sentence, place: int, last: Mood) -> Mood:
    before = _governor(sentence.words, place, _FILLERS - {"to", "proceed", "start"})
    if not before and not _WOULD.isdisjoint(sentence.words[place + 1 : place + 2 * _REACH]):
        return Mood.NONE
    if not before or before in _BE or before in _LIST_OF:
        return Mood.ANNOUNCED
    if place in sentence.commas:
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
    before = _governor(words, place, _FILLERS)
    at_start = not before or place == sentence.since_comma(place)
    if words[place].endswith("s") and not words[place].endswith(("ss", "us")):
        if before in {"this", "it"} or (at_start and not _names_a_thing(words, place)):
            return Mood.ANNOUNCED
        return last if _joins(words, place) else Mood.NONE
    if words[place - 1] == "to" and place:
        return _infinitive(sentence, place)
    if at_start and before not in _CAN:
        return Mood.ANNOUNCED
    return _governed(words, place, before)


def _names_a_thing(words: list[str], place: int) -> bool:
    """`Refunds take five days`: a noun, because a verb follows at once."""
    return words[place + 1 : place + 2] != [] and words[place + 1] in _AFTER_NOUN


_AFTER_NOUN = word_set(
    "take takes are is were was will can may must have has need from to of in for"
)


def _governed(words: list[str], place: int, before: str) -> Mood:
    """What stands before it: a modal, a subject, or nothing that makes it a deed."""
    ahead = words[max(0, place - _REACH) : place]
    if before in _SELF:
        asks = _inverted(words, place)
        return Mood.ASKED if asks else Mood.ANNOUNCED
    if before in _CAN:
        return Mood.NONE
    if before == "you":
        return Mood.ANNOUNCED if _inverted(words, place) else Mood.NONE
    if before in _WILL:
        return Mood.NONE if "you" in ahead[-2:-1] or "you" in ahead[-3:-2] else Mood.ANNOUNCED
    return Mood.NONE


_INVERTED = word_set("should shall may can could must do will would")


def _inverted(words: list[str], place: int) -> bool:
    """`should I delete`, `can you delete`: the modal stands before its subject."""
    for at in range(max(0, place - 4), place):
        if words[at] in _INVERTED and words[at + 1] in {"i", "we", "you"}:
            return True
    return False


def _infinitive(sentence: Sentence, place: int) -> Mood:
    """`I am going to delete`, `I need to delete`; not `how to delete`, `to delete it, I need …`."""
    words = sentence.words
    before = _governor(
        words, place - 1, _FILLERS - {"to", "proceed", "ahead", "step", "next", "go"}
    )
    if not before:
        return Mood.NONE
    ahead = set(words[max(0, place - _REACH) : place])
    if before in _IN_GENERAL or "how" in ahead:
        return Mood.NONE
    intends = before in {"is", "was"} and not _INTENTS.isdisjoint(ahead)
    if intends or ("use" in ahead and ahead & {"will", "i'll"}):
        return Mood.ANNOUNCED
    if before == "me" and "you" in ahead and sentence.end == "?":
        return Mood.ASKED
    addressed = "you" in ahead and not ahead & {"i", "me", "i'd", "want", "like", "you'd", "need"}
    if before in _WILL or before in {"you", "me"} or words[place - 2] in _WILL:
        return Mood.NONE if addressed else Mood.ANNOUNCED
    return Mood.NONE


_INTENTS = word_set("plan idea step goal intention intent task job aim approach")
"""`The plan is to …`."""

_PROCEEDS = word_set("proceed proceeding continue continuing ahead go going start starting")


def nominal_mood(sentence: Sentence, place: int) -> Mood:
    """`I will proceed with the cancellation`, but not `to proceed with …` or `cannot proceed`."""
    words = sentence.words
    start = max(0, place - _REACH)
    before = words[start:place]
    goes = [start + at for at, word in enumerate(before) if word in _PROCEEDS]
    if not goes or "with" not in before or _negated(sentence, goes[-1]):
        return Mood.NONE
    governor = _governor(words, goes[-1], _FILLERS - {"to", "proceed"})
    asks = "like" in words[max(0, goes[-1] - 4) : goes[-1]] or sentence.end == "?"
    if _subordinate(sentence, goes[-1]) and not asks:
        return Mood.NONE
    return Mood.ANNOUNCED if asks or governor not in {"", "to"} else Mood.NONE
