"""The ledger, asked by a command: one snapshot, which nothing is written to."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Annotated

import typer
from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError

from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import check_state, settings_here
from holdpoint.ledger import engines
from holdpoint.ledger.unreadable import unreadable
from holdpoint.runtime.config.settings import Settings


def time_of(said: str) -> datetime:
    """A time as ISO 8601 writes it; without a zone it is UTC."""
    try:
        time = datetime.fromisoformat(said)
        return time.astimezone(UTC) if time.tzinfo is not None else time.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        text = (
            f"{said!r} is no time of ISO 8601, such as 2026-11-22T12:13 or 2026-11-22T13:13+01:00."
        )
        raise typer.BadParameter(text) from None


LedgerOption = Annotated[
    str, typer.Option("--ledger", help="The ledger's URL; default: HP_LEDGER_URL.")
]
SinceOption = Annotated[
    datetime | None,
    typer.Option(
        "--since",
        parser=time_of,
        metavar="TIME",
        help="Only from then on; ISO 8601, UTC if no zone.",
    ),
]


@contextmanager
def snapshot(ledger: str) -> Iterator[Connection]:
    """Raises `CommandError` where there is no ledger to read."""
    settings = Settings() if ledger else settings_here()
    url = ledger or settings.ledger_url
    engine = engines.reader(url)
    try:
        with engine.begin() as connection:
            yield connection
    except DatabaseError as error:
        if not ledger and "ledger_url" not in settings.model_fields_set:
            check_state(settings)
        text = unreadable(url, error)
        raise CommandError(ExitCode.SETUP, "unreadable_ledger", text) from None
    finally:
        engine.dispose()
