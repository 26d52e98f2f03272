"""`holdpoint tools`: the catalog, offline: what agents may call, and what it takes."""

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec
import typer
from rich.text import Text

from holdpoint.cli import output
from holdpoint.cli.domains import catalog
from holdpoint.cli.session import JsonOption, agent_of, begun
from holdpoint.core.agent_tools import with_tools
from holdpoint.core.catalog import Catalog
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Agent, Tool
from holdpoint.runtime.config.registry import load_registry
from holdpoint.runtime.config.settings import Settings

OPTIONAL = "?"
"""Behind an argument that may be left out."""

tools_app = typer.Typer()
"""`tools`: mounted at the top."""


class ToolLine(msgspec.Struct, frozen=True, kw_only=True):
    """One tool, as `holdpoint tools` tells it."""

    name: str
    aliases: tuple[str, ...]
    domain: str
    level: int
    by_risk: bool
    """True if what is proven to only read is level 1."""

    description: str
    arguments: JsonObject
    """Their JSON Schema."""

    agents: tuple[str, ...]
    """Agents that may call it: by its name, an alias or a domain in agents.yaml."""


@tools_app.command()
def tools(
    *,
    as_agent: Annotated[str, typer.Option("--as", help="Only what this agent may call.")] = "",
    as_json: JsonOption = False,
) -> None:
    """List every tool with its level and its arguments. With --json: one tool per line."""
    settings = begun()
    known = catalog(settings)
    lines = tool_lines(settings, known, known.entries)
    if as_agent:
        name = agent_of(settings, as_agent)
        lines = [line for line in lines if name in line.agents]
    if as_json:
        output.emit(*lines)
        return
    for line in lines:
        output.show(told(line, output.width()))


def tool_lines(settings: Settings, known: Catalog, tools: Iterable[Tool]) -> list[ToolLine]:
    """Return these tools of the catalog, each with the agents that may call it."""
    agents = with_tools(load_registry(settings.config_dir).agents, known)
    return [_tool_line(tool, agents) for tool in tools]


def _tool_line(tool: Tool, agents: tuple[Agent, ...]) -> ToolLine:
    return ToolLine(
        name=tool.name,
        aliases=tool.aliases,
        domain=tool.domain,
        level=tool.level,
        by_risk=tool.by_risk,
        description=tool.description,
        arguments=tool.schema,
        agents=tuple(agent.name for agent in agents if tool.name in agent.tools),
    )


def told(line: ToolLine, columns: int) -> Iterator[Text]:
    """The tool, for people."""
    needed = line.arguments.get("required", [])
    names = (
        name if name in needed else f"{name}{OPTIONAL}"
        for name in line.arguments.get("properties", {})
    )
    yield Text(f"{line.name}({', '.join(names)})", style="bold")
    yield from output.field("  About", line.description, columns)
    reads = "; 1 for what is proven to only read" if line.by_risk else ""
    yield from output.field("  Level", f"{line.level}, domain {line.domain}{reads}", columns)
    if line.aliases:
        yield from output.field("  Also", ", ".join(line.aliases), columns)
    yield from output.field("  Agents", ", ".join(line.agents) or "none", columns)


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(tools_app)
