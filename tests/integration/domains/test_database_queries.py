"""A query reads, and can do nothing else."""

import asyncio
from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError
from tests.integration.domains.conftest import Target

from holdpoint.core.tool import Result, RunContext, arguments_of, spec_of
from holdpoint.domains.database.connections import Database, guarded, may_change, reading
from holdpoint.domains.database.tools import TOOLS, opened, query_database
from holdpoint.domains.settings import DatabasesSettings
from holdpoint.messages.run import RunStatus
from holdpoint.runtime.errors import SetupError


async def query(crm: Database, sql: str, parameters: Any = None) -> Result:
    spec = spec_of(query_database)
    raw = {"database": "crm", "sql": sql, "parameters": parameters or {}}
    context = RunContext(
        hold_id="h",
        nonce="n",
        preconditions={},
        idempotency_key="k",
        settings=None,
        resource={"crm": crm},
    )
    return await spec.run(arguments_of(spec, raw), context)


async def test_rows_come_back(crm: Database, target: Target) -> None:
    await target.fill(2)
    result = await query(
        crm, "SELECT id, name, worth FROM users WHERE grade = :grade ORDER BY id", {"grade": 1}
    )
    assert result.status is RunStatus.DONE, result.error
    assert result.data == {
        "columns": ["id", "name", "worth"],
        "rows": [[1, "u1", None], [2, "u2", None]],
        "more": False,
    }
    assert result.formatted == "id | name | worth\n1 | u1 | \n2 | u2 | "
    assert result.formatted_spoken == "I found two rows."
    assert result.executed is None


async def test_many_rows_are_visibly_cut(crm: Database, target: Target) -> None:
    await target.fill(150)
    result = await query(crm, "SELECT id FROM users ORDER BY id -- all of them")
    assert len(result.data["rows"]) == 100
    assert result.data["more"]
    assert result.formatted_spoken == "I found more than one hundred rows."
    assert "80 more rows stand in `data`" in result.formatted


async def test_exact_numbers_and_dates_are_strings(crm: Database, target: Target) -> None:
    if target.dialect != "postgres":
        pytest.skip("SQLite knows neither")
    result = await query(
        crm,
        "SELECT CAST('12345678901234567890.10' AS numeric), CAST('2026-01-02' AS date), "
        "9007199254740993, 1.5::float8, 'NaN'::float8, CAST(:n AS numeric)",
        {"n": "0.10"},
    )
    assert result.data["rows"] == [
        ["12345678901234567890.10", "2026-01-02", "9007199254740993", 1.5, "nan", "0.10"]
    ]


async def test_functions_mean_what_the_database_says(crm: Database, target: Target) -> None:
    """sqlglot would write SQLite's `json_extract` back as something else."""
    if target.dialect == "sqlite":
        result = await query(crm, """SELECT json_extract('{"a": "b"}', '$.a')""")
    else:
        result = await query(crm, """SELECT '{"a": "b"}'::jsonb ->> 'a'""")
    assert result.data["rows"] == [["b"]], result.error


REFUSED = [
    "DELETE FROM users",
    "WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone",
    "WITH new AS (INSERT INTO log VALUES ('x') RETURNING *) SELECT * FROM new",
    "SELECT * INTO copied FROM users",
    "SELECT * FROM users FOR UPDATE",
    "SELECT 1; DROP TABLE users",
    "SELECT 1 /* ; */; DROP TABLE users",
    "SELECT pg_sleep(30)",
    'SELECT "pg_sleep"(30)',
    "SELECT pg_catalog.pg_sleep(30)",
    "SELECT * FROM pg_sleep(30)",
    "SELECT (SELECT pg_sleep(30))",
    "SELECT nextval('users_id_seq')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT lo_create(0)",
    "SELECT * FROM dblink('host=x', 'DROP TABLE users') AS t(a int)",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT set_config('transaction_read_only', 'off', true)",
    "SELECT query_to_xml('DELETE FROM users', true, true, '')",
    "SELECT pg_terminate_backend(1)",
    "SELECT load_extension('x')",
    "SELECT * FROM pragma_table_info('users')",
    "SELECT evil.lower('x')",
    "EXPLAIN ANALYZE DELETE FROM users",
    "PRAGMA query_only = 0",
    "ATTACH 'x.db' AS x",
    "VALUES (1)",
    "SET transaction_read_only = off",
    "SELECT 1 WHERE 1 = :missing",
    "SELECT 1 WHERE 1 = $1",
    "SELECT 'a\x00b'",
]


