"""The page of agents: who may call whom, drawn and listed."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from holdpoint.console.context import Console, Visitor
from holdpoint.messages.catalog import Agent
from holdpoint.messages.state import EVERYONE
from holdpoint.runtime.config.registry import AGENTS_FILE, load_agents
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError

MATRIX, GRAPH = "holdpoint.core.access_matrix", "holdpoint.core.agent_graph"
"""Loaded when the page is first asked for: matrices load slowly."""


@dataclass(frozen=True, kw_only=True)
class AgentScreens:
    """The page and its picture, from agents.yaml as it lies there."""

    console: Console
    settings: Settings

    def routes(self) -> list[Route]:
        """Return where they are."""
        known = self.console.for_visitors
        return [Route("/agents", known(self.agents), methods=["GET"])]

    async def agents(self, request: Request, visitor: Visitor) -> Response:
        """List them with their layers."""
        _ = request
        try:
            agents, matrix = self._loaded()
        except SetupError as error:
            return self.console.problem(visitor, str(error), 503)
        layers = {it.agent: "not reached" if it.layer is None else it.layer for it in matrix.places}
        thrown = await self.console.thrown()
        stopped = {**thrown.stopped} if thrown else None
        values = {
            "agents": agents,
            "layers": layers,
            "bound": matrix.depth_bound,
            "thrown": thrown if thrown and thrown.by else None,
            "everyone": (stopped or {}).pop(EVERYONE, None),
            "stopped": stopped,
            "picture": import_module(GRAPH).agent_graph(agents, matrix)
            if matrix.calls.any()
            else None,
        }
        return self.console.pages.page("agents", {**self.console.frame(visitor), **values})

    def _loaded(self) -> tuple[tuple[Agent, ...], Any]:
        path = self.settings.config_dir / AGENTS_FILE
        agents, module = load_agents(path), import_module(MATRIX)
        try:
            return agents, module.matrix_of(agents)
        except module.CyclicError as error:
            raise SetupError(f"{path}: {error}") from None
