"""A time span in figures as one PDF: the sections of the HTML page, in its order.

It needs the extra `pdf`.
"""

from collections.abc import Mapping

from fpdf import FPDF

from holdpoint.audit.report_page import charts_of, reviewer_rows, summary_of, title_of
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.ledger.report_figures import Figures

LABEL, BARS, BAR, LINE = 55, 105, 4, 6
"""Of a chart, in millimetres: room for names, for bars, and how high a bar and its line are."""

TOGETHER = 12
"""Bars of a chart that stand on one page with its heading."""

LONGEST = 60
"""Letters of a name that are shown."""

REPLACED = "A letter that this file's font lacks is shown as ?. The HTML report shows it."


def report_pdf(figures: Figures) -> bytes:
    """Return the PDF; names that came over the bus stand in it as text."""
    pdf = FPDF()
    pdf.alias_nb_pages("")  # else "{nb}" in a name becomes the number of pages
    pdf.set_title(title_of(figures))
    pdf.set_lang("en")
    pdf.add_page()
    _heading(pdf, title_of(figures), 18)
    _text(pdf, summary_of(figures))
    for name, counts in charts_of(figures).items():
        _chart(pdf, name, counts)
    rows = reviewer_rows(figures)
    _people(pdf, rows)
    names = [name for counts in charts_of(figures).values() for name in counts]
    if any(_plain(it) != _shown(it) for it in (*names, *(row[0] for row in rows))):
        pdf.ln(LINE)
        _text(pdf, REPLACED)
    return bytes(pdf.output())


def _heading(pdf: FPDF, text: str, size: int) -> None:
    pdf.set_font("Helvetica", "B", size)
    pdf.cell(0, 2 * LINE, text, new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("Helvetica", size=10)


def _text(pdf: FPDF, text: str) -> None:
    pdf.set_font("Helvetica", size=10)
    pdf.multi_cell(0, LINE, text, new_x="LMARGIN", new_y="NEXT")


def _chart(pdf: FPDF, title: str, counts: Mapping[str, int]) -> None:
    if pdf.will_page_break((3 + min(len(counts), TOGETHER)) * LINE):
        pdf.add_page()
    _heading(pdf, title, 13)
    if not counts:
        _text(pdf, "None.")
        return
    most = max(counts.values())
    for name, count in counts.items():
        _bar(pdf, name, count, most)


def _bar(pdf: FPDF, name: str, count: int, most: int) -> None:
    if pdf.will_page_break(LINE):
        pdf.add_page()
    width = max(0.3, BARS * count / most)
    pdf.cell(LABEL, LINE, _fitting(pdf, _plain(name)))
    with pdf.local_context(fill_color=(43, 108, 176)):
        pdf.rect(pdf.get_x(), pdf.get_y() + (LINE - BAR) / 2, width, BAR, style="F")
    pdf.set_x(pdf.get_x() + width + 1)
    pdf.cell(0, LINE, f"{count:,}", new_x="LMARGIN", new_y="NEXT")


def _people(pdf: FPDF, rows: list[tuple[str, ...]]) -> None:
    if pdf.will_page_break(4 * LINE):
        pdf.add_page()
    _heading(pdf, "People", 13)
    with pdf.table(
        col_widths=(3, 1, 1, 1, 1), line_height=LINE, borders_layout="HORIZONTAL_LINES"
    ) as table:
        for row in rows:
            table.row([_plain(cell) for cell in row])


def _fitting(pdf: FPDF, text: str) -> str:
    """Cut the text to the room for names."""
    room = LABEL - 3
    if pdf.get_string_width(text) <= room:
        return text
    while pdf.get_string_width(f"{text}...") > room:
        text = text[:-1]
    return f"{text}..."


def _plain(text: str) -> str:
    return _shown(text).encode("latin-1", "replace").decode("latin-1")


def _shown(text: str) -> str:
    return one_line(visible(text))[:LONGEST]
