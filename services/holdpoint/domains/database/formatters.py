"""The database's results in words: for chats, for voices, and with the next steps."""

from holdpoint.core.tool import Result
from holdpoint.domains.database.effects import ChangedError
from holdpoint.domains.database.queries import Rows
from holdpoint.domains.number_words import counted
from holdpoint.messages.base import JsonObject
from holdpoint.messages.envelope import AvailableAction
from holdpoint.messages.run import RunStatus

SHOWN_ROWS = 20
"""In `formatted`; all that was kept stands in `data`."""

PAST = {
    "insert": "inserted", "update": "updated", "delete": "deleted", "create": "created",
    "alter": "altered", "drop": "dropped", "truncate": "emptied",
}  # fmt: skip


def queried(database: str, rows: Rows) -> Result:
    """Return what a SELECT found."""
    count = len(rows.rows)
    more = "the first " if rows.more else ""
    spoken = counted(count, "row", "rows")
    return Result(
        status=RunStatus.DONE,
        data={
            "columns": list(rows.columns),
            "rows": [list(row) for row in rows.rows],
            "more": rows.more,
        },
        formatted=_table(rows),
        formatted_spoken=f"I found {'more than ' if rows.more else ''}{spoken}.",
        message_for_user=f"Here {'is' if count == 1 else 'are'} {more}{_rows(count)}.",
        available_actions=(query_action(database, "Ask something else"),),
    )


def changed(database: str, target: str, outcome: JsonObject, executed: JsonObject) -> Result:
    """A change is committed."""
    verb, affected = PAST[outcome["verb"]], outcome["affected"]
    what = f"{_rows(affected)} in {target}" if affected is not None else target
    spoken = (
        "The change was made" if affected is None else counted(affected, "row was", "rows were")
    )
    return Result(
        status=RunStatus.DONE,
        data={"database": database, "target": target, **outcome},
        formatted=f"{verb.capitalize()}: {what}.",
        formatted_spoken=f"{spoken} {verb}.".capitalize() if affected is not None else f"{spoken}.",
        message_for_user=f"I {verb} {what}.",
        available_actions=(query_action(database, "Look at the result"),),
        executed=executed,
    )


def refused(error: str, database: str) -> Result:
    """Nothing was done."""
    return Result(
        status=RunStatus.FAILED,
        formatted=error,
        formatted_spoken="That did not work, and nothing was changed.",
        message_for_user=error,
        available_actions=(query_action(database, "Look at the data"),),
        error=error,
    )


def no_longer_so(error: ChangedError, database: str) -> Result:
    """The card spoke of another number of rows."""
    text = f"The card said {error.expected}, {error.found} rows match now: nothing was changed."
    return Result(
        status=RunStatus.PRECONDITION_FAILED,
        data={"expected": error.expected, "found": error.found},
        formatted=text,
        formatted_spoken="The data has changed since the confirmation. Nothing was changed.",
        message_for_user=f"{text} Propose it again to have it confirmed as it is now.",
        available_actions=(query_action(database, "Look at the data"),),
        error=text,
    )


def in_doubt(database: str) -> Result:
    """The connection broke at the worst moment, or the first attempt is still under way."""
    text = "Nobody knows yet whether the change was made: the database did not say."
    return Result(
        status=RunStatus.IN_DOUBT,
        formatted=text,
        formatted_spoken=text.replace(":", ","),
        message_for_user=text,
        available_actions=(query_action(database, "Look at the data"),),
        error=text,
    )


def query_action(database: str, label: str) -> AvailableAction:
    """Look, without changing anything."""
    return AvailableAction(tool="query_database", params={"database": database}, label=label)


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count} rows"


def _table(rows: Rows) -> str:
    head = " | ".join(rows.columns)
    lines = [" | ".join("" if v is None else str(v) for v in row) for row in rows.rows[:SHOWN_ROWS]]
    hidden = len(rows.rows) - len(lines)
    return "\n".join([head, *lines, *([f"… {hidden} more rows stand in `data`"] if hidden else [])])
