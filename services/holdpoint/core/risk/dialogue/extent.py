"""How much a deed takes: several things or all of something, or only parts of a text."""

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.words import WIDE, word_set

_ALL = WIDE | words("words/dialogue:extent.all")


def is_wide(objects: list[str]) -> bool:
    """Return True if the object is several things, or all of something."""
    first = next((word for word in objects if word not in {"and", "then", "the", "of"}), "")
    return not is_in_text(objects) and (first in _ALL or not _ALL.isdisjoint(objects[:4]))


def is_in_text(objects: list[str]) -> bool:
    """`all spaces`, `the last line`: parts of a text that flows by, and not files or rows."""
    near = [word.removesuffix("'s") for word in objects[:6]]
    found = [place for place, word in enumerate(near) if word.rpartition("-")[2] in _UNITS]
    if not _PARTLY.isdisjoint(near[1:4]):
        return True
    if not found or not _KEPT.isdisjoint(near[: found[0]]) or not _TABLES.isdisjoint(objects):
        return False
    return any(near[one] not in _ONE_OF or _is_placed(near, one) for one in found)


def _is_placed(near: list[str], place: int) -> bool:
    """`the first line`, `blank lines`, `the word "x"`: `a line` may also be one of a telephone."""
    before, after = near[max(0, place - 2) : place], near[place + 1 : place + 2]
    return not _PLACED.isdisjoint(before) or not _WITHIN.isdisjoint(after)


_UNITS = words("words/dialogue:extent.units")
"""What a text is made of: to replace all of it in a stream changes nothing that is kept."""

_KEPT = words("words/dialogue:extent.kept")
_TABLES = words("words/dialogue:extent.tables")
_ONE_OF = words("words/dialogue:extent.one_of")
"""Words that also name other things."""

_PARTLY = word_set("part portion component variable alias path ending")
"""`the directory part`, `the path from each name`: of a name, not of what it names."""

_PLACED = words("words/dialogue:extent.placed")
_WITHIN = words("words/dialogue:extent.within")
