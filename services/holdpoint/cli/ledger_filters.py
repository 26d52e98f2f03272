"""Options that filter the ledger, the same in every command, and the searches that are saved."""

import inspect
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from holdpoint.cli.ledger_session import time_of
from holdpoint.core.leaf import time_text
from holdpoint.ledger.action_values import Comparison, comparison_in
from holdpoint.ledger.search import DENIED, Search
from holdpoint.messages.hold import Outcome
from holdpoint.messages.risk import RiskLevel
from holdpoint.runtime.config import files

SAVED_FILE = "queries.json"


class Ended(StrEnum):
    """End of a hold: an outcome, or denied at once."""

    CONFIRMED = Outcome.CONFIRMED
    CANCELLED = Outcome.CANCELLED
    EXPIRED = Outcome.EXPIRED
    WITHDRAWN = Outcome.WITHDRAWN
    SUPERSEDED = Outcome.SUPERSEDED
    DENIED = DENIED
    DONE = "done"
    """The word on the card of a confirmed action: the same as `confirmed`."""


_Time = typer.Option(
    metavar="TIME",
    help="ISO 8601 (UTC if no zone is said), or how long ago: 30m, 24h, 7d, 4w. "
    "From --since on, and before --until.",
)


@dataclass(frozen=True, kw_only=True)
class Filters:
    """Filters as a person types and saves them."""

    hold: Annotated[
        str | None, typer.Option(help="Everything about this hold: its id, or its beginning.")
    ] = None
    agent: Annotated[str | None, typer.Option(help="Only what is about this agent.")] = None
    person: Annotated[str | None, typer.Option(help="Only what this person answered or ended.")] = (
        None
    )
    tool: Annotated[str | None, typer.Option(help="Only calls of this tool.")] = None
    domain: Annotated[str | None, typer.Option(help="Only calls of this domain's tools.")] = None
    level: Annotated[int | None, typer.Option(min=1, max=5, help="Only this operation level.")] = (
        None
    )
    risk: Annotated[RiskLevel | None, typer.Option(help="Only this risk level.")] = None
    rule: Annotated[str | None, typer.Option(help="Only where this rule fired.")] = None
    policy: Annotated[
        str | None, typer.Option(help="Only what was judged by this version of the policy.")
    ] = None
    channel: Annotated[
        str | None, typer.Option(help="Only what was answered through this channel.")
    ] = None
    outcome: Annotated[Ended | None, typer.Option(help="Only holds that ended so.")] = None
    text: Annotated[
        str | None,
        typer.Option(
            help="Only holds with this text in reasoning, arguments or reason, and refused calls."
        ),
    ] = None
    where: Annotated[
        list[str] | None,
        typer.Option(help="Only actions whose argument fits: args.amount>1000; all that are said."),
    ] = None
    since: Annotated[str | None, _Time] = None
    until: Annotated[str | None, _Time] = None


def with_filters(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command every filter as an option; it takes them as one value, `filters`."""
    own = inspect.signature(command, eval_str=True).parameters
    offered = inspect.signature(Filters, eval_str=True).parameters

    @wraps(command)
    def run(**options: Any) -> None:
        given = {name: options.pop(name) for name in offered}
        chosen = Filters(**{name: it for name, it in given.items() if it != []})
        command(filters=chosen, **options)

    added = [it for name, it in own.items() if name != "filters"]
    run.__dict__["__signature__"] = inspect.Signature([*offered.values(), *added])
    run.__annotations__ = {it.name: it.annotation for it in (*offered.values(), *added)}
    return run


def search_of(filters: Filters, limit: int, last: int | None, now: datetime) -> Search:
    """Return what the filters ask for; typer.BadParameter names a time that is none."""
    plain = asdict(filters) | {
        "risk": filters.risk.value if filters.risk is not None else None,
        "outcome": Ended.CONFIRMED if filters.outcome is Ended.DONE else filters.outcome,
        "where": tuple(map(_comparison, filters.where or ())),
        "since": _moment(filters.since, now),
        "until": _moment(filters.until, now),
    }
    return Search(**plain, limit=last or limit, newest=last is not None)


def words_of(search: Search) -> dict[str, str]:
    """Return the filters of a search that matter, in words; times in UTC."""
    offered = {it.name: getattr(search, it.name) for it in fields(Filters)}
    given = {name: value for name, value in offered.items() if value not in {None, ()}}
    return {name: _word(value) for name, value in given.items()}


def asked_for(filters: Filters) -> frozenset[str]:
    """Return the names of the filters that were given."""
    return frozenset(it.name for it in fields(filters) if getattr(filters, it.name) is not None)


def saved(state_dir: Path, name: str, filters: Filters) -> Filters:
    """Return the saved filters, with those that were given now in their place.

    typer.BadParameter when nothing was saved under that name.
    """
    known = _read(state_dir)
    if name not in known:
        there = ", ".join(sorted(known)) or "none yet"
        raise typer.BadParameter(f"No query was saved as {name!r}. Saved: {there}.")
    given = {key: value for key, value in asdict(filters).items() if value is not None}
    return replace(known[name], **given)


def save(state_dir: Path, name: str, filters: Filters) -> None:
    """Keep the filters under a name; one that is there already is replaced."""
    known = {key: _given(it) for key, it in (_read(state_dir) | {name: filters}).items()}
    body = msgspec.json.format(msgspec.json.encode(known, order="sorted"))
    files.replace(state_dir / SAVED_FILE, body, files.PRIVATE)


def _given(filters: Filters) -> dict[str, object]:
    return {name: getattr(filters, name) for name in asked_for(filters)}


def _read(state_dir: Path) -> dict[str, Filters]:
    path = state_dir / SAVED_FILE
    if not path.exists():
        return {}
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Filters])
    except msgspec.MsgspecError as error:
        raise typer.BadParameter(f"{path} cannot be read: {error}. Mend or delete it.") from None


def _word(value: object) -> str:
    if isinstance(value, datetime):
        return time_text(value)
    return " and ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _comparison(said: str) -> Comparison:
    try:
        return comparison_in(said)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--where") from None


_AGO = re.compile(r"(\d{1,6})([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def _moment(said: str | None, now: datetime) -> datetime | None:
    if said is None:
        return None
    ago = _AGO.fullmatch(said)
    if ago is None:
        return time_of(said)
    try:
        return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
    except OverflowError:
        raise typer.BadParameter(f"{said!r} is before all time.") from None
