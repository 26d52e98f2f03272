"""A change happens once, exactly as confirmed, or not at all."""

import asyncio
import signal
import subprocess
import sys
from typing import Any

import pytest
from tests.integration.domains.conftest import Target

from holdpoint.core.tool import Result, Run, RunContext, arguments_of, spec_of
from holdpoint.domains.database.connections import Database
from holdpoint.domains.database.tools import execute_sql, insert_row, opened
from holdpoint.domains.settings import DatabasesSettings
from holdpoint.domains.shell.execute import PACKAGES
from holdpoint.messages.run import RunStatus

DELETE = "DELETE FROM users WHERE grade = :grade"


def a_context(crm: Database, **changes: Any) -> RunContext:
    values = {"hold_id": "h1", "nonce": "n1", "preconditions": {}, "idempotency_key": "k1"}
    return RunContext(**(values | changes), settings=None, resource={"crm": crm})


async def call(function: Run, crm: Database, raw: dict[str, Any], **changes: Any) -> Result:
    spec = spec_of(function)
    arguments = arguments_of(spec, {"database": "crm", **raw})
    return await spec.run(arguments, a_context(crm, **changes))


async def execute(crm: Database, sql: str, parameters: Any = None, **changes: Any) -> Result:
    return await call(execute_sql, crm, {"sql": sql, "parameters": parameters or {}}, **changes)


async def test_five_hundred_rows_are_deleted_once(crm: Database, target: Target) -> None:
    await target.fill(500)
    raw = {"sql": DELETE, "parameters": {"grade": 1}}
    first = await call(execute_sql, crm, raw, preconditions={"affected": 500})
    assert first.status is RunStatus.DONE
    assert first.data == {
        "database": "crm",
        "target": "crm.users",
        "verb": "delete",
        "affected": 500,
    }
    assert first.formatted == "Deleted: 500 rows in crm.users."
    assert first.formatted_spoken == "Five hundred rows were deleted."
    assert first.executed == {"tool": "execute_sql", "arguments": {"database": "crm", **raw}}
    await target.run("INSERT INTO users (id, grade) VALUES (7, 1)")
    again = await call(
        execute_sql, crm, raw, preconditions={"affected": 500}, nonce="a fresh grant"
    )
    assert again == first
    assert await target.one("SELECT count(*) FROM users") == 2


async def test_another_number_of_rows_changes_nothing(crm: Database, target: Target) -> None:
    await target.fill(300)
    result = await execute(crm, DELETE, {"grade": 1}, preconditions={"affected": 214})
    assert result.status is RunStatus.PRECONDITION_FAILED
    assert result.error == "The card said 214, 300 rows match now: nothing was changed."
    assert result.executed is None
    assert await target.one("SELECT count(*) FROM users") == 301
    assert await target.one("SELECT count(*) FROM holdpoint_runs") == 0


@pytest.mark.parametrize("preconditions", [{"rows": 3}, {"affected": 3, "etag": "x"}])
async def test_an_unknown_precondition_fails(
    crm: Database, target: Target, preconditions: dict[str, Any]
) -> None:
    await target.fill(3)
    result = await execute(crm, DELETE, {"grade": 1}, preconditions=preconditions)
    assert result.status is RunStatus.PRECONDITION_FAILED
    assert await target.one("SELECT count(*) FROM users") == 4


async def test_many_at_once_change_once(crm: Database, target: Target) -> None:
    await target.fill(3)
    sql = "UPDATE users SET grade = grade + 1 WHERE name = 'kept'"
    results = await asyncio.gather(*(execute(crm, sql) for _ in range(5)))
    assert {result.status for result in results} == {RunStatus.DONE}
    assert await target.one("SELECT grade FROM users WHERE name = 'kept'") == 10


CRASHES = """
import asyncio, os, signal
from holdpoint.domains.database import effects
from holdpoint.domains.database.tools import execute_sql, opened
from holdpoint.core.tool import RunContext, arguments_of, spec_of
from holdpoint.domains.settings import DatabasesSettings

async def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

async def main(url, moment):
    settings = DatabasesSettings(databases={"crm": {"url": url}})
    async with opened(settings) as databases:
        if moment == "before":
            effects._commit = die
        spec = spec_of(execute_sql)
        raw = {"database": "crm", "sql": "DELETE FROM users WHERE grade = 1"}
        await spec.run(arguments_of(spec, raw), RunContext(
            hold_id="h1", nonce="n1", preconditions={"affected": 20}, idempotency_key="k",
            settings=settings, resource=databases))
        await die()
"""


