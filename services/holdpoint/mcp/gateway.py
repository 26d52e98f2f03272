"""A gateway: an MCP server whose tools are proposed to the gate, each call as an agent's.

Nothing here runs a tool. What a client is told while people think is a reference; whoever calls
again, or asks `holdpoint_await`, finds out what became of the same call.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakSet

import mcp_types as types
import structlog
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp.shared.exceptions import MCPError

from holdpoint.client import Holdpoint, Outcome, RefusedError, UnavailableError
from holdpoint.core.digest import canonical
from holdpoint.mcp.replies import AWAIT_TOOL, refusal_of, reply_to, unavailable
from holdpoint.messages.base import JsonObject
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.lru_cache import Recent

log = structlog.get_logger(__name__)

LONGEST_HOLD_S = 55.0
"""Below the 60 s after which clients give up."""

LOOK_S = 0.5
MOST_PENDING = 1_000

AWAIT_DEFINITION: JsonObject = {
    "name": AWAIT_TOOL,
    "description": (
        "Wait for a call that waits for a person, and return its result. It confirms nothing: "
        "only people answer, on the card."
    ),
    "inputSchema": {
        "type": "object",
        "properties": {
            "hold_id": {"type": "string", "description": "From the reply of the call."},
            "wait_s": {
                "type": "number",
                "minimum": 0,
                "maximum": LONGEST_HOLD_S,
                "description": "Seconds to wait at most. Default: 55.",
            },
        },
        "required": ["hold_id"],
    },
    "annotations": {"readOnlyHint": True, "openWorldHint": False},
}


@dataclass(frozen=True, kw_only=True)
class Offered:
    """One tool that a gateway lists."""

    definition: JsonObject
    """As clients see it."""

    tool: str
    """Its name in the catalog."""

    @property
    def name(self) -> str:
        """Its name for clients."""
        return str(self.definition["name"])


Offer = Callable[[], Awaitable[Mapping[str, Offered]]]
"""The tools that are offered now, by their names for clients."""


@dataclass(eq=False, kw_only=True)
class Gateway:
    """Calls of one agent's MCP clients, as proposals."""

    hp: Holdpoint
    offer: Offer
    review_url: Callable[[str], str]
    """The address of a hold's card; empty where there is no console."""

    longest_hold_s: float = LONGEST_HOLD_S
    tools: Mapping[str, Offered] = field(default_factory=dict)
    keys: Recent[str] = field(default_factory=lambda: Recent(MOST_PENDING))
    """The idempotency key of each call that is not finished, by what was called."""

    called: Recent[bytes] = field(default_factory=lambda: Recent(MOST_PENDING))
    """What was called, by the hold that it waits as."""

    bus: InMemorySubscriptionBus = field(default_factory=InMemorySubscriptionBus)
    sessions: WeakSet[ServerSession] = field(default_factory=WeakSet)

    async def follow(self) -> None:
        """Notice for ever which tools are offered, and tell clients of a change."""
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                offered = await self.offer()
            except (RefusedError, UnavailableError) as error:
                log.warning("mcp_tools_not_listed", why=str(error))
                continue
            if offered != self.tools:
                self.tools = offered
                await self._tell_changed()

    async def _tell_changed(self) -> None:
        await self.bus.publish(ToolsListChanged())
        for session in list(self.sessions):
            try:
                await session.send_tool_list_changed()
            except Exception as error:  # noqa: BLE001  # a client that is gone must not stop others
                log.info("mcp_client_not_told", why=repr(error))

    async def list_tools(
        self, ctx: ServerRequestContext[Any, Any], _: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """Answer `tools/list`; a client keeps no copy, because tools come and go."""
        self.sessions.add(ctx.session)
        listed = [it.definition for it in self.tools.values()]
        tools = [types.Tool.model_validate(it) for it in (*listed, AWAIT_DEFINITION)]
        return types.ListToolsResult(tools=tools, ttl_ms=0, cache_scope="private")

    async def call_tool(
        self, _: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        """Answer `tools/call`: with the tool's own result, or with what else came of it."""
        arguments = params.arguments or {}
        try:
            if params.name == AWAIT_TOOL and AWAIT_TOOL not in self.tools:
                return await self._await(arguments)
            offered = self.tools.get(params.name)
            if offered is None:
                raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r} here now.")
            return await self._call(offered, arguments)
        except RefusedError as error:
            return refusal_of(error)
        except UnavailableError as error:
            return unavailable(error)

    async def _call(self, offered: Offered, arguments: JsonObject) -> types.CallToolResult:
        """Propose the call. The same call again, while it is pending, is the same hold."""
        called = _digest(offered.tool, arguments)
        key = self.keys.take(called) or clock.new_id()
        try:
            outcome = await self.hp.call(
                offered.tool, arguments, idempotency_key=key, timeout=self.longest_hold_s
            )
        except UnavailableError:
            self.keys.put(called, key)
            raise
        if outcome.is_pending:
            self.keys.put(called, key)
            self.called.put(outcome.hold_id, called)
        return self._reply(outcome, is_strict="outputSchema" in offered.definition)

    async def _await(self, arguments: JsonObject) -> types.CallToolResult:
        """Wait for a hold again."""
        hold_id, wait_s = arguments.get("hold_id"), arguments.get("wait_s", self.longest_hold_s)
        if not isinstance(hold_id, str) or not isinstance(wait_s, int | float):
            raise MCPError(types.INVALID_PARAMS, "hold_id is a text, and wait_s a number.")
        within_s = max(0.0, min(float(wait_s), self.longest_hold_s))
        outcome = await self.hp.resume(hold_id, timeout=within_s, on_cancel="leave")
        if outcome.is_final and (called := self.called.take(hold_id)) is not None:
            self.keys.take(called)
        return self._reply(outcome, is_strict=False)

    def _reply(self, outcome: Outcome, *, is_strict: bool) -> types.CallToolResult:
        return reply_to(outcome, self.review_url(outcome.hold_id), is_strict=is_strict)


def server_of(gateway: Gateway, name: str, version: str, instructions: str = "") -> Server[Any]:
    """The MCP server of a gateway."""
    return Server(
        name,
        version=version,
        instructions=instructions or None,
        on_list_tools=gateway.list_tools,
        on_call_tool=gateway.call_tool,
        on_subscriptions_listen=ListenHandler(gateway.bus),
    )


OPTIONS = NotificationOptions(tools_changed=True)


def _digest(tool: str, arguments: JsonObject) -> bytes:
    try:
        return hashlib.sha256(canonical([tool, arguments])).digest()
    except (ValueError, TypeError, OverflowError, RecursionError):
        return clock.new_id().encode()  # the gate says what is wrong with it
