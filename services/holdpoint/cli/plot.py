"""A replay as a picture: bars in SVG, drawn by hand, so that nothing has to be installed."""

from collections.abc import Iterator
from html import escape

from holdpoint.cli.replaying import Change, Replayed, changes
from holdpoint.core.sanitise import one_line, visible

WIDTH, LINE, LABELS, LEFT = 720, 22, 300, 16
LONGEST = WIDTH - LABELS - 80
"""Pixels of the longest bar; the rest is for labels on its left and the count on its right."""

COLOURS = {"newly halted": "#b45309", "newly passed": "#15803d", "newly denied": "#b91c1c"}
MOST_CHARACTERS = 40


def plot(told: Replayed) -> str:
    """The whole picture: each kind of change with its rules, one bar for each."""
    groups = [group for group in changes(told) if group[1].count]
    most = max((change.count for _, change in groups), default=1)
    rows = [row for label, change in groups for row in _rows(label, change)]
    title = f"{told.judged:,} judged again, {told.unchanged:,} unchanged"
    height = LINE * (len(rows) + 3)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" role="img" font-family="sans-serif" font-size="13">'
    )
    bars = [
        line for at, row in enumerate(rows, start=2) for line in _bar(at * LINE, *row, most=most)
    ]
    return "\n".join((head, f"<title>{title}</title>", _text(LEFT, LINE, title), *bars, "</svg>\n"))


def _rows(label: str, change: Change) -> Iterator[tuple[int, str, str, int]]:
    yield LEFT, label, COLOURS[label], change.count
    for one in change.rules:
        yield 2 * LEFT, one.name, COLOURS[label], one.count


def _bar(y: int, x: int, label: str, colour: str, count: int, *, most: int) -> Iterator[str]:
    length = max(1, round(LONGEST * count / most))
    yield _text(x, y, escape(one_line(visible(label))[:MOST_CHARACTERS]))
    yield f'<rect x="{LABELS}" y="{y - 12}" width="{length}" height="{LINE - 8}" fill="{colour}"/>'
    yield _text(LABELS + length + 6, y, f"{count:,}")


def _text(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y}">{text}</text>'
