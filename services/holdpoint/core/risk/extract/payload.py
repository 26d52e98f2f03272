"""A payload walked once, without recursion: values, lists and objects, JSON in texts included."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import msgspec
import re2
from msgspec.structs import replace

from holdpoint.core.memoize import memoize
from holdpoint.core.risk.extract.embedded import held, is_bare, opened, program_key
from holdpoint.core.risk.knowledge import ordered_words
from holdpoint.core.risk.words import NO, YES
from holdpoint.core.text import MAX_TEXT, unhidden
from holdpoint.messages.action import Action
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Tool

MAX_NAME = 60
"""Characters of a name; whatever is longer is a text."""

_NAMES = ordered_words("words/money:name_value_pairs.names")  # fmt: skip
_VALUES = ("value", "val", "v", "newvalue", "new_value")
_VALUED = frozenset(form for one in _VALUES for form in (one, one.title(), one.upper()))
_VALUED |= {"newValue", "NewValue"}


def spelled(listed: Sequence[Any]) -> list[dict[str, Any]]:
    """Return what the pairs in a list spell: one object, and one more where a name comes again."""
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
    name = said.strip().lstrip("-/")
    value = next((known[key] for key in _VALUES if key in known), None)
    return (name, value) if 0 < len(name) <= MAX_NAME else ("", None)


MAX_WORD = 5
"""Characters of a word that may say yes or no."""


def says_nothing(value: Any) -> bool:
    """Return whether it is nothing, or a word that says so: `null`, `None`."""
    return value is None or (isinstance(value, str) and value.strip().lower() in _NOTHING)


_NOTHING = frozenset({"", "null", "none", "nil", "undefined"})


def flagged(value: Any) -> bool | None:
    """Return what a word or a figure says that stands for yes or no; None when it says neither."""
    if isinstance(value, str):
        if len(value) > MAX_WORD:
            return None
        said = value.strip().lower()
        return True if said in YES else False if said in NO else None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 1:
        return None
    return value == 1


MAX_VALUES = 1_500
"""Values that are walked; the rest of a larger payload is not looked at, and it goes up.

A text counts twice: each is asked what it orders, opens and costs.
"""

MAX_PATH = 400
"""Characters of a key, and of a value's path: deeper places are told apart no more."""

MAX_STRING = 2 * MAX_TEXT
"""Characters of one text that are kept: more than is read of them all."""

MAX_HELD = 4 * MAX_TEXT
"""Characters of texts in which more texts are found, one in the other."""

_hump = re2.compile(r"([\p{Ll}\d])(\p{Lu})")
_acronym = re2.compile(r"(\p{Lu})(\p{Lu}\p{Ll})")
_word = re2.compile(r"\pL+")
_ascii_hump = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ascii_word = re.compile(r"[A-Za-z]+")
"""The same for names without other letters, where it is several times as quick."""

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

    words: tuple[str, ...] = ()
    """The words of its key, worked out once: `refundAmount` is refund, amount."""


def key_above(path: str) -> str:
    """The key of the object that a value stands in: `amount` of `/amount/units`."""
    return path.rpartition("/")[0].rpartition("/")[2]


class Walked(msgspec.Struct, frozen=True, kw_only=True):
    """Everything in a payload."""

    leaves: tuple[Leaf, ...]
    lists: tuple[tuple[str, int], ...]
    """The length of each list with its key."""

    objects: tuple[Mapping[str, Any], ...]
    whole: bool
    """False when there was too much to walk."""

    flags: tuple[Leaf, ...] = ()
    """Those of its words and figures that may say yes or no, as what they would say."""


_Waiting = tuple[str, str, Any, Mapping[str, Any], Mapping[str, Any]]


def walk(root: JsonObject) -> Walked:
    """Walk it; a text that holds a payload itself is walked as what it holds."""
    leaves: list[Leaf] = []
    holders: list[tuple[str, Any]] = []
    waiting: list[_Waiting] = [("", "", root, {}, {})]
    left, short, held_in = MAX_VALUES, True, 0
    while waiting and left > 0:
        key, path, raw, siblings, around = waiting.pop()
        text = isinstance(raw, str)
        left -= 2 if text else 1
        if text and is_bare(key, raw):
            plain = key.isalpha() and key.islower() and key.isascii()  # quicker than to remember
            words = (key,) if plain else words_of(key)
            leaves.append(Leaf(path, key, raw, siblings, around, words))
            continue
        value = opened(raw) if text else raw
        if isinstance(value, _HOLDING):
            holders.append((key, value))
            waiting += _inside(value, key, path, siblings, around)[::-1]
            continue
        if text:
            short = short and len(value) <= MAX_STRING and held_in <= MAX_HELD
            value = value[:MAX_STRING]
            waiting += (inner := _beside(value, key, path, (siblings, around)) if short else [])
            held_in += len(value) * len(inner)
        leaves.append(Leaf(path, key, value, siblings, around, words_of(key)))
    return _walked(leaves, holders, whole=short and not waiting)


_HOLDING = (dict, list, tuple)


def _walked(leaves: list[Leaf], holders: list[tuple[str, Any]], *, whole: bool) -> Walked:
    objects = tuple([value for _, value in holders if isinstance(value, dict)])
    lists = tuple([(key, len(value)) for key, value in holders if not isinstance(value, dict)])
    keys = (islice(one, MAX_VALUES) for one in objects)
    bounded = all(length <= MAX_VALUES for _, length in lists)
    bounded = bounded and all(len(key) <= MAX_PATH for some in keys for key in some)
    return Walked(
        leaves=tuple(leaves),
        lists=lists,
        objects=objects,
        whole=whole and bounded,
        flags=tuple(
            replace(leaf, value=flag)
            for leaf in leaves
            if (flag := flagged(leaf.value)) is not None
        ),
    )


