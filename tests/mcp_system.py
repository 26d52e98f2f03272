"""A road with an MCP server behind the gate, and clients of its gateway."""

import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from mcp import Client
from mcp_types import CallToolResult, TextContent
from tests.running_system import AMPLE, Road, running
from tests.waiting import eventually

from holdpoint.client import Holdpoint
from holdpoint.mcp.gateway import Gateway
from holdpoint.mcp.offers import tools_of_server, whole_catalog
from holdpoint.mcp.serving import mcp_server, opened
from holdpoint.messages.mcp import MCP_DOMAIN
from holdpoint.runtime.config.mcp_servers import MCP_SERVERS_FILE, McpFiles

HERE = Path(__file__).parent
SERVER = "bench"
AGENTS = f"""\
agents:
  - {{name: mcp-client, domains: [mcp], acts_for: [ann], budget: {{{AMPLE}}}}}
  - {{name: stranger, tools: [read_file], acts_for: [ann]}}
"""
LEVELS = (
    "{peek: 1, claims_to_read: 3, note: 3, wipe: 1, die: 2, die_reading: 1, linger: 2, fail: 2}"
)


WORKER = f"worker-{MCP_DOMAIN}"


def declaring(servers: str) -> Callable[[Path], object]:
    """Write these servers into the folder of a configuration."""
    return lambda folder: (folder / MCP_SERVERS_FILE).write_text(servers)


def servers_yaml(folder: Path) -> str:
    """One server, with a level for each tool but those that it got later."""
    return f"""\
servers:
  {SERVER}:
    command: {sys.executable}
    args: [{HERE / "workbench_server.py"}, {folder}]
    levels: {LEVELS}
"""


@dataclass(frozen=True, kw_only=True)
class Bench:
    """The road, and the folder in which the server acts."""

    road: Road
    folder: Path

    @property
    def files(self) -> McpFiles:
        """What is known of servers."""
        return McpFiles.of(self.road.settings)

    def lines(self, mark: str) -> list[str]:
        """Every effect under this mark."""
        path = self.folder / mark
        return path.read_text().splitlines() if path.exists() else []

    def pid(self) -> int:
        """The server's process."""
        return int((self.folder / "pid").read_text())

    def kill(self) -> None:
        """End the server as a crash would."""
        os.kill(self.pid(), signal.SIGKILL)

    async def is_up(self, *, up: bool = True) -> None:
        """Wait until the server is up, or away."""

        async def listed() -> bool:
            state = next(it for it in self.files.states() if it.server.name == SERVER)
            return state.listing.up is up

        await eventually(listed, 60.0)

    @asynccontextmanager
    async def gateway(
        self, agent: str = "mcp-client", longest_hold_s: float = 0.5, *, whole: bool = False
    ) -> AsyncIterator[Gateway]:
        """A gateway of the server, or of the whole catalog."""
        async with Holdpoint.connect(agent, self.road.settings) as hp:
            own = partial(tools_of_server, hp, self.files, SERVER)
            offer = partial(whole_catalog, hp) if whole else own
            if not whole:
                await eventually(own, 60.0)
            async with opened(hp, offer) as gateway:
                gateway.longest_hold_s = longest_hold_s
                yield gateway

    @asynccontextmanager
    async def client(
        self,
        mode: str = "auto",
        longest_hold_s: float = 0.5,
        change: Callable[[Gateway], None] = lambda _: None,
        **options: Any,
    ) -> AsyncIterator[Client]:
        """The SDK's client of a gateway in this process."""
        async with self.gateway(longest_hold_s=longest_hold_s) as gateway:
            change(gateway)
            server = mcp_server(gateway, self.road.settings, SERVER)
            async with Client(server, mode=mode, **options) as client:
                yield client


def text_of(result: CallToolResult) -> str:
    """What it says."""
    return "\n".join(it.text for it in result.content if isinstance(it, TextContent))


def state_of(result: CallToolResult) -> dict[str, Any]:
    """Its fields for programs."""
    assert isinstance(result.structured_content, dict), text_of(result)
    return result.structured_content


@asynccontextmanager
async def bench_in(folder: Path, **options: Any) -> AsyncIterator[Bench]:
    """The system with the server."""
    effects = folder / "effects"
    effects.mkdir()
    async with running(
        folder,
        own={},
        agents_yaml=AGENTS,
        others=(WORKER,),
        configure=declaring(servers_yaml(effects)),
        **options,
    ) as road:
        bench = Bench(road=road, folder=effects)
        await bench.is_up()
        yield bench
