"""`holdpoint audit export`, and the check of what it wrote."""

import os
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from sqlalchemy import Connection

from holdpoint.audit.export import Export, export
from holdpoint.audit.export_check import ExportReport, verify_export
from holdpoint.audit.proofs import NotProvenError
from holdpoint.cli.audit_session import JsonOption, UrlOption, asked, exact, print_json
from holdpoint.cli.ledger_filters import Filters, search_of, with_filters, words_of
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.read_notes import record_read
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.runtime.config import files
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import clock

EVERY_ONE = 2**62
"""An export has no limit."""


@with_filters
def export_range(
    filters: Filters,
    *,
    out: Annotated[Path, typer.Option(help="The zip file.")] = Path("export.zip"),
    as_json: JsonOption = False,
    ledger: UrlOption = "",
) -> None:
    """Write a range of the ledger into one zip file, which anybody can verify alone.

    Without filters but --since and --until, no event between its first and its last is left out.
    """
    settings, now = Settings(), clock.now()
    search = search_of(filters, EVERY_ONE, None, now)
    draft = out.with_name(f".{out.name}.part")
    if out.exists():
        text = f"{out} exists already, and stays as it is. Name another file with --out."
        raise CommandError(ExitCode.FAILED, "exists", text)

    def ask(connection: Connection) -> Export:
        it = exact(connection, search, "holdpoint audit query")
        return export(connection, draft, it, words_of(it), settings.tenant, settings.keys_dir)

    record_read(ledger, "export", words_of(search))
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, files.PRIVATE))
        made = asked(ledger, ask)
        draft.replace(out)
    except NotProvenError as error:
        raise CommandError(ExitCode.FAILED, "not_proven", str(error)) from None
    except OSError as error:
        text = f"{out} cannot be written: {error.strerror}."
        raise CommandError(ExitCode.FAILED, "unwritable", text) from None
    finally:
        draft.unlink(missing_ok=True)
    _tell(made, out, as_json=as_json)


def verify_exported(path: Path, keys: Path | None, *, as_json: bool) -> NoReturn:
    """Print what an export is worth, and end with its exit code."""
    report = verify_export(path, keys)
    if as_json:
        print_json(report)
    else:
        for line in _lines(report):
            typer.echo(one_line(visible(line)))
    raise typer.Exit(ExitCode.FAILED if report.problems else ExitCode.OK)


def _tell(made: Export, out: Path, *, as_json: bool) -> None:
    if as_json:
        told = {name: getattr(made, name) for name in ("first", "last", "events", "behind")}
        print_json({"file": str(out), **told})
        return
    typer.echo(f"{out}: {made.events:,} events, {made.first} to {made.last}.")
    if made.behind:
        text = f"Events that no checkpoint covers yet are left out: {made.behind:,}."
        typer.echo(f"{text} Export again in 10 seconds.", err=True)
    typer.echo(f"Check it: holdpoint audit verify {out}")


def _beside(report: ExportReport) -> str:
    return "Every event between them is here." if report.whole else "Others between them may exist."


def _lines(report: ExportReport) -> list[str]:
    whose = "your keys" if report.own_keys else "the file's own keys"
    filters = ", ".join(f"{name} {value}" for name, value in report.asked.items())
    proven = f"{report.proven:,} events are proven by a checkpoint of the audit."
    span = f"from {report.first} of {report.first_at} to {report.last} of {report.last_at}"
    return [
        f"Tenant {report.tenant}: {report.events:,} events, {span}.",
        *([_beside(report)] if not report.problems else []),
        *([f"Asked for: {filters}."] if filters else []),
        f"{report.signatures:,} signatures are good by {whose}.",
        *([f"{report.erased:,} messages were erased; their leaves stay."] if report.erased else []),
        proven if report.proven else "No checkpoint proves that these events stand in the ledger.",
        *(f"{it.check}: {it.row} {it.text}" for it in report.problems),
        "Not as it was written." if report.problems else "All as it was written.",
    ]
