"""A time span in figures as one HTML page: charts as inline SVG, no script, no network."""

import html
from collections.abc import Iterable, Mapping

from holdpoint.core.redaction.display import one_line, visible
from holdpoint.ledger.report_figures import Figures

BAR, GAP, LABEL, WIDTH = 18, 6, 180, 640
"""Of a chart, in pixels."""

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;"
    "color:#111;background:#fff}h2{margin-top:2rem}svg{max-width:100%;height:auto}"
    "table{border-collapse:collapse}td,th{padding:.2rem .8rem .2rem 0;text-align:left}"
    "rect{fill:#2b6cb0}text{font:13px system-ui,sans-serif;fill:#111}"
)


def report_page(figures: Figures) -> str:
    """Return the page; names that came over the bus stand in it as text."""
    title = title_of(figures)
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        f"<title>{title}</title><style>{_STYLE}</style><h1>{title}</h1>"
        f"<p>{summary_of(figures)}</p>"
        f"{''.join(_chart(name, counts) for name, counts in charts_of(figures).items())}"
        f"{_reviewers(figures)}</html>\n"
    )


def title_of(figures: Figures) -> str:
    """Return the report's title: its first day and the day after its last."""
    return f"Holdpoint: {figures.since:%Y-%m-%d} to {figures.until:%Y-%m-%d}"


def summary_of(figures: Figures) -> str:
    """Return the report's first paragraph."""
    return (
        f"{figures.actions:,} actions were judged; the ledger took {figures.events:,} events. "
        "The last day is not included; days are in UTC."
    )


def charts_of(figures: Figures) -> dict[str, Mapping[str, int]]:
    """Return the counts of each chart by its title, in the report's order."""
    return {
        "Actions by day": figures.days,
        "First decisions of the gate": figures.verdicts,
        "Risk": figures.risks,
        "Operation levels": figures.levels,
        "Domains": figures.domains,
        "Most used tools": figures.tools,
        "Most active agents": figures.agents,
        "How holds ended": figures.outcomes,
        "How approved runs ended": figures.runs,
        "What needs an explanation": figures.exceptions,
    }


def reviewer_rows(figures: Figures) -> list[tuple[str, ...]]:
    """Return the table of people, its heads first."""
    return [
        ("Person", "Answers", "Median", "Yes", "Under 3 s"),
        *(
            (
                it.person, f"{it.answers:,}", f"{it.median_s:g} s",
                f"{it.approved:.0%}", str(it.under_3_s),
            )
            for it in figures.reviewers
        ),
    ]  # fmt: skip


def _chart(title: str, counts: Mapping[str, int]) -> str:
    head = f"<h2>{html.escape(title)}</h2>"
    if not counts:
        return f"{head}<p>None.</p>"
    most = max(counts.values())
    bars = "".join(
        _bar(place, name, count, most) for place, (name, count) in enumerate(counts.items())
    )
    told = "; ".join(f"{name}: {count}" for name, count in counts.items())
    height = len(counts) * (BAR + GAP)
    return (
        f'{head}<svg role="img" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'aria-label="{_plain(told)}">{bars}</svg>'
    )


def _bar(place: int, name: str, count: int, most: int) -> str:
    top, room = place * (BAR + GAP), WIDTH - LABEL - 80
    width = max(1, round(room * count / most))
    return (
        f'<text x="0" y="{top + 14}">{_plain(name)[:60]}</text>'
        f'<rect x="{LABEL}" y="{top}" width="{width}" height="{BAR}"></rect>'
        f'<text x="{LABEL + width + 6}" y="{top + 14}">{count:,}</text>'
    )


def _reviewers(figures: Figures) -> str:
    heads, *rows = reviewer_rows(figures)
    body = "".join(f"<tr>{_cells('td', row)}</tr>" for row in rows)
    return f"<h2>People</h2><table><tr>{_cells('th', heads)}</tr>{body}</table>"


def _cells(tag: str, row: Iterable[object]) -> str:
    return "".join(f"<{tag}>{_plain(str(cell))}</{tag}>" for cell in row)


def _plain(text: str) -> str:
    return html.escape(one_line(visible(text)))
