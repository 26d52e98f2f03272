"""A dry run counts what the change would touch, and leaves no trace."""

import asyncio
from typing import Any

import pytest
from tests.integration.domains.conftest import TRIGGER, Target

from holdpoint.core.tool import PlanContext, RunContext, arguments_of, spec_of
from holdpoint.domains.database.connections import Database
from holdpoint.domains.database.tools import execute_sql, insert_row, opened, query_database
from holdpoint.domains.settings import DatabasesSettings
from holdpoint.messages.action import Plan

SEQUENCE = {
    "sqlite": "SELECT count(*) FROM sqlite_master",
    "postgres": "SELECT last_value + is_called::int FROM users_id_seq",
}


async def plan(crm: Database, sql: str, parameters: Any = None) -> Plan:
    spec = spec_of(execute_sql)
    raw = {"database": "crm", "sql": sql, "parameters": parameters or {}}
    assert spec.plan is not None
    return await spec.plan(
        arguments_of(spec, raw), PlanContext(settings=None, resource={"crm": crm})
    )


async def test_the_plan_of_a_delete(crm: Database, target: Target) -> None:
    await target.fill(214)
    found = await plan(crm, "DELETE FROM users WHERE grade = :grade", {"grade": 1})
    assert found.error == ""
    assert (found.affected, found.verb, found.reversible) == (214, "delete", False)
    assert found.targets == ("crm.users", "crm.orders")
    assert found.environment_keys == ("database:crm", "table:crm.users", "table:crm.orders")
    assert found.sample[0] == "id=1, name=u1, grade=1, password=•••, born=None, worth=None"
    assert found.sample[-1] == "and rows of orders that refer to them"
    assert "pw1" not in str(found)


@pytest.mark.parametrize(
    ("sql", "parameters"),
    [
        ("SELEC", {}),
        ("DELETE FROM users; DELETE FROM orders", {}),
        ("DELETE FROM users WHERE id = :id", {}),
        ("DELETE FROM users WHERE id = 1", {"id": 1}),
    ],
)
async def test_what_cannot_run_is_called_impossible(
    crm: Database, sql: str, parameters: dict[str, int]
) -> None:
    found = await plan(crm, sql, parameters)
    assert found.impossible
    assert found.error == found.impossible


async def test_what_only_cannot_be_counted_is_not_impossible(crm: Database) -> None:
    found = await plan(crm, "DELETE FROM users WHERE id IN (SELECT id FROM orders) RETURNING id")
    assert found.error
    assert not found.impossible


async def test_the_plan_of_a_definition_says_what_is_made(crm: Database) -> None:
    found = await plan(crm, "CREATE INDEX by_name ON users (name)")
    assert found.summary == "create index by_name on crm.users"
    assert found.targets == ("crm.users",)
    assert not found.impossible


async def test_a_query_is_checked_before_anybody_is_asked(crm: Database) -> None:
    spec = spec_of(query_database)
    context = PlanContext(settings=None, resource={"crm": crm})
    assert spec.plan is not None
    for sql, impossible in (("SELECT 1 AS one", False), ("DELETE FROM users", True)):
        arguments = arguments_of(spec, {"database": "crm", "sql": sql})
        found = await spec.plan(arguments, context)
        assert bool(found.impossible) is impossible
        assert (found.error, found.affected) == ("", None)


async def test_the_plan_leaves_no_trace(crm: Database, target: Target) -> None:
    await target.fill(3)
    await target.run(TRIGGER[target.dialect])
    before = [await target.one(SEQUENCE[target.dialect]), await target.run("SELECT * FROM users")]
    found = await plan(crm, "DELETE FROM users WHERE grade = 1")
    assert found.affected == 3
    assert found.sample[-1] == "and whatever the trigger told does"
    after = [await target.one(SEQUENCE[target.dialect]), await target.run("SELECT * FROM users")]
    assert after == before
    assert await target.one("SELECT count(*) FROM log") == 0
    assert await target.one("SELECT count(*) FROM holdpoint_runs") == 0


