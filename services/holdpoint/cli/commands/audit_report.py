"""`holdpoint audit report`: a month of the ledger in figures."""

from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from holdpoint.audit.report_page import report_page
from holdpoint.cli.audit_session import JsonOption, UrlOption, asked, print_json
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.read_notes import note_read
from holdpoint.ledger.report_figures import Figures, figures_of
from holdpoint.runtime.config import files
from holdpoint.runtime.process import clock

PDF_EXTRA = "--pdf needs fpdf2. Install it with: pip install 'holdpoint[pdf]'"


def report(
    month: Annotated[str, typer.Option(help="The month, like 2026-11; default: this one.")] = "",
    *,
    out: Annotated[
        Path | None, typer.Option(help="The file; default: report-<month>.html, or .pdf.")
    ] = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="Write a PDF instead of HTML.")] = False,
    as_json: JsonOption = False,
    ledger: UrlOption = "",
) -> None:
    """Write a month in figures, with charts, as one HTML page or one PDF.

    Exit code 0; 2 for what is no month; 4 where --pdf lacks its extra.
    """
    if pdf and as_json:
        raise typer.BadParameter("Choose one of --json and --pdf.")
    if pdf and find_spec("fpdf") is None:
        raise CommandError(ExitCode.SETUP, "setup", PDF_EXTRA)
    since, until = _span(month)
    note_read(ledger, "report", {"since": since.isoformat(), "until": until.isoformat()})
    figures = asked(ledger, lambda connection: figures_of(connection, since, until))
    if as_json:
        print_json(figures)
        return
    path = out or Path(f"report-{since:%Y-%m}.{'pdf' if pdf else 'html'}")
    files.replace(path, _document(figures, pdf=pdf), files.PRIVATE)
    stopped, denied = (figures.verdicts.get(it, 0) for it in ("halted", "denied"))
    told = f"{figures.actions:,} actions, {stopped:,} stopped for people, {denied:,} denied"
    typer.echo(f"{path}: {told}.")


def _document(figures: Figures, *, pdf: bool) -> bytes:
    if not pdf:
        return report_page(figures).encode()
    from holdpoint.audit.report_pdf import report_pdf  # noqa: PLC0415  # an extra of the package

    return report_pdf(figures)


def _span(month: str) -> tuple[datetime, datetime]:
    """The month's first moment, and the next one's."""
    try:
        first = datetime.strptime(month, "%Y-%m").replace(tzinfo=UTC) if month else clock.now()
        since = datetime(first.year, first.month, 1, tzinfo=UTC)
        later = (since.year + since.month // 12, since.month % 12 + 1)
        return since, datetime(*later, 1, tzinfo=UTC)
    except ValueError:
        text = f"{month!r} is no month, such as 2026-11."
        raise typer.BadParameter(text, param_hint="--month") from None
