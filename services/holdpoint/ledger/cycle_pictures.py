"""An agent's cycles as pictures of their trees, with labels alone: Mermaid and SVG."""

from collections.abc import Iterator, Sequence

from holdpoint.core.agent_graph import BOX_HEIGHT, BOX_WIDTH, COLUMN, MARGIN, ROW, svg_text
from holdpoint.ledger.history import Node

MOST_CHARACTERS = 24
OPEN, DONE, FAILED = "#475569", "#15803d", "#b91c1c"


def mermaid(cycles: Sequence[Node]) -> str:
    """Draw the trees as a Mermaid graph."""
    lines, number = ["graph TD"], 0

    def draw(node: Node) -> str:
        nonlocal number
        number += 1
        name = f"n{number}"
        label = "".join(sign for sign in node.fn if sign.isalnum() or sign in "-_ ")
        lines.append(f'        {name}["{label}"]')
        lines.extend([f"        {name} --> {draw(child)}" for child in node.children])
        return name

    for at, cycle in enumerate(cycles, start=1):
        lines.append(f"    subgraph c{at}")
        draw(cycle)
        lines.append("    end")
    return "\n".join(lines)


def svg(cycles: Sequence[Node]) -> str:
    """Draw the trees one below the other, from the agent on the left to its calls on the right."""
    parts: list[str] = []
    row = columns = 0
    for at, cycle in enumerate(cycles, start=1):
        parts.append(svg_text(MARGIN, MARGIN + ROW * row + 4, f"Cycle {at}"))
        height, depth = _height(cycle), _depth(cycle)
        parts.extend(_drawn(cycle, 0, row))
        row, columns = row + height, max(columns, depth)
    width = 2 * MARGIN + COLUMN * max(0, columns - 1) + BOX_WIDTH
    whole = 2 * MARGIN + ROW * max(row, 1)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{whole}" '
        f'viewBox="0 0 {width} {whole}" role="img" font-family="sans-serif" font-size="13">'
    )
    title = f"{len(cycles)} cycle{'' if len(cycles) == 1 else 's'}: agents and the calls they made"
    return "\n".join((head, f"<title>{title}</title>", *parts, "</svg>\n"))


def _drawn(node: Node, column: int, row: int) -> Iterator[str]:
    x, y = MARGIN + COLUMN * column, MARGIN + 12 + ROW * row
    color = FAILED if node.exception else DONE if node.updated_at else OPEN
    end = "failed" if node.exception else "done" if node.updated_at else "open"
    yield (
        f'<rect x="{x}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6" '
        f'fill="#ffffff" stroke="{color}" stroke-width="1.5"/>'
    )
    yield svg_text(x + 10, y + 18, node.fn[:MOST_CHARACTERS])
    yield svg_text(x + 10, y + 35, end)
    for child in node.children:
        yield (
            f'<path d="M{x + BOX_WIDTH} {y + BOX_HEIGHT // 2} L{x + COLUMN} '
            f'{MARGIN + 12 + ROW * row + BOX_HEIGHT // 2}" fill="none" stroke="#64748b"/>'
        )
        yield from _drawn(child, column + 1, row)
        row += _height(child)


def _height(node: Node) -> int:
    return max(1, sum(map(_height, node.children)))


def _depth(node: Node) -> int:
    return 1 + max(map(_depth, node.children), default=0)
