"""TypeScript types of every message, from its JSON Schema."""

import json
import textwrap
from collections.abc import Iterator
from typing import Any

from holdpoint.contract.schemas import BARE, Schema, short_name
from holdpoint.messages.subjects import TYPES

WIDTH = 96

HEAD = """\
/**
 * The messages of Holdpoint, version 1. Written by `make schemas` from the code: do not edit.
 */

/** Any JSON object. */
export type JsonObject = { [key: string]: unknown };

"""

PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def typescript(parts: dict[str, Schema], documents: dict[str, Schema]) -> str:
    """One declaration file: every part, then every document."""
    declared = [_declared(name, part) for name, part in parts.items()]
    stored = [kind for kind in TYPES if kind not in BARE]
    frame = _frame(documents[short_name(stored[0])])
    unions = "\n".join(
        f"  | CloudEvent<{json.dumps(TYPES[kind])}, {kind.__name__}>" for kind in stored
    )
    document = (
        f"/** Every document that stands in a stream. */\nexport type HoldpointEvent =\n{unions};\n"
    )
    return HEAD + "\n".join([*declared, frame, document])


def _declared(name: str, schema: Schema) -> str:
    said = "\n".join(_comment(schema.get("description", ""), ""))
    if "enum" in schema:
        return f"{said}\nexport type {name} = {_type(schema)};\n"
    fields = "\n".join(_fields(schema))
    return f"{said}\nexport interface {name} {{\n{fields}\n}}\n"


def _frame(document: Schema) -> str:
    """The CloudEvents attributes, with the two that differ as parameters."""
    changed = {"type": "Type", "data": "Data"}
    fields = "\n".join(_fields(document, changed))
    said = "/** CloudEvents 1.0 in structured mode: one document, self-contained and signable. */"
    return f"{said}\nexport interface CloudEvent<Type extends string, Data> {{\n{fields}\n}}\n"


def _fields(schema: Schema, named: dict[str, str] | None = None) -> Iterator[str]:
    required = schema.get("required", ())
    for name, part in schema["properties"].items():
        yield from _comment(part.get("description", ""), "  ")
        optional = "" if name in required else "?"
        key = name if name.isidentifier() else json.dumps(name)
        yield f"  {key}{optional}: {(named or {}).get(name) or _type(part)};"


def _comment(text: str, indent: str) -> Iterator[str]:
    if not text:
        return
    lines = [
        line
        for paragraph in text.split("\n\n")
        for line in textwrap.wrap(" ".join(paragraph.split()), WIDTH - len(indent))
    ]
    if len(lines) == 1:
        yield f"{indent}/** {lines[0]} */"
        return
    yield f"{indent}/**"
    yield from (f"{indent} * {line}" for line in lines)
    yield f"{indent} */"


def _type(schema: Schema) -> str:
    match schema:
        case {"$ref": ref}:
            return str(ref).rpartition("/")[2]
        case {"const": value}:
            return json.dumps(value)
        case {"enum": values}:
            return " | ".join(json.dumps(value) for value in values)
        case {"anyOf": choices}:
            return " | ".join(_type(choice) for choice in choices)
        case _:
            return _plain(schema)


def _plain(schema: Schema) -> str:
    match schema.get("type"):
        case "array":
            return _array(schema)
        case "object":
            return _object(schema)
        case name:
            return PLAIN.get(name or "", "unknown")


def _array(schema: Schema) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(_type(item) for item in schema['prefixItems'])}]"
    return f"Array<{_type(schema['items'])}>"


def _object(schema: Schema) -> str:
    values: Any = schema.get("additionalProperties")
    return f"{{ [key: string]: {_type(values)} }}" if values else "JsonObject"
