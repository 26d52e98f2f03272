"""The database's tools: look, change, insert one row."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from sqlalchemy.exc import DBAPIError
from sqlglot import exp

from holdpoint.core.tool import PlanContext, Result, Run, RunContext, tool, what_ran
from holdpoint.domains.database import claims, effects, formatters, plans, queries, statements
from holdpoint.domains.database.connections import Database, connected
from holdpoint.domains.database.effects import ChangedError, UnknownCommitError
from holdpoint.domains.database.schemas import ExecuteSql, InsertRow, QueryDatabase, Scalar
from holdpoint.domains.database.statements import Statement, StatementError
from holdpoint.domains.settings import DatabasesSettings
from holdpoint.messages.action import Plan
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Repeat

Change = ExecuteSql | InsertRow


async def _checked(arguments: QueryDatabase, context: PlanContext) -> Plan:
    """Return whether it can run: it changes nothing, so there is nothing to count."""
    try:
        database = _database(context.resource, arguments.database)
        _query(arguments, database).bound(arguments.parameters)
    except StatementError as error:
        return Plan(impossible=str(error))
    return Plan()


@tool(
    domain="database",
    level=1,
    template="query {database}",
    schema=QueryDatabase,
    repeat=Repeat.IDEMPOTENT,
    plan=_checked,
)
async def query_database(arguments: QueryDatabase, context: RunContext) -> Result:
    """Read from a database with one SELECT; values are bound as `:name`."""
    name = arguments.database
    try:
        database = _database(context.resource, name)
        statement = _query(arguments, database)
        rows = await queries.rows(database, statement, arguments.parameters)
    except (StatementError, DBAPIError, OSError) as error:
        return formatters.refused(_why(error))
    return formatters.queried(arguments, rows)


async def _planned(arguments: Change, context: PlanContext) -> Plan:
    """Return what it would change, without changing it."""
    try:
        database = _database(context.resource, arguments.database)
        statement, parameters = _statement(arguments, database)
    except StatementError as error:
        keys = (f"database:{arguments.database}",)
        why = str(error)
        return Plan(environment_keys=keys, error=why, impossible=why)
    return await plans.of_change(database, statement, parameters)


async def _happened(arguments: Change, context: RunContext) -> Result | None:
    """The result of the first time, from the target's own claims; in doubt if they are locked."""
    try:
        database = _database(context.resource, arguments.database)
        statement, _ = _statement(arguments, database)
    except StatementError:
        return None
    try:
        outcome = await effects.looked_up(database, context)
    except (UnknownCommitError, DBAPIError, OSError):
        return formatters.in_doubt(arguments.database, statement)
    return None if outcome is None else _done(arguments, database, statement, outcome)


@tool(
    domain="database",
    level=3,
    template="{verb} {affected} rows in {target}",
    schema=ExecuteSql,
    repeat=Repeat.LOOKUP,
    plan=_planned,
    lookup=_happened,
)
async def execute_sql(arguments: ExecuteSql, context: RunContext) -> Result:
    """Change a database with one INSERT, UPDATE, DELETE or definition; values bound as `:name`."""
    return await _change(arguments, context)


@tool(
    domain="database",
    level=2,
    template="insert {affected} row in {target}",
    schema=InsertRow,
    repeat=Repeat.LOOKUP,
    plan=_planned,
    lookup=_happened,
    undo=plans.UNDO,
)
async def insert_row(arguments: InsertRow, context: RunContext) -> Result:
    """Insert one new row into a table, with a value for each column."""
    return await _change(arguments, context)


TOOLS: tuple[Run, ...] = (query_database, execute_sql, insert_row)


@asynccontextmanager
async def opened(settings: DatabasesSettings) -> AsyncIterator[Mapping[str, Database]]:
    """The databases by name, for the contexts' `resource`; SetupError if one cannot be used."""
    async with AsyncExitStack() as stack:
        databases = {
            name: await stack.enter_async_context(connected(name, one))
            for name, one in settings.databases.items()
        }
        for database in databases.values():
            await claims.prepare(database)
        yield databases


def warnings(_settings: DatabasesSettings) -> tuple[str, ...]:
    """Return what each card of this domain has to say: nothing."""
    return ()


async def _change(arguments: Change, context: RunContext) -> Result:
    name = arguments.database
    try:
        database = _database(context.resource, name)
        statement, parameters = _statement(arguments, database)
    except StatementError as error:
        return formatters.refused(_why(error))
    try:
        outcome = await effects.once(database, statement, parameters, context)
    except ChangedError as error:
        return formatters.no_longer_so(error, name, statement)
    except UnknownCommitError:
        return formatters.in_doubt(name, statement)
    except (StatementError, DBAPIError, OSError) as error:
        return formatters.refused(_why(error))
    return _done(arguments, database, statement, outcome)


def _query(arguments: QueryDatabase, database: Database) -> Statement:
    return statements.query(arguments.sql, database.dialect, database.settings.functions)


def _statement(arguments: Change, database: Database) -> tuple[Statement, dict[str, Scalar]]:
    own = database.settings.functions
    if isinstance(arguments, ExecuteSql):
        return statements.change(arguments.sql, database.dialect, own), arguments.parameters
    columns = list(arguments.values)
    tree = exp.insert(
        exp.values([tuple(exp.Placeholder(this=column) for column in columns)]),
        exp.Table(this=exp.to_identifier(arguments.table, quoted=True)),
        columns=[exp.to_identifier(column, quoted=True) for column in columns],
    )
    text = tree.sql(dialect="sqlite")
    return statements.change(text, database.dialect, own), arguments.values


def _done(
    arguments: Change, database: Database, statement: Statement, outcome: JsonObject
) -> Result:
    held = "parameters" if isinstance(arguments, ExecuteSql) else "values"
    given = arguments.parameters if isinstance(arguments, ExecuteSql) else arguments.values
    parts = database.settings.secret_columns
    secret = tuple((held, name) for name in given if any(part in name.lower() for part in parts))
    name = "execute_sql" if isinstance(arguments, ExecuteSql) else "insert_row"
    executed = what_ran(name, arguments, secret)
    return formatters.changed(database.name, statement, outcome, executed)


def _database(resource: Mapping[str, Database], name: str) -> Database:
    if name not in resource:
        known = ", ".join(sorted(resource)) or "none"
        raise StatementError(f"There is no database `{name}`. Known: {known}.")
    return resource[name]


def _why(error: Exception) -> str:
    """The first line: the others may carry values."""
    if isinstance(error, TimeoutError):
        return "The database does not answer in time; nothing was changed."
    cause = error.orig if isinstance(error, DBAPIError) else error
    return str(cause).partition("\n")[0].rpartition(">: ")[2]
