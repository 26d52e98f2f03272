"""What is told to go, as a deed: `so the table goes`, `the bucket is going away in an hour`."""

from collections.abc import Iterator

from holdpoint.core.risk.dialogue.denied import negated, subordinate
from holdpoint.core.risk.dialogue.verbs import PRECIOUS
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.wording import Form, Kind, Verb
from holdpoint.core.risk.words import word_set

REMOVES = Verb(base="remove", kind=Kind.DELETE, form=Form.PAST)

_GOES = word_set("goes go going")
_ARE = word_set("is are")
GONE = word_set("gone")
_LONG = word_set("ago since already yesterday last was were why if when")
_WILL = word_set("is are be")
_ON_CALL = word_set(
    "today tonight now noon midnight tomorrow minute minutes seconds shortly hour hours word click "
    "enter button"
)
"""Something ends once that has come: `just say the word and they are gone`."""

_SO = word_set("so then hence therefore unless")
_SOON = word_set(
    "today tonight now noon midnight tomorrow minute minutes shortly immediately hour hours unless"
)
_THINGS = PRECIOUS - word_set("all everything records rows production")
"""Without what is also said of what happens: `everything goes`."""


def told_to_go(sentence: Sentence) -> Iterator[tuple[int, Verb]]:
    """Where something of value is told to go: soon, or because of what was said before."""
    words = sentence.words
    for place, word in enumerate(words):
        goes = word in _GOES and _told_to_go(sentence, place)
        if (goes or (word in GONE and _is_gone(words, place))) and not _is_idle(sentence, place):
            yield place, REMOVES


def _is_gone(words: list[str], place: int) -> bool:
    """`the tables are gone in a minute`, `say the word and the tables will be gone`."""
    at = place - 1
    if (
        at < 1
        or words[at] not in _WILL
        or _ON_CALL.isdisjoint(words)
        or not _LONG.isdisjoint(words)
    ):
        return False
    return words[at - 1 - (words[at - 1] == "will")] in _THINGS


def _told_to_go(sentence: Sentence, place: int) -> bool:
    """Something of value stands before it, and behind it nothing but when."""
    words = sentence.words
    going = words[place] == "going"
    thing = place - 1 - going
    if thing < 0 or words[thing] not in _THINGS or (going and words[place - 1] not in _ARE):
        return False
    behind = words[place + 1 : place + 2]
    if going or behind == ["away"]:
        return behind == ["away"] and not _SOON.isdisjoint(words)
    ends = not behind or place + 1 in sentence.commas
    because = not _SO.isdisjoint(words[sentence.since_comma(place) : place])
    return (ends and because) or (bool(behind) and behind[0] in _SOON)


def _is_idle(sentence: Sentence, place: int) -> bool:
    return negated(sentence, place) or subordinate(sentence, place)
