"""The coordinator's graph: LangGraph's StateGraph, without a checkpointer, for it keeps nothing.

classifier → router → workflow | agent → delegate (and back) → output
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from langgraph.graph import END, START, StateGraph

from holdpoint.client import Holdpoint
from holdpoint.coordinator.calls import Calls
from holdpoint.coordinator.formatting import Channel, ResponseFormatter
from holdpoint.coordinator.intents import is_call_off
from holdpoint.coordinator.nodes import (
    AGENT_NODE,
    DELEGATE,
    OUTPUT,
    WORKFLOW,
    CoordinatorNodes,
    CoordinatorState,
    Flags,
)
from holdpoint.coordinator.plain_text import plain
from holdpoint.coordinator.requests import BadRequestError, checked
from holdpoint.coordinator.waiting import Waiting
from holdpoint.messages.request import AgentRequest, AgentResponse, pending
from holdpoint.runtime.process import crash

CLASSIFIER, ROUTER = "classifier", "router"
CANCEL = "canc"
"""Begins what may be a word for taking back."""


async def all_on() -> Flags:
    """Flags where nobody switches any."""
    return Flags(delegation=True, keyword_routing=True, workflow_first=True)


class LangGraphCoordinator:
    """The one way in for requests, whichever channel they come from."""

    def __init__(
        self,
        hp: Holdpoint | None,
        nodes: CoordinatorNodes,
        flags: Callable[[], Awaitable[Flags]] = all_on,
    ) -> None:
        self._hp = hp
        self._flags = flags
        self._waiting = Waiting()
        self._formatter = ResponseFormatter()
        self._graph = _compiled(nodes)

    async def invoke(self, request: AgentRequest) -> AgentResponse:
        """Handle a checked request; the same request_id again is the same request."""
        if self._hp is None:
            raise TypeError("A graph without a connection is only drawn.")
        state: CoordinatorState = {
            "request": request,
            "calls": Calls(hp=self._hp, request=request),
            "flags": await self._flags(),
            "open_holds": (CANCEL in plain(request.message) or is_call_off(request.message))
            and await self._waiting.is_any(self._hp, request),
        }
        group = request.request_id
        async with self._hp.cycle(request.message, group_id=group) as cycle:
            done = await self._graph.ainvoke(state)
            response: AgentResponse = done["response"]
            crash.passing("coordinator", "response", "before")
            await cycle.answer(response.message)
            crash.passing("coordinator", "response", "after")
        waiting = tuple(pending(response))
        await self._waiting.remember(self._hp, request.user_id, response, waiting)
        return response

    async def invoke_from_slack(
        self,
        user_id: str,
        event_id: str,
        text: str,
        history: Sequence[Mapping[str, Any]] = (),
    ) -> list[dict[str, Any]]:
        """Handle a Slack message of a person that the channel knows; returns blocks.

        Slack sends an event again that was not acknowledged: its id makes the request's.
        """
        try:
            response = await self.invoke(slack_request(user_id, event_id, text, history))
        except BadRequestError as why:
            response = why.response
        return self._formatter.blocks(response)

    def render(self, response: AgentResponse, channel: Channel) -> Any:
        """Return the answer as a channel shows it."""
        return self._formatter.render(response, channel)

    def mermaid(self) -> str:
        """Return the graph as a Mermaid diagram, drawn by LangGraph."""
        return str(self._graph.get_graph().draw_mermaid())


def slack_request(
    user_id: str, event_id: str, text: str, history: Sequence[Mapping[str, Any]] = ()
) -> AgentRequest:
    """Return the request of a Slack event, the same for the same event; BadRequestError if odd."""
    raw = {
        "message": text,
        "conversation_history": list(history),
        "request_id": str(uuid5(NAMESPACE_URL, f"slack:{event_id}")),
    }
    return checked(user_id, raw)


def _compiled(nodes: CoordinatorNodes) -> Any:
    graph = StateGraph(CoordinatorState)
    graph.add_node(CLASSIFIER, nodes.classifier)
    graph.add_node(ROUTER, nodes.router)
    graph.add_node(WORKFLOW, nodes.workflow)
    graph.add_node(AGENT_NODE, nodes.agent)
    graph.add_node(DELEGATE, nodes.delegate)
    graph.add_node(OUTPUT, nodes.output)
    graph.add_edge(START, CLASSIFIER)
    graph.add_edge(CLASSIFIER, ROUTER)
    graph.add_conditional_edges(ROUTER, _next, [WORKFLOW, AGENT_NODE, OUTPUT])
    graph.add_conditional_edges(WORKFLOW, _next, [DELEGATE, OUTPUT])
    graph.add_conditional_edges(AGENT_NODE, _next, [DELEGATE, OUTPUT])
    graph.add_conditional_edges(DELEGATE, _next, [WORKFLOW, AGENT_NODE, OUTPUT])
    graph.add_edge(OUTPUT, END)
    return graph.compile()


def _next(state: CoordinatorState) -> str:
    return state["routing"]["next"]
