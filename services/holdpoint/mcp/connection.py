"""Connection to one MCP server: its tools as it describes them, and calls with raw results."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TextIO

import anyio
import httpx2
import mcp_types as types
import structlog
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from pydantic import RootModel, ValidationError

from holdpoint.messages.base import JsonObject
from holdpoint.messages.mcp import McpServer, Transport

log = structlog.get_logger(__name__)

CONNECT_S = 120.0
"""A server may have to be downloaded first."""

LIST_S = 30.0
MOST_PAGES = 50
MOST_TOOLS = 500


class Raw(RootModel[dict[str, Any]]):
    """A result as it stands on the wire."""


UNKNOWN = frozenset({types.CONNECTION_CLOSED, types.REQUEST_TIMEOUT})
"""Errors of this end: the server may have acted."""


class GoneError(Exception):
    """The server ended, or did not answer: nobody knows whether it acted."""


class AnsweredError(Exception):
    """The server answered with an error: the call failed."""


@dataclass(eq=False, kw_only=True)
class Connection:
    """A server that is up."""

    server: McpServer
    client: Client
    gone: asyncio.Event
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the server says that its tools changed."""

    async def tools(self) -> tuple[JsonObject, ...]:
        """Every tool, as the server describes it. Raises GoneError and AnsweredError."""
        found: list[JsonObject] = []
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            params = types.PaginatedRequestParams(cursor=cursor)
            page = await self._sent(types.ListToolsRequest(params=params), LIST_S)
            found += [it for it in page.get("tools", ()) if isinstance(it, dict)]
            cursor = page.get("nextCursor")
            if not cursor or len(found) > MOST_TOOLS:
                break
        return tuple(found[:MOST_TOOLS])

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> JsonObject:
        """The result of a call, as it came. Raises GoneError and AnsweredError."""
        params = types.CallToolRequestParams(name=tool, arguments=dict(arguments))
        request = types.CallToolRequest(params=params)
        result = await self._sent(request, self.server.timeout_s)
        if result.get("resultType", "complete") != "complete":
            raise AnsweredError("it asks for input, which a gateway does not carry")
        return result

    async def _sent(self, request: types.Request[Any, Any], within_s: float) -> dict[str, Any]:
        """Ask; the SDK stops waiting as soon as the server is gone."""
        try:
            result = await self.client.session.send_request(
                request, Raw, request_read_timeout_seconds=within_s
            )
        except MCPError as error:
            if error.error.code in UNKNOWN or self.gone.is_set():
                raise GoneError(f"{self.server.name} did not answer") from error
            raise AnsweredError(error.error.message) from error
        except ValidationError as error:
            raise GoneError(f"{self.server.name} answered what is no result") from error
        except (OSError, httpx2.HTTPError, anyio.ClosedResourceError) as error:
            raise GoneError(f"{self.server.name} ended") from error
        return result.root


@asynccontextmanager
async def connected(server: McpServer, log: TextIO) -> AsyncIterator[Connection]:
    """Start the server or connect to it. Raises OSError, MCPError or TimeoutError."""
    gone = asyncio.Event()
    changed = asyncio.Event()

    async def on_message(message: object) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            changed.set()

    client = Client(_watched(_transport(server, log), gone), cache=None, message_handler=on_message)
    async with _entered(client):
        connection = Connection(server=server, client=client, gone=gone, changed=changed)
        listening = asyncio.create_task(_listen(client, changed))
        try:
            yield connection
        finally:
            listening.cancel()


@asynccontextmanager
async def _entered(client: Client) -> AsyncIterator[None]:
    """The client, connected within the time; both ends in one task, as its scopes ask for."""
    with anyio.fail_after(CONNECT_S) as limit:
        async with client:
            limit.deadline = float("inf")
            yield


async def _listen(client: Client, changed: asyncio.Event) -> None:
    """Hear of changes from servers that tell them on a stream of their own."""
    tools = client.server_capabilities.tools
    if tools is None or not tools.list_changed:
        return
    try:
        async with client.listen(tools_list_changed=True) as heard:
            async for _ in heard:
                changed.set()
    except Exception as error:  # noqa: BLE001  # a stranger's program; its list is read again anyway
        log.info("mcp_server_tells_no_changes", error=repr(error))


def _transport(server: McpServer, log: TextIO) -> AbstractAsyncContextManager[Any]:
    if server.transport is Transport.HTTP:
        return streamable_http_client(server.url)
    return stdio_client(
        StdioServerParameters(
            command=server.command,
            args=list(server.args),
            env=dict(server.env),
            cwd=Path(server.working_dir) if server.working_dir else None,
        ),
        errlog=log,
    )


@asynccontextmanager
async def _watched(
    transport: AbstractAsyncContextManager[Any], gone: asyncio.Event
) -> AsyncIterator[Any]:
    """The transport, which sets `gone` once nothing more comes."""
    async with transport as (read, write):
        yield _Watched(read, gone), write


class _Watched(AsyncIterator[Any]):
    """A stream of messages that sets `gone` at its end."""

    def __init__(self, stream: Any, gone: asyncio.Event) -> None:
        self._stream = stream
        self._gone = gone

    async def __anext__(self) -> Any:
        try:
            return await self._stream.__anext__()
        except (StopAsyncIteration, anyio.ClosedResourceError, anyio.BrokenResourceError):
            self._gone.set()
            raise

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *why: object) -> None:
        self._gone.set()
        await self._stream.__aexit__(*why)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
