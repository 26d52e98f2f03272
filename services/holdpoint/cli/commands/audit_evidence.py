"""`holdpoint audit evidence`, and the check of what it wrote."""

from pathlib import Path
from typing import Annotated, NoReturn

import typer
from sqlalchemy import Connection

from holdpoint.audit.evidence import pack
from holdpoint.audit.evidence_check import PackReport, verify_pack
from holdpoint.audit.proofs import NotProvenError
from holdpoint.cli.audit_session import JsonOption, UrlOption, asked, print_json
from holdpoint.cli.ledger_names import hold_in
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.read_notes import record_read
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.runtime.config import files
from holdpoint.runtime.config.settings import Settings

OK, BAD = 0, 1
ZIP = b"PK"
"""The first bytes of every zip file."""


def evidence(
    hold: Annotated[str, typer.Argument(help="The hold's id, or its beginning.")],
    *,
    out: Annotated[
        Path | None, typer.Option(help="The file; default: evidence-<hold>.zip.")
    ] = None,
    as_json: JsonOption = False,
    ledger: UrlOption = "",
) -> None:
    """Write all evidence of one hold into one zip file, which anybody can verify alone.

    Exit code 0; 7 when no hold, or more than one, begins so.
    """
    keys_dir = Settings().keys_dir
    record_read(ledger, "evidence", {"hold": hold})

    def ask(connection: Connection) -> tuple[str, bytes]:
        whole = hold_in(connection, hold, "holdpoint audit query")
        return whole, pack(connection, whole, keys_dir)

    try:
        hold_id, body = asked(ledger, ask)
    except NotProvenError as error:
        raise CommandError(ExitCode.FAILED, "not_proven", str(error)) from None
    path = out or Path(f"evidence-{hold_id[:8]}.zip")
    files.replace(path, body, files.PRIVATE)
    if as_json:
        print_json({"hold_id": hold_id, "file": str(path), "bytes": len(body)})
    else:
        typer.echo(f"{path}: {len(body):,} bytes. Check it: holdpoint audit verify {path}")


def is_pack(path: Path) -> bool:
    """Is this file a zip, and so an evidence pack?"""
    with path.open("rb") as file:
        return file.read(len(ZIP)) == ZIP


def verify_evidence(path: Path, keys: Path | None, *, as_json: bool) -> NoReturn:
    """Print what an evidence pack is worth, and end with its exit code."""
    report = verify_pack(path, keys)
    if as_json:
        print_json(report)
    else:
        whose = "your keys" if report.own_keys else "the pack's own keys"
        typer.echo(f"Hold {report.hold_id}: {report.events} events.")
        typer.echo(f"{report.signatures} signatures are good by {whose}.")
        typer.echo(_proven(report))
        if not report.page_compared:
            typer.echo("The page is of another release, and was not compared with the messages.")
        for it in report.problems:
            typer.echo(one_line(visible(f"{it.check}: {it.row} {it.text}")))
        typer.echo("Not as it was written." if report.problems else "All as it was written.")
    raise typer.Exit(BAD if report.problems else OK)


def _proven(report: PackReport) -> str:
    if not report.proven:
        return "No checkpoint proves that these events stand in the ledger."
    return f"{report.proven} events are proven by a checkpoint of the audit."
