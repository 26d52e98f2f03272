"""An agent's cycles as pictures of their trees, with labels alone: drawn, and in Mermaid."""

from collections.abc import Iterator, Sequence

from holdpoint.core.graph_picture import (
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
from holdpoint.ledger.history import Node

BELOW_ITS_LABEL = 12


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


def cycle_picture(cycles: Sequence[Node]) -> Picture:
    """Draw the trees one below the other, from the agent on the left to its calls on the right."""
    labels: list[Label] = []
    drawn: list[Box | Arrow] = []
    row = columns = 0
    for at, cycle in enumerate(cycles, start=1):
        labels.append(Label(x=MARGIN, y=MARGIN + ROW * row + 4, text=f"Cycle {at}"))
        drawn.extend(_drawn(cycle, 0, row))
        row, columns = row + _height(cycle), max(columns, _depth(cycle))
    return Picture(
        title=f"{len(cycles)} cycle{'' if len(cycles) == 1 else 's'}: agents and their calls",
        width=2 * MARGIN + COLUMN * max(0, columns - 1) + BOX_WIDTH,
        height=2 * MARGIN + ROW * max(row, 1),
        labels=tuple(labels),
        arrows=tuple(it for it in drawn if isinstance(it, Arrow)),
        boxes=tuple(it for it in drawn if isinstance(it, Box)),
    )


def end_of(node: Node) -> str:
    """Return how a node ended: a call without a result never began."""
    if node.exception:
        return "did not run" if node.hold_id and node.output is None else "failed"
    return "done" if node.updated_at else "open"


_TONES = {
    "failed": Tone.FAILED,
    "done": Tone.DONE,
    "did not run": Tone.PLAIN,
    "open": Tone.PLAIN,
}


def _drawn(node: Node, column: int, row: int) -> Iterator[Box | Arrow]:
    here = _corner(column, row)
    yield box(*here, node.fn, end_of(node), _TONES[end_of(node)])
    for child in node.children:
        yield arrow(here, _corner(column + 1, row))
        yield from _drawn(child, column + 1, row)
        row += _height(child)


def _corner(column: int, row: int) -> tuple[int, int]:
    return MARGIN + COLUMN * column, MARGIN + BELOW_ITS_LABEL + ROW * row


def _height(node: Node) -> int:
    return max(1, sum(map(_height, node.children)))


def _depth(node: Node) -> int:
    return 1 + max(map(_depth, node.children), default=0)
