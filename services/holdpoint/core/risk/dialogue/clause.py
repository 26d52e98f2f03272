"""Where a word stands in its clause: what governs it, and whether it begins there."""

from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.words import ARTICLES, STOPS, word_set

FILLERS = words("words/dialogue:clause.fillers")
"""What may stand between a verb and what governs it."""

PROCEEDS = words("words/dialogue:clause.proceeds")
"""What one goes on with, or to do."""


def governor(words: list[str], place: int, skip: frozenset[str]) -> str:
    """The nearest word before that is no filler."""
    at = place - 1
    while at >= 0 and (words[at] in skip or words[at].endswith("ly")):
        at -= 1
    return words[at] if at >= 0 else ""


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
        if words[at] in _SAYS_OF_IT and not _of_another(words, place, at):
            return True
    return False


def _of_another(words: list[str], place: int, at: int) -> bool:
    """`Deleting the files nobody has opened`, `… to save cost`: no word on the action itself."""
    if at + 1 == len(words):
        return True
    if words[at] in _MAY_BE_NOUNS and _is_noun(words, at):
        return True
    if words[at - 1] in _OTHERS:
        return True
    if words[at - 1] in _IT and at - 1 > place + 1:
        return words[at - 2] not in STOPS
    return words[place] not in _GIVES and _adds_a_subject(words, place + 2, at - 1)


def _is_noun(words: list[str], at: int) -> bool:
    return words[at - 1] in _BEFORE_NOUN or not _SAVES.isdisjoint(words[at - 3 : at])


def _adds_a_subject(words: list[str], start: int, end: int) -> bool:
    """`the table the team has left`: a second thing with nothing that joins it to the first."""
    return any(
        words[at] in ARTICLES and (words[at - 1] in _NOW or _is_thing(words[at - 1]))
        for at in range(start, end)
    )


_NOW = word_set("now today tonight immediately")
"""Behind these another sentence begins, also where no stop says so."""


def _is_thing(word: str) -> bool:
    return not (word in STOPS or word in FILLERS or word.endswith("ing"))


_MAY_BE_NOUNS = word_set("costs cost means needs")
_BEFORE_NOUN = ARTICLES | word_set("no any all some these those")
_SAVES = word_set("save saves saving cut cutting lower lowering reduce reducing less")
_OTHERS = words("words/dialogue:clause.others")
_IT = word_set("it you")
_GIVES = words("words/dialogue:clause.gives")
"""What is done to two things at once: `sending the client the bill`."""


_REACH = 12
_ENDS = words("words/dialogue:clause.ends")
_SAYS_OF_IT = words("words/dialogue:clause.says_of_it")


def is_said_of(words: list[str], place: int) -> bool:
    """`TRUNCATE cannot be undone`: something is said of it, nobody is told to do it."""
    return words[place + 1 : place + 2] != [] and words[place + 1] in _CANNOT


_CANNOT = word_set("cannot can't is isn't was does doesn't won't never couldn't")


def names_a_thing(words: list[str], place: int) -> bool:
    """`Refunds take five days`: a noun, because a verb follows at once."""
    return words[place + 1 : place + 2] != [] and words[place + 1] in _AFTER_NOUN


_AFTER_NOUN = words("words/dialogue:clause.after_noun")


def begins_by(words: list[str], place: int) -> bool:
    """`I'll begin by deleting it`."""
    return words[max(0, place - 2) : place] in (["begin", "by"], ["start", "by"])
