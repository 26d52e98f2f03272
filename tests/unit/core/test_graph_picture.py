"""Arrows of a graph: none runs behind the boxes that it joins."""

import re

import pytest

from holdpoint.core.graph_picture import BOX_HEIGHT, BOX_WIDTH, COLUMN, ROW, arrow

HERE = (24, 48)


@pytest.mark.parametrize(
    ("to", "leaves", "enters"),
    [
        ((HERE[0] + COLUMN, HERE[1] + ROW), "right", "left"),
        ((HERE[0] + 2 * COLUMN, HERE[1]), "right", "left"),
        ((HERE[0], HERE[1] + ROW), "right", "right"),
        ((HERE[0], HERE[1] - ROW), "right", "right"),
        ((HERE[0] - COLUMN, HERE[1] + ROW), "left", "right"),
    ],
)
def test_an_arrow_leaves_and_enters_at_the_sides_that_face_each_other(
    to: tuple[int, int], leaves: str, enters: str
) -> None:
    drawn = arrow(HERE, to)
    x, y, out, _, back, _, to_x, to_y = map(int, re.findall(r"-?\d+", drawn.path))

    assert (y, to_y) == (HERE[1] + BOX_HEIGHT // 2, to[1] + BOX_HEIGHT // 2)
    assert x == HERE[0] + (BOX_WIDTH if leaves == "right" else 0)
    assert to_x == to[0] + (BOX_WIDTH if enters == "right" else 0)
    assert (out > x) == (leaves == "right")
    assert (back > to_x) == (enters == "right")
    assert drawn.head.startswith(f"M{to_x} {to_y} l{8 if enters == 'right' else -8} ")
