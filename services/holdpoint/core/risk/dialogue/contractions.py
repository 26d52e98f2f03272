"""Contractions that somebody typed without their apostrophe: `ill set it`, `dont`, `im gonna`."""

from types import MappingProxyType

from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.words import ARTICLES

_NEGATED = words("words/dialogue:contractions.negated")
_ALWAYS = MappingProxyType(
    {word: f"{word[:-1]}'t" for word in _NEGATED}
    | {
        "ive": "i've",
        "youre": "you're",
        "youve": "you've",
        "youll": "you'll",
        "youd": "you'd",
        "weve": "we've",
        "theyre": "they're",
        "theyll": "they'll",
        "theyve": "they've",
        "thats": "that's",
        "itll": "it'll",
        "imma": "i'll",
    }
)
_AM_WHAT = words("words/dialogue:contractions.am_what")
_WOULD_WHAT = words("words/dialogue:contractions.would_what")
_SICK_BEFORE = ARTICLES | words("words/dialogue:contractions.sick_before")
_SICK_AFTER = words("words/dialogue:contractions.sick_after")
_MAY_LACK = frozenset(_ALWAYS) | {"ill", "im", "id"}
MAY_LACK = cue(_MAY_LACK)


def mend(words: list[str]) -> None:
    """Put the apostrophe back, where it can only be missing; the last word stays as it is."""
    for place, word in enumerate(words[:-1]):
        if word in _MAY_LACK:
            words[place] = _meant(words, place)


def _meant(words: list[str], place: int) -> str:
    word, follows = words[place], words[place + 1]
    if word == "ill":
        before = words[place - 1] if place else ""
        return word if before in _SICK_BEFORE or follows in _SICK_AFTER else "i'll"
    if word == "im":
        return "i'm" if follows in _AM_WHAT or follows.endswith("ing") else word
    if word == "id":
        wishes = follows == "like" and words[place + 2 : place + 3] in (["to"], ["you"], ["your"])
        return "i'd" if wishes or follows in _WOULD_WHAT else word
    return _ALWAYS[word]
