"""Which arguments a tool's own schema declares: any other the tool may never look at."""

from collections.abc import Mapping
from typing import Any

from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Tool

MAX_DEPTH = 8
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
    arguments: JsonObject, schema: Mapping[str, Any], depth: int = MAX_DEPTH
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
