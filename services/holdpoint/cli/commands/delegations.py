"""Commands by which a person has somebody answer in their place: `people delegate` and `away`."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from holdpoint.cli.orders import end, give_own
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import AsOption, JsonOption, begun, person_of
from holdpoint.messages.state import Delegate
from holdpoint.runtime.security.permissions import DELEGATE

ToArgument = Annotated[
    str, typer.Argument(metavar="PERSON", help="Who answers in your place; an approver.")
]
UntilOption = Annotated[
    str, typer.Option(help="Until when, such as 2026-12-01 or 2026-12-01T18:00 (UTC).")
]
SinceOption = Annotated[str, typer.Option(help="From when on; without it, from now.")]
ReasonOption = Annotated[str, typer.Option(help="Why; it stands in the ledger.")]


def delegate(
    to: ToArgument, *, until: UntilOption, since: SinceOption = "", reason: ReasonOption = "",
    as_person: AsOption = "", as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Let somebody answer in your place for a time, as far as you may yourself."""
    order = _order(to, since, until, reason)
    _give(order, as_person, f"Letting {to} answer in your place until {until}.", as_json=as_json)


def away(
    to: ToArgument, *, until: UntilOption, since: SinceOption = "", reason: ReasonOption = "",
    as_person: AsOption = "", as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Be out of office: your cards go to somebody else until you are back."""
    order = _order(to, since, until, reason, away=True)
    _give(order, as_person, f"Out of office until {until}: {to} answers.", as_json=as_json)


def back(
    *, reason: ReasonOption = "", as_person: AsOption = "", as_json: JsonOption = False
) -> None:
    """End every delegation that you made, also out of office."""
    _give(Delegate(reason=reason), as_person, "Ending every delegation.", as_json=as_json)


def _give(order: Delegate, as_person: str, before: str, *, as_json: bool) -> None:
    settings = begun()
    if order.to:
        person_of(settings, order.to)
    done = f"{order.to} may answer in your place." if order.to else "Nobody answers in your place."
    end(give_own(settings, as_person, (order, DELEGATE), (before, done), as_json=as_json))


def _order(to: str, since: str, until: str, reason: str, *, away: bool = False) -> Delegate:
    begins = _time("since", since) if since else None
    return Delegate(to=to, since=begins, until=_time("until", until), away=away, reason=reason)


def _time(option: str, said: str) -> datetime:
    try:
        time = datetime.fromisoformat(said)
    except ValueError:
        text = f"--{option} is a day or a time, such as 2026-12-01T18:00."
        raise CommandError(ExitCode.USAGE, "bad_time", text) from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
