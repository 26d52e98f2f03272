"""A payload cut to what is read of it before anything looks at it; most are left as they are."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from msgspec.structs import replace

from holdpoint.core.risk.calls.leaf import MAX_PATH, MAX_STRING, MAX_VALUES
from holdpoint.messages.action import Action
from holdpoint.messages.base import JsonObject

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
