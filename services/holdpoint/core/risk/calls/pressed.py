"""Buttons that order, pay or take something away: `click {"text": "Place order"}`.

A word that is typed to confirm a loss presses as well: `{"field": "confirm", "text": "DELETE"}`.
"""

import re
from collections.abc import Iterator

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.excerpt import beginning
from holdpoint.core.risk.knowledge import entry, words
from holdpoint.core.risk.lexicon import word_set

MAX_SAID = 80
"""Characters of a button's name, or of what selects it."""

MAX_WORDS = 8
MAX_BETWEEN = 2
"""Words between a deed and its thing: `Delete my account`."""

MAX_SHOWN = 24

_PRESSES = word_set("click tap press dblclick doubleclick clicks")
_FILLS = word_set("type fill input")
PRESSES = (
    _PRESSES
    | _FILLS
    | word_set("browser page computer playwright puppeteer selenium ui web gui mouse")
)
"""Words of a name without which nothing is pressed."""

_BUTTONS = words("words/tools:pressed.buttons")
_TELLS = words("words/tools:pressed.tells")

_DEEDS: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (word_set(row["verbs"]), word_set(row["things"])) for row in entry("tools:button")
)
_ALONE = (("pay",), ("buy",))
_pays = re.compile(r"(?i)\bpay\s+(?:[$€£¥₹]|(?:USD|EUR|GBP|CHF)\s)\s*\d")


def pressed(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What the call does; `named`: the words of the tool's name."""
    if not _FILLS.isdisjoint(named):
        yield from _confirmed(leaves)
    if _PRESSES.isdisjoint(named) and not any(map(_is_press, leaves)):
        return
    for leaf in leaves:
        if _is_button(leaf) and _does(leaf.value):
            yield f"presses “{beginning(leaf.value.strip(), MAX_SHOWN)}”"


def _confirmed(leaves: tuple[Leaf, ...]) -> Iterator[str]:
    said = [leaf.value for leaf in leaves if isinstance(leaf.value, str)]
    if any("confirm" in one[:MAX_SAID].lower() for one in said):
        losses = (one.strip() for one in said if words_of(one[:MAX_SAID]) in _LOSSES)
        yield from (f"types “{one}”, which confirms it" for one in losses)


_LOSSES = tuple(
    (*front, verb)
    for verb in ("delete", "remove", "destroy", "erase", "terminate", "transfer", "wipe")
    for front in ((), ("permanently",), ("yes",))
)


def _is_press(leaf: Leaf) -> bool:
    return leaf.key == "action" and isinstance(leaf.value, str) and leaf.value in _PRESSES


def _is_button(leaf: Leaf) -> bool:
    if not isinstance(leaf.value, str) or len(leaf.value) > MAX_SAID:
        return False
    return not _BUTTONS.isdisjoint(words_of(leaf.key))


def _does(text: str) -> bool:
    words = words_of(text)
    if len(words) > MAX_WORDS or not _TELLS.isdisjoint(words):
        return False
    return words in _ALONE or bool(_pays.search(text)) or _orders(words)


def _orders(words: tuple[str, ...]) -> bool:
    """Whether a deed stands shortly before what it is done to."""
    return any(
        word in deeds and not things.isdisjoint(words[at + 1 : at + 2 + MAX_BETWEEN])
        for at, word in enumerate(words)
        for deeds, things in _DEEDS
    )
