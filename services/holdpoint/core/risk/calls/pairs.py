"""Lists of names with values, `[{"name": "role", "value": "owner"}]`: the object that they spell.

And what a word such as `yes` or `False` says where a flag may stand.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from holdpoint.core.risk.knowledge import ordered_words
from holdpoint.core.risk.lexicon import word_set

MAX_NAME = 60
"""Characters of a name; whatever is longer is a text."""

_NAMES = ordered_words("words/money:pairs.names")  # fmt: skip
_VALUES = ("value", "val", "v", "newvalue", "new_value")
_VALUED = frozenset(form for one in _VALUES for form in (one, one.title(), one.upper()))
_VALUED |= {"newValue", "NewValue"}


def spelled(listed: Sequence[Any]) -> list[dict[str, Any]]:
    """What the pairs in a list spell: one object, and one more where a name comes again."""
    found: list[dict[str, Any]] = []
    for one in listed:
        name, value = paired(one) if isinstance(one, Mapping) else ("", None)
        if name and (not found or name in found[-1]):
            found.append({})
        if name:
            found[-1][name] = value
    return found


def paired(held: Mapping[str, Any]) -> tuple[str, Any]:
    """The name and the value of one; an empty name where it is no pair."""
    if _VALUED.isdisjoint(held):
        return "", None
    known = {str(key).lower(): value for key, value in held.items()}
    said = next((known[key] for key in _NAMES if isinstance(known.get(key), str)), "")
    name = said.strip().lstrip("-")
    value = next((known[key] for key in _VALUES if key in known), None)
    return (name, value) if 0 < len(name) <= MAX_NAME else ("", None)


MAX_WORD = 5
"""Characters of a word that may say yes or no."""


def says_nothing(value: Any) -> bool:
    """Whether it is nothing, or a word that says so: `null`, `None`."""
    return value is None or (isinstance(value, str) and value.strip().lower() in _NOTHING)


_NOTHING = frozenset({"", "null", "none", "nil", "undefined"})
_YES = word_set("true yes on 1")
_NO = word_set("false no off 0")


def flagged(value: Any) -> bool | None:
    """What a word or a figure says that stands for yes or no; None when it says neither."""
    if isinstance(value, str):
        if len(value) > MAX_WORD:
            return None
        said = value.strip().lower()
        return True if said in _YES else False if said in _NO else None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 1:
        return None
    return value == 1
