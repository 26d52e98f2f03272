"""The catalog: which tools exist, by name and alias, and whether arguments fit a tool's schema.

An alias resolves before anything else: digest, access list, tally, policy and hold id know only
canonical names.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import jsonschema_rs
from msgspec.structs import replace

from holdpoint.core.digest import canonical
from holdpoint.core.dispatch import DISPATCH_TOOL
from holdpoint.core.host_tools import host_tools
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.core.tool import NO_NUL
from holdpoint.messages.base import JsonObject, is_id
from holdpoint.messages.catalog import AGENTS_DOMAIN, HOST_DOMAIN, Naming, Tool
from holdpoint.messages.mcp import MCP_DOMAIN
from holdpoint.messages.subjects import NO_DOMAIN

MOST_TOOLS = 10
"""In one domain (seed 000, bounded contexts)."""

LEVELS = range(1, 6)
"""Operation levels (seed 000)."""

MOST_PROBLEMS = 5
"""Of one call's arguments, in one refusal."""

ARTICLES = {
    "string": "a string", "number": "a number", "integer": "an integer", "boolean": "a boolean",
    "array": "an array", "object": "an object",
}  # fmt: skip

LIMITS = {
    "minLength": "its length must be at least", "maxLength": "its length must be at most",
    "minimum": "it must be at least", "maximum": "it must be at most",
    "exclusiveMinimum": "it must be more than", "exclusiveMaximum": "it must be less than",
    "minItems": "its number of entries must be at least",
    "maxItems": "its number of entries must be at most",
}  # fmt: skip

OPENS = frozenset({
    "additionalProperties", "unevaluatedProperties", "patternProperties", "allOf", "anyOf", "oneOf",
    "$ref", "if", "dependentSchemas",
})  # fmt: skip
"""Keywords by which a schema takes arguments beside those that it lists."""

LONGEST_NAMES = 200
"""Characters of what a caller invented."""

SENTENCE_TOOL = "say"
"""Stands where a call names its tool, so that a sentence's key is its own."""


MUST_FIT = "it must fit"
"""Stands before a pattern, which ends the sentence and is never said aloud."""

NO_NAMES = Naming()


class Catalog:
    """Tools by name and alias. Two tools never share a name.

    An alias from a catalog file counts where its tool is offered; elsewhere it names nothing.
    """

    def __init__(self, tools: Iterable[Tool], naming: Naming = NO_NAMES) -> None:
        self.naming = naming
        served = tuple(tools)
        if any(tool.domain == HOST_DOMAIN for tool in served):
            raise ValueError(f"The name {HOST_DOMAIN} is taken: rename the domain.")
        every = (*served, *host_tools(naming))
        self.entries: tuple[Tool, ...] = (*_with_aliases(every, naming), DISPATCH_TOOL)
        """Every tool once."""

        self.tools: Mapping[str, Tool] = _by_name(self.entries)
        self._validators = {
            tool.name: jsonschema_rs.validator_for(
                _closed(tool), offline=True, pattern_options=jsonschema_rs.RegexOptions()
            )
            for tool in self.entries
        }

    @property
    def version(self) -> str:
        """SHA-256 over every entry: a changed schema, level or name is another version."""
        entries = sorted((tool.name, _entry(tool)) for tool in self.entries)
        return hashlib.sha256(canonical([list(each) for each in entries])).hexdigest()

    def find(self, name: str) -> Tool | None:
        """The tool of this name or alias."""
        return self.tools.get(name)

    def canonical_names(self, names: Iterable[str]) -> tuple[str, ...]:
        """The canonical name of each, once; a name that no tool has stays as it is."""
        resolved = (tool.name if (tool := self.find(name)) else name for name in names)
        return tuple(dict.fromkeys(resolved))

    def get_tools_for_domain(self, domain: str) -> tuple[Tool, ...]:
        """A domain's tools: by the prefixes of catalog files, and its own; an unknown has none."""
        prefixes = self.naming.prefixes.get(domain, ())
        return tuple(
            tool
            for tool in self.entries
            if domain in (tool.domain, *tool.offered_to) or tool.name.startswith(prefixes)
        )

    def search_tools(
        self, *, domain: str = "", text: str = "", max_tier: int = 3, limit: int = 20
    ) -> tuple[Tool, ...]:
        """Tools of a domain, or of all, whose name, alias or description has every word.

        `max_tier` is the highest operation level that is wanted; at most `limit` come back.
        """
        words = text.casefold().split()
        among = self.get_tools_for_domain(domain) if domain else self.entries
        found = [tool for tool in among if tool.level <= max_tier and _has(tool, words)]
        return tuple(found[: max(limit, 0)])

    def domains(self) -> tuple[str, ...]:
        """Every domain whose workers have a tool: a dispatch or a host's tool is not run by one."""
        none = {AGENTS_DOMAIN, HOST_DOMAIN}
        return tuple(sorted({tool.domain for tool in self.tools.values()} - none))

    def objection(self, tool: Tool, arguments: JsonObject) -> str:
        """Return what is wrong with the arguments, naming each place; empty when they fit."""
        errors = islice(self._validators[tool.name].iter_errors(arguments), MOST_PROBLEMS)
        told = (f"{_place(it)}: {_wrong(it, tool.schema)}" for it in errors)
        return "; ".join(sorted(told, key=lambda it: MUST_FIT in it))

    def missing(self, tool: Tool, arguments: JsonObject) -> tuple[str, ...]:
        """Return the arguments that are missing; empty where anything else is wrong as well."""
        found = list(self._validators[tool.name].iter_errors(arguments))
        kinds: list[Any] = [it.kind for it in found]
        if any(it.instance_path for it in found) or any(it.name != "required" for it in kinds):
            return ()
        return tuple(it.property for it in kinds)