def _beside(
    value: str, key: str, path: str, objects: tuple[Mapping[str, Any], Mapping[str, Any]]
) -> list[_Waiting]:
    """Return what a text holds beside itself."""
    known = program_key(key, objects[0])
    more = held(known, value, objects[0]) if len(path) < MAX_PATH else None
    return [] if more is None else [(known, f"{path}/*"[:MAX_PATH], more, *objects)]


def _inside(
    value: Any, key: str, path: str, siblings: Mapping[str, Any], around: Mapping[str, Any]
) -> list[_Waiting]:
    """The values of an object, one more at most than are walked, or the parts of a list."""
    if isinstance(value, dict):
        return [
            (str(name)[:MAX_PATH], f"{path}/{name}"[:MAX_PATH], part, value, siblings)
            for name, part in islice(value.items(), MAX_VALUES + 1)
        ]
    below, parts = f"{path}/*"[:MAX_PATH], value[:MAX_VALUES]
    return [(key, below, part, siblings, around) for part in (*parts, *spelled(parts))]


@memoize(4096)
def words_of(name: str) -> tuple[str, ...]:
    """`refundAmount`, `refund_amount` -> refund, amount."""
    if len(name) > MAX_PATH or not name.isascii():
        name = unhidden(name[:MAX_PATH])
    elif name.isalpha() and name.islower():
        return (name,)
    if name.isascii() and name.islower():
        return tuple(name.translate(_apart).split())
    if name.isascii():
        return tuple(_ascii_word.findall(_ascii_hump.sub(" ", name).lower()))
    apart = _acronym.sub(r"\1 \2", _hump.sub(r"\1 \2", name))
    return tuple(word.lower() for word in _word.findall(apart))


def strings(leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Every text, in order."""
    return (leaf.value for leaf in leaves if isinstance(leaf.value, str))


MAX_DEPTH = 100
"""Objects and lists inside each other that are kept of a payload that is cut."""

MAX_LISTED = 100_000
"""Things in a list that are counted."""


def bounded_action(action: Action) -> tuple[Action, bool]:
    """The action with a name and arguments that can be read, and whether they are all of it."""
    arguments, fits = bounded(action.arguments)
    if fits and len(action.tool) <= MAX_PATH:
        return action, True
    return replace(action, tool=action.tool[:MAX_PATH], arguments=arguments), False


def bounded(given: JsonObject) -> tuple[JsonObject, bool]:
    """The same object where it is not too much, else a copy without what is."""
    if _fits(given):
        return given, True
    return {str(key): _cut(value, MAX_DEPTH) for key, value in _keys(given)}, False


def _fits(given: JsonObject) -> bool:
    """Return whether every object, key and text of it is one that is read whole; costs no stack."""
    waiting: list[Any] = [given]
    for part in waiting:  # grows while it is read
        if max(len(part), len(waiting)) > MAX_VALUES:
            return False
        named = isinstance(part, dict)
        if named and max(map(len, part), default=0) > MAX_PATH:
            return False
        for one in part.values() if named else part:
            if isinstance(one, str):
                if len(one) > MAX_STRING:
                    return False
            elif isinstance(one, _HOLDING):
                waiting.append(one)
    return True


def _cut(value: Any, left: int) -> Any:
    if isinstance(value, str):
        return value[: MAX_STRING + 1]
    if isinstance(value, dict):
        return {key: _cut(one, left - 1) for key, one in _keys(value)} if left else {}
    if isinstance(value, list | tuple):
        first = [_cut(one, left - 1) for one in value[: MAX_VALUES + 1]] if left else []
        return [*first, *value[MAX_VALUES + 1 : MAX_LISTED]]
    return value


def _keys(given: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    """One more than are walked, none of them longer than is read."""
    some = islice(given.items(), MAX_VALUES + 1)
    return [(key[:MAX_PATH] if isinstance(key, str) else key, value) for key, value in some]


DECLARED_MAX_DEPTH = 8
"""Objects within each other whose arguments are looked up."""


def arguments_of(tool: Tool | None) -> frozenset[str]:
    """The names of those that it declares; none where no catalog lists it."""
    known = tool.schema.get("properties") if tool else None
    return frozenset(known) if isinstance(known, dict) else frozenset()


def knows(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> bool:
    """Return whether the schema declares every argument: none was added to look harmless."""
    known = schema.get("properties")
    return isinstance(known, dict) and arguments.keys() <= known.keys()


def declared(
    arguments: JsonObject, schema: Mapping[str, Any], depth: int = DECLARED_MAX_DEPTH
) -> JsonObject:
    """The arguments without those that the tool does not know, also in objects within.

    The very same object where it knows them all, or says nothing about them.
    """
    known = schema.get("properties")
    if not isinstance(known, dict) or not depth:
        return arguments
    holds = any(isinstance(value, dict) for value in arguments.values())
    if not holds and arguments.keys() <= known.keys():
        return arguments
    kept = {
        key: _declared_inside(value, known[key], depth)
        for key, value in arguments.items()
        if key in known
    }
    same = len(kept) == len(arguments) and all(kept[key] is arguments[key] for key in kept)
    return arguments if same else kept


def _declared_inside(value: Any, schema: Any, depth: int) -> Any:
    holds = isinstance(value, dict) and isinstance(schema, dict)
    return declared(value, schema, depth - 1) if holds else value
