"""The dry run of a change: a SELECT with the same condition counts, where nothing can be written.

The change itself is never run, so no trigger fires and no sequence moves.
"""

from msgspec.structs import replace
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.tokenizer_core import TokenType

from holdpoint.core.tool import MASK
from holdpoint.domains.database import catalog, definitions
from holdpoint.domains.database.connections import Database, reading
from holdpoint.domains.database.functions import HARMLESS, unlisted
from holdpoint.domains.database.schemas import Scalar
from holdpoint.domains.database.statements import Statement, StatementError, plain
from holdpoint.domains.database.statements import reading as reads
from holdpoint.domains.database.values import cell
from holdpoint.messages.action import Plan

SAMPLE_CHARACTERS = 160
OPENINGS = {
    "delete": (TokenType.FROM, len("FROM")),
    "update": (TokenType.UPDATE, len("UPDATE")),
}
"""The word before the table."""

QUERIES = (TokenType.SELECT, TokenType.WITH)
UNDO = "Delete the new rows."


async def of_change(
    database: Database, statement: Statement, parameters: dict[str, Scalar]
) -> Plan:
    """A plan with a count, or one that says honestly why there is none."""
    try:
        statement.bound(parameters)
    except StatementError as error:
        return replace(_plan(database, statement, error=str(error)), impossible=str(error))
    try:
        _check(database, statement)
        async with reading(database, database.settings.plan_timeout_s) as connection:
            return await _counted(connection, database, statement, parameters)
    except StatementError as error:
        return _plan(database, statement, error=str(error))
    except TimeoutError:
        return _plan(database, statement, error="the database does not answer in time")
    except (DBAPIError, OSError):
        return _plan(database, statement, error="the database refused to count")


def _check(database: Database, statement: Statement) -> None:
    if not plain(statement.tree, statement.verb):
        raise StatementError(
            "only a plain INSERT, UPDATE or DELETE of one table can be counted without running it"
        )
    names = unlisted(statement.tree, HARMLESS.union(map(str.lower, database.settings.functions)))
    if names:
        raise StatementError(f"calling {', '.join(names)} would not be without effect")


async def _counted(
    connection: AsyncConnection,
    database: Database,
    statement: Statement,
    parameters: dict[str, Scalar],
) -> Plan:
    found = await catalog.of_table(connection, database, statement)
    if not found.is_table:
        raise StatementError(f"`{statement.target}` is no table whose rows can be counted")
    affected, sample = await _rows(connection, database, statement, parameters)
    return _plan(
        database, statement, affected=affected,
        sample=(*sample, *found.remarks(statement.verb)),
        cascades=found.cascades if statement.verb == "delete" else (),
    )  # fmt: skip


async def _rows(
    connection: AsyncConnection,
    database: Database,
    statement: Statement,
    parameters: dict[str, Scalar],
) -> tuple[int, tuple[str, ...]]:
    """Return how many rows, and a few of them."""
    values = statement.tree.args.get("expression")
    if isinstance(values, exp.Values):
        return len(values.expressions), ()
    matching = _matching(statement)
    given = {name: parameters[name] for name in matching.names}
    count = (
        await connection.exec_driver_sql(
            f"SELECT count(*) FROM (\n{matching.text}\n) AS counted",  # noqa: S608  # proven
            matching.bound(given),
        )
    ).scalar_one()
    found = await connection.exec_driver_sql(
        f"SELECT * FROM (\n{matching.text}\n) AS sampled "  # noqa: S608  # proven
        f"LIMIT {database.settings.sample_rows:d}",
        matching.bound(given),
    )
    secret = database.settings.secret_columns
    return int(count), tuple(_sampled(dict(row), secret) for row in found.mappings())


def _matching(statement: Statement) -> Statement:
    """A SELECT of the very rows that the change would touch."""
    tree = statement.tree
    source = tree.args.get("expression")
    if source is None:
        source = exp.select("*").from_(tree.this.copy())
        source.set("where", tree.args["where"].copy() if tree.args.get("where") else None)
    names = tuple(
        name for name in statement.names
        if name in {node.name for node in source.find_all(exp.Placeholder)}
    )  # fmt: skip
    return reads(source, statement.dialect, names, _sliced(statement))


def _sliced(statement: Statement) -> str:
    """Return the same SELECT in the statement's own words."""
    words, depth = statement.text, 0
    starts: dict[TokenType, int] = {}
    for token in Dialect.get_or_raise(statement.dialect).tokenize(words):
        depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(token.token_type, 0)
        if depth == 0:
            starts.setdefault(token.token_type, token.start)
    if statement.verb == "insert":
        return words[min(starts.get(kind, len(words)) for kind in QUERIES) :]
    opening, length = OPENINGS[statement.verb]
    where = starts.get(TokenType.WHERE, len(words))
    end = where if statement.verb == "delete" else starts[TokenType.SET]
    table = words[starts[opening] + length : end]
    return f"SELECT * FROM {table} {words[where:]}"  # noqa: S608  # its own words


def _sampled(row: dict[str, object], secret: tuple[str, ...]) -> str:
    """`id=7, name=Ada, password=•••`."""
    shown = (f"{name}={_masked(name, value, secret)}" for name, value in row.items())
    line = ", ".join(shown)
    return line if len(line) <= SAMPLE_CHARACTERS else f"{line[:SAMPLE_CHARACTERS]}…"


def _masked(name: str, value: object, secret: tuple[str, ...]) -> str:
    return MASK if any(part in name.lower() for part in secret) else str(cell(value))


def _plan(
    database: Database,
    statement: Statement,
    *,
    affected: int | None = None,
    sample: tuple[str, ...] = (),
    cascades: tuple[str, ...] = (),
    error: str = "",
) -> Plan:
    tables = tuple(
        dict.fromkeys(f"{database.name}.{table}" for table in (*statement.targets, *cascades))
    )
    return Plan(
        affected=affected,
        unit="rows",
        targets=tables,
        sample=sample,
        verb=statement.verb,
        summary=definitions.summary(database.name, statement),
        environment_keys=(
            f"database:{database.name}",
            *(f"table:{table}" for table in tables),
        ),
        reversible={"insert": None if error else True, "update": None}.get(statement.verb, False),
        undo=UNDO if statement.verb == "insert" and not error else "",
        error=error,
    )
