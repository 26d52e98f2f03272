"""The access matrix as a picture: agents in columns by layer, their calls as arrows, in SVG."""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import groupby
from typing import TypeAlias

import numpy as np

from holdpoint.core.access_matrix import AccessMatrix, Place
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.messages.catalog import Agent

COLUMN, ROW, BOX_WIDTH, BOX_HEIGHT, MARGIN = 260, 64, 190, 44, 24
MOST_CHARACTERS = 24
NOT_REACHED = "Not reached by a user"

Corners: TypeAlias = Mapping[str, tuple[int, int]]
"""The upper left corner of each agent's box."""


def agent_graph(agents: Iterable[Agent], matrix: AccessMatrix) -> str:
    """Draw it, with the tools that each agent may use itself: their number, or their domains."""
    columns = _columns(matrix.places)
    corners = {
        place.agent: (MARGIN + COLUMN * at, 2 * MARGIN + ROW * row)
        for at, (_, places) in enumerate(columns)
        for row, place in enumerate(places)
    }
    width = 2 * MARGIN + COLUMN * max(0, len(columns) - 1) + BOX_WIDTH
    height = 3 * MARGIN + ROW * max((len(places) for _, places in columns), default=1)
    title = f"Agents and whom they may call, at most {matrix.depth_bound} calls deep"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="sans-serif" font-size="13">'
    )
    labels = [
        svg_text(MARGIN + COLUMN * at, MARGIN, label) for at, (label, _) in enumerate(columns)
    ]
    arrows = _arrows(matrix, corners)
    known = {agent.name: agent for agent in agents}
    boxes = [
        part
        for place in matrix.places
        for part in _box(place, _tools(known[place.agent], place), *corners[place.agent])
    ]
    return "\n".join((head, f"<title>{title}</title>", *labels, *arrows, *boxes, "</svg>\n"))


def _columns(places: tuple[Place, ...]) -> list[tuple[str, list[Place]]]:
    def order(place: Place) -> tuple[bool, int]:
        return place.layer is None, place.layer or 0

    return [
        (NOT_REACHED if is_lost else f"Layer {layer}", list(group))
        for (is_lost, layer), group in groupby(sorted(places, key=order), key=order)
    ]


def _tools(agent: Agent, place: Place) -> str:
    if not agent.narrowed and not agent.tools:
        return ", ".join(agent.domains)[:MOST_CHARACTERS]
    tools = f"{place.width} tool{'' if place.width == 1 else 's'}"
    return f"{tools}, user-facing" if place.user_facing else tools


def _box(place: Place, tools: str, x: int, y: int) -> Iterator[str]:
    stroke = "#1d4ed8" if place.user_facing else "#475569"
    yield (
        f'<rect x="{x}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6" '
        f'fill="#ffffff" stroke="{stroke}" stroke-width="1.5"/>'
    )
    yield svg_text(x + 10, y + 18, place.agent[:MOST_CHARACTERS])
    yield svg_text(x + 10, y + 35, tools)


def _arrows(matrix: AccessMatrix, corners: Corners) -> Iterator[str]:
    """Yield the calls that can happen as lines, and dashed those that tool 0 is missing for."""
    for caller, called in zip(*np.nonzero(matrix.calls), strict=True):
        x, y = corners[matrix.agents[caller]]
        to_x, to_y = corners[matrix.agents[called]]
        start, end = (x + BOX_WIDTH, y + BOX_HEIGHT // 2), (to_x, to_y + BOX_HEIGHT // 2)
        dashed = "" if matrix.dispatches[caller, called] else ' stroke-dasharray="4 4"'
        bend = COLUMN // 4
        yield (
            f'<path d="M{start[0]} {start[1]} C{start[0] + bend} {start[1]}, '
            f'{end[0] - bend} {end[1]}, {end[0]} {end[1]}" fill="none" '
            f'stroke="#64748b" stroke-width="1.5"{dashed}/>'
        )
        yield (f'<path d="M{end[0]} {end[1]} l-8 -4 v8 z" fill="#64748b"/>')


def svg_text(x: int, y: int, text: str) -> str:
    """One line of text, with signs that nobody sees made visible."""
    told = escape(one_line(visible(text)), quote=False)
    return f'<text x="{x}" y="{y}" fill="#0f172a">{told}</text>'
