"""Tools that a gateway offers: those of one MCP server, or the whole catalog of its agent."""

from collections.abc import Mapping

from holdpoint.client import Holdpoint, ToolDefinition
from holdpoint.core.mcp_tools import UnfitError, tool_of
from holdpoint.core.verdict import HIGHEST_LEVEL
from holdpoint.mcp.gateway import Offered
from holdpoint.messages.mcp import MCP_DOMAIN
from holdpoint.runtime.config.mcp_servers import McpFiles

MOST_TOOLS = 100
"""In one answer of the gate."""


async def tools_of_server(hp: Holdpoint, files: McpFiles, name: str) -> Mapping[str, Offered]:
    """The server's tools, unchanged, as far as the gate lets the agent call them as they are."""
    state = next((it for it in files.states() if it.server.name == name), None)
    if state is None or not state.listing.up:
        return {}
    known = {it.name: it.version for it in await _searched(hp, state.server.prefix)}
    offered = {}
    for definition in state.listing.tools:
        try:
            tool = tool_of(state, definition)
        except UnfitError:
            continue
        if known.get(tool.name) == tool.schema_sha256:
            one = Offered(definition=definition, tool=tool.name)
            offered[one.name] = one
    return offered


async def _searched(hp: Holdpoint, text: str) -> tuple[ToolDefinition, ...]:
    return await hp.search_tools(
        domain=MCP_DOMAIN, text=text, max_tier=HIGHEST_LEVEL, limit=MOST_TOOLS
    )


async def whole_catalog(hp: Holdpoint) -> Mapping[str, Offered]:
    """Every tool that the agent may call, by its name in the catalog."""
    found = await hp.search_tools(max_tier=HIGHEST_LEVEL, limit=MOST_TOOLS)
    return {it.name: Offered(definition=_definition(it), tool=it.name) for it in found}


def _definition(tool: ToolDefinition) -> dict[str, object]:
    return {"name": tool.name, "description": tool.description, "inputSchema": tool.schema}
