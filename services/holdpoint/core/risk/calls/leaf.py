"""A payload walked once, without recursion: values, lists and objects, JSON in texts included."""

from base64 import b64decode
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

import msgspec
import re2

from holdpoint.core.risk.shell.disguise import unhidden
from holdpoint.core.risk.text import MAX_TEXT
from holdpoint.messages.base import JsonObject

MAX_VALUES = 2_000
"""Values that are walked; the rest of a larger payload is not looked at, and it goes up."""

MAX_PATH = 400
"""Characters of a value's path: deeper places are told apart no more."""

MAX_STRING = 2 * MAX_TEXT
"""Characters of one text that are kept: more than is read of them all."""

MAX_JSON = 64 * 1024
"""Characters of a text that are tried as JSON."""

MAX_BLANKS = 100
"""Characters in which JSON must begin."""

_hump = re2.compile(r"([\p{Ll}\d])(\p{Lu})")
_acronym = re2.compile(r"(\p{Lu})(\p{Lu}\p{Ll})")
_word = re2.compile(r"\pL+")


class Leaf(msgspec.Struct, frozen=True):
    """A value that is no object or list, its key, and its path with `*` for each index."""

    path: str
    key: str
    value: Any
    siblings: Mapping[str, Any]
    """The object that it stands in."""


class Walked(msgspec.Struct, frozen=True, kw_only=True):
    """Everything in a payload."""

    leaves: tuple[Leaf, ...]
    lists: tuple[tuple[str, tuple[Any, ...]], ...]
    """Each list with its key."""

    objects: tuple[Mapping[str, Any], ...]
    whole: bool
    """False when there was too much to walk."""


def walk(root: JsonObject) -> Walked:
    """Walk it; a text that is itself a JSON object or list is walked as what it holds."""
    leaves: list[Leaf] = []
    lists: list[tuple[str, tuple[Any, ...]]] = []
    objects: list[Mapping[str, Any]] = []
    left = MAX_VALUES
    waiting: list[tuple[str, str, Any, Mapping[str, Any]]] = [("", "", root, {})]
    short = True
    while waiting and left:
        left -= 1
        key, path, raw, siblings = waiting.pop()
        value = opened(raw) if isinstance(raw, str) else raw
        if isinstance(value, str) and len(value) > MAX_STRING:
            value, short = value[:MAX_STRING], False
        if type(value) in _SCALARS:
            leaves.append(Leaf(path, key, value, siblings))
        elif isinstance(value, Mapping):
            objects.append(value)
            waiting.extend(reversed(list(_inside(value, path))))
        elif isinstance(value, list | tuple):
            lists.append((key, tuple(value)))
            below = f"{path}/*"[:MAX_PATH]
            waiting.extend((key, below, part, siblings) for part in reversed(value[:MAX_VALUES]))
        else:
            leaves.append(Leaf(path, key, value, siblings))
    whole = short and not waiting and all(len(listed) <= MAX_VALUES for _, listed in lists)
    return Walked(leaves=tuple(leaves), lists=tuple(lists), objects=tuple(objects), whole=whole)


def _inside(
    value: Mapping[str, Any], path: str
) -> Iterator[tuple[str, str, Any, Mapping[str, Any]]]:
    """Its values, one more at most than are walked."""
    for name, part in islice(value.items(), MAX_VALUES + 1):
        yield str(name), f"{path}/{name}"[:MAX_PATH], part, value


_SCALARS = frozenset({str, int, float, bool, type(None)})


def opened(value: Any) -> Any:
    """What a JSON text holds; anything else stays what it is."""
    if not isinstance(value, str) or value[:1] not in _OPENS or len(value) > MAX_JSON:
        return value
    try:
        if value[:3] in _CODED:
            found = msgspec.json.decode(b64decode(value, validate=True))
        elif value[:MAX_BLANKS].lstrip()[:1] in {"{", "["}:
            found = msgspec.json.decode(value)
        else:
            return value
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return value
    return found if isinstance(found, dict | list) else value


_CODED = frozenset({"eyJ", "eyA", "ewo", "ewp", "WyJ", "W3s", "Wwo", "W1s"})
"""How JSON begins when base64 hides it."""

_OPENS = frozenset("{[ \t\n\r") | {code[0] for code in _CODED}
"""How every text begins that holds JSON, bare or hidden."""


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """`refundAmount`, `refund_amount` -> refund, amount."""
    name = name[:MAX_PATH] if name.isascii() else unhidden(name[:MAX_PATH])
    if name.isascii() and name.isalpha() and name.islower():
        return (name,)
    if name.isascii() and name.islower():
        return tuple(_word.findall(name))
    apart = _acronym.sub(r"\1 \2", _hump.sub(r"\1 \2", name))
    return tuple(word.lower() for word in _word.findall(apart))


def strings(leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Every text, in order."""
    return (leaf.value for leaf in leaves if isinstance(leaf.value, str))
