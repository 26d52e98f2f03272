"""Money that leaves by itself: `$900 goes out`, `the money goes out now`."""

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.money import CURRENCIES, SYMBOLS

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
