"""Questions of `holdpoint audit` to the ledger: one snapshot, and exit code 4 without a ledger."""

from collections.abc import Callable
from typing import Annotated, TypeVar

import msgspec
import typer
from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError

from holdpoint.cli.known_values import with_known
from holdpoint.cli.ledger_names import hold_in
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import settings_here
from holdpoint.ledger import engines
from holdpoint.ledger.search import Search
from holdpoint.ledger.unreadable import unreadable

T = TypeVar("T")

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
UrlOption = Annotated[
    str, typer.Option("--ledger", help="The ledger's URL; default: HP_LEDGER_URL.")
]


def asked(ledger: str, question: Callable[[Connection], T]) -> T:
    """Ask one snapshot of the ledger."""

    def ask(url: str) -> T:
        engine = engines.reader(url)
        try:
            with engine.begin() as connection:
                return question(connection)
        finally:
            engine.dispose()

    return answered(ledger, ask)


def answered(ledger: str, ask: Callable[[str], T]) -> T:
    """Ask the ledger at its URL; one that cannot be read ends the command."""
    url = ledger or settings_here().ledger_url
    try:
        return ask(url)
    except DatabaseError as error:
        text = unreadable(url, error)
        raise CommandError(ExitCode.SETUP, "unreadable_ledger", text) from None


def exact(connection: Connection, search: Search, see: str) -> Search:
    """The same search with whole ids and names; what nobody knows ends the command."""
    search = with_known(connection, search)
    if search.hold is None:
        return search
    return msgspec.structs.replace(search, hold=hold_in(connection, search.hold, see))


def print_json(answer: object) -> None:
    """Print for programs."""
    typer.echo(msgspec.json.encode(answer))
