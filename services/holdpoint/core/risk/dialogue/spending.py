"""Money that nobody says they pay: `$900 goes out`, `I'll take forty at 55 apiece`."""

from collections.abc import Iterable, Iterator

from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.extract.money import CURRENCIES, SYMBOLS
from holdpoint.core.risk.extract.numbers import number_at, number_places
from holdpoint.core.risk.wording import Form, Kind, Verb
from holdpoint.core.risk.words import word_set

BUYS = Verb(base="buy", kind=Kind.PAYMENT, form=Form.BASE)


def bought(sentence: Sentence) -> Iterable[tuple[int, Verb]]:
    """`I'll take forty licences at 55 apiece`: what has a price by the piece is bought."""
    words = sentence.words
    if "at" not in words or _TAKES.isdisjoint(words) or _APIECE.isdisjoint(words):
        return ()
    return _bought(words)


def _bought(words: list[str]) -> Iterator[tuple[int, Verb]]:
    last = max(_priced(words), default=-1)
    for place, word in enumerate(words[: last + 1]):
        mine = words[place - 1] in _MINE if place else word.endswith("ing")
        if word in _TAKES and mine:
            yield place, BUYS
            return


_TAKES = word_set("take taking get getting pick picking grab grabbing")
PRICES = cue(_TAKES)
"""Without one of these nobody buys by the piece."""

_APIECE = word_set("each apiece per a an")
_MINE = word_set("i'll we'll i'm we're")


def _priced(words: list[str]) -> Iterator[int]:
    """Where prices by the piece stand: `at 55 apiece`, `at nine hundred a month`."""
    for at in number_places(words)[:_MOST]:
        number = number_at(words, at) if "at" in words[max(0, at - 2) : at] else None
        if number and not _APIECE.isdisjoint(words[at + number.words :][:1]):
            yield at


_MOST = 8
"""Numbers of one sentence that are looked at."""

_REACH = 6
_LEAVES = word_set("go goes leave leaves")
_MONEY = word_set("money payment funds transfer wire cash")
_NOW = word_set("now today tonight immediately tomorrow")


def money_leaves(words: list[str], place: int, before: str) -> bool:
    """Whether the verb here says so; `before` is the word that governs it."""
    if words[place] not in _LEAVES:
        return False
    soon = not _NOW.isdisjoint(words[place : place + _REACH])
    return _is_sum(before) or (before in _MONEY and soon)


def _is_sum(word: str) -> bool:
    return word[:1] in SYMBOLS or word[:1].isdigit() or word in CURRENCIES or word in _SCALES


_SCALES = word_set("grand thou mil million thousand lakh crore bn")
