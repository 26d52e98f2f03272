"""What is to be done by a wish, by means of something, or only if the other one agrees."""

from holdpoint.core.risk.dialogue.clause import imperative
from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.words import STOPS, word_set


def has_it_done(sentence: Sentence, place: int) -> bool:
    """`I want it closed`, `please have it removed`, `consider it gone`; not `I have removed it`."""
    if not sentence.cues & _WISHES_FOR:
        return False
    words = sentence.words
    after = words[place + 1] if place + 1 < len(words) else ""
    if after and after not in _AFTER_DONE and place + 1 not in sentence.commas:
        return False
    start = max(0, place - REACH)
    if words[place - 1] in {"like", "want"} and words[place - 2] in {"you'd", "you", "would"}:
        return True
    wishes = [at for at in range(start, place - 1) if words[at] in _WISHES]
    if not wishes or not _NO_WISH.isdisjoint(words[wishes[-1] + 1 : place]):
        return False
    wish = words[wishes[-1]]
    return wish not in _SAID_OF_ALL or imperative(sentence, wishes[-1])


REACH = 12
"""Words between a wish, or a means, and what is to be done."""

NEAR = 6

_WISHES = word_set("want wants wish like i'd need needs prefer have get consider")
_WISHES_FOR = cue(_WISHES)
_NO_WISH = word_set("was were been is are to that which who i you be had has not if")
_SAID_OF_ALL = word_set("have get consider")
"""What is a wish only when it tells somebody to: `consider it closed`."""

_AFTER_DONE = STOPS | word_set("for and too immediately today tonight tomorrow soon asap right")


def wants_me(sentence: Sentence, place: int) -> bool:
    """`do you want me to delete`, `want me to`, `which one would you like me to delete`."""
    if sentence.end != "?":
        return False
    ahead = sentence.words[max(0, place - NEAR) : place]
    return ahead[-2:] == ["me", "to"] and not _WANTS.isdisjoint(ahead[:-2])


_WANTS = word_set("want like prefer")


def with_means(sentence: Sentence, place: int) -> bool:
    """`I'll use the tool to delete it`, `use my card to pay`."""
    if not sentence.cues & _USES:
        return False
    words = sentence.words
    start = max(0, place - REACH)
    uses = [at for at in range(start, place) if words[at] == "use"]
    if not uses:
        return False
    said = not {"will", "i'll"}.isdisjoint(words[start:place])
    return said or imperative(sentence, uses[-1])


_USES = cue(["use"])


def for_us(words: list[str], place: int) -> bool:
    """`Could you send me it`, `could you share it?`: whoever asks is shown something."""
    if words[place + 1 : place + 2] in (["me"], ["us"]):
        return True
    return words[place] in _SHOWS and _WITH_OTHERS.isdisjoint(words[place:])


_WITH_OTHERS = word_set("to with on in and")
_SHOWS = word_set("share paste upload forward")