@pytest.mark.parametrize(("moment", "left"), [("before", 21), ("after", 1)])
async def test_lookup_knows_after_a_crash(
    crm: Database, target: Target, moment: str, left: int
) -> None:
    await target.fill(20)
    code = f"{CRASHES}\nasyncio.run(main({target.url!r}, {moment!r}))"
    worker = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", code], check=False, cwd=PACKAGES
    )
    assert worker.returncode == -signal.SIGKILL
    assert await target.one("SELECT count(*) FROM users") == left
    spec = spec_of(execute_sql)
    arguments = arguments_of(spec, {"database": "crm", "sql": "DELETE FROM users WHERE grade = 1"})
    assert spec.lookup is not None
    found = await spec.lookup(arguments, a_context(crm))
    if moment == "before":
        assert found is None
    else:
        assert found is not None
        assert (found.status, found.data["affected"]) == (RunStatus.DONE, 20)
    done = await spec.run(arguments, a_context(crm, preconditions={"affected": 20}))
    assert (done.status, done.data["affected"]) == (RunStatus.DONE, 20)
    assert await target.one("SELECT count(*) FROM users") == 1


async def test_a_row_is_inserted_with_its_values(crm: Database, target: Target) -> None:
    values = {
        "id": 1,
        "name": "Ada 'the' :first",
        "grade": None,
        "born": "1815-12-10",
        "worth": "12345678.90",
        "password": "hunter2",
    }
    result = await call(insert_row, crm, {"table": "users", "values": values})
    assert result.status is RunStatus.DONE, result.error
    rows = await target.run(
        "SELECT name, grade, CAST(born AS TEXT), CAST(worth AS TEXT), password FROM users"
    )
    assert rows == [("Ada 'the' :first", None, "1815-12-10", "12345678.90", "hunter2")]
    assert "hunter2" not in str(result)


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("CREATE TABLE made (a INTEGER)", "created table crm.made"),
        ("CREATE INDEX made ON users (name)", "created index made on crm.users"),
        ("ALTER TABLE users ADD COLUMN made INTEGER", "added column made to crm.users"),
        ("DROP TABLE log", "dropped table crm.log"),
    ],
)
async def test_definitions_run(crm: Database, sql: str, words: str) -> None:
    result = await execute(crm, sql)
    assert result.status is RunStatus.DONE, result.error
    assert result.data["affected"] is None
    assert result.formatted == f"{words.capitalize()}."
    assert result.message_for_user == f"I {words}."


REFUSED = [
    "DELETE FROM users; DROP TABLE orders",
    "DELETE FROM users;;",
    "DELETE FROM users -- WHERE id = 1",
    "DELETE FROM users /* WHERE id = 1 */",
    "DELETE FROM holdpoint_runs",
    'UPDATE "HOLDPOINT_RUNS" SET nonce = 1',
    "DROP TABLE holdpoint_runs",
    "ALTER TABLE holdpoint_runs RENAME TO x",
    "CREATE VIEW v AS SELECT * FROM holdpoint_runs",
    "SELECT 1",
    "PRAGMA writable_schema = 1",
    "ATTACH 'x.db' AS x",
    "VACUUM",
    "DO $$ BEGIN DELETE FROM users; END $$",
    "CALL f()",
    "COPY users TO PROGRAM 'cat'",
    "CREATE FUNCTION f() RETURNS int AS 'select 1' LANGUAGE sql",
    "CREATE TRIGGER t AFTER DELETE ON users BEGIN DELETE FROM orders; END",
    "CREATE EXTENSION dblink",
    "DROP DATABASE postgres",
    "SET ROLE postgres",
    "GRANT ALL ON users TO PUBLIC",
    "UPDATE users SET name = pg_read_file('/etc/passwd')",
    "UPDATE users SET name = load_extension('x')",
    "DELETE FROM users WHERE pg_sleep(9) IS NULL",
    "DELETE FROM users WHERE id = evil.lower('x')",
    "DELETE FROM users WHERE id = ?",
    "DELETE FROM users WHERE id = $1",
    "DELETE FROM users WHERE id = :missing",
    "DELETE FROM users WHERE na\u200bme = 1",
    "not sql at all",
    "(" * 3000,
]


