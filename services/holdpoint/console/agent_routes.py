"""The page of agents: who may call whom, drawn and listed."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from holdpoint.console.context import Console, Visitor
from holdpoint.core.agent_tools import with_tools
from holdpoint.core.catalog import Catalog
from holdpoint.messages.catalog import Agent
from holdpoint.messages.state import EVERYONE
from holdpoint.runtime.config.registry import AGENTS_FILE, load_agents
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError

if TYPE_CHECKING:
    from holdpoint.core.access_matrix import AccessMatrix

MATRIX, GRAPH = "holdpoint.core.access_matrix", "holdpoint.core.agent_graph"
"""Loaded when the page is first asked for: matrices load slowly."""


@dataclass(frozen=True, kw_only=True)
class AgentScreens:
    """The page and its picture, from agents.yaml as it lies there."""

    console: Console
    settings: Settings
    catalog: Callable[[], Catalog]

    def routes(self) -> list[Route]:
        """Return where they are."""
        known = self.console.for_visitors
        return [Route("/agents", known(self.agents), methods=["GET"])]

    async def agents(self, request: Request, visitor: Visitor) -> Response:
        """List them with their layers."""
        _ = request
        try:
            folder = self.settings.config_dir
            agents, able, matrix = await asyncio.to_thread(lambda: placed(folder, self.catalog()))
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
            "picture": import_module(GRAPH).agent_graph(able, matrix)
            if matrix.calls.any()
            else None,
        }
        return self.console.pages.page("agents", {**self.console.frame(visitor), **values})


def placed(
    config_dir: Path, catalog: Catalog
) -> tuple[tuple[Agent, ...], tuple[Agent, ...], "AccessMatrix"]:
    """Return the agents as agents.yaml has them, with all their tools, and in their matrix."""
    path = config_dir / AGENTS_FILE
    agents, module = load_agents(path), import_module(MATRIX)
    able = with_tools(agents, catalog)
    try:
        return agents, able, module.matrix_of(able)
    except module.CyclicError as error:
        raise SetupError(f"{path}: {error}") from None