@pytest.mark.parametrize("sql", REFUSED)
async def test_what_is_not_one_plain_select_is_refused(
    crm: Database, target: Target, sql: str
) -> None:
    await target.fill(2)
    result = await query(crm, sql)
    assert result.status is RunStatus.FAILED
    assert result.error
    assert await target.one("SELECT count(*) FROM users") == 3


@pytest.mark.parametrize(
    "sql", ["DELETE FROM users", "INSERT INTO log VALUES ('x')", "DROP TABLE users"]
)
async def test_a_reading_connection_could_not_write_anyway(
    crm: Database, target: Target, sql: str
) -> None:
    """The second guard: what would happen if the parse had been wrong."""
    await target.fill(2)
    with pytest.raises(DBAPIError):
        async with reading(crm, 1) as connection:
            await connection.exec_driver_sql(sql)
    assert await target.one("SELECT count(*) FROM users") == 3


async def test_sqlite_reads_on_a_connection_that_cannot_write(
    crm: Database, target: Target
) -> None:
    if target.dialect != "sqlite":
        pytest.skip("PostgreSQL says so in each transaction")
    async with crm.reader.connect() as connection:
        with pytest.raises(DBAPIError, match="readonly database"):
            await connection.exec_driver_sql("DELETE FROM users")


@pytest.mark.parametrize(
    "sql",
    [
        "ATTACH 'x.db' AS x",
        "PRAGMA writable_schema = 1",
        "DELETE FROM holdpoint_runs",
        "SELECT load_extension('x')",
        "CREATE TRIGGER t AFTER DELETE ON users BEGIN DELETE FROM log; END",
    ],
)
async def test_sqlite_itself_refuses_what_a_change_may_not_do(
    crm: Database, target: Target, sql: str
) -> None:
    if target.dialect != "sqlite":
        pytest.skip("PostgreSQL has no authorizer")
    async with crm.writer.connect() as connection:
        transaction = await connection.begin()
        with pytest.raises(DBAPIError, match=r"not authorized|prohibited"):
            async with guarded(connection, crm, 1, may_change):
                await connection.exec_driver_sql(sql)
        await transaction.rollback()


async def test_a_query_that_is_cancelled_ends_as_cancelled(crm: Database) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    begun = asyncio.Event()

    async def read() -> None:
        async with reading(crm, 30) as connection:
            begun.set()
            await connection.exec_driver_sql(endless)

    running = asyncio.create_task(read())
    await begun.wait()
    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await running


async def test_the_drivers_take_one_statement_only(crm: Database, target: Target) -> None:
    await target.fill(2)
    with pytest.raises(DBAPIError):
        async with reading(crm, 1) as connection:
            await connection.exec_driver_sql("SELECT 1; DELETE FROM users")
    assert await target.one("SELECT count(*) FROM users") == 3


async def test_a_missing_database_is_an_error_of_the_set_up(target: Target) -> None:
    url = target.settings.url.replace("crm.db", "missing.db").replace("/postgres?", "/missing?")
    settings = target.settings.model_copy(update={"url": url, "read_url": url})
    with pytest.raises(SetupError, match="`crm` cannot be used"):
        async with opened(DatabasesSettings(databases={"crm": settings})):
            pass


def test_the_domain_keeps_to_its_ten_tools() -> None:
    assert len(TOOLS) <= 10
