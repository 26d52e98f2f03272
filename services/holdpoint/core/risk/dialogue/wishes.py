"""What is to be done by a wish, by means of something, or only if the other one agrees."""

from holdpoint.core.risk.dialogue.clause import imperative
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.lexicon import STOPS, word_set


def has_it_done(sentence: Sentence, place: int) -> bool:
    """`I want my account closed`, `please have it removed`; not `I have removed it`."""
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
    return wish not in {"have", "get"} or imperative(sentence, wishes[-1])


REACH = 12
"""Words between a wish, or a means, and what is to be done."""

NEAR = 6

_WISHES = word_set("want wants wish like i'd need needs prefer have get")
_NO_WISH = word_set("was were been is are to that which who i you be had has not if")
_AFTER_DONE = STOPS | word_set("for and too immediately today tonight tomorrow soon asap right")


def wants_me(sentence: Sentence, place: int) -> bool:
    """`do you want me to delete`, `want me to`, `which one would you like me to delete`."""
    words = sentence.words
    ahead = words[max(0, place - NEAR) : place]
    asks = ahead[-2:] == ["me", "to"] and not {"want", "like", "prefer"}.isdisjoint(ahead[:-2])
    return asks and sentence.end == "?"


def with_means(sentence: Sentence, place: int) -> bool:
    """`I'll use the tool to delete it`, `use my card to pay`."""
    words = sentence.words
    start = max(0, place - REACH)
    uses = [at for at in range(start, place) if words[at] == "use"]
    if not uses:
        return False
    said = not {"will", "i'll"}.isdisjoint(words[start:place])
    return said or imperative(sentence, uses[-1])


def for_us(words: list[str], place: int) -> bool:
    """`Could you send me it`, `could you share it?`: whoever asks is shown something."""
    if words[place + 1 : place + 2] in (["me"], ["us"]):
        return True
    return words[place] in _SHOWS and _WITH_OTHERS.isdisjoint(words[place:])


_WITH_OTHERS = word_set("to with on in and")
_SHOWS = word_set("share paste upload forward")