@pytest.mark.parametrize("sql", REFUSED)
async def test_what_is_not_one_plain_change_is_refused(
    crm: Database, target: Target, sql: str
) -> None:
    await target.fill(3)
    result = await execute(crm, sql)
    assert result.status is RunStatus.FAILED
    assert result.error
    assert result.executed is None
    assert await target.one("SELECT count(*) FROM users") == 4
    assert await target.one("SELECT count(*) FROM holdpoint_runs") == 0


async def test_a_listed_function_may_be_called(target: Target) -> None:
    if target.dialect != "postgres":
        pytest.skip("SQLite has no functions of one's own without code")
    await target.fill(3)
    await target.run("CREATE FUNCTION mine(x int) RETURNS int LANGUAGE sql AS 'SELECT x + 1'")
    settings = target.settings.model_copy(update={"functions": ("mine",)})
    from_settings = await _opened_with(settings)
    assert from_settings.status is RunStatus.DONE


async def _opened_with(settings: Any) -> Result:
    async with opened(DatabasesSettings(databases={"crm": settings})) as databases:
        return await execute(databases["crm"], "DELETE FROM users WHERE grade = mine(0)")


async def test_a_parameter_is_never_sql(crm: Database, target: Target) -> None:
    await target.fill(3)
    result = await execute(crm, "DELETE FROM users WHERE name = :name", {"name": "x' OR '1'='1"})
    assert (result.status, result.data["affected"]) == (RunStatus.DONE, 0)
    assert await target.one("SELECT count(*) FROM users") == 4


async def test_a_colon_in_a_string_is_no_parameter(crm: Database, target: Target) -> None:
    await target.fill(1)
    result = await execute(crm, "UPDATE users SET name = 'at :noon 💡' WHERE id = :id", {"id": 1})
    assert result.status is RunStatus.DONE, result.error
    assert await target.one("SELECT name FROM users WHERE id = 1") == "at :noon 💡"


async def test_an_error_of_the_database_rolls_back(crm: Database, target: Target) -> None:
    await target.fill(3)
    result = await execute(crm, "INSERT INTO users (id) VALUES (50), (1)")
    assert result.status is RunStatus.FAILED
    assert await target.one("SELECT count(*) FROM users") == 4
    assert await target.one("SELECT count(*) FROM holdpoint_runs") == 0


async def test_a_slow_change_is_ended_and_rolled_back(target: Target) -> None:
    await target.fill(400)
    settings = target.settings.model_copy(update={"timeout_s": 0.3})
    slow = "DELETE FROM users WHERE (SELECT count(*) FROM users a, users b, users c, users d) > 0"
    async with opened(DatabasesSettings(databases={"crm": settings})) as databases:
        async with asyncio.timeout(5):
            result = await execute(databases["crm"], slow)
    assert result.status is RunStatus.FAILED
    assert await target.one("SELECT count(*) FROM users") == 401


UNDER_WAY = "BEGIN; INSERT INTO holdpoint_runs VALUES ('h1', 'n1', NULL, 'now')"


async def test_a_change_that_is_still_under_way_is_in_doubt(crm: Database, target: Target) -> None:
    spec = spec_of(execute_sql)
    arguments = arguments_of(spec, {"database": "crm", "sql": "DELETE FROM users"})
    assert spec.lookup is not None
    async with target.holding(UNDER_WAY), asyncio.timeout(5):
        found = await spec.lookup(arguments, a_context(crm))
    assert found is not None
    assert found.status is RunStatus.IN_DOUBT
    assert await spec.lookup(arguments, a_context(crm)) is None


HOLDS_A_LOCK = {
    "sqlite": "BEGIN IMMEDIATE",
    "postgres": "BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE",
}


async def test_a_lock_is_not_waited_for_for_long(crm: Database, target: Target) -> None:
    await target.fill(3)
    async with target.holding(HOLDS_A_LOCK[target.dialect]), asyncio.timeout(5):
        result = await execute(crm, "DELETE FROM users")
    assert result.status is RunStatus.FAILED
    assert "lock" in result.error
    assert await target.one("SELECT count(*) FROM users") == 4
