"""An agent's search of the catalog: only what it may call is listed."""

from holdpoint.gate.context import Gate
from holdpoint.messages.ask import AskTools, ToolsAnswer
from holdpoint.messages.catalog import Tool, ToolDefinition
from holdpoint.messages.codec import decode
from holdpoint.messages.subjects import asker_of


async def on_tools(gate: Gate, subject: str, body: bytes) -> ToolsAnswer:
    """Return the tools that the search finds, in a catalog that is read again if it changed."""
    asked = decode(body, AskTools)
    catalog = await gate.tool_catalog.ensure_fresh()
    agent = gate.agents.get(asker_of(subject))
    may_call = frozenset(agent.tools) if agent else frozenset()
    found = catalog.search_tools(
        domain=asked.domain,
        text=asked.text,
        max_tier=asked.max_tier,
        limit=len(catalog.entries),
    )
    listed = [definition_of(tool) for tool in found if tool.name in may_call]
    return ToolsAnswer(tools=tuple(listed[: asked.limit]), version=catalog.version)


def definition_of(tool: Tool) -> ToolDefinition:
    """The tool as an agent finds it."""
    return ToolDefinition(
        name=tool.name,
        description=tool.description,
        domain=tool.domain,
        level=tool.level,
        by_risk=tool.by_risk,
        aliases=tool.aliases,
        schema=tool.schema,
        version=tool.schema_sha256,
    )
