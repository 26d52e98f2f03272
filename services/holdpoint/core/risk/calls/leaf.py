"""A payload walked once, without recursion: values, lists and objects, JSON in texts included."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import msgspec
import re2

from holdpoint.core.risk.calls.opened import held, opened, program_key
from holdpoint.core.risk.remembered import remembered
from holdpoint.core.risk.shell.disguise import unhidden
from holdpoint.core.risk.text import MAX_TEXT
from holdpoint.messages.base import JsonObject

MAX_VALUES = 1_500
"""Values that are walked; the rest of a larger payload is not looked at, and it goes up."""

MAX_PATH = 400
"""Characters of a key, and of a value's path: deeper places are told apart no more."""

MAX_STRING = 2 * MAX_TEXT
"""Characters of one text that are kept: more than is read of them all."""

MAX_HELD = 4 * MAX_TEXT
"""Characters of texts in which more texts are found, one in the other."""

_hump = re2.compile(r"([\p{Ll}\d])(\p{Lu})")
_acronym = re2.compile(r"(\p{Lu})(\p{Lu}\p{Ll})")
_word = re2.compile(r"\pL+")
_apart = {code: " " for code in range(128) if not chr(code).isalpha()}


class Leaf(msgspec.Struct, frozen=True):
    """A value that is no object or list, its key, and its path with `*` for each index."""

    path: str
    key: str
    value: Any
    siblings: Mapping[str, Any]
    """The object that it stands in."""

    around: Mapping[str, Any] = {}
    """The object that this one stands in."""


class Walked(msgspec.Struct, frozen=True, kw_only=True):
    """Everything in a payload."""

    leaves: tuple[Leaf, ...]
    lists: tuple[tuple[str, tuple[Any, ...]], ...]
    """Each list with its key."""

    objects: tuple[Mapping[str, Any], ...]
    whole: bool
    """False when there was too much to walk."""


_Waiting = tuple[str, str, Any, Mapping[str, Any], Mapping[str, Any]]


def walk(root: JsonObject) -> Walked:
    """Walk it; a text that holds a payload itself is walked as what it holds."""
    leaves: list[Leaf] = []
    lists: list[tuple[str, tuple[Any, ...]]] = []
    objects: list[Mapping[str, Any]] = []
    waiting: list[_Waiting] = [("", "", root, {}, {})]
    left, short, held_in = MAX_VALUES, True, 0
    while waiting and left:
        left -= 1
        key, path, raw, siblings, around = waiting.pop()
        value = opened(raw) if isinstance(raw, str) else raw
        if isinstance(value, dict):
            objects.append(value)
            waiting.extend(reversed(list(_inside(value, path, siblings))))
            continue
        if isinstance(value, list | tuple):
            lists.append((key, tuple(value)))
            waiting.extend(reversed(list(_parts(value, key, path, siblings, around))))
            continue
        if isinstance(value, str):
            short = short and len(value) <= MAX_STRING and held_in <= MAX_HELD
            value = value[:MAX_STRING]
            waiting.extend(more := _beside(value, key, path, (siblings, around)) if short else [])
            held_in += len(value) * len(more)
        leaves.append(Leaf(path, key, value, siblings, around))
    whole = short and not waiting and all(len(listed) <= MAX_VALUES for _, listed in lists)
    return Walked(leaves=tuple(leaves), lists=tuple(lists), objects=tuple(objects), whole=whole)


def _beside(
    value: str, key: str, path: str, objects: tuple[Mapping[str, Any], Mapping[str, Any]]
) -> list[_Waiting]:
    """What a text holds beside itself."""
    known = program_key(key, objects[0])
    more = held(known, value) if len(path) < MAX_PATH else None
    return [] if more is None else [(known, f"{path}/*"[:MAX_PATH], more, *objects)]


def _inside(value: Mapping[str, Any], path: str, around: Mapping[str, Any]) -> Iterator[_Waiting]:
    """Its values, one more at most than are walked."""
    for name, part in islice(value.items(), MAX_VALUES + 1):
        yield str(name)[:MAX_PATH], f"{path}/{name}"[:MAX_PATH], part, value, around


def _parts(
    value: Sequence[Any],
    key: str,
    path: str,
    siblings: Mapping[str, Any],
    around: Mapping[str, Any],
) -> Iterator[_Waiting]:
    below = f"{path}/*"[:MAX_PATH]
    return ((key, below, part, siblings, around) for part in value[:MAX_VALUES])


@remembered(4096)
def words_of(name: str) -> tuple[str, ...]:
    """`refundAmount`, `refund_amount` -> refund, amount."""
    name = name[:MAX_PATH] if name.isascii() else unhidden(name[:MAX_PATH])
    if name.isascii() and name.isalpha() and name.islower():
        return (name,)
    if name.isascii() and name.islower():
        return tuple(name.translate(_apart).split())
    apart = _acronym.sub(r"\1 \2", _hump.sub(r"\1 \2", name))
    return tuple(word.lower() for word in _word.findall(apart))


def strings(leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Every text, in order."""
    return (leaf.value for leaf in leaves if isinstance(leaf.value, str))