def _closed(tool: Tool) -> JsonObject:
    """Return the schema that a call is held against: an MCP tool takes the arguments it lists.

    Its server ignores others or does what no card can explain. One that says that it takes more
    (`additionalProperties`, or a schema put together from others) does.
    """
    is_listed = tool.domain == MCP_DOMAIN and bool(tool.schema.get("properties"))
    if not is_listed or any(it in OPENS for it in tool.schema):
        return tool.schema
    return {**tool.schema, "additionalProperties": False}


def _place(error: Any) -> str:
    return "/".join(str(part) for part in error.instance_path) or "arguments"


def _wrong(error: Any, schema: JsonObject) -> str:
    """The schema's word, and which name or limit it is about; never a value that was sent."""
    kind = error.kind
    match kind.name:
        case "required":
            return f"`{kind.property}` is missing"
        case "additionalProperties":
            names = ", ".join(f"`{name}`" for name in sorted(kind.unexpected))
            return f"there is no {one_line(visible(names))[:LONGEST_NAMES]}"
        case "type":
            shapes = " or ".join(ARTICLES.get(it, it) for it in kind.types)
            return f"it must be {shapes}{_fields(_part(schema, error.schema_path))}"
        case "pattern":
            return _misfit(kind.pattern, _part(schema, error.schema_path))
        case other:
            return _limit(other, kind)


def _limit(name: str, kind: Any) -> str:
    if name == "enum":
        return f"it must be {_choices(kind.options)}"
    return f"{LIMITS[name]} {kind.limit}" if name in LIMITS else name


def _choices(options: Iterable[Any]) -> str:
    *others, last = (it if isinstance(it, str) else canonical(it).decode() for it in options)
    named = f"{', '.join(others)} or {last}" if others else last
    return one_line(visible(named))[:LONGEST_NAMES]


def _part(schema: JsonObject, path: Iterable[Any]) -> JsonObject:
    """Return the part of a schema around the keyword that a path leads to.

    Nothing where it leads elsewhere: inside of a part with an `$id` paths begin at that part.
    """
    *around, _ = path
    part: Any = schema
    try:
        for step in around:
            part = part[step]
    except (LookupError, TypeError):
        return {}
    return part if isinstance(part, dict) else {}


def _fields(part: JsonObject) -> str:
    """Return what an object consists of, as far as its schema says."""
    needed = part.get("required", ())
    names = part.get("properties", ())
    fields = ", ".join(f"`{it}`" if it in needed else f"`{it}` (optional)" for it in names)
    told = one_line(visible(fields))[:LONGEST_NAMES]
    return f" with {told}" if told else ""


def _misfit(pattern: str, part: JsonObject) -> str:
    """Return the form that is asked for, in the schema's own words where it has some."""
    if pattern == NO_NUL:
        return r"it holds a NUL (`\u0000`), with which nothing can run"
    examples = part.get("examples")
    told = (
        " ".join(str(part.get("description", "")).split()).rstrip("."),
        f"such as {_choices(examples)}" if examples and isinstance(examples, list) else "",
    )
    form = one_line(visible(", ".join(filter(None, told))))[:LONGEST_NAMES]
    return f"it does not fit: {form}" if form else f"{MUST_FIT} `{pattern}`"


def _with_aliases(tools: Iterable[Tool], naming: Naming) -> Iterator[Tool]:
    """Each tool with the aliases that catalog files give it."""
    for tool in tools:
        known = (tool.name, *tool.aliases)
        more = (old for old, new in naming.aliases.items() if new == tool.name and old not in known)
        aliases = (*tool.aliases, *more)
        yield tool if aliases == tool.aliases else replace(tool, aliases=aliases)


def _entry(tool: Tool) -> str:
    """Everything of a tool that a caller or a verdict depends on."""
    said = (tool.schema_sha256, tool.domain, str(tool.level), str(tool.by_risk), *tool.aliases)
    return "\n".join(said)


def _has(tool: Tool, words: Iterable[str]) -> bool:
    said = " ".join((tool.name, *tool.aliases, tool.description)).casefold()
    return all(word in said for word in words)


def _by_name(tools: tuple[Tool, ...]) -> dict[str, Tool]:
    named: dict[str, Tool] = {}
    for tool in tools:
        if tool.level not in LEVELS:
            raise ValueError(f"{tool.name} has level {tool.level}: there are only levels 1 to 5.")
        for name in (tool.name, *tool.aliases):
            if name in named or name == SENTENCE_TOOL:
                raise ValueError(f"The name {name} is taken: rename the tool or its alias.")
            named[name] = tool
    if any(tool.domain == AGENTS_DOMAIN and tool is not DISPATCH_TOOL for tool in tools):
        raise ValueError(f"The name {AGENTS_DOMAIN} is taken: rename the domain.")
    for domain in {tool.domain for tool in tools}:
        _check_domain(domain, sum(tool.domain == domain for tool in tools))
    return named


def _check_domain(domain: str, count: int) -> None:
    if domain == NO_DOMAIN or not is_id(domain):
        raise ValueError(f"No domain can be called {domain!r}.")
    if count > MOST_TOOLS and domain not in (HOST_DOMAIN, MCP_DOMAIN):
        raise ValueError(f"{domain} has {count} tools; at most {MOST_TOOLS}: split it.")