@pytest.mark.parametrize(
    ("sql", "parameters"),
    [
        ("DELETE FROM users", {}),
        (
            "DELETE FROM users AS u WHERE u.id < :top AND (name LIKE 'u%' OR name = ':x')",
            {"top": 5},
        ),
        ("DELETE FROM users WHERE id IN (SELECT id FROM users WHERE grade = 1 LIMIT 4)", {}),
        ("UPDATE users SET name = :name WHERE id > :low", {"name": "x", "low": 3}),
        ("UPDATE users SET grade = (SELECT max(grade) FROM users WHERE id > 2)", {}),
        ("UPDATE users SET grade = NULL WHERE grade = :grade", {"grade": None}),
        ("INSERT INTO log (said) VALUES ('a'), (:b)", {"b": "b"}),
        ("INSERT INTO log (said) SELECT name FROM users WHERE id > :low", {"low": 2}),
        ("INSERT INTO log (said) WITH x AS (SELECT name FROM users) SELECT name FROM x", {}),
        ("DELETE FROM users;", {}),
    ],
)
async def test_the_count_is_what_then_happens(
    crm: Database, target: Target, sql: str, parameters: dict[str, Any]
) -> None:
    await target.fill(10)
    found = await plan(crm, sql, parameters)
    assert found.error == ""
    spec = spec_of(execute_sql)
    raw = {"database": "crm", "sql": sql, "parameters": parameters}
    context = RunContext(
        hold_id="h",
        nonce="n",
        preconditions={"affected": found.affected},
        idempotency_key="k",
        settings=None,
        resource={"crm": crm},
    )
    done = await spec.run(arguments_of(spec, raw), context)
    assert done.data["affected"] == found.affected, done.error


@pytest.mark.parametrize(
    "sql",
    [
        "DROP TABLE users",
        "TRUNCATE users",
        "DELETE FROM users RETURNING id",
        "WITH x AS (SELECT 1 AS id) DELETE FROM users WHERE id IN (SELECT id FROM x)",
        "UPDATE users SET name = 'x' FROM orders WHERE orders.user_id = users.id",
        "INSERT INTO log VALUES ('x') ON CONFLICT DO NOTHING",
        "INSERT INTO log DEFAULT VALUES",
        "DELETE FROM names",
        "DELETE FROM missing",
        "DELETE FROM users WHERE missing = 1",
        "DELETE FROM users WHERE id = :unbound",
        "DELETE FROM users WHERE nextval('users_id_seq') > 0",
        "DELETE FROM users WHERE id = unlisted(1)",
        "DELETE FROM users; DELETE FROM orders",
        "SELECT 1",
    ],
)
async def test_what_cannot_be_counted_has_no_dry_run(
    crm: Database, target: Target, sql: str
) -> None:
    await target.fill(3)
    before = await target.one(SEQUENCE[target.dialect])
    found = await plan(crm, sql)
    assert found.error
    assert found.affected is None
    assert "database:crm" in found.environment_keys
    assert await target.one(SEQUENCE[target.dialect]) == before


async def test_a_dry_run_uses_up_no_sequence(crm: Database) -> None:
    found = await plan(crm, "DELETE FROM users WHERE nextval('users_id_seq') > 0")
    assert found.error == "calling nextval would not be without effect"


async def test_a_slow_count_is_given_up(target: Target) -> None:
    await target.fill(400)
    settings = target.settings.model_copy(update={"plan_timeout_s": 0.2})
    slow = "DELETE FROM users WHERE (SELECT count(*) FROM users a, users b, users c, users d) > 0"
    async with opened(DatabasesSettings(databases={"crm": settings})) as databases:
        async with asyncio.timeout(3):
            found = await plan(databases["crm"], slow)
    assert found.error == "the database refused to count"


async def test_a_row_to_insert_is_one_row(crm: Database) -> None:
    spec = spec_of(insert_row)
    raw = {"database": "crm", "table": "users", "values": {"name": "Ada"}}
    assert spec.plan is not None
    found = await spec.plan(
        arguments_of(spec, raw), PlanContext(settings=None, resource={"crm": crm})
    )
    assert (found.affected, found.verb, found.reversible) == (1, "insert", True)
    assert found.targets == ("crm.users",)


async def test_an_unknown_database_has_no_dry_run() -> None:
    spec = spec_of(execute_sql)
    assert spec.plan is not None
    found = await spec.plan(
        arguments_of(spec, {"database": "other", "sql": "DELETE FROM t"}),
        PlanContext(settings=None, resource={}),
    )
    assert found.error == "There is no database `other`. Known: none."
