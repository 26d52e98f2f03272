"""Where a word stands in its clause: what governs it, and whether it begins there."""

from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.lexicon import word_set

FILLERS = word_set(
    "now then also just simply please kindly next first finally lastly so and ok okay hey "
    "well go ahead therefore immediately again instead only step today soon both or quickly "
    "thus hence to permanently automatically recursively forcefully manually directly really "
    "actually carefully safely completely entirely fully temporarily once later directly "
    "proceed right straight force forcibly still"
)
"""What may stand between a verb and what governs it."""

PROCEEDS = word_set(
    "proceed proceeding continue continuing ahead go going start starting move moving press "
    "pressing push pushing carry carrying"
)
"""What one goes on with, or to do."""


def governor(words: list[str], place: int, skip: frozenset[str]) -> str:
    """The nearest word before that is no filler."""
    at = place - 1
    while at >= 0 and (words[at] in skip or words[at].endswith("ly")):
        at -= 1
    return words[at] if at >= 0 else ""


def imperative(sentence: Sentence, place: int) -> bool:
    """Whether a base form here tells somebody what to do: it begins its part of the sentence."""
    words = sentence.words
    joined = place and words[place - 1] in {"and", "then"}
    return bool(joined) or begins(sentence, place) or not governor(words, place, FILLERS)


def begins(sentence: Sentence, place: int) -> bool:
    """Whether only fillers stand between it and the comma, or the beginning, before it."""
    words = sentence.words
    for at in range(sentence.since_comma(place), place):
        if words[at] not in FILLERS and not words[at].endswith("ly"):
            return False
    return True


def opens_part(sentence: Sentence, place: int) -> bool:
    """Whether a form in -ing begins a part: `…, deleting it`, `not quite sure, but deleting it`."""
    if begins(sentence, place):
        return True
    goes_on = place - 1 in sentence.commas and sentence.words[place - 1] in _ALL_THE_SAME
    return goes_on and not is_subject(sentence, place)


_ALL_THE_SAME = word_set("but yet still")


def is_subject(sentence: Sentence, place: int, *, past_commas: bool = False) -> bool:
    """Whether a verb in -ing is what the sentence is about: `deleting it would …`."""
    words = sentence.words
    for at in range(place + 1, min(place + _REACH, len(words))):
        if words[at] in _ENDS or (at in sentence.commas and not past_commas):
            return False
        if words[at] in _SAYS_OF_IT:
            return True
    return False


_REACH = 12
_ENDS = word_set(
    "and or & so as once because since that which who while before after until when if"
)
_SAYS_OF_IT = word_set(
    "would could might may can costs cost requires involves takes means needs is was are were has "
    "will"
)


def names_a_thing(words: list[str], place: int) -> bool:
    """`Refunds take five days`: a noun, because a verb follows at once."""
    return words[place + 1 : place + 2] != [] and words[place + 1] in _AFTER_NOUN


_AFTER_NOUN = word_set(
    "above over below under exceeding beyond between within larger smaller higher lower without "
    "take takes are is were was will can may must have has need from to of in for can't cannot "
    "won't don't doesn't aren't isn't should might could would never"
)


def begins_by(words: list[str], place: int) -> bool:
    """`I'll begin by deleting it`."""
    return words[max(0, place - 2) : place] in (["begin", "by"], ["start", "by"])
