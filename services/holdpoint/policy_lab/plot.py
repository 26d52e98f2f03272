"""A replay as a picture: bars in SVG, drawn by hand, so that nothing has to be installed."""

from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from holdpoint.core.redaction.display import one_line, visible
from holdpoint.policy_lab.replay import Minutes, Replayed, both, changes, time_told

WIDTH, LINE, LABELS, LEFT = 720, 22, 300, 16
LONGEST = WIDTH - LABELS - 80
"""Pixels of the longest bar; the rest is for labels on its left and the count on its right."""

TIME = "time"
COLOURS = {
    "newly halted": "#b45309",
    "newly passed": "#15803d",
    "newly denied": "#b91c1c",
    TIME: "#475569",
}
MOST_CHARACTERS = 40


class Row(NamedTuple):
    """One bar: where its label begins, the label, its kind, the figure, its share of 1."""

    x: int
    label: str
    kind: str
    told: str
    share: float


def rows_of(told: Replayed) -> list[Row]:
    """Each kind of change with its rules, and people's minutes."""
    return [*_changes(told), *_minutes(told.minutes)]


def plot(told: Replayed) -> str:
    """The whole picture: which policies, each kind of change with its rules, people's minutes."""
    title = f"{told.judged:,} judged again, {told.unchanged:,} unchanged"
    lines = (title, f"base {both(told.base, told.candidate)}")
    rows = rows_of(told)
    height = LINE * (len(lines) + len(rows) + 3)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" role="img" font-family="sans-serif" font-size="13">'
    )
    texts = [_text(LEFT, at * LINE, _shown(line)) for at, line in enumerate(lines, start=1)]
    start = len(lines) + 1
    bars = [part for at, row in enumerate(rows, start=start) for part in _bar(at * LINE, row)]
    last = _text(LEFT, (start + len(rows)) * LINE, _shown(time_told(told.minutes)))
    return "\n".join((head, f"<title>{title}</title>", *texts, *bars, last, "</svg>\n"))


def _changes(told: Replayed) -> Iterator[Row]:
    """Each kind of change, also one that nothing is of; and its rules."""
    groups = changes(told)
    most = max(1, *(change.count for _, change in groups))
    for label, change in groups:
        yield Row(LEFT, label, label, f"{change.count:,}", change.count / most)
        for one in change.rules:
            yield Row(2 * LEFT, one.name, label, f"{one.count:,}", one.count / most)


def _minutes(minutes: Minutes) -> Iterator[Row]:
    most = max(minutes.before, minutes.after) or 1.0
    for label, spent in (("before", minutes.before), ("after", minutes.after)):
        told = f"{spent:,.1f}"
        share = spent / most if float(told.replace(",", "")) else 0.0  # no bar beside `0.0`
        yield Row(LEFT, f"people's minutes {label}", TIME, told, share)


def _shown(text: str) -> str:
    return escape(one_line(visible(text)), quote=False)


def _bar(y: int, row: Row) -> Iterator[str]:
    length = round(LONGEST * row.share)
    yield _text(row.x, y, _shown(visible(row.label)[:MOST_CHARACTERS]))
    if length:
        yield (
            f'<rect x="{LABELS}" y="{y - 12}" width="{length}" height="{LINE - 8}" '
            f'fill="{COLOURS[row.kind]}"/>'
        )
    yield _text(LABELS + length + 6, y, row.told)


def _text(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y}">{text}</text>'
