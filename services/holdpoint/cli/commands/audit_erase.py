"""`holdpoint audit erase, retain, legal-hold`: what may go, and what has to stay.

A person with the role `compliance` says it, with their password. Exit codes: 0 done, 1 refused (no
such role, a legal hold, or nothing to erase), 2 the question is wrong, or it could not be recorded
on the bus, 5 and 6 no password.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Annotated, TypeVar

import msgspec
import typer
from sqlalchemy import Connection

from holdpoint.audit.proofs import NotProvenError, event_named
from holdpoint.cli.audit_session import JsonOption, answered, asked, print_json
from holdpoint.cli.erasure_notes import Eraser, daily_run, person_who_erases
from holdpoint.cli.ledger_names import hold_in
from holdpoint.cli.ledger_session import SinceOption, time_of
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.read_notes import unrecorded
from holdpoint.cli.session import AsOption, begun
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.ledger.erasure import (
    Erasure,
    NotErasedError,
    Reason,
    begin_legal_hold,
    erase_refused,
    legal_holds,
    lift_legal_hold,
    order_retention,
    retention,
)
from holdpoint.ledger.erasure import erase as erase_hold
from holdpoint.ledger.erasure import retain as erase_older
from holdpoint.messages.erasure import RETENTION, LegalHold, Lifted, Retention
from holdpoint.runtime.broker.streams import KEPT_S
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import HoldpointError
from holdpoint.runtime.process import clock

REFUSED = 1
NO_RETENTION = (
    "Nobody said how long bodies are kept. A person with the role compliance says it once: "
    "holdpoint audit retain DAYS"
)

T = TypeVar("T")

_Why = Annotated[str, typer.Option("--why", help="The reason; it stands in the ledger for ever.")]
_Basis = Annotated[
    str, typer.Option("--basis", help="The law or contract: 'GDPR Art. 17', for example.")
]


def erase(
    hold: Annotated[
        str,
        typer.Argument(help="The hold, or the beginning of its id; of a refused call its message."),
    ],
    *,
    why: _Why,
    basis: _Basis = "",
    as_person: AsOption = "",
    as_json: JsonOption = False,
) -> None:
    """Erase what was said about one hold: every message's body, and each row that follows from it.

    A call that was refused has no hold: name its message, `CALLS@robot:17`.

    The events and their leaves stay, so the ledger and every proof verify as before. That it was
    erased, by whom and why is an event of the ledger. Asks for the password of a person with the
    role `compliance`. A legal hold refuses it: exit code 1.
    """
    settings = begun()
    found = asked("", lambda connection: _named(connection, hold))
    what = f"the refused call {hold}" if isinstance(found, int) else f"every body of hold {found}"
    who = person_who_erases(settings, as_person, f"Erase {what}: {why}")
    reason = Reason(by=who.by, why=why, basis=basis)

    def work(url: str) -> Erasure:
        if isinstance(found, int):
            return erase_refused(url, settings.tenant, found, reason, who.announce)
        return erase_hold(url, settings.tenant, found, reason, who.announce)

    _tell(_done(work), as_json)


def _named(connection: Connection, name: str) -> str | int:
    """Return the hold that begins so, or the event of a message."""
    if ":" not in name:
        return hold_in(connection, name, "holdpoint audit query")
    try:
        return event_named(connection, name)
    except NotProvenError as error:
        raise CommandError(ExitCode.NOT_FOUND, "unknown_id", str(error)) from None


def retain(
    days: Annotated[
        int | None,
        typer.Argument(min=0, help="Keep the bodies of so many days; 0: for ever."),
    ] = None,
    *,
    why: _Why = "",
    basis: _Basis = "",
    as_person: AsOption = "",
    as_json: JsonOption = False,
) -> None:
    """Erase every body that is older, now and in each daily run. What a legal hold keeps stays.

    With DAYS it asks for the password of a person with the role `compliance`, and what they say
    counts until somebody says otherwise. Without, it is the daily run, and erases what they said.
    A hold goes as a whole, once the last word on it is older. Nothing to erase is no error.
    """
    settings = begun()
    if days is None:
        if why or basis or as_person:
            raise typer.BadParameter("Say it with DAYS: the daily run has its reason from there.")
        if (age := asked("", retention)) is None:
            raise CommandError(ExitCode.FAILED, "no_retention", NO_RETENTION)
        who = daily_run(settings)
    else:
        what = f"bodies older than {days} days, now and each day" if days else "none by its age"
        who = person_who_erases(settings, as_person, f"Erase {what}: {why or RETENTION}")
        age = Retention(days=days, by=who.by, why=why or RETENTION, basis=basis)
        _done(lambda url: order_retention(url, settings.tenant, age, who.announce))
    _tell(_aged(settings, age, who), as_json)


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
    as_person: AsOption = "",
    as_json: JsonOption = False,
) -> None:
    """Keep bodies from erasure and retention until it is lifted: of one hold, a time, or all.

    Its beginning and its end are events of the ledger, and ask for the password of a person with
    the role `compliance`.
    """
    if name and not why:
        raise typer.BadParameter("Say why: it stands in the ledger for ever.", param_hint="--why")
    settings = begun()
    if name and lift:
        who = person_who_erases(settings, as_person, f"Lift the legal hold {name}: {why}")
        lifted = Lifted(name=name, by=who.by, why=why)
        _done(lambda url: lift_legal_hold(url, settings.tenant, lifted, who.announce))
    elif name:
        found = asked("", lambda it: hold_in(it, hold, "holdpoint audit query")) if hold else ""
        held = LegalHold(name=name, by="", why=why, hold_id=found, since=since, until=until)
        command = f"Begin the legal hold {name} of {_about(held)}: {why}"
        who = person_who_erases(settings, as_person, command)
        held = msgspec.structs.replace(held, by=who.by)
        _done(lambda url: begin_legal_hold(url, settings.tenant, held, who.announce))
    _show_legal_holds(as_json)


def add_to(audit: typer.Typer) -> None:
    """Add these commands."""
    audit.command()(erase)
    audit.command()(retain)
    audit.command(name="legal-hold")(legal_hold)


def _about(it: LegalHold) -> str:
    since = f"from {it.since:%Y-%m-%d %H:%M}" if it.since else ""
    until = f"until {it.until:%Y-%m-%d %H:%M}" if it.until else ""
    return " ".join(filter(None, (it.hold_id or "everything", since, until)))


def _show_legal_holds(as_json: bool) -> None:  # one call
    in_force = asked("", legal_holds)
    if as_json:
        print_json(in_force)
        return
    for it in in_force:
        typer.echo(one_line(visible(f"{it.name}: {_about(it)}; {it.by}: {it.why}")))
    if not in_force:
        typer.echo("No legal hold is in force.")


def _aged(settings: Settings, age: Retention, who: Eraser) -> Erasure:
    if not age.days:
        return Erasure(bodies=0, kept=0, newest=None)
    reason = Reason(by=who.by, why=age.why, basis=age.basis)
    since = clock.now() - timedelta(days=age.days)
    return _done(lambda url: erase_older(url, settings.tenant, since, reason, who.announce))


def _done(work: Callable[[str], T]) -> T:
    try:
        return answered("", work)
    except NotErasedError as error:
        typer.echo(one_line(visible(str(error))), err=True)
        raise typer.Exit(REFUSED) from None
    except HoldpointError as error:
        raise unrecorded("changed", error) from None


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
