"""Adapters whose caller speaks another protocol: MCP, through the gateway, and HTTP."""

import sys
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import mcp_types as types
from joserfc.jwk import OKPKey
from mcp import Client
from tests.api_system import Http, HttpAgent, Reply, api_yaml
from tests.running_system import Road, fresh
from tests.waiting import eventually

from holdpoint.client import Holdpoint
from holdpoint.mcp.gateway import Gateway
from holdpoint.mcp.offers import tools_of_server
from holdpoint.mcp.serving import mcp_server
from holdpoint.runtime.config.mcp_servers import MCP_SERVERS_FILE, McpFiles

SERVER = "shell"
TOOL = "run"
SCRIPT = Path(__file__).with_name("shell_server.py")
KEY_FILE = "coder.key"
SHORT_S, LONG_S = 1.0, 20.0
LISTED_S = 60.0


def configure(config_dir: Path) -> None:
    """Declare the MCP server, and the key with which coder speaks HTTP."""
    folder = effects(config_dir)
    folder.mkdir()
    started = f"command: {sys.executable}, args: [{SCRIPT}, {folder}]"
    declared = f"servers: {{{SERVER}: {{{started}, level: 3}}}}\n"
    (config_dir / MCP_SERVERS_FILE).write_text(declared)
    agent = HttpAgent(name="coder", kid="coder-1")
    (config_dir.parent / KEY_FILE).write_bytes(agent.key.as_pem(private=True))
    api_yaml(config_dir, (agent, ""))


def effects(config_dir: Path) -> Path:
    """The folder in which the MCP server acts."""
    return config_dir.parent / "effects-of-mcp"


async def _accepts(_: object, __: types.ElicitRequestParams) -> types.ElicitResult:
    """Claim, at the client, whatever might count as a yes."""
    claims: Any = {"answered": True, "confirm": True, "approved": True}
    return types.ElicitResult(action="accept", content=claims)


@dataclass
class Mcp:
    """An MCP client of the gateway, with the server behind it."""

    hp: Holdpoint
    road: Road
    folder: Path
    name: ClassVar[str] = "MCP gateway"
    grade: ClassVar[str] = "network"
    elsewhere: ClassVar[dict[str, str]] = {"N15": "`tests/integration/mcp/test_mcp_gateway.py`"}
    gateway: Gateway = field(init=False)
    command: str = ""
    hold_id: str = ""

    def __post_init__(self) -> None:
        files = McpFiles.of(self.road.settings)
        offer = partial(tools_of_server, self.hp, files, SERVER)
        self.gateway = Gateway(hp=self.hp, offer=offer, review_url=str)

    async def propose(self, command: str) -> str:
        self.gateway.tools = await eventually(self.gateway.offer, LISTED_S)
        self.command = command
        said = await self._call(TOOL, {"command": command}, SHORT_S)
        self.hold_id = str((said.structured_content or {}).get("hold_id", ""))
        return self.hold_id

    async def go_on(self) -> str:
        return _text(await self._call("holdpoint_await", {"hold_id": self.hold_id}, LONG_S))

    async def forge(self) -> str:
        """Say yes where the client asks its user, and claim it in the arguments."""
        said = await self._call(TOOL, {"command": self.command}, SHORT_S, _accepts)
        claims = {"hold_id": self.hold_id, "approved": True, "approved_by": "ann"}
        return _text(said) + _text(await self._call("holdpoint_await", claims, SHORT_S))

    async def edit(self, command: str) -> str:
        return _text(await self._call(TOOL, {"command": command}, SHORT_S))

    async def _call(
        self, tool: str, arguments: dict[str, Any], longest_s: float, shows: Any = None
    ) -> types.CallToolResult:
        self.gateway.longest_hold_s = longest_s
        server = mcp_server(self.gateway, self.road.settings, SERVER)
        async with Client(server, elicitation_callback=shows) as client:
            return await client.call_tool(tool, arguments)

    def runs(self, mark: str) -> int:
        return _lines(effects(self.road.settings.config_dir) / mark)


@dataclass
class OverHttp:
    """A client of the HTTP API, with a worker that runs the tool."""

    hp: Holdpoint
    road: Road
    folder: Path
    name: ClassVar[str] = "HTTP API"
    grade: ClassVar[str] = "structural"
    elsewhere: ClassVar[dict[str, str]] = {"N15": "`tests/unit/core/test_grant.py`"}
    http: Http = field(init=False)
    key: str = field(default_factory=lambda: fresh("key"))
    command: str = ""
    hold_id: str = ""

    def __post_init__(self) -> None:
        settings = self.road.settings
        key = OKPKey.import_key((settings.config_dir.parent / KEY_FILE).read_bytes())
        agent = HttpAgent(name="coder", kid="coder-1", key=key)
        self.http = Http(url=settings.api_url, agent=agent)

    async def propose(self, command: str) -> str:
        self.command = command
        self.hold_id = str((await self._post(command)).body.get("hold_id", ""))
        return self.hold_id

    async def go_on(self) -> str:
        return str((await self.http.ask("GET", f"/v1/actions/{self.hold_id}?wait={LONG_S}")).body)

    async def forge(self) -> str:
        """Say in the body that it was approved, and ask for what does not exist."""
        where = f"/v1/actions/{self.hold_id}"
        claimed = await self._post(self.command, approved=True)
        intended = await self._post(self.command, intent="approved-before")
        confirmed = await self.http.post(f"{where}/confirm", {"choice": "proceed"})
        patched = await self.http.post(where, {"status": "approved"})
        return " ".join(str(it.body) for it in (claimed, intended, confirmed, patched))

    async def edit(self, command: str) -> str:
        return str((await self._post(command)).body)

    async def _post(self, command: str, **more: Any) -> Reply:
        body = {"tool": "run_command", "arguments": {"command": command}, **more}
        return await self.http.post("/v1/actions", body, self.key)

    def runs(self, mark: str) -> int:
        return self.road.runs_of(mark)


def _text(said: types.CallToolResult) -> str:
    return "\n".join(it.text for it in said.content if isinstance(it, types.TextContent))


def _lines(path: Path) -> int:
    return len(path.read_text().splitlines()) if path.exists() else 0
