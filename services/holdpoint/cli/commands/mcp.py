"""`holdpoint mcp`: MCP servers behind the gate."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any

import typer
from msgspec.structs import replace

from holdpoint.cli.mcp_names import server_at
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import agent_of, begun, check_state, reach
from holdpoint.client import Holdpoint
from holdpoint.messages.mcp import McpServer
from holdpoint.runtime.config.mcp_servers import McpFiles
from holdpoint.runtime.config.registry import AGENTS_FILE
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import clock

mcp = typer.Typer(help="MCP servers behind the gate.", no_args_is_help=True)

EXTRA = "This needs the MCP SDK. Install it with: pip install 'holdpoint[mcp]'"
LISTED_S = 60.0
"""Until a server that was registered has listed its tools."""

POLL_S = 0.1

CommandArgument = Annotated[
    list[str] | None, typer.Argument(metavar="-- COMMAND", help="The program of the server.")
]
NameOption = Annotated[str, typer.Option(help="The server's name. Default: from its command.")]
UrlOption = Annotated[str, typer.Option(help="A server at this address (streamable HTTP).")]
LevelOption = Annotated[
    list[str] | None,
    typer.Option(
        help="LEVEL for each tool, or TOOL=LEVEL for one: 1 reads, 3 asks a person. Default: 5."
    ),
]
IdempotentOption = Annotated[
    list[str] | None, typer.Option(help="A tool that may run again after a crash.")
]
EnvOption = Annotated[
    list[str] | None,
    typer.Option(help="A variable for the server: NAME, with its value here, or NAME=VALUE."),
]
AgentOption = Annotated[
    str, typer.Option("--as", help="The agent, if not HP_AGENT. Default: mcp-client.")
]


@mcp.command()
def gateway(  # noqa: PLR0913  # each is one option
    command: CommandArgument = None,
    *,
    server: Annotated[str, typer.Option(help="A server that is registered already.")] = "",
    name: NameOption = "",
    url: UrlOption = "",
    level: LevelOption = None,
    idempotent: IdempotentOption = None,
    env: EnvOption = None,
    as_agent: AgentOption = "",
) -> None:
    """Serve an MCP server's tools over stdio; each call waits until the gate lets it run."""
    settings = _ready()
    files = McpFiles.of(settings)
    if server:
        chosen = _registered(files, server)
    else:
        wanted = server_at(
            command or [], url=url, name=name, levels=level or [],
            idempotent=idempotent or [], env=env or [],
        )  # fmt: skip
        chosen = _settled(files, wanted)
    asyncio.run(_gateway(settings, _agent(settings, as_agent), chosen))


@mcp.command()
def serve(*, as_agent: AgentOption = "") -> None:
    """Serve every tool that an agent may call, over stdio."""
    settings = _ready()
    asyncio.run(_serve(settings, _agent(settings, as_agent)))


def _ready() -> Settings:
    """The settings, where the extra is installed and something was set up."""
    if find_spec("mcp") is None:
        raise SetupError(EXTRA)
    settings = begun()
    check_state(settings)
    return settings


def _agent(settings: Settings, said: str) -> str:
    return agent_of(settings, said or "mcp-client")


def _registered(files: McpFiles, name: str) -> McpServer:
    found = {it.name: it for it in files.declared()}
    if name not in found:
        known = ", ".join(found) or "none"
        text = f"No MCP server {name} is registered. There are: {known}."
        raise CommandError(ExitCode.NOT_FOUND, "unknown_server", text)
    return found[name]


def _settled(files: McpFiles, wanted: McpServer) -> McpServer:
    """The server as it is registered, which happens now where it is new. Raises CommandError."""
    known = next((it for it in files.declared() if it.name == wanted.name), None)
    if known is None:
        files.register(wanted)
        return wanted
    silent = McpServer(name=wanted.name)
    unsaid = {
        field: getattr(known, field)
        for field in ("level", "levels", "idempotent", "env", "working_dir")
        if getattr(wanted, field) == getattr(silent, field) or field == "working_dir"
    }
    if replace(wanted, **unsaid) == replace(known, prefix=wanted.prefix, domains=()):
        return known
    raise CommandError(
        ExitCode.FAILED,
        "other_server",
        f"The MCP server {wanted.name} is registered with another command or other options. "
        f"Forget that one with `holdpoint mcp remove {wanted.name}`, or use --name here.",
    )


async def _gateway(settings: Settings, agent: str, server: McpServer) -> None:
    files = McpFiles.of(settings)
    await reach(settings)
    offers, serving = (import_module(f"holdpoint.mcp.{it}") for it in ("offers", "serving"))
    async with Holdpoint.connect(agent, settings) as hp:
        offer = partial(offers.tools_of_server, hp, files, server.name)
        await _listed(files, server.name, offer, agent)
        async with serving.opened(hp, settings, offer) as gateway:
            await serving.serve_stdio(gateway, server.name)


async def _serve(settings: Settings, agent: str) -> None:
    await reach(settings)
    offers, serving = (import_module(f"holdpoint.mcp.{it}") for it in ("offers", "serving"))
    async with Holdpoint.connect(agent, settings) as hp:
        offer = partial(offers.whole_catalog, hp)
        async with serving.opened(hp, settings, offer) as gateway:
            await serving.serve_stdio(gateway, "holdpoint")


async def _listed(
    files: McpFiles, name: str, offer: Callable[[], Awaitable[Any]], agent: str
) -> None:
    """Wait until the worker has started the server and the gate knows its tools."""
    until = clock.monotonic() + LISTED_S
    while not await offer():
        if clock.monotonic() > until:
            raise CommandError(ExitCode.SETUP, "not_listed", _missing(files, name, agent))
        await asyncio.sleep(POLL_S)


def _missing(files: McpFiles, name: str, agent: str) -> str:
    state = files.state_of(_registered(files, name))
    if state.listing.problem:
        return (
            f"The MCP server {name} does not start: {state.listing.problem}. What it said stands "
            f"in run/mcp-{name}.log in the state folder."
        )
    if not state.listing.up:
        return "No worker started the MCP server. `holdpoint status` tells whether worker-mcp runs."
    return f"{agent} may call none of its tools: add `domains: [mcp]` to it in {AGENTS_FILE}."


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(mcp, name="mcp")
