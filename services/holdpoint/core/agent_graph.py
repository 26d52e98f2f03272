"""The access matrix as a picture: agents in columns by layer, their calls as arrows."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TypeAlias

import numpy as np

from holdpoint.core.access_matrix import AccessMatrix, Place
from holdpoint.core.graph_picture import (
    BOX_HEIGHT,
    BOX_WIDTH,
    COLUMN,
    MARGIN,
    ROW,
    Arrow,
    Box,
    Label,
    Picture,
    Tone,
    arrow,
    box,
)
from holdpoint.messages.catalog import Agent

NOT_REACHED = "Not reached by a user"

Corners: TypeAlias = Mapping[str, tuple[int, int]]
"""The upper left corner of each agent's box."""


def agent_graph(agents: Iterable[Agent], matrix: AccessMatrix) -> Picture:
    """Draw agents that call or are called, with the tools that each may use itself.

    Those are their number, or their domains. Where nobody calls anybody, every agent is drawn.
    """
    calls = matrix.calls
    linked = {
        name for at, name in enumerate(matrix.agents) if calls[at].any() or calls[:, at].any()
    }
    places = tuple(it for it in matrix.places if it.agent in linked) or matrix.places
    columns = _columns(places)
    corners = {
        place.agent: (MARGIN + COLUMN * at, 2 * MARGIN + ROW * row)
        for at, (_, places) in enumerate(columns)
        for row, place in enumerate(places)
    }
    most = max((len(places) for _, places in columns), default=1)
    known = {agent.name: agent for agent in agents}
    return Picture(
        title=f"Agents and whom they may call, at most {matrix.depth_bound} calls deep",
        width=2 * MARGIN + COLUMN * max(0, len(columns) - 1) + BOX_WIDTH,
        height=3 * MARGIN + ROW * (most - 1) + BOX_HEIGHT,
        labels=tuple(
            Label(x=MARGIN + COLUMN * at, y=MARGIN, text=label)
            for at, (label, _) in enumerate(columns)
        ),
        arrows=tuple(_arrows(matrix, corners)),
        boxes=tuple(_box(known[it.agent], it, corners[it.agent]) for it in places),
    )


def _columns(places: tuple[Place, ...]) -> list[tuple[str, list[Place]]]:
    def order(place: Place) -> tuple[bool, int]:
        return place.layer is None, place.layer or 0

    return [
        (NOT_REACHED if is_lost else f"Layer {layer}", list(group))
        for (is_lost, layer), group in groupby(sorted(places, key=order), key=order)
    ]


def _tools(agent: Agent, place: Place) -> str:
    if not agent.narrowed and not agent.tools:
        return ", ".join(agent.domains)
    tools = f"{place.width} tool{'' if place.width == 1 else 's'}"
    return f"{tools}, user-facing" if place.user_facing else tools


def _box(agent: Agent, place: Place, corner: tuple[int, int]) -> Box:
    tone = Tone.USER if place.user_facing else Tone.PLAIN
    return box(*corner, place.agent, _tools(agent, place), tone)


def _arrows(matrix: AccessMatrix, corners: Corners) -> Iterator[Arrow]:
    """Yield the calls that can happen as lines, and dashed those that tool 0 is missing for."""
    for caller, called in zip(*np.nonzero(matrix.calls), strict=True):
        start, end = corners[matrix.agents[caller]], corners[matrix.agents[called]]
        yield arrow(start, end, is_dashed=not matrix.dispatches[caller, called])
