"""Deeds said as nouns that somebody begins: `commence the purge`, `kick off the full teardown`."""

from collections.abc import Sequence

from holdpoint.core.risk.words import ARTICLES, STOPS, word_set

_BEGINS = word_set(
    "start starting begin beginning commence commencing undertake undertaking execute executing "
    "launch launching run running rerun rerunning re-run re-running trigger triggering"
)
_KICKS = word_set("kick kicking set setting")
_BETWEEN = 2
"""Words between the noun and its article, at most: `the planned full teardown`."""

_AFTER = STOPS | word_set(
    "today tonight tomorrow immediately straight right process procedure run job "
    "script scripts task tasks pipeline workflow"
)
"""What may stand behind the noun; anything else is what it only describes: `the wipe effect`."""


def begun_at(words: Sequence[str], place: int) -> int:
    """Where the verb stands that begins the noun here; -1 when nobody does."""
    if not is_head(words, place):
        return -1
    at = place - 1
    while at >= 0 and place - at <= _BETWEEN and _may_describe(words[at]):
        at -= 1
    at -= at >= 0 and words[at] in ARTICLES
    if at > 0 and words[at] == "off" and words[at - 1] in _KICKS:
        return at - 1
    return at if at >= 0 and words[at] in _BEGINS else -1


def is_head(words: Sequence[str], place: int) -> bool:
    """Whether the noun here is what is named, and no mere part of another name."""
    behind = words[place + 1 : place + 2]
    return not behind or behind[0] in _AFTER


def _may_describe(word: str) -> bool:
    known = word in ARTICLES or word in STOPS or word in _BEGINS or word == "off"
    return not (known or word in _TRIED)


_TRIED = word_set("simulate simulated simulation dry-run trial mock pretend")
"""Of what only shows what it would do."""
