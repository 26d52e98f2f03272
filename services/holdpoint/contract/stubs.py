"""Typed signatures of tools, in Python and TypeScript, from their JSON Schemas."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Tool

PYTHON_HEAD = '''\
"""Signatures of the tools, one for each. Written by `holdpoint catalog stubs`: do not edit."""

from typing import Any, Literal

from holdpoint.client import Outcome
'''
TYPESCRIPT_HEAD = """\
/** Signatures of the tools. Written by `holdpoint catalog stubs`: do not edit. */

import type { Envelope } from "./holdpoint";

export interface Tools {
"""
PYTHON = {
    "string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None",
}  # fmt: skip
TYPESCRIPT = {
    "string": "string", "integer": "number", "number": "number", "boolean": "boolean",
    "null": "null",
}  # fmt: skip


def python_stubs(tools: Iterable[Tool]) -> str:
    """A module of signatures: `async def name(*, argument: type) -> Outcome: ...`."""
    return "\n\n".join([PYTHON_HEAD, *(_python_function(tool) for tool in tools)])


def typescript_stubs(tools: Iterable[Tool]) -> str:
    """An interface with one method for each tool."""
    methods = "\n".join(_typescript_method(tool) for tool in tools)
    return f"{TYPESCRIPT_HEAD}{methods}\n}}\n"


def members(part: JsonObject, schema: JsonObject) -> Iterator[str]:
    """Yield each argument with its type: `name: string`, or `note?: string` where it may lack."""
    for name, each, needed in _arguments(part):
        word = name if name.isidentifier() else json.dumps(name)
        yield f"{word}{'' if needed else '?'}: {_typescript(each, schema)}"


def _python_function(tool: Tool) -> str:
    given = [
        f"{name}: {_python(part, tool.schema)}{'' if needed else ' = ...'}"
        for name, part, needed in _arguments(tool.schema)
    ]
    listed = f"*, {', '.join(given)}" if given else ""
    said = json.dumps(f"{tool.description} Level {tool.level}.", ensure_ascii=False)
    return f"async def {tool.name}({listed}) -> Outcome:\n    {said}\n    ...\n"


def _typescript_method(tool: Tool) -> str:
    said = f"{tool.description} Level {tool.level}.".replace("*/", "* /")
    return (
        f"  /** {said} */\n  {tool.name}(args: {_members(tool.schema, tool.schema)}): "
        "Promise<Envelope>;"
    )


def _members(part: JsonObject, schema: JsonObject) -> str:
    given = "; ".join(members(part, schema))
    return f"{{ {given} }}" if given else "Record<string, never>"


def _arguments(schema: JsonObject) -> Iterator[tuple[str, JsonObject, bool]]:
    """Those that are needed first."""
    needed = schema.get("required", [])
    named = sorted(schema.get("properties", {}).items(), key=lambda each: each[0] not in needed)
    for name, part in named:
        yield name, part, name in needed


def _python(part: JsonObject, schema: JsonObject) -> str:
    found, schema = _resolved(part, schema)
    match found:
        case {"enum": [*values]}:
            return f"Literal[{', '.join(repr(value) for value in values)}]"
        case {"anyOf": [*choices]}:
            return " | ".join(dict.fromkeys(_python(choice, schema) for choice in choices))
        case {"type": "array"}:
            return f"list[{_python(found.get('items') or {}, schema)}]"
        case {"type": "object"}:
            return f"dict[str, {_python(found.get('additionalProperties') or {}, schema)}]"
        case {"type": str(kind)}:
            return PYTHON[kind]
        case _:
            return "Any"


def _typescript(part: JsonObject, schema: JsonObject) -> str:  # noqa: PLR0911  # kinds of types
    found, schema = _resolved(part, schema)
    match found:
        case {"enum": [*values]}:
            return " | ".join(json.dumps(value) for value in values)
        case {"anyOf": [*choices]}:
            return " | ".join(dict.fromkeys(_typescript(choice, schema) for choice in choices))
        case {"type": "array"}:
            return f"Array<{_typescript(found.get('items') or {}, schema)}>"
        case {"type": "object", "properties": _}:
            return _members(found, schema)
        case {"type": "object"}:
            return f"Record<string, {_typescript(found.get('additionalProperties') or {}, schema)}>"
        case {"type": str(kind)}:
            return TYPESCRIPT[kind]
        case _:
            return "unknown"


def _resolved(part: Any, schema: JsonObject) -> tuple[JsonObject, JsonObject]:
    """The part that a reference stands for, and the schema without it: a tree ends as `unknown`.

    `true` and the like say nothing.
    """
    if not isinstance(part, dict):
        return {}, schema
    if "$ref" not in part:
        return part, schema
    named = dict(schema.get("$defs", {}))
    found: JsonObject = named.pop(str(part["$ref"]).rpartition("/")[2], {})
    return found, {**schema, "$defs": named}
