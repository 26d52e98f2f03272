"""A hold named by the beginning of its id, where the ledger knows the rest."""

from collections.abc import Callable

from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from holdpoint.cli.hold_names import SHORTEST_PREFIX, check_length, the_only
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.core.digest import HOLD_ID_LENGTH
from holdpoint.ledger import engines
from holdpoint.ledger.queries import agents_beginning, holds_beginning
from holdpoint.runtime.errors import SetupError

_NO_LEDGER = (SetupError, OperationalError)


def hold_in(connection: Connection, prefix: str, see: str) -> str:
    """The whole id of the hold that the ledger knows by this beginning."""
    check_length(prefix, see)
    return the_only(holds_beginning(connection, prefix.lower(), ""), prefix.lower(), see)


def hold_of_agent(ledger_url: str, agent: str, prefix: str) -> str:
    """The whole id of an agent's hold; a beginning is looked up in this machine's ledger."""
    if len(prefix) >= HOLD_ID_LENGTH:
        return prefix
    see = f"holdpoint audit query --agent {agent}"
    check_length(prefix, see)
    try:
        found = _asked(ledger_url, lambda it: holds_beginning(it, prefix.lower(), agent))
    except _NO_LEDGER:
        text = "No ledger on this machine knows ids by their beginning: give the whole id."
        raise CommandError(ExitCode.NOT_FOUND, "unknown_id", text) from None
    return the_only(found, prefix.lower(), see)


def agent_of_hold(ledger_url: str, prefix: str) -> str:
    """Return the agent whose hold begins so; empty where no ledger knows, or more than one does."""
    if len(prefix) < SHORTEST_PREFIX:
        return ""
    try:
        found = _asked(ledger_url, lambda it: agents_beginning(it, prefix.lower()))
    except _NO_LEDGER:
        return ""
    return found[0] if len(found) == 1 else ""


def _asked(ledger_url: str, ask: Callable[[Connection], list[str]]) -> list[str]:
    engine = engines.reader(ledger_url)
    try:
        with engine.begin() as connection:
            return ask(connection)
    finally:
        engine.dispose()
