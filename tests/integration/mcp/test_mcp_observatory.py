"""The observatory on a real PostgreSQL: it looks read-only, and sees who blocks whom."""

import asyncio
import os
from collections.abc import Iterator
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult
from sqlalchemy import text
from tests.postgres import MissingPostgresError, running_postgres
from tests.waiting import eventually

from holdpoint.mcp.samples.database_observatory import server_of
from holdpoint.mcp.samples.databases import Database, opened

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    try:
        with running_postgres("fsync=off") as url:
            yield url
    except MissingPostgresError as missing:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(str(missing))


async def data(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The data of a result that is no error."""
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult)
    assert not result.is_error, result.content
    return result.structured_content or {}


async def test_every_tool_on_postgresql(postgres_url: str) -> None:
    databases = opened([f"shop={postgres_url}"])
    async with Client(server_of(databases)) as client:
        sql = "CREATE TABLE lines (id int PRIMARY KEY, n int)"
        await data(client, "oci_database_execute_sql", sql=sql)
        await data(client, "oci_database_execute_sql", sql="CREATE TABLE notes (text text)")
        await data(client, "oci_database_execute_sql", sql="INSERT INTO lines VALUES (1, 1)")
        found = await data(client, "oci_database_execute_sql", sql="SELECT n::int FROM lines")
        assert found["rows"] == [{"n": 1}]
        tables = (await data(client, "oci_database_get_schema"))["tables"]
        assert [it["name"] for it in tables["lines"] if it["is_key"]] == ["id"]
        insights = (await data(client, "oci_opsi_list_insights"))["insights"]
        assert [it["table"] for it in insights] == ["notes"]
        assert (await data(client, "oci_database_get_status"))["up"] is True
        assert (await data(client, "oci_opsi_get_fleet_summary"))["up"] == 1
        for tool in ("analyze_cpu", "analyze_memory", "analyze_io"):
            assert (await data(client, f"oci_opsi_{tool}"))["measures"]
        await blocked(client, databases["shop"])


async def blocked(client: Client, database: Database) -> None:
    """One session waits for another one, and both tools tell it."""
    change = text("UPDATE lines SET n = n + 1")
    async with database.change() as first:
        await first.execute(change)

        async def wait() -> None:
            async with database.change() as second:
                await second.execute(change)

        waiting = asyncio.create_task(wait())

        async def told() -> list[dict[str, Any]]:
            sessions = await data(client, "oci_opsi_get_blocking_sessions")
            return list(sessions["sessions"])

        (session,) = await eventually(told)
        assert session["user"] == "tester"
        events = (await data(client, "oci_opsi_analyze_wait_events"))["events"]
        assert "Lock" in {it["type"] for it in events}
    await waiting


async def test_what_looks_cannot_write(postgres_url: str) -> None:
    shop = opened([f"shop={postgres_url}"])["shop"]
    with pytest.raises(Exception, match="read-only transaction"):
        await shop.value("CREATE TABLE sneaked (id int)")
