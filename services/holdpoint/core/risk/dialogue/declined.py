"""What a text says is not done: denied verbs, requests that were declined, letters it passes on.

```
"I won't drop the table"                                              denied
"You asked me to close the account; I have not done that."            declined
"The user wrote: please close my account."                            passed on, and nothing more
```
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import re2

from holdpoint.core.risk.dialogue.deeds import Deed
from holdpoint.core.risk.dialogue.denied import negated
from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.wording import Kind
from holdpoint.core.risk.words import word_set

Told = list[tuple[Sentence, list[Deed]]]


def denied_places(told: Iterable[Sentence]) -> Iterator[tuple[int, int]]:
    """Where verbs stand that are denied."""
    for sentence in told:
        for place, word in enumerate(sentence.words):
            verb = SPOKEN.get(word)
            if verb and verb.kind is not Kind.READ and negated(sentence, place):
                yield sentence.span(place)


def without_declined(told: Told) -> Told:
    """Without what somebody asked for and the last words say was not done."""
    if not told or _NOT.isdisjoint(told[-1][0].words):
        return told
    last, deeds = told[-1]
    if not last.commas and _refused.fullmatch(" ".join(last.words)):
        return [*told[:-1], (last, [])]
    if not deeds and len(told) > 1 and _is_no(last.words) and _was_asked(told[-2][0].words):
        return [*told[:-2], (told[-2][0], []), told[-1]]
    comma = max(last.commas, default=0)
    if comma and _is_no(last.words[comma:]) and _was_asked(last.words[:comma]):
        return [*told[:-1], (last, [])]
    return told


_NOT = word_set("not haven't didn't don't won't refused declined ignored i've")
_ASKED = word_set(
    "asked told wanted instructed requested ordered urged begged pressed considered thought"
)
_no: Any = re2.compile(
    r"(?:and |but |though |which )?(?:i|we|i'm|i've)(?: have| did| do| will| am| can)?"
    r"(?: not| haven't| didn't| don't| won't| refused| declined| ignored)(?: to)?"
    r"(?: (?:done|do|doing|going to do))?"
    r"(?: (?:that|it|so|this|them|either|any of (?:it|that|this)))?"
)
_refused: Any = re2.compile(
    r"(?:i|we)(?: was| were|'ve been| have been) (?:told|asked|ordered|instructed|urged) to "
    r"(?:[^\s]+ ){1,12}?(?:and|but)(?: i| we)?(?: have)? "
    r"(?:refused|declined|haven't|didn't|ignored it)"
)
"""`I was told to format it and refused`, and nothing more."""


def _is_no(words: list[str]) -> bool:
    return _no.fullmatch(" ".join(words)) is not None


def _was_asked(words: list[str]) -> bool:
    return not _ASKED.isdisjoint(words)


def passed_on(told: Sequence[Sentence]) -> Iterator[tuple[int, int]]:
    """Where it ends with what somebody else wrote: nothing is said of doing it."""
    if len(told) < _A_LETTER or told[-2].end != ":":
        return
    before, last = told[-2].words, told[-1]
    writes = before[-1] in _WRITES or (before[-1] in _WAS and not _LINES.isdisjoint(before))
    if writes and before[0] not in _ORDERS and _OWN.isdisjoint(before):
        yield last.starts[0], last.span(len(last.words) - 1)[1]


_A_LETTER = 2
"""Sentences: who wrote, and what."""

_WRITES = word_set("wrote writes said says asked asks reads replied states complained wants")
_WAS = word_set("was were")
_LINES = word_set("log line lines entry entries message error warning output trace header footer")
"""What was written, and nobody says by whom: `the last entry was: …`."""

_ORDERS = word_set("next step plan now")
_OWN = word_set(
    "i we my our i'll i'm plan instructions runbook playbook procedure task spec checklist order "
    "policy step manual prompt system"
)
