"""Views of the ledger's rows: lines and tables for people, a sheet for spreadsheets.

What agents wrote drives neither a terminal nor a spreadsheet.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TypeVar

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from holdpoint.cli.output import COMFORTABLE, INDENT, behind
from holdpoint.core.card_facts import in_place_of
from holdpoint.core.redaction.display import cover, one_line, secrets_in, visible
from holdpoint.core.text import beginning
from holdpoint.ledger.actions import ActionRow
from holdpoint.ledger.exceptions import Finding
from holdpoint.ledger.queries import ConfirmationEvent, Found
from holdpoint.ledger.reads import ReadFound
from holdpoint.ledger.reviewers import Reviewer
from holdpoint.ledger.search import DENIED
from holdpoint.messages.base import TYPE_PREFIX, JsonObject
from holdpoint.messages.catalog import Enforcement
from holdpoint.messages.run import RunStatus

T = TypeVar("T", ConfirmationEvent, ActionRow)

WIDTH_OF_A_FILE = 200
"""Columns, where no screen says how many there are."""

SHORT_ID = 8
"""Characters of a hold's id: enough to name it to any command; `--json` has the whole."""

MOST_SAID = 200
"""Characters of a sentence, and of what an action is about."""

TIME = "%Y-%m-%d %H:%M:%S"
TIME_COLUMNS = 19

_EVENT_COLUMNS = ("seq", "time", "type", "hold_id", "agent", "principal", "verified")
_FINDING_COLUMNS = ("kind", "at", "hold_id", "agent", "subject")
_ACTION_COLUMNS = (
    "at", "hold_id", "decision", "state", "risk", "agent", "on_behalf_of", "tool", "enforcement",
    "answered_by", "ended_by", "stopped_by",
)  # fmt: skip
_REVIEWER_COLUMNS = ("person", "answers", "median_s", "approved", "under_3_s")
_READ_COLUMNS = ("at", "person", "surface", "what", "asked")
_FOLDED = frozenset({"agent", "principal", "subject", "asked"})
"""Columns that make room: times, ids and kinds always stand whole."""

_FACTS = ("timestamp", "hold_id", "risk_assessment", "outcome", "agent")
_CONFIRMATION_CELLS = (
    "timestamp", "hold_id", "agent", "on_behalf_of", "risk_assessment", "outcome", "answered",
    "approvers", "resolved_by", "reason", "ended_as", "agent_reasoning", "halted_at",
    "policy_version", "digest", "enforcement",
)  # fmt: skip
_FORMULAS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a spreadsheet takes for a formula, also in full width."""


def show_confirmations(rows: Sequence[ConfirmationEvent]) -> None:
    """When, which hold, how risky and how it ended stand whole; what and why beside or below."""
    screen = _screen()
    denied = sum(row.outcome == DENIED for row in rows)
    at_once = f"; denied at once: {denied}" if denied else ""
    screen.print(Text(f"Confirmations: {len(rows) - denied}{at_once}", style="italic"))
    if rows:
        screen.print(Text(_confirmation_heads(), style="bold dim"))
    for row in rows:
        for line in _confirmation(row, screen.width):
            screen.print(line, soft_wrap=True)


def show_events(rows: Sequence[Found]) -> None:
    """A table, and below it why each refusal was one."""
    _print_table("Events", rows, _EVENT_COLUMNS)
    screen = _screen()
    if erased := sum(row.erased for row in rows):
        screen.print(Text(f"{erased} of these messages were erased; their events stay."))
    for row in rows:
        if row.refused:
            for line in behind(Text(f"Refused, {row.seq}: "), row.refused, screen.width):
                screen.print(line, soft_wrap=True)


def show_findings(rows: Sequence[Finding]) -> None:
    """What needs an explanation."""
    _print_table("Exceptions", rows, _FINDING_COLUMNS)


def show_actions(rows: Sequence[ActionRow]) -> None:
    """A row for each action, passed ones too."""
    _print_table("Actions", [_with_seats(row) for row in rows], _ACTION_COLUMNS)


def actions_sheet(rows: Sequence[ActionRow]) -> str:
    """The same, as comma-separated values."""
    return _sheet(_ACTION_COLUMNS, (_values(_with_seats(row), _ACTION_COLUMNS) for row in rows))


def show_reviewers(rows: Sequence[Reviewer]) -> None:
    """A row for each person who answered."""
    _print_table("Reviewers", rows, _REVIEWER_COLUMNS)


def reviewers_sheet(rows: Sequence[Reviewer]) -> str:
    """The same, as comma-separated values."""
    return _sheet(_REVIEWER_COLUMNS, (_values(row, _REVIEWER_COLUMNS) for row in rows))


def show_reads(rows: Sequence[ReadFound]) -> None:
    """A row for each reading of the ledger."""
    _print_table("Reads", rows, _READ_COLUMNS)


def reads_sheet(rows: Sequence[ReadFound]) -> str:
    """The same, as comma-separated values."""
    return _sheet(_READ_COLUMNS, (_values(row, _READ_COLUMNS) for row in rows))


def confirmations_sheet(rows: Sequence[ConfirmationEvent]) -> str:
    """A row for each hold that ended, as comma-separated values."""
    names = ("action", *_CONFIRMATION_CELLS)
    cells = ((acted(row), *_values(_with_seats(row), _CONFIRMATION_CELLS)) for row in rows)
    return _sheet(names, cells)


def findings_sheet(rows: Sequence[Finding]) -> str:
    """A row for each exception, as comma-separated values."""
    return _sheet(_FINDING_COLUMNS, (_values(row, _FINDING_COLUMNS) for row in rows))


def acted(row: ConfirmationEvent) -> str:
    """Return what it was about, in one line: the tool and its target, or the sentence."""
    action = row.proposed_action
    tool, said = action.get("tool"), f"said: {action.get('says') or ''}"
    is_done = row.run_status == RunStatus.DONE
    text = _about(str(tool), action, _DONE if is_done else _NOT_DONE) if tool else said
    return beginning(one_line(visible(text)), MOST_SAID)


_DONE, _NOT_DONE = "{:,} affected", "was to affect {:,}"


def _about(tool: str, action: JsonObject, counted: str) -> str:
    known = action.get("preconditions") or {}
    targets = ", ".join(map(str, known.get("targets") or ()))
    affected = known.get("affected")
    many = counted.format(affected) if isinstance(affected, int) else ""
    hide = cover(secrets_in(action.get("arguments") or {}, ()))
    return hide(": ".join(filter(None, (tool, ", ".join(filter(None, (targets, many)))))))


def _confirmation(row: ConfirmationEvent, columns: int) -> Iterator[Text]:
    """Yield the agent's words further back than the answer to them."""
    at, hold_id, risk, outcome, agent = _values(row, _FACTS, SHORT_ID)
    head = Text(_facts(at, hold_id, risk, outcome), style="bold")
    if columns - len(head) < COMFORTABLE:
        yield head
        head = Text(" " * INDENT)
    yield from behind(head + f"{agent}: ", acted(row), columns)
    yield from behind(Text(" " * len(head)), _answer(row), columns)


