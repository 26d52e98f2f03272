"""A gateway: an MCP server whose tools are proposed to the gate, each call as an agent's.

Nothing here runs a tool. What a client is told while people think is a reference; a client that
calls again, or asks `holdpoint_await`, finds out what became of the same call.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias
from weakref import WeakSet

import mcp_types as types
import structlog
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.request_state import RequestStateBoundary
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp.shared.exceptions import MCPError

from holdpoint.client import Holdpoint, Outcome, RefusedError, Status, UnavailableError
from holdpoint.core.digest import canonical
from holdpoint.mcp.asking import (
    REQUEST,
    States,
    Way,
    client_of,
    is_modern,
    request_of,
    takes_forms,
    way_of,
)
from holdpoint.mcp.client_person import ClientPerson, form_of
from holdpoint.mcp.replies import AWAIT_TOOL, refusal_of, reply_to, state_used, unavailable
from holdpoint.mcp.tasks import Tasks, serve_tasks, takes_tasks
from holdpoint.messages.base import JsonObject
from holdpoint.messages.card import Card
from holdpoint.runtime import errors
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.lru_cache import Recent

log = structlog.get_logger(__name__)

LONGEST_HOLD_S = 55.0
"""Below the 60 s after which clients give up."""

VERSION = "1"
"""Of the gateway, as clients hear it."""

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

    @property
    def is_strict(self) -> bool:
        """Whether clients hold each result that is no error against a schema."""
        return "outputSchema" in self.definition


Context: TypeAlias = ServerRequestContext[Any, Any]
Reply: TypeAlias = types.CallToolResult | types.InputRequiredResult | JsonObject
"""A task is a mapping: the SDK has no type for it."""

Offer: TypeAlias = Callable[[], Awaitable[Mapping[str, Offered]]]
"""The tools that are offered now, by their names for clients."""


@dataclass(eq=False, kw_only=True)
class Gateway:
    """Calls of one agent's MCP clients, as proposals."""

    hp: Holdpoint
    offer: Offer
    review_url: Callable[[str], str]
    """The address of a hold's card; empty where there is no console."""

    person: ClientPerson | None = None
    """Who sits at the client, where they may answer in its form."""

    longest_hold_s: float = LONGEST_HOLD_S
    tools: Mapping[str, Offered] = field(default_factory=dict)
    keys: Recent[str] = field(default_factory=lambda: Recent(MOST_PENDING))
    """The idempotency key of each call that is not finished, by what was called."""

    called: Recent[bytes] = field(default_factory=lambda: Recent(MOST_PENDING))
    """What was called, by the hold that it waits as."""

    states: States = field(default_factory=States)
    shown: Recent[str] = field(default_factory=lambda: Recent(MOST_PENDING))
    """The holds whose link a client was asked to show, and that it did not come back about."""

    silent: set[tuple[str, str]] = field(default_factory=set)
    """Clients that said they show requests, and dropped one."""

    bus: InMemorySubscriptionBus = field(default_factory=InMemorySubscriptionBus)
    sessions: WeakSet[ServerSession] = field(default_factory=WeakSet)

    @cached_property
    def tasks(self) -> Tasks:
        """Its holds, as tasks."""
        return Tasks(hp=self.hp, heard=self._forget)

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
        self, ctx: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """Answer `tools/list`; a client keeps no copy, because tools come and go."""
        self.sessions.add(ctx.session)
        listed = [it.definition for it in self.tools.values()]
        tools = [types.Tool.model_validate(it) for it in (*listed, AWAIT_DEFINITION)]
        return types.ListToolsResult(tools=tools, ttl_ms=0, cache_scope="private")

    async def call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> Reply:
        """Answer `tools/call`: with the tool's own result, or with what else came of it."""
        arguments = params.arguments or {}
        try:
            if params.name == AWAIT_TOOL and AWAIT_TOOL not in self.tools:
                return await self._await(arguments)
            if params.request_state is not None:
                return await self._go_on(ctx, params)
            offered = self.tools.get(params.name)
            if offered is None:
                raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r} here now.")
            return await self._call(ctx, offered, arguments)
        except RefusedError as error:
            return refusal_of(error)
        except UnavailableError as error:
            return unavailable(error)

    async def _call(self, ctx: Context, offered: Offered, arguments: JsonObject) -> Reply:
        """Propose the call. The same call again, while it is pending, is the same hold."""
        called = _digest(offered.tool, arguments)
        key = self.keys.get(called) or clock.new_id()
        until = clock.monotonic() + self.longest_hold_s
        self.keys.put(called, key)
        outcome = await self.hp.call(
            offered.tool, arguments, idempotency_key=key, wait=False, timeout=self.longest_hold_s
        )
        if outcome.is_final:
            self.keys.take(called)
            return self._reply(outcome, is_strict=offered.is_strict)
        if not outcome.is_judged:
            raise UnavailableError("nobody judged the call in time", key)
        self.called.put(outcome.hold_id, called)
        if outcome.confirmation is None:  # it runs, and takes longer
            return self._told(ctx, outcome, is_strict=offered.is_strict)
        way = self._way(ctx, outcome.hold_id)
        if way is not Way.NONE and is_modern(ctx):
            return await self._asking(ctx, way, outcome)
        if not takes_tasks(ctx):
            outcome = await self._held(ctx, way, outcome, until - clock.monotonic())
        self._forget(outcome)
        return self._told(ctx, outcome, is_strict=offered.is_strict)

    def _way(self, ctx: Context, hold_id: str) -> Way:
        """How its user is shown where to answer; a client that dropped a request gets no more."""
        client = client_of(ctx)
        if self.shown.take((hold_id, client)):  # it calls again in place of coming back
            self.silent.add(client)
        return Way.NONE if client in self.silent else way_of(ctx)

    async def _request(
        self, ctx: Context, way: Way, outcome: Outcome
    ) -> tuple[types.ElicitRequest, Card | None]:
        """What the client is asked to show: a card's form where that may be answered, or a link."""
        if self.person is not None and takes_forms(ctx):
            card = await self.person.card(outcome.hold_id)
            if card is not None:
                return form_of(card), card
        return request_of(way, outcome, self.review_url(outcome.hold_id)), None

    async def _asking(self, ctx: Context, way: Way, outcome: Outcome) -> types.InputRequiredResult:
        """Ask the client to show it, and to come back."""
        request, card = await self._request(ctx, way, outcome)
        state = self.states.state_of(outcome.hold_id, card)
        self.shown.put((outcome.hold_id, client_of(ctx)), state)
        return types.InputRequiredResult(input_requests={REQUEST: request}, request_state=state)

    async def _go_on(self, ctx: Context, params: types.CallToolRequestParams) -> Reply:
        """A client came back: it showed the link, or its user did not want that."""
        hold_id, card = self.states.take(params.request_state or "")
        if not hold_id:
            return state_used()
        self.shown.take((hold_id, client_of(ctx)))
        said = (params.input_responses or {}).get(REQUEST)
        if isinstance(said, types.ElicitResult) and said.action == "decline":
            outcome = await self._declined(hold_id)
            self._forget(outcome)
            return self._reply(outcome, is_strict=True)
        await self._answered(card, said)
        waits = not takes_tasks(ctx)
        outcome = await self.hp.resume(hold_id, wait=waits, timeout=self.longest_hold_s)
        self._forget(outcome)
        offered = self.tools.get(params.name)
        return self._told(ctx, outcome, is_strict=offered is None or offered.is_strict)

    async def _held(self, ctx: Context, way: Way, outcome: Outcome, within_s: float) -> Outcome:
        """Wait for people, while an older client shows where they answer."""
        hold_id = outcome.hold_id
        waiting = asyncio.ensure_future(self.hp.resume(hold_id, timeout=max(0.0, within_s)))
        if way is Way.NONE:
            return await waiting
        asking = asyncio.ensure_future(self._shown(ctx, way, outcome))
        try:
            await asyncio.wait({waiting, asking}, return_when=asyncio.FIRST_COMPLETED)
            said = asking.result() if asking.done() else None
            if said is not None and said.action == "decline":
                return await self._declined(hold_id)
            outcome = await waiting
            if not asking.done() and outcome.is_pending:
                self.silent.add(client_of(ctx))
            return outcome
        finally:
            waiting.cancel()
            asking.cancel()

    async def _answered(self, card: Card | None, said: object) -> None:
        """Send what the person at the client chose about the card that they were shown."""
        if self.person is None or card is None or not isinstance(said, types.ElicitResult):
            return
        try:
            told = await self.person.answer(card, said)
        except (errors.UnavailableError, errors.UnknownOutcomeError) as error:
            log.warning("mcp_answer_not_heard", hold_id=card.hold_id, why=str(error))
            return
        if told is not None and told.status is Status.REFUSED:
            log.warning("mcp_answer_refused", hold_id=card.hold_id, code=told.code)

    async def _shown(self, ctx: Context, way: Way, outcome: Outcome) -> types.ElicitResult | None:
        """Ask the client to show it; what its user did. An error is no answer."""
        request, card = await self._request(ctx, way, outcome)
        try:
            said = await ctx.session.send_request(request, types.ElicitResult)
        except Exception as error:  # noqa: BLE001  # a client may answer anything; people answer anyway
            log.info("mcp_client_does_not_elicit", error=repr(error))
            self.silent.add(client_of(ctx))
            return None
        await self._answered(card, said)
        return said

    async def _declined(self, hold_id: str) -> Outcome:
        """A no needs no proof: the call is taken back."""
        return await self.hp.withdraw(hold_id, "The user of the MCP client declined.")

    async def _await(self, arguments: JsonObject) -> types.CallToolResult:
        """Wait for a hold again."""
        hold_id, wait_s = arguments.get("hold_id"), arguments.get("wait_s", self.longest_hold_s)
        if not isinstance(hold_id, str) or not isinstance(wait_s, int | float):
            raise MCPError(types.INVALID_PARAMS, "hold_id is a text, and wait_s a number.")
        within_s = max(0.0, min(float(wait_s), self.longest_hold_s))
        outcome = await self.hp.resume(hold_id, timeout=within_s, on_cancel="leave")
        if not outcome.is_judged:
            text = f"nobody told in time how {hold_id} stands, or there is no such hold"
            raise UnavailableError(text)
        self._forget(outcome)
        return self._reply(outcome, is_strict=False)

    def _forget(self, outcome: Outcome) -> None:
        """The same call, once it has ended, is another one."""
        if outcome.is_final and (called := self.called.take(outcome.hold_id)) is not None:
            self.keys.take(called)

    def _told(self, ctx: Context, outcome: Outcome, *, is_strict: bool) -> Reply:
        """The reply to a call: a task where it waits and the client takes one."""
        if outcome.is_pending and takes_tasks(ctx):
            return self.tasks.handle(outcome, self.review_url(outcome.hold_id))
        return self._reply(outcome, is_strict=is_strict)

    def _reply(self, outcome: Outcome, *, is_strict: bool) -> types.CallToolResult:
        url = self.review_url(outcome.hold_id) if outcome.is_pending else ""
        return reply_to(outcome, url, is_strict=is_strict)


def server_of(gateway: Gateway, name: str, sealing: RequestStateBoundary) -> Server[Any]:
    """The MCP server of a gateway."""
    server: Server[Any] = Server(
        name,
        version=VERSION,
        on_list_tools=gateway.list_tools,
        on_subscriptions_listen=ListenHandler(gateway.bus),
    )
    server.add_request_handler("tools/call", types.CallToolRequestParams, gateway.call_tool)
    serve_tasks(server, gateway.tasks, gateway.review_url)
    server.middleware.append(sealing)
    return server


OPTIONS = NotificationOptions(tools_changed=True)


def _digest(tool: str, arguments: JsonObject) -> bytes:
    try:
        return hashlib.sha256(canonical([tool, arguments])).digest()
    except (ValueError, TypeError, OverflowError, RecursionError):
        return clock.new_id().encode()  # the gate says what is wrong with it
