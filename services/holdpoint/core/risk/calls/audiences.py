"""Whom a message reaches where a value names a whole body: `entire_student_body`, `all staff`."""

from collections.abc import Iterator
from typing import Any

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

MAX_SAID = 80
"""Characters of a value that may say whom."""

MAX_BEFORE = 2
"""Words before the one that says all: `the whole town`, `tag: all patients`."""

_WHOM = words("words/tools:audiences.whom")
_SAYS_ALL = word_set("all every everyone everybody entire whole")
_SAYS_FULL = word_set("full complete each")
"""What says so only beside people or a list of them."""

_PLACES = words("words/tools:audiences.places")

_FEW = words("words/tools:audiences.few")

_BODIES = words("words/tools:audiences.bodies")
_SIZED = word_set("list base segment audience database population roster directory")


def whole_bodies(leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each value that names one."""
    return (leaf.value for leaf in leaves if _names_whole(leaf))


def _names_whole(leaf: Leaf) -> bool:
    words = words_of(leaf.key)
    if not words or words[-1] not in _WHOM:
        return False
    said = _said(leaf.value)
    named = words[-1] in _PLACES
    start = next((at for at, word in enumerate(said[: MAX_BEFORE + 1]) if word in _ALL), -1)
    if start < 0:
        return said[-1:] != () and said[-1] in _SIZED and not _BODIES.isdisjoint(said)
    if named or said[start] in _SAYS_FULL:
        return not _BODIES.isdisjoint(said)
    return len(said) > start + 1 and _FEW.isdisjoint(said[start + 1 : start + 3])


_ALL = _SAYS_ALL | _SAYS_FULL


def _said(value: Any) -> tuple[str, ...]:
    """The words of a short text; of an address those before its sign."""
    short = isinstance(value, str) and 3 < len(value) <= MAX_SAID  # noqa: PLR2004  # `all`
    return words_of(value.partition("@")[0]) if short else ()
