"""A graph as a picture: boxes in columns with arrows between them, and the same as an SVG file."""

from collections.abc import Iterator
from enum import StrEnum
from html import escape

from holdpoint.core.redaction.display import one_line, visible
from holdpoint.messages.base import Value

COLUMN, ROW, BOX_WIDTH, BOX_HEIGHT, MARGIN = 260, 64, 190, 44, 24
MOST_CHARACTERS = 24


class Tone(StrEnum):
    """Kind of a box, which its edge shows."""

    PLAIN = "plain"
    USER = "user"
    DONE = "done"
    FAILED = "failed"


_EDGES = {
    Tone.PLAIN: "#475569",
    Tone.USER: "#1d4ed8",
    Tone.DONE: "#15803d",
    Tone.FAILED: "#b91c1c",
}


class Label(Value, frozen=True, kw_only=True):
    """One line of text at a place."""

    x: int
    y: int
    text: str


class Box(Value, frozen=True, kw_only=True):
    """A node: its name, and a word about it."""

    x: int
    y: int
    name: str
    note: str
    tone: Tone = Tone.PLAIN


class Arrow(Value, frozen=True, kw_only=True):
    """A curve from one box to another, as an SVG path; and its head."""

    path: str
    head: str = ""
    is_dashed: bool = False


class Picture(Value, frozen=True, kw_only=True):
    """Everything that is drawn, in pixels; the texts are ready to be shown, and not escaped."""

    title: str
    width: int
    height: int
    labels: tuple[Label, ...]
    arrows: tuple[Arrow, ...]
    boxes: tuple[Box, ...]


def box(x: int, y: int, name: str, note: str, tone: Tone = Tone.PLAIN) -> Box:
    """Return a node; a long name is cut."""
    return Box(x=x, y=y, name=shown(name), note=shown(note), tone=tone)


def arrow(start: tuple[int, int], end: tuple[int, int], *, is_dashed: bool = False) -> Arrow:
    """Return a curve between two boxes, given their corners: on no way behind either of them.

    It leads from right to left of a box in a later column, from left to right of one in an earlier
    column, and around the right of both where they stand in the same.
    """
    leaves_right, enters_right = end[0] >= start[0], end[0] <= start[0]
    bend = MARGIN if leaves_right and enters_right else COLUMN // 4
    out, back = (1 if leaves_right else -1), (1 if enters_right else -1)
    x, y = start[0] + BOX_WIDTH * leaves_right, start[1] + BOX_HEIGHT // 2
    to_x, to_y = end[0] + BOX_WIDTH * enters_right, end[1] + BOX_HEIGHT // 2
    return Arrow(
        path=f"M{x} {y} C{x + out * bend} {y}, {to_x + back * bend} {to_y}, {to_x} {to_y}",
        head=f"M{to_x} {to_y} l{8 * back} -4 v8 z",
        is_dashed=is_dashed,
    )


def shown(text: str) -> str:
    """Return a short line, with signs that nobody sees made visible."""
    return one_line(visible(text[:MOST_CHARACTERS]))


def svg(picture: Picture) -> str:
    """Return the whole file, in colours of its own."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{picture.width}" '
        f'height="{picture.height}" viewBox="0 0 {picture.width} {picture.height}" role="img" '
        f'font-family="sans-serif" font-size="13">'
    )
    labels = [_text(it.x, it.y, it.text) for it in picture.labels]
    arrows = [part for it in picture.arrows for part in _arrow(it)]
    boxes = [part for it in picture.boxes for part in _box(it)]
    title = f"<title>{escape(picture.title, quote=False)}</title>"
    return "\n".join((head, title, *labels, *arrows, *boxes, "</svg>\n"))


def _arrow(it: Arrow) -> Iterator[str]:
    dashed = ' stroke-dasharray="4 4"' if it.is_dashed else ""
    yield f'<path d="{it.path}" fill="none" stroke="#64748b" stroke-width="1.5"{dashed}/>'
    yield f'<path d="{it.head}" fill="#64748b"/>'


def _box(it: Box) -> Iterator[str]:
    yield (
        f'<rect x="{it.x}" y="{it.y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6" '
        f'fill="#ffffff" stroke="{_EDGES[it.tone]}" stroke-width="1.5"/>'
    )
    yield _text(it.x + 10, it.y + 18, it.name)
    yield _text(it.x + 10, it.y + 35, it.note)


def _text(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y}" fill="#0f172a">{escape(text, quote=False)}</text>'
