"""`holdpoint mcp`: MCP servers behind the gate."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from typing import Annotated, Any

import msgspec
import typer
import uvloop
from msgspec.structs import replace
from rich.text import Text

from holdpoint.cli import composition, output
from holdpoint.cli.acting_as import Who
from holdpoint.cli.mcp_names import server_at
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import JsonOption, agent_of, begun, check_state, person_of, reach
from holdpoint.client import Holdpoint
from holdpoint.core.mcp_tools import UnfitError, problems_of, tool_of, versions_of
from holdpoint.messages.mcp import McpServer, McpState
from holdpoint.runtime.config.mcp_servers import MCP_SERVERS_FILE, McpFiles
from holdpoint.runtime.config.registry import AGENTS_FILE
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import clock

mcp = typer.Typer(help="MCP servers behind the gate.", no_args_is_help=True)

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


HttpOption = Annotated[
    int,
    typer.Option(
        min=0, max=65535, help="Serve streamable HTTP at this port, on loopback. 0 serves stdio."
    ),
]


PersonOption = Annotated[
    str,
    typer.Option(
        help="Who sits at the client, and may answer in its form where the policy says so."
    ),
]


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """Way of serving: who calls, and over what."""

    agent: str
    http: int
    person: str = ""
    as_json: bool


class Served(msgspec.Struct, frozen=True, kw_only=True):
    """Line on standard error once a gateway serves: standard output belongs to the client."""

    name: str
    agent: str
    tools: int
    address: str
    token_file: str


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
    http: HttpOption = 0,
    as_agent: AgentOption = "",
    person: PersonOption = "",
    as_json: JsonOption = False,
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
    if http and person:
        text = "Streamable HTTP has many clients, and --person names who sits at one: use stdio."
        raise CommandError(ExitCode.USAGE, "person_over_http", text)
    way = Way(agent=_agent(settings, as_agent), http=http, person=person, as_json=as_json)
    uvloop.run(_gateway(settings, way, chosen))


@mcp.command()
def serve(*, http: HttpOption = 0, as_agent: AgentOption = "", as_json: JsonOption = False) -> None:
    """Serve every tool that an agent may call, over stdio."""
    settings = _ready()
    way = Way(agent=_agent(settings, as_agent), http=http, as_json=as_json)
    uvloop.run(_serve(settings, way))


class ServerLine(msgspec.Struct, frozen=True, kw_only=True):
    """One MCP server, for programs."""

    name: str
    started: str
    """Its command line or address."""

    is_up: bool
    problem: str
    tools: tuple["ToolLine", ...]
    left_out: tuple[str, ...]
    """Tools that cannot stand in the catalog, and why."""


class ToolLine(msgspec.Struct, frozen=True, kw_only=True):
    """One tool of an MCP server, for programs."""

    name: str
    """Its own name."""

    tool: str
    """Its name in the catalog."""

    level: int
    adopted: bool
    """False for one that is new or changed since the server was adopted: it has level 5."""


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """Change of a server, for programs."""

    name: str
    adopted: tuple[str, ...] = ()
    """Tools whose level counts from now on."""


@mcp.command()
def add(  # noqa: PLR0913  # each is one option
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name of your choice.")],
    command: CommandArgument = None,
    *,
    url: UrlOption = "",
    level: LevelOption = None,
    idempotent: IdempotentOption = None,
    env: EnvOption = None,
    as_json: JsonOption = False,
) -> None:
    """Register an MCP server; `holdpoint up` starts it at once."""
    files = McpFiles.of(_ready())
    wanted = server_at(
        command or [], url=url, name=name, levels=level or [],
        idempotent=idempotent or [], env=env or [],
    )  # fmt: skip
    _done(
        Done(name=_settled(files, wanted).name),
        f"{wanted.name} is registered. Its tools: holdpoint mcp list",
        as_json=as_json,
    )


@mcp.command("list")
def list_(*, as_json: JsonOption = False) -> None:
    """List every MCP server with its tools and their levels."""
    files = McpFiles.of(begun())
    lines = [_line(it) for it in files.states()]
    if as_json:
        output.emit(*lines)
        return
    for line in lines:
        output.show(_told(line, output.width()))
    if not lines:
        output.say("No MCP server is registered.")


@mcp.command()
def adopt(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The server.")],
    *,
    as_json: JsonOption = False,
) -> None:
    """Adopt a server's tools as they are now, so that your levels count for changed ones too."""
    files = McpFiles.of(begun())
    state = files.state_of(_registered(files, name))
    if not state.listing.up:
        text = f"The MCP server {name} is away, so nobody knows what it offers. Start it first."
        raise CommandError(ExitCode.FAILED, "server_away", text)
    now = versions_of(state)
    changed = sorted(own for own, version in now.items() if state.adopted.get(own) != version)
    files.adopt(name, now)
    text = f"Adopted: {', '.join(changed) or 'nothing had changed'}."
    _done(Done(name=name, adopted=tuple(changed)), text, as_json=as_json)


