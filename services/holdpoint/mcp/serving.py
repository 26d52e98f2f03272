"""Serving a gateway: over standard input and output, or over streamable HTTP."""

import asyncio
import contextlib
import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from holdpoint.client import Holdpoint
from holdpoint.mcp.asking import boundary
from holdpoint.mcp.gateway import OPTIONS, Gateway, Offer, server_of
from holdpoint.mcp.stdio import standard_streams
from holdpoint.runtime.config import files
from holdpoint.runtime.config.mcp_servers import MCP_FOLDER
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import clock

LOOPBACK = "127.0.0.1"
UNKNOWN = {"www-authenticate": "Bearer"}


@asynccontextmanager
async def opened(hp: Holdpoint, offer: Offer) -> AsyncIterator[Gateway]:
    """A gateway that knows its tools, and follows them while the block lasts."""
    gateway = Gateway(hp=hp, offer=offer, review_url=hp.review_url)
    gateway.tools = await offer()
    following = asyncio.create_task(gateway.follow())
    try:
        yield gateway
    finally:
        following.cancel()


def mcp_server(gateway: Gateway, settings: Settings, name: str) -> Server[Any]:
    """The gateway's MCP server; request states are sealed with a key of this machine."""
    folder = settings.state_dir / MCP_FOLDER
    return server_of(gateway, name, boundary(folder, gateway.hp.agent))


async def serve_stdio(server: Server[Any]) -> None:
    """Serve one client until it closes standard input."""
    async with standard_streams() as (read, write):
        await server.run(read, write, server.create_initialization_options(OPTIONS))


async def serve_http(server: Server[Any], port: int, token: str) -> None:
    """Serve clients on loopback that send the token, until the process is stopped."""
    app = Guarded(server.streamable_http_app(host=LOOPBACK), token)
    config = uvicorn.Config(app, host=LOOPBACK, port=port, log_level="error", lifespan="on")
    await uvicorn.Server(config).serve()


class Guarded:
    """An app that answers nobody without the token: anyone who speaks here speaks as an agent."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the lifespan and who knows the token through."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        said = dict(scope.get("headers", ())).get(b"authorization", b"")
        if scope["type"] != "http" or not hmac.compare_digest(said, self._wanted):
            await PlainTextResponse("No such token.", 401, UNKNOWN)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def token_file(state_dir: Path, agent: str) -> Path:
    """Return where the token of an agent's gateways lies: it opens no other agent's."""
    return state_dir / MCP_FOLDER / f"{agent}.http-token"


def http_token(path: Path) -> str:
    """Return the token in this file, which is made when it is first needed."""
    files.private_folder(path.parent)
    with contextlib.suppress(FileExistsError):
        files.create(path, f"{clock.new_nonce()}{clock.new_nonce()}".encode(), files.PRIVATE)
    return files.read_secret(path).decode()
