"""Limits of what is read: arguments cut to size, and the arguments that a schema declares."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from msgspec.structs import replace

from holdpoint.core.risk.extract.payload import MAX_PATH, MAX_STRING, MAX_VALUES
from holdpoint.messages.action import Action
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Tool

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
    """Whether every object, key and text of it is one that is read whole; costs no stack."""
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


_HOLDING = (dict, list, tuple)


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
    """Whether the schema declares every argument, so that none was put there to look harmless."""
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
        key: _inside(value, known[key], depth) for key, value in arguments.items() if key in known
    }
    same = len(kept) == len(arguments) and all(kept[key] is arguments[key] for key in kept)
    return arguments if same else kept


def _inside(value: Any, schema: Any, depth: int) -> Any:
    holds = isinstance(value, dict) and isinstance(schema, dict)
    return declared(value, schema, depth - 1) if holds else value