def _confirmation_heads() -> str:
    return f"{_facts('timestamp', 'hold', 'risk', 'outcome')}agent: action"


def _facts(at: str, hold_id: str, risk: str, outcome: str) -> str:
    return f"{at:<{TIME_COLUMNS}}  {hold_id:<{SHORT_ID}}  {risk:<8}  {outcome:<10}  "


def _with_seats(row: T) -> T:
    """Return the row with each delegate named beside the approver in whose place they answered."""
    if not (seats := row.answered_for):
        return row
    if isinstance(row, ActionRow):
        return msgspec.structs.replace(row, answered_by=row.people)
    last = row.resolved_by
    return msgspec.structs.replace(
        row,
        approvers=[in_place_of(it, seats.get(it, "")) for it in row.approvers],
        resolved_by=in_place_of(last, seats.get(last, "")) if last else last,
    )


def _answer(row: ConfirmationEvent) -> str:
    """Return who said so, why, and what came of it."""
    row = _with_seats(row)
    whose = _cell(row.approvers) or _cell(row.resolved_by)
    reason = _cell(row.reason)
    if row.answered:
        said = f"Answered by {whose}." if whose else "Answered."
    elif row.outcome == DENIED:
        said = "Nobody was asked."
    else:
        said = "" if reason else "Nobody answered."
    is_news = row.ended_as not in {None, "", row.outcome}
    ended = f"It ended as {_cell(row.ended_as)}." if is_news else ""
    is_weaker = row.enforcement not in {"", Enforcement.STRUCTURAL.value}
    grade = f"Enforcement: {_cell(row.enforcement)}." if is_weaker else ""
    return " ".join(filter(None, (said, reason, ended, grade)))


def _print_table(title: str, rows: Sequence[msgspec.Struct], columns: Sequence[str]) -> None:
    table = Table(
        title=f"{title}: {len(rows)}",
        title_justify="left",
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for column in columns:
        head = "hold" if column == "hold_id" else column
        table.add_column(head, no_wrap=column not in _FOLDED, overflow="fold")
    for row in rows:
        table.add_row(*(Text(value) for value in _values(row, columns, SHORT_ID)))
    _screen().print(table)


def _screen() -> Console:
    screen = Console(markup=False, highlight=False, emoji=False)
    if not screen.is_terminal:
        screen.width = max(screen.width, WIDTH_OF_A_FILE)
    return screen


def _sheet(names: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    told = io.StringIO()
    sheet = csv.writer(told, lineterminator="\n")
    sheet.writerow(names)
    sheet.writerows([_harmless(cell) for cell in row] for row in rows)
    return told.getvalue()


def _values(row: msgspec.Struct, columns: Sequence[str], most: int | None = None) -> list[str]:
    """The row's cells; of a hold's id at most so many characters."""
    cells = {column: _cell(getattr(row, column)) for column in columns}
    if "hold_id" in cells:
        cells["hold_id"] = cells["hold_id"][:most]
    return list(cells.values())


def _cell(value: object) -> str:
    """As plain text in one line: what agents wrote must not drive a terminal."""
    match value:
        case None:
            return ""
        case datetime():
            return f"{value:{TIME}}"
        case bool():
            return "yes" if value else "no"
        case dict():
            return ", ".join(f"{name} {_cell(it)}" for name, it in value.items())
        case list() | tuple():
            return ", ".join(map(_cell, value))
        case _:
            return one_line(visible(str(value))).removeprefix(f"{TYPE_PREFIX}.")


def _harmless(cell: str) -> str:
    """A cell that would be a formula becomes the text of one."""
    return f"'{cell}" if cell.lstrip().startswith(_FORMULAS) else cell
