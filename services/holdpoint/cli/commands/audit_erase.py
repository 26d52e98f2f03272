"""`holdpoint audit erase, retain, legal-hold`: what may go, and what has to stay.

Exit codes: 0 done, 1 refused (a legal hold, or nothing to erase), 2 the question is wrong,
or it could not be recorded on the bus.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from getpass import getuser
from typing import Annotated, TypeVar

import msgspec
import typer

from holdpoint.cli.acting_as import Who
from holdpoint.cli.audit_session import JsonOption, UrlOption, answered, asked, print_json
from holdpoint.cli.erasure_notes import announcer
from holdpoint.cli.ledger_names import hold_in
from holdpoint.cli.ledger_session import SinceOption, time_of
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.ledger.erasure import (
    Erasure,
    NotErasedError,
    Reason,
    begin_legal_hold,
    legal_holds,
    lift_legal_hold,
)
from holdpoint.ledger.erasure import erase as erase_hold
from holdpoint.ledger.erasure import retain as erase_older
from holdpoint.messages.erasure import LegalHold, Lifted
from holdpoint.runtime.broker.streams import KEPT_S
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import HoldpointError
from holdpoint.runtime.process import clock

REFUSED, WRONG = 1, 2

T = TypeVar("T")

_Why = Annotated[str, typer.Option("--why", help="The reason; it stands in the ledger for ever.")]
_Basis = Annotated[
    str, typer.Option("--basis", help="The law or contract: 'GDPR Art. 17', for example.")
]
_By = Annotated[
    str, typer.Option("--as", help="Who does it; default: HP_PERSON, or who is logged in here.")
]


def erase(
    hold: Annotated[str, typer.Argument(help="The hold, or the beginning of its id.")],
    *,
    why: _Why,
    basis: _Basis = "",
    by: _By = "",
    as_json: JsonOption = False,
    ledger: UrlOption = "",
) -> None:
    """Erase what was said about one hold: every message's body, and each row that follows from it.

    The events and their leaves stay, so the ledger and every proof verify as before. That it was
    erased, by whom and why is an event of the ledger. A legal hold refuses it: exit code 1.
    """
    found = asked(ledger, lambda connection: hold_in(connection, hold, "holdpoint audit query"))
    reason = Reason(by=_who(by), why=why, basis=basis)
    tenant, announce = Settings().tenant, announcer(ledger)
    made = _done(ledger, lambda url: erase_hold(url, tenant, found, reason, announce))
    _tell(made, as_json)


def retain(
    days: Annotated[int, typer.Argument(min=1, help="Keep the bodies of so many days.")],
    *,
    why: _Why = "retention",
    basis: _Basis = "",
    by: _By = "",
    as_json: JsonOption = False,
    ledger: UrlOption = "",
) -> None:
    """Erase every body that is older; run it each day. What a legal hold keeps stays.

    A hold goes as a whole, once the last word on it is older. Nothing to erase is no error.
    """
    reason = Reason(by=_who(by), why=why, basis=basis)
    since = clock.now() - timedelta(days=days)
    tenant, announce = Settings().tenant, announcer(ledger)
    made = _done(ledger, lambda url: erase_older(url, tenant, since, reason, announce))
    _tell(made, as_json)


def legal_hold(  # noqa: PLR0913  # each is one option
    name: Annotated[str, typer.Argument(help="Its name; without one, those in force.")] = "",
    *,
    hold: Annotated[str, typer.Option("--hold", help="Only this hold.")] = "",
    since: SinceOption = None,
    until: Annotated[
        datetime | None,
        typer.Option("--until", parser=time_of, metavar="TIME", help="Only before then."),
    ] = None,
    lift: Annotated[bool, typer.Option("--lift", help="End it.")] = False,
    why: _Why = "",
    by: _By = "",
    as_json: JsonOption = False,
    ledger: UrlOption = "",
) -> None:
    """Keep bodies from erasure and retention until it is lifted: of one hold, a time, or all.

    Its beginning and its end are events of the ledger.
    """
    if name and not why:
        raise typer.BadParameter("Say why: it stands in the ledger for ever.", param_hint="--why")
    tenant = Settings().tenant
    if name and lift:
        lifted = Lifted(name=name, by=_who(by), why=why)
        _done(ledger, lambda url: lift_legal_hold(url, tenant, lifted, announcer(ledger)))
    elif name:
        found = asked(ledger, lambda it: hold_in(it, hold, "holdpoint audit query")) if hold else ""
        held = LegalHold(name=name, by=_who(by), why=why, hold_id=found, since=since, until=until)
        _done(ledger, lambda url: begin_legal_hold(url, tenant, held, announcer(ledger)))
    in_force = asked(ledger, legal_holds)
    if as_json:
        print_json(in_force)
        return
    for it in in_force:
        typer.echo(one_line(visible(f"{it.name}: {_about(it)}; {it.by}: {it.why}")))
    if not in_force:
        typer.echo("No legal hold is in force.")


def add_to(audit: typer.Typer) -> None:
    """Add these commands."""
    audit.command()(erase)
    audit.command()(retain)
    audit.command(name="legal-hold")(legal_hold)


def _about(it: LegalHold) -> str:
    since = f"from {it.since:%Y-%m-%d %H:%M}" if it.since else ""
    until = f"until {it.until:%Y-%m-%d %H:%M}" if it.until else ""
    return " ".join(filter(None, (it.hold_id or "everything", since, until)))


def _who(said: str) -> str:
    return said or Who().person or getuser()


def _done(ledger: str, work: Callable[[str], T]) -> T:
    try:
        return answered(ledger, work)
    except NotErasedError as error:
        typer.echo(one_line(visible(str(error))), err=True)
        raise typer.Exit(REFUSED) from None
    except HoldpointError as error:
        text = f"Nothing is changed, because it could not be recorded on the bus: {error}"
        typer.echo(one_line(visible(text)), err=True)
        raise typer.Exit(WRONG) from None


def _tell(made: Erasure, as_json: bool) -> None:  # one call
    if as_json:
        typer.echo(msgspec.json.encode(made))
        return
    typer.echo(f"{made.bodies:,} bodies erased; their events and leaves stay.")
    if made.kept:
        typer.echo(f"{made.kept:,} bodies stay: a legal hold keeps them.")
    if made.newest:
        forgotten = made.newest + timedelta(seconds=KEPT_S)
        typer.echo(f"The broker forgets the last of its copies on {forgotten:%Y-%m-%d %H:%M} UTC.")
