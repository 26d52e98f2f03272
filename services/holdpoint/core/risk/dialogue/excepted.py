"""What a denial leaves out is done: `Nothing will be deleted except all accounts.`"""

from collections.abc import Iterator

from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.dialogue.verb_places import verbs_in
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.wording import Kind
from holdpoint.core.risk.words import word_set

_BESIDE = {
    ("except",): 1,
    ("excepting",): 1,
    ("besides",): 1,
    ("apart", "from"): 2,
    ("aside", "from"): 2,
    ("other", "than"): 2,
    ("save", "for"): 2,
    ("exception", "of"): 2,
}
"""How an exception begins, in so many words."""

EXCEPTS = cue(word_set("except excepting besides apart aside than save exception but"))
"""Without one of these nothing is left out."""

_NONE = word_set("nothing no none nobody not never won't don't isn't aren't anything neither nor")
_BUT_AFTER = word_set("nothing anything none nobody")
_OVER = word_set("was were has have had did didn't been hasn't haven't wasn't weren't")
"""Beside these it is told what was done."""

_FILLS = word_set("for from of only just")
_GONE = {"lost": "lose", "gone": "remove", "erased": "erase"}


def excepted(sentence: Sentence) -> Iterator[Sentence]:
    """Each deed that is denied, as one that is announced for what is left out."""
    words, starts = sentence.words, sentence.starts
    place, length = _exception(words)
    head = words[:place]
    if not place or _NONE.isdisjoint(head) or not _OVER.isdisjoint(head):
        return
    at = place + length
    while words[at : at + 1] and words[at] in _FILLS:
        at += 1
    if at == len(words):
        return
    for base in dict.fromkeys(_denied(sentence, place)):
        said = ["i'll", base, *words[at:]]
        yield Sentence(said, [starts[at], starts[at], *starts[at:]], set(), set(), sentence.end)


def _exception(words: list[str]) -> tuple[int, int]:
    """Where it begins, and how many words say so; `(0, 0)`: there is none."""
    for at in range(1, len(words) - 1):
        if words[at] == "but" and words[at - 1] in _BUT_AFTER:
            return at, 1
        for length in (1, 2):
            if tuple(words[at : at + length]) in _BESIDE:
                return at, length
    return 0, 0


def _denied(sentence: Sentence, place: int) -> Iterator[str]:
    for at, verb in verbs_in(sentence):
        if at < place and verb.kind is not Kind.READ:
            yield verb.base
    yield from (_GONE[word] for word in sentence.words[:place] if word in _GONE)
