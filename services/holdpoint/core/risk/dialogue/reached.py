"""Which number of a sentence an action is done to, and which only stands near it.

```
"delete the 400 rows"  "the 400 rows will be deleted"                 so many are deleted
"once 400 have come"  "send an overview of the 2,300 tickets"         said of something else
"run the linter over 300 files"  "write 500 words"                    nothing is changed
```
"""

from holdpoint.core.risk.dialogue.counts import Count
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.wording import Form, Kind, Verb
from holdpoint.core.risk.words import word_set

REACH = 12
"""Words between a verb and its number: longer than real clauses, bounded for hostile ones."""


def most_near(verb: Verb, sentence: Sentence, place: int, counts: dict[int, Count]) -> Count | None:
    """The largest count in reach: behind the verb, and before a passive."""
    words = sentence.words
    first = place - REACH if verb.form is Form.PAST else place
    most: Count | None = None
    for at, count in counts.items():
        near = first <= at < place + REACH and (most is None or count.records > most.records)
        if near and _is_kept(verb, count) and not _is_beside(verb, words, place, at):
            most = count
    return most


def _is_beside(verb: Verb, words: list[str], place: int, at: int) -> bool:
    """`once 400 have come`, `an overview of the 2,300 tickets`, `run the linter over 300 files`."""
    between = words[place + 1 : at]
    if not _LATER.isdisjoint(between):
        return True
    if verb.kind in _OF_EACH or not _AND.isdisjoint(between):
        return False
    told = between[-1:] == ["the"]
    summed = between[-2 - told : len(between) - told]
    if summed[1:] == ["of"] and summed[0] in _SUMMED:
        return True
    looks = next((at for at, word in enumerate(between) if word in _LOOKS), None)
    return looks is not None and verb.base in _RUNS and _OVER.issuperset(between[looks + 1 :])


def _is_kept(verb: Verb, count: Count) -> bool:
    """Words, tests and the like are made and run at no cost; only to take them away counts."""
    if verb.kind is Kind.DELETE:
        return True
    first, _, last = count.noun.rpartition("_")
    return last not in _CHEAP and first not in _MADE_UP


_MADE_UP = words("words/dialogue:reached.made_up")
_OF_EACH = frozenset({Kind.DELETE, Kind.PAYMENT, Kind.READ})
"""What is done to each one, however many of them one thing tells of."""

_AND = word_set("and then or &")
_SUMMED = words("words/dialogue:reached.summed")
"""What is made of many things, and is one by itself."""

_RUNS = word_set("run launch start execute")
_LOOKS = word_set("linter linters tests checker spellchecker type-checker profiler")
"""What is run over many things, and changes none of them."""

_OVER = words("words/dialogue:reached.over")

_LATER = word_set("once when whenever until unless if")
"""Before a count they say when, not how many: `tell me once 400 have come`."""


_CHEAP = words("words/dialogue:reached.cheap")
