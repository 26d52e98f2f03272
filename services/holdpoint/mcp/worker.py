"""The worker of MCP servers: starts them, lists their tools, and calls one under a grant."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import structlog

from holdpoint.core.mcp_tools import UnfitError, problems_of, tool_of, tools_of, versions_of
from holdpoint.core.tool import Result, RunContext, ToolSpec, what_ran
from holdpoint.mcp.connection import AnsweredError, Connection, GoneError, connected
from holdpoint.mcp.results import failed, result_of
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Tool
from holdpoint.messages.mcp import McpListing, McpServer, McpState
from holdpoint.messages.run import RunStatus
from holdpoint.runtime.config.mcp_servers import McpFiles, Stamp
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import clock

log = structlog.get_logger(__name__)

LOOK_S = 0.5
"""Between two looks at the files."""

LIST_AGAIN_S = 30.0
"""Some servers never tell that their tools changed."""

FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 30.0
STEADY_S = 60.0
"""A server that was up for so long is started again at once."""

LONGEST_PROBLEM = 300


@dataclass
class LiveTools(Mapping[str, ToolSpec]):
    """The tools of every server that is up, by their names in the catalog."""

    current: Mapping[str, ToolSpec] = field(default_factory=dict)

    def __getitem__(self, name: str) -> ToolSpec:
        return self.current[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.current)

    def __len__(self) -> int:
        return len(self.current)


@dataclass(eq=False, kw_only=True)
class Servers:
    """Every server that is declared, each started and watched by a task of its own."""

    files: McpFiles
    logs: str
    """The folder of what servers say on standard error."""

    specs: LiveTools = field(default_factory=LiveTools)
    _tasks: dict[str, tuple[McpServer, asyncio.Task[None]]] = field(default_factory=dict)
    _up: dict[str, Connection] = field(default_factory=dict)
    _read: Stamp = ()

    async def follow(self) -> None:
        """Start what is declared, and stop what no longer is, for ever."""
        while True:
            stamp = self.files.stamp()
            if stamp != self._read:
                self._read = stamp
                self._reconcile()
            await asyncio.sleep(LOOK_S)

    async def stop(self) -> None:
        """Stop every server."""
        tasks = [task for _, task in self._tasks.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _reconcile(self) -> None:
        try:
            wanted = {it.name: it for it in self.files.declared() if it.enabled}
        except SetupError as error:
            log.warning("mcp_servers_not_read", why=str(error))
            return
        for name, (server, task) in list(self._tasks.items()):
            if wanted.get(name) != server:
                task.cancel()
                del self._tasks[name]
        for name, server in wanted.items():
            if name not in self._tasks:
                self._tasks[name] = server, asyncio.create_task(self._keep(server))
        self._name_tools()

    def _name_tools(self) -> None:
        """Make the table again from what the gate reads too."""
        try:
            states = self.files.states()
        except SetupError as error:
            log.warning("mcp_tools_not_read", why=str(error))
            return
        named = tools_of(states)
        spec_of = {}
        for state in states:
            for own, tool in _own_names(state):
                spec_of[tool.name, tool.schema_sha256] = self._spec(state.server, own, tool)
        self.specs.current = {it.name: spec_of[it.name, it.schema_sha256] for it in named}

    def _spec(self, server: McpServer, own: str, tool: Tool) -> ToolSpec:
        run = partial(self._run, server.name, own, tool)
        return ToolSpec(tool=tool, arguments=JsonObject, run=run)

    async def _run(
        self, server: str, own: str, tool: Tool, arguments: Any, _: RunContext
    ) -> Result:
        """Call it once. GoneError leaves in doubt whether it acted."""
        connection = self._up.get(server)
        if connection is None:
            text = f"The MCP server {server} is away, so nothing ran. Try again later."
            return Result(status=RunStatus.FAILED, error=text)
        ran = what_ran(tool.name, arguments)
        try:
            return result_of(await connection.call(own, arguments), ran)
        except AnsweredError as error:
            return failed(str(error), ran)

    async def _keep(self, server: McpServer) -> None:
        """Keep the server up; its tools are listed only while it is."""
        pause_s = FIRST_PAUSE_S
        while True:
            began = clock.monotonic()
            problem = await self._served(server)
            self._list(server, McpListing(up=False, problem=problem))
            log.warning("mcp_server_away", server=server.name, why=problem)
            if clock.monotonic() - began > STEADY_S:
                pause_s = FIRST_PAUSE_S
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)

    async def _served(self, server: McpServer) -> str:
        """Return why the server is away, once it is."""
        try:
            with open(f"{self.logs}/mcp-{server.name}.log", "a") as said:  # noqa: PTH123, ASYNC230
                async with connected(server, said) as connection:
                    await self._follow_tools(server, connection)
        except Exception as error:  # noqa: BLE001  # a stranger's program: whatever it does, it is away
            return _why(error)
        finally:
            self._up.pop(server.name, None)
        return "it ended"

    async def _follow_tools(self, server: McpServer, connection: Connection) -> None:
        """List its tools, and again whenever they may have changed."""
        while True:
            connection.changed.clear()
            tools = await connection.tools()
            self._up[server.name] = connection
            self._list(server, McpListing(up=True, tools=tools))
            waiting = [
                asyncio.ensure_future(it.wait()) for it in (connection.gone, connection.changed)
            ]
            await asyncio.wait(waiting, timeout=LIST_AGAIN_S, return_when=asyncio.FIRST_COMPLETED)
            for task in waiting:
                task.cancel()
            if connection.gone.is_set():
                raise GoneError("it ended")

    def _list(self, server: McpServer, listing: McpListing) -> None:
        """Write down what it offers. Who is seen for the first time is adopted as it is."""
        if listing.up and self.files.adopted(server.name) is None:
            state = McpState(server=server, listing=listing)
            self.files.adopt(server.name, versions_of(state))
            for problem in problems_of(state):
                log.warning("mcp_tool_left_out", server=server.name, tool=problem)
        self.files.list_tools(server.name, listing)
        self._name_tools()


def _own_names(state: McpState) -> Iterator[tuple[str, Tool]]:
    for definition in state.listing.tools:
        try:
            yield str(definition.get("name")), tool_of(state, definition)
        except UnfitError:
            continue


def _why(error: BaseException) -> str:
    """The innermost reason of what a group of tasks ended with."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"[:LONGEST_PROBLEM]


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Servers]:
    """Start the servers that are declared, and follow what is declared meanwhile."""
    servers = Servers(files=McpFiles.of(settings), logs=str(settings.run_dir))
    following = asyncio.create_task(servers.follow())
    try:
        yield servers
    finally:
        following.cancel()
        await servers.stop()