@mcp.command()
def remove(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The server.")],
    *,
    as_json: JsonOption = False,
) -> None:
    """Forget a registered MCP server; it is stopped, and open calls of its tools are refused."""
    if not McpFiles.of(begun()).forget(name):
        text = f"No MCP server {name} is registered here. Those in {MCP_SERVERS_FILE} stand there."
        raise CommandError(ExitCode.NOT_FOUND, "unknown_server", text)
    _done(Done(name=name), f"{name} is forgotten.", as_json=as_json)


def _done(done: Done, text: str, *, as_json: bool) -> None:
    if as_json:
        output.emit(done)
    else:
        output.say(text)


def _line(state: McpState) -> ServerLine:
    server = state.server
    tools = []
    for definition in state.listing.tools:
        try:
            tool = tool_of(state, definition)
        except UnfitError:
            continue
        own = str(definition["name"])
        is_adopted = state.adopted.get(own) == tool.schema_sha256
        tools.append(ToolLine(name=own, tool=tool.name, level=tool.level, adopted=is_adopted))
    return ServerLine(
        name=server.name,
        started=server.url or " ".join((server.command, *server.args)),
        is_up=state.listing.up,
        problem=state.listing.problem,
        tools=tuple(tools),
        left_out=tuple(problems_of(state)),
    )


def _told(line: ServerLine, columns: int) -> Iterator[Text]:
    yield Text(f"{line.name} ({'up' if line.is_up else 'away'})", style="bold")
    yield from output.field("  Started by", line.started, columns)
    if line.problem:
        yield from output.field("  Away", line.problem, columns)
    widest = max((len(it.name) for it in line.tools), default=0)
    for tool in line.tools:
        changed = "" if tool.adopted else ", changed or new: `holdpoint mcp adopt` it"
        name = f"  {tool.name:<{widest}}"
        yield from output.field(name, f"level {tool.level}{changed}", columns)
    for text in line.left_out:
        yield from output.field("  Left out", text, columns)


def _ready() -> Settings:
    """The settings, where the extra is installed and something was set up."""
    composition.check_mcp()
    settings = begun()
    check_state(settings)
    return settings


def _agent(settings: Settings, said: str) -> str:
    return agent_of(settings, said or Who().agent or "mcp-client")


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


async def _gateway(settings: Settings, way: Way, server: McpServer) -> None:
    files = McpFiles.of(settings)
    await reach(settings)
    offers = import_module("holdpoint.mcp.offers")
    async with Holdpoint.connect(way.agent, settings) as hp:
        offer = partial(offers.tools_of_server, hp, files, server.name)
        await _listed(files, server.name, offer, way.agent)
        await _offered(hp, settings, way, server.name, offer)


async def _serve(settings: Settings, way: Way) -> None:
    await reach(settings)
    offers = import_module("holdpoint.mcp.offers")
    async with Holdpoint.connect(way.agent, settings) as hp:
        await _offered(hp, settings, way, "holdpoint", partial(offers.whole_catalog, hp))


async def _offered(hp: Holdpoint, settings: Settings, way: Way, name: str, offer: Any) -> None:
    serving = import_module("holdpoint.mcp.serving")
    async with serving.opened(hp, offer) as gateway, _person_at(settings, way.person) as person:
        gateway.person = person
        server = serving.mcp_server(gateway, settings, name)
        token_file = serving.token_file(settings.state_dir, way.agent)
        token = serving.http_token(token_file) if way.http else ""
        _tell(settings, way, Served(
            name=name,
            agent=way.agent,
            tools=len(gateway.tools),
            address=f"http://127.0.0.1:{way.http}/mcp" if way.http else "",
            token_file=str(token_file) if token else "",
        ))  # fmt: skip
        if way.http:
            await serving.serve_http(server, way.http, token)
        else:
            await serving.serve_stdio(server)


@asynccontextmanager
async def _person_at(settings: Settings, name: str) -> AsyncIterator[Any]:
    """The person at the client, connected; None where nobody is named."""
    if not name:
        yield None
        return
    known = person_of(settings, name)
    async with import_module("holdpoint.mcp.client_person").logged_in(settings, known) as person:
        yield person


def _tell(settings: Settings, way: Way, served: Served) -> None:
    if way.as_json:
        typer.echo(msgspec.json.encode(served).decode(), err=True)
        return
    place = f" at {served.address}; the token is in {served.token_file}" if way.http else ""
    where = f" People answer at {settings.console_url}" if settings.console_url else ""
    typer.echo(
        f"{served.name}: {served.tools} tools, called as {served.agent}{place}.{where}", err=True
    )


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
