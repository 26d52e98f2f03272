"""The database's results in words: for chats, for voices, and with the next steps."""

import msgspec
from sqlglot import exp

from holdpoint.core.spoken import counted
from holdpoint.core.tool import Result
from holdpoint.domains.database import definitions
from holdpoint.domains.database.effects import ChangedError
from holdpoint.domains.database.queries import Rows
from holdpoint.domains.database.schemas import QueryDatabase
from holdpoint.domains.database.statements import Statement
from holdpoint.messages.base import JsonObject
from holdpoint.messages.envelope import AvailableAction
from holdpoint.messages.run import RunStatus

STANDS = frozenset({"insert", "update", "delete", "truncate"})
"""Changes after which their table is there."""

LOOK_ROWS = 10
SHOWN_ROWS = 20
"""In `formatted`; all that was kept stands in `data`."""

PAST = {"insert": "inserted", "update": "updated", "delete": "deleted"}
"""Changes of rows; definitions have words of their own."""


def queried(arguments: QueryDatabase, rows: Rows) -> Result:
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
        available_actions=(again_action(arguments),),
    )


def changed(
    database: str, statement: Statement, outcome: JsonObject, executed: JsonObject
) -> Result:
    """A change is committed."""
    target = f"{database}.{statement.target}"
    affected = outcome["affected"]
    if affected is None:
        done = definitions.outcome(database, statement)
        formatted, spoken = f"{done[:1].upper()}{done[1:]}.", "The change was made."
    else:
        verb, rows = PAST[outcome["verb"]], f"{_rows(affected)} in {target}"
        done, formatted = f"{verb} {rows}", f"{verb.capitalize()}: {rows}."
        spoken = f"{counted(affected, 'row was', 'rows were')} {verb}.".capitalize()
    return Result(
        status=RunStatus.DONE,
        data={"database": database, "target": target, **outcome},
        formatted=formatted,
        formatted_spoken=spoken,
        message_for_user=f"I {done}.",
        available_actions=look_actions(database, statement, "Look at the result"),
        executed=executed,
    )


def refused(error: str) -> Result:
    """Say that nothing was done."""
    return Result(
        status=RunStatus.FAILED,
        formatted=error,
        formatted_spoken="That did not work, and nothing was changed.",
        message_for_user=error,
        error=error,
    )


def no_longer_so(error: ChangedError, database: str, statement: Statement) -> Result:
    """The card spoke of another number of rows."""
    text = f"The card said {error.expected}, {error.found} rows match now: nothing was changed."
    return Result(
        status=RunStatus.PRECONDITION_FAILED,
        data={"expected": error.expected, "found": error.found},
        formatted=text,
        formatted_spoken="The data has changed since the confirmation. Nothing was changed.",
        message_for_user=f"{text} Propose it again to have it confirmed as it is now.",
        available_actions=look_actions(database, statement, "Look at the data"),
        error=text,
    )


def in_doubt(database: str, statement: Statement) -> Result:
    """The connection broke at the worst moment, or the first attempt is still under way."""
    text = "Nobody knows yet whether the change was made: the database did not say."
    return Result(
        status=RunStatus.IN_DOUBT,
        formatted=text,
        formatted_spoken=text.replace(":", ","),
        message_for_user=text,
        available_actions=look_actions(database, statement, "Look at the data"),
        error=text,
    )


def again_action(arguments: QueryDatabase) -> AvailableAction:
    """Offer the same query once more."""
    return AvailableAction(
        tool="query_database",
        params=msgspec.to_builtins(arguments),
        label="Ask again",
        description="See the rows as they are then.",
    )


def look_actions(database: str, statement: Statement, label: str) -> tuple[AvailableAction, ...]:
    """Look at the table of a change; there is none where the change drops it."""
    table = statement.tree.find(exp.Table)
    if statement.verb not in STANDS or table is None:
        return ()
    bare = exp.Table(this=table.this, db=table.args.get("db"))
    sql = exp.select("*").from_(bare).limit(LOOK_ROWS).sql(dialect=statement.dialect)
    look = AvailableAction(
        tool="query_database",
        params={"database": database, "sql": sql},
        label=label,
        description=f"Read up to {LOOK_ROWS} rows of {statement.target}.",
    )
    return (look,)


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count} rows"


def _table(rows: Rows) -> str:
    head = " | ".join(rows.columns)
    lines = [" | ".join("" if v is None else str(v) for v in row) for row in rows.rows[:SHOWN_ROWS]]
    hidden = len(rows.rows) - len(lines)
    return "\n".join([head, *lines, *([f"… {hidden} more rows stand in `data`"] if hidden else [])])
