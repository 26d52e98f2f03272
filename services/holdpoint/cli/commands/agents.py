"""`holdpoint agents`: who may use what and call whom, checked, counted and drawn."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.text import Text

from holdpoint.cli import output
from holdpoint.cli.commands import api_keys
from holdpoint.cli.domains import catalog
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import JsonOption, agent_of, begun
from holdpoint.core.access_matrix import MOST_PATHS, AccessMatrix, CyclicError, matrix_of
from holdpoint.core.agent_graph import agent_graph
from holdpoint.core.agent_tools import with_tools
from holdpoint.core.graph_picture import svg
from holdpoint.messages.catalog import Agent
from holdpoint.runtime.config.registry import AGENTS_FILE, load_registry
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError

agents_app = typer.Typer(help="The access matrix: who may use what, and call whom.")


class AgentLine(msgspec.Struct, frozen=True, kw_only=True):
    """One agent, as `holdpoint agents list` tells it."""

    name: str
    title: str
    user_facing: bool
    layer: int | None
    depth: int | None
    width: int
    tools: tuple[str, ...]
    domains: tuple[str, ...]
    capabilities: tuple[str, ...]
    may_call: tuple[str, ...]


class PathsLine(msgspec.Struct, frozen=True, kw_only=True):
    """The paths of one agent."""

    agent: str
    total: int
    paths: tuple[tuple[str, ...], ...]


@agents_app.command("list")
def list_agents(*, as_json: JsonOption = False) -> None:
    """List every agent with its layer, depth and width. With --json: one agent per line."""
    agents, matrix = _loaded(begun())
    places = {place.agent: place for place in matrix.places}
    lines = [
        AgentLine(
            name=agent.name,
            title=agent.title,
            user_facing=agent.user_facing,
            layer=places[agent.name].layer,
            depth=places[agent.name].depth,
            width=places[agent.name].width,
            tools=agent.tools,
            domains=agent.domains,
            capabilities=agent.capabilities,
            may_call=agent.may_call,
        )
        for agent in agents
    ]
    if as_json:
        output.emit(*lines)
        return
    for line in lines:
        output.show(_told(line, output.width()))
    output.say(f"At most {matrix.depth_bound} calls between agents can follow each other.")


@agents_app.command()
def paths(
    agent: Annotated[str, typer.Argument(help="Where they begin.")],
    *,
    limit: Annotated[int, typer.Option(min=0, help="List so many at most.")] = MOST_PATHS,
    as_json: JsonOption = False,
) -> None:
    """List what a request to an agent can lead to, and count it exactly."""
    settings = begun()
    _, matrix = _loaded(settings)
    name = agent_of(settings, agent)
    listed, total = tuple(islice(matrix.paths(name), limit)), matrix.count_paths(name)
    if as_json:
        output.emit(PathsLine(agent=name, total=total, paths=listed))
        return
    for path in listed:
        output.say(" → ".join(path))
    output.say(f"{total:,} path{'' if total == 1 else 's'}, {len(listed):,} listed.")


@agents_app.command()
def graph(
    *,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write it to this file instead of printing it.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Draw agents in layers, with whom each may call, as SVG."""
    drawn = svg(agent_graph(*_loaded(begun())))
    if as_json:
        output.emit({"svg": drawn})
        return
    if out is None:
        output.document(drawn)
        return
    try:
        out.write_text(drawn, "utf-8")
    except OSError as error:
        text = f"{out} cannot be written: {error.strerror}."
        raise CommandError(ExitCode.USAGE, "unwritable_file", text) from None


def _loaded(settings: Settings) -> tuple[tuple[Agent, ...], AccessMatrix]:
    every = catalog(settings)
    agents = with_tools(load_registry(settings.config_dir).agents, every)
    try:
        return agents, matrix_of(agents, {tool.name for tool in every.tools.values()})
    except CyclicError as error:
        raise SetupError(f"{settings.config_dir / AGENTS_FILE}: {error}") from None


def _told(line: AgentLine, columns: int) -> Iterator[Text]:
    yield Text(line.name, style="bold")
    if line.title:
        yield from output.field("  Name", line.title, columns)
    reached = "no user reaches it" if line.layer is None else f"{line.layer}, depth {line.depth}"
    facing = ", user-facing" if line.user_facing else ""
    yield from output.field("  Layer", f"{reached}, width {line.width}{facing}", columns)
    for label, names in (
        ("  Tools", line.tools),
        ("  Domains", line.domains),
        ("  May call", line.may_call),
    ):
        if names:
            yield from output.field(label, _listed(names), columns)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    api_keys.mount_agents(agents_app)
    app.add_typer(agents_app, name="agents")
