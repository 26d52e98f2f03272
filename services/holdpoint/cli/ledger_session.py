"""The ledger, asked by a command: one snapshot, which nothing is written to."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Annotated

import typer
from sqlalchemy import Connection, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError

from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import check_state, settings_here
from holdpoint.ledger import engines
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError


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
    try:
        engine = engines.reader(url)
    except (SetupError, ArgumentError) as error:
        raise _unreadable(url, error) from None
    try:
        with engine.begin() as connection:
            yield connection
    except DatabaseError as error:
        if not ledger and "ledger_url" not in settings.model_fields_set:
            check_state(settings)
        raise _unreadable(url, error.orig or error) from None
    finally:
        engine.dispose()


def _unreadable(url: str, why: BaseException) -> CommandError:
    text = f"{_without_password(url)} cannot be read: {str(why).rstrip('.')}. "
    text += "Set --ledger or HP_LEDGER_URL."
    return CommandError(ExitCode.SETUP, "unreadable_ledger", text)


def _without_password(url: str) -> str:
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return "This URL" if "@" in url else url
