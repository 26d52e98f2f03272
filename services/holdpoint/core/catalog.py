"""The catalog: which tools exist, by name and alias, and whether arguments fit a tool's schema."""

from collections.abc import Iterable, Mapping
from typing import Any

import jsonschema_rs

from holdpoint.core.redaction.display import one_line, visible
from holdpoint.core.tool import NO_NUL
from holdpoint.messages.base import JsonObject, is_id
from holdpoint.messages.catalog import Tool
from holdpoint.messages.subjects import NO_DOMAIN

MOST_TOOLS = 10
"""In one domain (seed 000, bounded contexts)."""

LONGEST_NAMES = 200
"""Characters of what a caller invented."""

SENTENCE_TOOL = "say"
"""Stands where a call names its tool, so that a sentence's key is its own."""


class Catalog:
    """Tools by name and alias. Two tools never share a name."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self.tools: Mapping[str, Tool] = _by_name(tuple(tools))
        self._validators = {
            tool.name: jsonschema_rs.validator_for(tool.schema) for tool in self.tools.values()
        }

    def find(self, name: str) -> Tool | None:
        """The tool of this name or alias."""
        return self.tools.get(name)

    def domains(self) -> tuple[str, ...]:
        """Every domain that has a tool."""
        return tuple(sorted({tool.domain for tool in self.tools.values()}))

    def objection(self, tool: Tool, arguments: JsonObject) -> str:
        """Return what is wrong with the arguments, naming the place; empty when they fit."""
        found = next(self._validators[tool.name].iter_errors(arguments), None)
        if found is None:
            return ""
        place = "/".join(str(part) for part in found.instance_path)
        return f"{place or 'arguments'}: {_wrong(found.kind)}"


def _wrong(kind: Any) -> str:
    """The schema's word, and which name or limit it is about; never a value that was sent."""
    match kind.name:
        case "required":
            return f"`{kind.property}` is missing"
        case "additionalProperties":
            names = ", ".join(f"`{name}`" for name in sorted(kind.unexpected))
            return f"there is no {one_line(visible(names))[:LONGEST_NAMES]}"
        case "type":
            return f"it must be: {', '.join(kind.types)}"
        case "minLength" | "maxLength" | "minimum" | "maximum" | "minItems" | "maxItems":
            return f"{kind.name} is {kind.limit}"
        case "pattern":
            return _misfit(kind.pattern)
        case other:
            return str(other)


def _misfit(pattern: str) -> str:
    if pattern == NO_NUL:
        return r"it holds a NUL (`\u0000`), with which nothing can run"
    return f"it must fit `{pattern}`"


def _by_name(tools: tuple[Tool, ...]) -> dict[str, Tool]:
    named: dict[str, Tool] = {}
    for tool in tools:
        for name in (tool.name, *tool.aliases):
            if name in named or name == SENTENCE_TOOL:
                raise ValueError(f"The name {name} is taken: rename the tool or its alias.")
            named[name] = tool
    for domain in {tool.domain for tool in tools}:
        _check_domain(domain, sum(tool.domain == domain for tool in tools))
    return named


def _check_domain(domain: str, count: int) -> None:
    if domain == NO_DOMAIN or not is_id(domain):
        raise ValueError(f"No domain can be called {domain!r}.")
    if count > MOST_TOOLS:
        raise ValueError(f"{domain} has {count} tools; at most {MOST_TOOLS}: split it.")
