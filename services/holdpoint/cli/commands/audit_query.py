"""`holdpoint audit query`: one question with many filters, answered in four views and four forms.

Exit codes: 0 it was answered, 1 something needs an explanation, 2 the question itself is wrong,
7 no hold (or more than one) begins so.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
from sqlalchemy import Connection, select

from holdpoint.cli.audit_session import JsonOption, UrlOption, asked, exact, print_json
from holdpoint.cli.ledger_filters import (
    Filters,
    asked_for,
    save,
    saved,
    search_of,
    with_filters,
    words_of,
)
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.read_notes import note_read
from holdpoint.cli.views import ledger_rows
from holdpoint.ledger.actions import actions_found
from holdpoint.ledger.exceptions import Finding, every_exception
from holdpoint.ledger.figures import waiting
from holdpoint.ledger.queries import confirmations_found, events_found
from holdpoint.ledger.reads import reads_found
from holdpoint.ledger.reviewers import reviewers_found
from holdpoint.ledger.search import Search, about_action
from holdpoint.ledger.tables import decisions
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import clock

NOT_EXECUTED_AFTER = timedelta(minutes=15)
"""An approval that no worker took for this long is an exception: the default `valid_for`."""

SEE = "holdpoint audit query"
PARQUET = "holdpoint.cli.parquet"
PARQUET_EXTRA = "--parquet needs pyarrow. Install it with: pip install 'holdpoint[parquet]'"

Rows: TypeAlias = Sequence[Any]


@dataclass(frozen=True, kw_only=True)
class _View:
    """One way to look at what was found."""

    name: str
    ask: Callable[[Connection, Search], Rows]
    show: Callable[[Any], None]
    sheet: Callable[[Any], str]
    without: frozenset[str]
    """Options that it does not go with."""

    finds_faults: bool = False
    is_cut: bool = True


@dataclass(frozen=True, kw_only=True)
class _Form:
    """For whom an answer is printed."""

    as_json: bool
    as_csv: bool
    parquet: Path | None


LimitOption = Annotated[int, typer.Option(min=1, help="At most so many of each, the first ones.")]
LastOption = Annotated[
    int | None, typer.Option(min=1, help="Only the last so many of each, in place of --limit.")
]


@with_filters
def query(  # noqa: PLR0913  # each is one option
    filters: Filters,
    *,
    limit: LimitOption = 1_000,
    last: LastOption = None,
    actions: Annotated[
        bool, typer.Option(help="One row for each action, whatever became of it.")
    ] = False,
    exceptions: Annotated[bool, typer.Option(help="Only what needs an explanation.")] = False,
    reviewers: Annotated[bool, typer.Option(help="How fast each person answers, and how.")] = False,
    reads: Annotated[bool, typer.Option(help="Who read the ledger, where, and what.")] = False,
    saved_as: Annotated[
        str, typer.Option("--saved", help="Use the filters that were saved under this name.")
    ] = "",
    save_as: Annotated[
        str, typer.Option("--save", help="Save these filters under this name, too.")
    ] = "",
    as_json: JsonOption = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print what was found for spreadsheets; no events.")
    ] = False,
    parquet: Annotated[
        Path | None, typer.Option(help="Write the rows of --csv to this Parquet file.")
    ] = None,
    ledger: UrlOption = "",
) -> None:
    """Show confirmations and events, oldest first.

    Exit code 0; with --exceptions 1 when there are any; 2 for a wrong option; 4 where the ledger
    cannot be read; 7 for an unknown hold.
    """
    view = _view_of(actions=actions, exceptions=exceptions, reviewers=reviewers, reads=reads)
    form = _form_of(as_json=as_json, as_csv=as_csv, parquet=parquet)
    chosen = _chosen(filters, saved_as, save_as)
    _check(view, asked_for(chosen) | ({"last"} if last is not None else set()))
    search = search_of(chosen, limit, last, clock.now())
    note_read(ledger, "query", {"view": view.name, **words_of(search)})
    _answer(ledger, view, search, form)


def _chosen(filters: Filters, saved_as: str, save_as: str) -> Filters:
    """The filters with those that were saved; they are kept under a name if one is given."""
    state_dir = Settings().state_dir
    chosen = saved(state_dir, saved_as, filters) if saved_as else filters
    if save_as:
        save(state_dir, save_as, chosen)
    return chosen


def _view_of(*, actions: bool, exceptions: bool, reviewers: bool, reads: bool) -> _View:
    wanted = {_ACTIONS: actions, _EXCEPTIONS: exceptions, _REVIEWERS: reviewers, _READS: reads}
    views = [view for view, is_wanted in wanted.items() if is_wanted] or [_CONFIRMATIONS]
    if len(views) > 1:
        raise typer.BadParameter("Choose one of --actions, --exceptions, --reviewers and --reads.")
    return views[0]


def _form_of(*, as_json: bool, as_csv: bool, parquet: Path | None) -> _Form:
    if sum((as_json, as_csv, parquet is not None)) > 1:
        raise typer.BadParameter("Choose one of --json, --csv and --parquet.")
    if parquet is not None and find_spec("pyarrow") is None:
        raise CommandError(ExitCode.SETUP, "setup", PARQUET_EXTRA)
    return _Form(as_json=as_json, as_csv=as_csv, parquet=parquet)


def _check(view: _View, given: frozenset[str] | set[str]) -> None:
    if wrong := sorted(view.without & given):
        raise typer.BadParameter(f"--{view.name} does not go with --{wrong[0]}.")


def _answer(ledger: str, view: _View, search: Search, form: _Form) -> None:
    def ask(connection: Connection) -> tuple[Rows, Rows, int]:
        it = exact(connection, search, SEE)
        if view is not _CONFIRMATIONS or form.as_csv or form.parquet:
            return view.ask(connection, it), (), 0
        return view.ask(connection, it), events_found(connection, it), waiting(connection, it)

    rows, events, open_holds = asked(ledger, ask)
    _print(view, rows, events, open_holds, form)
    if view.is_cut and not form.as_json:
        _tell_of_more(search, max(len(rows), len(events)))
    if view.finds_faults:
        raise typer.Exit(ExitCode.FAILED if rows else ExitCode.OK)


def _print(view: _View, rows: Rows, events: Rows, open_holds: int, form: _Form) -> None:
    if form.parquet is not None:
        import_module(PARQUET).write(form.parquet, rows)
    elif form.as_json:
        more = {"events": events, "waiting": open_holds} if view is _CONFIRMATIONS else {}
        print_json({view.name: rows} | more)
    elif form.as_csv:
        typer.echo(view.sheet(rows), nl=False)
    elif not rows and not events and view is _CONFIRMATIONS:
        typer.echo("Nothing in the ledger fits.")
    else:
        view.show(rows)
        if open_holds:
            waits = "waits" if open_holds == 1 else "wait"
            typer.echo(f"{open_holds} more {waits} for an answer: holdpoint inbox")
        if view is _CONFIRMATIONS:
            ledger_rows.show_events(events)


def _tell_of_more(search: Search, shown: int) -> None:
    if shown < search.limit:
        return
    which = "last" if search.newest else "first"
    text = f"There may be more: this shows the {which} {search.limit}. Set --limit or --last."
    typer.echo(text, err=True)


def _findings(connection: Connection, search: Search) -> list[Finding]:
    before = clock.now() - NOT_EXECUTED_AFTER
    holds = _holds(connection, search)
    findings = every_exception(connection, before)
    return [it for it in findings if _fits(it, search) and (holds is None or it.hold_id in holds)]


def _holds(connection: Connection, search: Search) -> frozenset[str] | None:
    """The holds that the filters on an action let through; None when there is no such filter."""
    conditions = about_action(search, decisions.c.hold_id)
    if not conditions:
        return None
    return frozenset(connection.scalars(select(decisions.c.hold_id).where(*conditions)))


def _fits(finding: Finding, search: Search) -> bool:
    return (
        search.hold in {None, finding.hold_id}
        and search.agent in {None, finding.agent}
        and (search.since is None or finding.at >= search.since)
        and (search.until is None or finding.at < search.until)
    )


_CONFIRMATIONS = _View(
    name="confirmation_events",
    ask=confirmations_found,
    show=ledger_rows.show_confirmations,
    sheet=ledger_rows.confirmations_sheet,
    without=frozenset(),
)
_ACTIONS = _View(
    name="actions",
    ask=actions_found,
    show=ledger_rows.show_actions,
    sheet=ledger_rows.actions_sheet,
    without=frozenset({"outcome"}),
)
_EXCEPTIONS = _View(
    name="exceptions",
    ask=_findings,
    show=ledger_rows.show_findings,
    sheet=ledger_rows.findings_sheet,
    without=frozenset({"outcome", "last"}),
    finds_faults=True,
    is_cut=False,
)
_READS = _View(
    name="reads",
    ask=lambda connection, search: reads_found(connection, search, Settings().tenant),
    show=ledger_rows.show_reads,
    sheet=ledger_rows.reads_sheet,
    without=frozenset(Filters.__dataclass_fields__) - {"person", "since", "until"},
)
_REVIEWERS = _View(
    name="reviewers",
    ask=reviewers_found,
    show=ledger_rows.show_reviewers,
    sheet=ledger_rows.reviewers_sheet,
    without=frozenset({"outcome", "last"}),
    is_cut=False,
)
