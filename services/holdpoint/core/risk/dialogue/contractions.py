"""Contractions that somebody typed without their apostrophe: `ill set it`, `dont`, `im gonna`."""

from types import MappingProxyType

from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.words import ARTICLES, word_set

_NEGATED = word_set(
    "dont cant wont didnt doesnt isnt arent wasnt werent havent hasnt hadnt couldnt wouldnt "
    "shouldnt mustnt neednt mightnt aint"
)
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
_AM_WHAT = word_set(
    "gonna about not unsure uncertain sure afraid pretty fairly quite just now also still only "
    "happy ready inclined tempted supposed torn guessing"
)
_WOULD_WHAT = word_set(
    "say guess bet rather suggest prefer imagine wager assume hazard recommend think be"
)
_SICK_BEFORE = ARTICLES | word_set(
    "is are was were be been am i'm he's she's very too seriously mentally terminally chronically "
    "critically gravely fall falls fell feel feels felt get gets got taken of bode bodes speak"
)
_SICK_AFTER = word_set(
    "and or but with from patient patients people person child children health will effect effects "
    "at in since for man woman when because after before as that advised"
)
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
