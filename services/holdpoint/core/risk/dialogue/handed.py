"""What many are about to get: `everyone gets the coupon tonight` is a deed of whoever gives it."""

from collections.abc import Iterator

from holdpoint.core.risk.dialogue.denied import exemplary, negated, subordinate
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.numbers import number_places
from holdpoint.core.risk.wording import Form, Kind, Verb

GIVES = Verb(base="give", kind=Kind.UPDATE, form=Form.PAST)

_GETS = word_set("gets get receives receive")
_GOES = word_set("go goes")
_WORDS = _GETS | _GOES
_MANY = word_set("every all each everyone everybody tens dozens hundreds thousands millions")
_SOON = word_set("today tonight now noon midnight tomorrow minute minutes shortly immediately")
_MINE = word_set("i'm i'll me we'll we're")
_DENIED = word_set("can may might could should must if would")
_OPENING = 4
"""Words in front among which it says that they are many."""


def handed_out(sentence: Sentence) -> Iterator[tuple[int, Verb]]:
    """Where many get something, soon or by whoever speaks."""
    words = sentence.words
    if _WORDS.isdisjoint(words) or (_SOON.isdisjoint(words) and _MINE.isdisjoint(words)):
        return
    for place, word in enumerate(words):
        if (
            (word in _GETS or _leaves(words, place))
            and _by_many(sentence, place)
            and not _is_idle(sentence, place)
        ):
            yield place, GIVES


def _leaves(words: list[str], place: int) -> bool:
    """`A thousand invoices go out`."""
    return words[place] in _GOES and words[place + 1 : place + 2] == ["out"]


def _by_many(sentence: Sentence, place: int) -> bool:
    start = sentence.since_comma(place)
    subject = sentence.words[start : min(place, start + _OPENING)]
    if not _MINE.isdisjoint(subject):
        return False
    return not _MANY.isdisjoint(subject) or bool(number_places(subject))


def _is_idle(sentence: Sentence, place: int) -> bool:
    before = sentence.words[max(0, place - _OPENING) : place]
    taken_back = negated(sentence, place) or subordinate(sentence, place)
    return taken_back or exemplary(sentence.words, place) or not _DENIED.isdisjoint(before)
