"""`holdpoint audit`: ask the ledger, and verify it offline.

Exit codes: 0 all is well, 1 something was tampered with, is missing or needs an explanation,
2 the question itself is wrong, 7 no hold (or more than one) begins so.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, TypeVar, assert_never

import msgspec
import typer
from sqlalchemy import Connection

from holdpoint.cli.commands import audit_proofs
from holdpoint.cli.commands.audit_proofs import answered
from holdpoint.cli.ledger_names import hold_in
from holdpoint.cli.ledger_session import time_of
from holdpoint.cli.views import ledger_rows
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.ledger import engines
from holdpoint.ledger.actions import actions_found
from holdpoint.ledger.confirmations import DENIED
from holdpoint.ledger.cycle_pictures import mermaid, svg
from holdpoint.ledger.exceptions import Finding, every_exception
from holdpoint.ledger.history import Node, cycles_of, derivative, history
from holdpoint.ledger.queries import (
    ConfirmationEvent,
    Found,
    Search,
    confirmations_found,
    events_found,
)
from holdpoint.ledger.reviewers import reviewers_found
from holdpoint.messages.hold import Outcome
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import clock

OK, BAD, USAGE = 0, 1, 2
NOT_EXECUTED_AFTER = timedelta(minutes=15)
"""An approval that no worker took for this long is an exception: the default `valid_for`."""


class Ended(StrEnum):
    """End of a hold: an outcome, or denied at once."""

    CONFIRMED = Outcome.CONFIRMED
    CANCELLED = Outcome.CANCELLED
    EXPIRED = Outcome.EXPIRED
    WITHDRAWN = Outcome.WITHDRAWN
    SUPERSEDED = Outcome.SUPERSEDED
    DENIED = DENIED
    DONE = "done"
    """What a confirmed action is called on its card: the same as `confirmed`."""


class Form(StrEnum):
    """For whom an answer is printed."""

    PEOPLE = "people"
    JSON = "json"
    CSV = "csv"


T = TypeVar("T")

audit = typer.Typer(help="Ask the ledger, and verify it.", no_args_is_help=True)
audit_proofs.add_to(audit)

_Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
_Url = Annotated[str, typer.Option("--ledger", help="The ledger's URL; default: HP_LEDGER_URL.")]
_Time = typer.Option(
    parser=time_of,
    metavar="TIME",
    help="ISO 8601; UTC if no zone is said. From --since on, and before --until.",
)


@audit.command()
def query(  # noqa: PLR0913  # each is one option
    *,
    hold: Annotated[
        str | None, typer.Option(help="Everything about this hold: its id, or its beginning.")
    ] = None,
    agent: Annotated[str | None, typer.Option(help="Only what is about this agent.")] = None,
    outcome: Annotated[Ended | None, typer.Option(help="Only holds that ended so.")] = None,
    since: Annotated[datetime | None, _Time] = None,
    until: Annotated[datetime | None, _Time] = None,
    limit: Annotated[
        int, typer.Option(min=1, help="At most so many of each, the first ones.")
    ] = 1_000,
    last: Annotated[
        int | None, typer.Option(min=1, help="Only the last so many of each, in place of --limit.")
    ] = None,
    actions: Annotated[
        bool, typer.Option(help="One row for each action, whatever became of it.")
    ] = False,
    exceptions: Annotated[bool, typer.Option(help="Only what needs an explanation.")] = False,
    reviewers: Annotated[bool, typer.Option(help="How fast each person answers, and how.")] = False,
    as_json: _Json = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print what was found for spreadsheets; no events.")
    ] = False,
    ledger: _Url = "",
) -> None:
    """Show confirmations and events, oldest first.

    Exit code 0; with --exceptions 1 when there are any; 2 for a wrong option; 7 for an unknown
    hold.
    """
    if actions and (exceptions or outcome is not None):
        raise typer.BadParameter("--actions goes with --hold, --agent, --since, --until, --last.")
    if reviewers and (actions or exceptions or outcome is not None or last is not None):
        raise typer.BadParameter("--reviewers goes with --hold, --agent, --since and --until.")
    if exceptions and (outcome is not None or last is not None):
        raise typer.BadParameter("--exceptions goes with --hold, --agent, --since and --until.")
    search = Search(
        hold=hold,
        agent=agent,
        outcome=Ended.CONFIRMED if outcome is Ended.DONE else outcome,
        since=since,
        until=until,
        limit=last or limit,
        newest=last is not None,
    )
    asked = {_show_exceptions: exceptions, _show_actions: actions, _show_reviewers: reviewers}
    show = next((it for it, is_asked in asked.items() if is_asked), _show_found)
    show(ledger, search, _form(as_json=as_json, as_csv=as_csv))


@audit.command(name="history")
def history_of(  # noqa: PLR0913  # each is one option
    agent: Annotated[str, typer.Argument(help="Whose chat history.")],
    *,
    h: Annotated[bool, typer.Option("--h", help="User inputs and answers.")] = False,
    h1: Annotated[bool, typer.Option("--h1", help="With each call and its result.")] = False,
    h2: Annotated[bool, typer.Option("--h2", help="Whole trees: the default.")] = False,
    as_mermaid: Annotated[
        bool, typer.Option("--mermaid", help="Draw the trees as a Mermaid graph.")
    ] = False,
    as_svg: Annotated[bool, typer.Option("--svg", help="Draw the trees as SVG.")] = False,
    last: Annotated[int | None, typer.Option(min=1, help="Only the last so many cycles.")] = None,
    as_json: _Json = False,
    ledger: _Url = "",
) -> None:
    """Show an agent's cycles, from a user's input to the answer (seed 001)."""
    if sum((h, h1, h2)) > 1:
        raise typer.BadParameter("Choose one of --h, --h1 and --h2.")
    if sum((as_mermaid, as_svg, as_json)) > 1 or ((h or h1) and (as_mermaid or as_svg)):
        raise typer.BadParameter("--mermaid and --svg draw whole trees, and go with --last only.")
    tenant = Settings().tenant
    cycles = _asked(ledger, lambda connection: cycles_of(connection, tenant, agent, last))
    if as_mermaid or as_svg:
        typer.echo(mermaid(cycles) if as_mermaid else svg(cycles))
        return
    shown: Sequence[object] = history(cycles) if h else derivative(cycles) if h1 else cycles
    if as_json:
        _print_json(shown)
        return
    for cycle in shown:
        text = cycle.shape if isinstance(cycle, Node) else msgspec.json.encode(cycle).decode()
        typer.echo(one_line(visible(text)))


def _form(*, as_json: bool, as_csv: bool) -> Form:
    if as_json and as_csv:
        raise typer.BadParameter("Choose --json or --csv.")
    if as_json:
        return Form.JSON
    return Form.CSV if as_csv else Form.PEOPLE


def _show_found(ledger: str, search: Search, form: Form) -> None:
    def ask(connection: Connection) -> tuple[list[ConfirmationEvent], list[Found]]:
        exact = _named(connection, search)
        return confirmations_found(connection, exact), events_found(connection, exact)

    confirmations, events = _asked(ledger, ask)
    match form:
        case Form.JSON:
            _print_json({"confirmation_events": confirmations, "events": events})
        case Form.CSV:
            typer.echo(ledger_rows.confirmations_sheet(confirmations), nl=False)
            _tell_of_more(search, len(confirmations))
        case Form.PEOPLE:
            _print_found(confirmations, events)
            _tell_of_more(search, max(len(confirmations), len(events)))
        case _:
            assert_never(form)


def _print_found(confirmations: list[ConfirmationEvent], events: list[Found]) -> None:
    if not events and not confirmations:
        typer.echo("Nothing in the ledger fits.")
        return
    ledger_rows.show_confirmations(confirmations)
    ledger_rows.show_events(events)


def _tell_of_more(search: Search, shown: int) -> None:
    if shown < search.limit:
        return
    which = "last" if search.newest else "first"
    text = f"There may be more: this shows the {which} {search.limit}. Set --limit or --last."
    typer.echo(text, err=True)


def _show_actions(ledger: str, search: Search, form: Form) -> None:
    found = _asked(ledger, lambda it: actions_found(it, _named(it, search)))
    match form:
        case Form.JSON:
            _print_json({"actions": found})
        case Form.CSV:
            typer.echo(ledger_rows.actions_sheet(found), nl=False)
        case Form.PEOPLE:
            ledger_rows.show_actions(found)
            _tell_of_more(search, len(found))
        case _:
            assert_never(form)


def _show_reviewers(ledger: str, search: Search, form: Form) -> None:
    found = _asked(ledger, lambda it: reviewers_found(it, _named(it, search)))
    match form:
        case Form.JSON:
            _print_json({"reviewers": found})
        case Form.CSV:
            typer.echo(ledger_rows.reviewers_sheet(found), nl=False)
        case Form.PEOPLE:
            ledger_rows.show_reviewers(found)
        case _:
            assert_never(form)


def _show_exceptions(ledger: str, search: Search, form: Form) -> None:
    before = clock.now() - NOT_EXECUTED_AFTER

    def ask(connection: Connection) -> list[Finding]:
        exact = _named(connection, search)
        return [each for each in every_exception(connection, before) if _fits(each, exact)]

    findings = _asked(ledger, ask)
    match form:
        case Form.JSON:
            _print_json({"exceptions": findings})
        case Form.CSV:
            typer.echo(ledger_rows.findings_sheet(findings), nl=False)
        case Form.PEOPLE:
            ledger_rows.show_findings(findings)
        case _:
            assert_never(form)
    raise typer.Exit(BAD if findings else OK)


def _named(connection: Connection, search: Search) -> Search:
    """The same search for the one hold whose id begins so."""
    if search.hold is None:
        return search
    hold = hold_in(connection, search.hold, "holdpoint audit query")
    return msgspec.structs.replace(search, hold=hold)


def _fits(finding: Finding, search: Search) -> bool:
    return (
        search.hold in {None, finding.hold_id}
        and search.agent in {None, finding.agent}
        and (search.since is None or finding.at >= search.since)
        and (search.until is None or finding.at < search.until)
    )


def _asked(ledger: str, question: Callable[[Connection], T]) -> T:
    """Ask one snapshot of the ledger."""

    def ask(url: str) -> T:
        engine = engines.reader(url)
        try:
            with engine.begin() as connection:
                return question(connection)
        finally:
            engine.dispose()

    return answered(ledger, ask)


def _print_json(answer: object) -> None:
    typer.echo(msgspec.json.encode(answer))


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(audit, name="audit")
