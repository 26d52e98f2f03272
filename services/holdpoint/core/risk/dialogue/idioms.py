"""Deeds that are none: turns of phrase, games, and what is wiped with a cloth.

```
"I'll kill two birds with one stone"  "clear the air"  "drop you a line"     turns of phrase
"I'm going to destroy you at chess"                                          a game
"The talk will blow them away"                                               an audience
```
"""

from types import MappingProxyType

from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.words import STOPS, word_set

_SAID = MappingProxyType(
    {
        "bite": "bullet tongue",
        "blow": "whistle candles nose horn trumpet",
        "break": "ice news silence fast leg",
        "burn": "calories oil candle",
        "bury": "hatchet",
        "clear": "confusion misunderstanding misunderstandings air throat head doubts",
        "close": "loop gap chapter eyes",
        "cut": "chase corners slack",
        "demolish": "argument arguments",
        "destroy": "argument arguments myth myths illusion illusions credibility",
        "bust": "myth myths",
        "drop": "line hint hints note subject anchor kids children passengers",
        "flush": "cheeks",
        "kill": "birds time appetite mood buzz vibe lights rumour rumor rumours rumors",
        "pull": "leg strings weight",
        "scrap": "barrel",
        "strip": "cloak",
        "taken": "salt",
        "throw": "towel light party",
        "toss": "coin salad",
        "trash": "talk",
        "wipe": "cloth sponge towel tissue tears sweat nose brow smile counter",
    }
)
"""Verbs, and what they take that makes them a mere phrase."""

_FORMS = MappingProxyType(
    {
        form: word_set(things)
        for base, things in _SAID.items()
        for form in (
            base,
            f"{base}s",
            f"{base}ing",
            f"{base}{base[-1]}ing",
            f"{base.removesuffix('e')}ing",
        )
    }
)
_BEATS = word_set(
    "destroy destroying crush crushing kill killing annihilate annihilating obliterate "
    "obliterating slaughter slaughtering demolish demolishing wreck wrecking smoke smoking"
)
_GAMES = word_set(
    "chess checkers draughts poker tennis football soccer basketball baseball hockey golf squash "
    "badminton bowling scrabble trivia darts monopoly fifa ping-pong backgammon billiards quiz"
)
MAY_BE_PHRASES = frozenset((*_BEATS, *_FORMS))
"""Verbs that such a phrase begins with."""

_AUDIENCES = word_set("you them him her us me everyone everybody audience people judges crowd")
_SHOWS = word_set(
    "presentation demo show talk performance trailer film movie view design speech pitch song "
    "concert story ending taste exhibition"
)
_NEAR = 7


def is_phrase(words: list[str], place: int) -> bool:
    """Whether one of those verbs belongs to such a phrase."""
    word = words[place]
    behind = words[place + 1 : place + _NEAR]
    if word in _FORMS and _is_taken(_FORMS[word], behind):
        return True
    if word in _BEATS:
        return "at" in behind and not _GAMES.isdisjoint(behind)
    blows = word == "blow" and "away" in behind and not _AUDIENCES.isdisjoint(behind[:2])
    return blows and not _SHOWS.isdisjoint(words[:place])


def _is_taken(things: frozenset[str], behind: list[str]) -> bool:
    """Whether one of them ends what is named: `clear the air`, not `clear the air filter`."""
    for at, one in enumerate(behind):
        if one in things:
            other, after = (*behind[at + 1 :], "with", "")[:2]
            return (other in STOPS or other in _ASIDE) and (other != "and" or after in SPOKEN)
    return False


_ASIDE = word_set("sorry first again here right up together tonight today tomorrow next too")
