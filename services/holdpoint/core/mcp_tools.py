"""Tools of MCP servers as catalog entries. A server's word about its own tools is a hint.

A hint may raise a tool's level and never lowers it. A tool that nobody adopted, or that changed
since, has the highest level.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import jsonschema_rs
import msgspec

from holdpoint.core.digest import canonical
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.core.telling_argument import words_of_name
from holdpoint.messages.base import JsonObject, is_id
from holdpoint.messages.catalog import READ_LEVEL, UNLEVELLED, Enforcement, Repeat, Tool
from holdpoint.messages.mcp import MCP_DOMAIN, McpServer, McpState

DESTRUCTIVE_LEVEL = 3
"""The least level of a tool that says itself that it destroys."""

LARGEST_BYTES = 64 * 1024
"""Of one tool's description and schemas."""

LONGEST_DESCRIPTION = 2_000
"""Characters of a description in the catalog."""

LONGEST_TITLE = 60
"""Characters of a title that stands on a card."""

REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})


class UnfitError(ValueError):
    """A tool that cannot stand in the catalog; the text says why."""


def tools_of(states: Iterable[McpState], taken: Collection[str] = ()) -> tuple[Tool, ...]:
    """The tools of every server that is up; one whose name is taken, or is unfit, is left out.

    A name that was adopted stays its server's while that is away.
    """
    known = tuple(states)
    owners = dict.fromkeys(taken, "")
    for state in known:
        for name in _adopted_names(state):
            owners.setdefault(name, state.server.name)
    found: dict[str, Tool] = {}
    for state in known:
        for tool in _offered(state):
            if owners.setdefault(tool.name, state.server.name) == state.server.name:
                found.setdefault(tool.name, tool)
    return tuple(found.values())


def _adopted_names(state: McpState) -> Iterator[str]:
    for own in state.adopted:
        try:
            yield catalog_name(state.server, own)
        except UnfitError:
            continue


def _offered(state: McpState) -> Iterator[Tool]:
    if not state.listing.up or not state.server.enabled:
        return
    for definition in state.listing.tools:
        try:
            yield tool_of(state, definition)
        except UnfitError:
            continue


def problems_of(state: McpState) -> Iterator[str]:
    """Return why some of its tools cannot stand in the catalog."""
    for definition in state.listing.tools:
        try:
            tool_of(state, definition)
        except UnfitError as error:
            yield f"{one_line(visible(str(definition.get('name'))))[:80]}: {error}"


def tool_of(state: McpState, definition: JsonObject) -> Tool:
    """The catalog's entry of one tool. Raises UnfitError."""
    server, own = state.server, _own_name(definition)
    version = version_of(server, definition)
    is_adopted = state.adopted.get(own) == version
    level = _level(server, definition, is_adopted=is_adopted)
    is_idempotent = level == READ_LEVEL or own in server.idempotent
    return Tool(
        name=catalog_name(server, own),
        domain=MCP_DOMAIN,
        level=level,
        levelled=level != UNLEVELLED or own in server.levels,
        description=_text(definition.get("description"))[:LONGEST_DESCRIPTION],
        schema=_schema(definition),
        schema_sha256=version,
        template=_template(server, definition, is_adopted=is_adopted),
        repeat=Repeat.IDEMPOTENT if is_idempotent else Repeat.MANUAL,
        offered_to=server.domains,
        enforcement=Enforcement.NETWORK,
    )


def catalog_name(server: McpServer, own: str) -> str:
    """The name in the catalog of the tool that its server calls `own`. Raises UnfitError."""
    name = own if own.startswith(server.prefix) else f"{server.prefix}{own}"
    if not is_id(name):
        raise UnfitError("its name must be up to 64 letters, digits, `_` and `-`")
    return name


def version_of(server: McpServer, definition: JsonObject) -> str:
    """SHA-256 over everything that a tool says of itself, and over what is started to run it."""
    started = [server.name, server.transport.value, server.command, *server.args]
    said: Any = {"server": [*started, server.working_dir, server.url], "tool": definition}
    try:
        return hashlib.sha256(canonical(said)).hexdigest()
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise UnfitError("its description holds what JSON cannot say") from None


def versions_of(state: McpState) -> dict[str, str]:
    """The version of each tool that can stand in the catalog, by its own name."""
    found = {}
    for definition in state.listing.tools:
        try:
            tool_of(state, definition)
            found[_own_name(definition)] = version_of(state.server, definition)
        except UnfitError:
            continue
    return found


def _own_name(definition: JsonObject) -> str:
    name = definition.get("name")
    if not isinstance(name, str):
        raise UnfitError("it has no name")
    return name


def _level(server: McpServer, definition: JsonObject, *, is_adopted: bool) -> int:
    """The operator's level, as far as the tool is still the one that it was said about."""
    if not is_adopted:
        return UNLEVELLED
    level = server.levels.get(_own_name(definition), server.level)
    hints = definition.get("annotations")
    destroys = isinstance(hints, dict) and hints.get("destructiveHint") is True
    return max(level, DESTRUCTIVE_LEVEL) if destroys else level


def _template(server: McpServer, definition: JsonObject, *, is_adopted: bool) -> str:
    """Return the card's line: its own title, once that is adopted, or its name, and the object."""
    hints = definition.get("annotations")
    titles = (definition.get("title"), hints.get("title") if isinstance(hints, dict) else None)
    title = next((it for it in map(_text, titles) if it.strip()), "") if is_adopted else ""
    said = one_line(title).strip() if len(title) <= LONGEST_TITLE else ""
    does = said or words_of_name(_own_name(definition))
    plain = does.replace("{", "{{").replace("}", "}}")
    return f"{plain[:1].upper()}{plain[1:]}{{acts_on}} (MCP server {server.name})"


def _schema(definition: JsonObject) -> JsonObject:
    """Its arguments' schema, which refers to nothing outside of itself. Raises UnfitError."""
    schema = definition.get("inputSchema")
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise UnfitError("it has no inputSchema of an object")
    if len(msgspec.json.encode(definition)) > LARGEST_BYTES:
        raise UnfitError(f"its description is larger than {LARGEST_BYTES // 1024} KiB")
    if any(not str(it).startswith("#") for it in _references(schema)):
        raise UnfitError("its inputSchema refers to another document")
    try:
        validator(schema)
    except (ValueError, RecursionError) as error:
        raise UnfitError(f"its inputSchema is none: {one_line(str(error))[:200]}") from None
    return schema


def validator(schema: JsonObject) -> Any:
    """The schema's validator: offline, and in time linear in what it reads."""
    linear = jsonschema_rs.RegexOptions()
    return jsonschema_rs.validator_for(schema, offline=True, pattern_options=linear)


def _references(schema: Any) -> Iterator[Any]:
    parts = [schema]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            yield from (it for name, it in part.items() if name in REFERENCES)
            parts += part.values()
        elif isinstance(part, list):
            parts += part


def _text(said: object) -> str:
    return visible(said) if isinstance(said, str) else ""
