"""What takes a verb back: a denial before it, an `if`, an example."""

from itertools import pairwise

from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.words import word_set

_NOT = words("words/dialogue:denied.not")
_UNLESS = words("words/dialogue:denied.unless")

_HALTS = word_set("stop avoid prevent fails")
_AND = word_set("and then")
_NONE = word_set("no nothing none")
_CALLED_OFF = word_set("cancelled canceled scrapped withdrawn rejected abandoned shelved overruled")
DENIES = cue(_NOT | _NONE | _CALLED_OFF)
_EXEMPLARY = word_set("g as example")
EXEMPLIFIES = cue(_EXEMPLARY)
_SUBORDINATES = cue(_UNLESS)
_REACH = 6


def negated(sentence: Sentence, place: int) -> bool:
    """Whether a word right before it denies it, or its part of the sentence begins with `no`."""
    if not sentence.cues & DENIES:
        return False
    words = sentence.words
    begins = _since(sentence, place)
    near = words[max(begins, place - 4) : place]
    denials = _NOT.intersection(near)
    if denials and denials <= _HALTS and _goes_further(near, denials):
        return False
    return bool(denials) or (not begins and words[0] in _NONE and place < 2 * _REACH)


def _goes_further(before: list[str], denials: frozenset[str]) -> bool:
    """`Stop the job and delete it`: what is halted is one thing, what follows another."""
    last = max(at for at, word in enumerate(before) if word in denials)
    return not _AND.isdisjoint(before[last + 2 :])


def exemplary(sentence: Sentence, place: int) -> bool:
    """After `e.g.`, `such as`, `for example`."""
    if not sentence.cues & EXEMPLIFIES:
        return False
    before = sentence.words[max(0, place - 2 * _REACH) : place]
    if _EXEMPLARY.isdisjoint(before):
        return False
    pairs = pairwise(before)
    return any(pair in {("e", "g"), ("such", "as"), ("for", "example")} for pair in pairs)


def subordinate(sentence: Sentence, place: int) -> bool:
    """Whether it stands after `if`, `whether`, `how many` … in its part of the sentence."""
    if not sentence.cues & _SUBORDINATES:
        return False
    start = max(_since(sentence, place), place - 2 * _REACH)
    return not _UNLESS.isdisjoint(sentence.words[start:place])


def _since(sentence: Sentence, place: int) -> int:
    """Where its part of the sentence begins: at a comma, or where `but I'll` goes on."""
    words = sentence.words
    comma = sentence.since_comma(place)
    if _ON.isdisjoint(words[comma:place]):
        return comma
    goes_on = (at for at in range(place - 1, comma, -1) if _goes_on(words, at))
    return next(goes_on, comma)


def _goes_on(words: list[str], at: int) -> bool:
    """Whether a part begins here in which somebody says what they do themselves."""
    word, subject = words[at - 1], words[at]
    if word in _GROUNDS:
        return is_ours(words, at)
    return word in _ON and (subject in _I_WILL or (subject in {"i", "we"} and word != "and"))


def is_own_step(words: list[str], place: int) -> bool:
    """`I want to tell you that I'm going to delete it`."""
    return any(is_ours(words, at) for at in range(max(0, place - 4), place - 2))


def is_ours(words: list[str], at: int) -> bool:
    """`I'm`, `we will`: what begins here is what somebody does, or is about to."""
    return words[at] in _I_WILL or (words[at] in {"i", "we"} and words[at + 1] in _WILL)


_GROUNDS = word_set("because since although though while whereas")
_ON = word_set("but so yet anyway and") | _GROUNDS
_WILL = word_set("will am are shall")
_I_WILL = word_set("i'll we'll i'm we're")
