"""The ledger, asked by a command: one snapshot, which nothing is written to."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Annotated

import typer
from sqlalchemy import Connection
from sqlalchemy.exc import ArgumentError, DatabaseError

from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.ledger import engines
from holdpoint.runtime.settings import Settings

TIMES = ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S%z"]

LedgerOption = Annotated[
    str, typer.Option("--ledger", help="The ledger's URL; default: HP_LEDGER_URL.")
]
SinceOption = Annotated[
    datetime | None,
    typer.Option("--since", formats=TIMES, help="Only from then on; ISO 8601, UTC if no zone."),
]


@contextmanager
def snapshot(ledger: str) -> Iterator[Connection]:
    """Raises `CommandError` where there is no ledger to read."""
    url = ledger or Settings().ledger_url
    try:
        engine = engines.reader(url)
    except (SetupError, ArgumentError) as error:
        raise _unreadable(url, error) from None
    try:
        with engine.begin() as connection:
            yield connection
    except DatabaseError as error:
        raise _unreadable(url, error.orig or error) from None
    finally:
        engine.dispose()


def _unreadable(url: str, why: BaseException) -> CommandError:
    text = f"{url} cannot be read: {why}. Set --ledger or HP_LEDGER_URL."
    return CommandError(ExitCode.SETUP, "unreadable_ledger", text)


def in_utc(said: datetime | None) -> datetime | None:
    """A time without a zone is UTC."""
    return said.replace(tzinfo=UTC) if said is not None and said.tzinfo is None else said
