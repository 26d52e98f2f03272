"""The sample MCP servers by themselves, each tool through the SDK's own client."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent

from holdpoint.mcp.samples import database_observatory, oci_unified, tasks
from holdpoint.mcp.samples.databases import opened
from holdpoint.runtime.config.catalog_files import load_naming

CATALOG = Path(__file__).parents[3] / "deploy" / "config" / "catalog"


@pytest.fixture
def crm(tmp_path: Path) -> Path:
    path = tmp_path / "crm.db"
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("CREATE TABLE leads (id INTEGER PRIMARY KEY, status TEXT)")
        file.execute("CREATE TABLE notes (text TEXT)")
        file.execute("INSERT INTO leads (status) VALUES ('new'), ('stale: old')")
    return path


@asynccontextmanager
async def observing(crm: Path) -> AsyncIterator[Client]:
    """The SDK's client of an observatory in this process."""
    async with Client(database_observatory.server_of(opened([f"crm=sqlite:///{crm}"]))) as client:
        yield client


async def told(client: Client, tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    """The text and the data of a result."""
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult)
    assert not result.is_error, result
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text, result.structured_content or {}


async def test_the_observatory_has_the_seeds_names_and_no_others(crm: Path) -> None:
    async with observing(crm) as observatory:
        declared = load_naming(CATALOG).tools
        wanted = {it.name for it in declared if it.name.startswith(("oci_database_", "oci_opsi_"))}
        tools = (await observatory.list_tools()).tools
        assert {it.name for it in tools} == wanted
        assert len(wanted) == 12
        reading = {it.name for it in tools if it.annotations and it.annotations.read_only_hint}
        assert wanted - reading == {"oci_database_execute_sql"}


async def test_each_tool_of_the_observatory_looks_at_the_real_database(crm: Path) -> None:
    async with observing(crm) as observatory:
        text, data = await told(observatory, "oci_opsi_get_fleet_summary")
        assert text.startswith("1 of 1 databases are up")
        assert data["databases"][0]["kind"] == "sqlite"
        text, _ = await told(observatory, "oci_database_get_schema", database="crm")
        assert "leads (id, status)" in text
        assert "table: notes" in (await told(observatory, "oci_opsi_list_insights"))[0]
        text, _ = await told(observatory, "oci_opsi_search_databases", name="CR")
        assert "crm" in text
        text, _ = await told(observatory, "oci_database_list_connections")
        assert "kind: sqlite" in text
        assert "sqlite:///" not in text
        for tool in ("analyze_cpu", "analyze_memory", "analyze_io"):
            _, data = await told(observatory, f"oci_opsi_{tool}")
            assert data["measures"]


async def test_a_writer_that_is_not_finished_is_seen(crm: Path) -> None:
    async with observing(crm) as observatory:
        blocking = "oci_opsi_get_blocking_sessions"
        assert (await told(observatory, blocking))[1] == {"sessions": []}
        with closing(sqlite3.connect(crm, isolation_level=None)) as file:
            file.execute("BEGIN IMMEDIATE")
            assert (await told(observatory, blocking))[1]["sessions"]
            _, data = await told(observatory, "oci_opsi_analyze_wait_events")
            assert data["events"][0]["event"] == "database"
            file.execute("ROLLBACK")
        assert (await told(observatory, blocking))[1] == {"sessions": []}


async def test_a_statement_changes_what_it_says(crm: Path) -> None:
    async with observing(crm) as observatory:
        execute = "oci_database_execute_sql"
        _, data = await told(observatory, execute, sql="SELECT status FROM leads ORDER BY id")
        assert [it["status"] for it in data["rows"]] == ["new", "stale: old"]
        sql = "DELETE FROM leads WHERE status = 'stale: old'"
        assert (await told(observatory, execute, sql=sql))[1]["changed_rows"] == 1
        with closing(sqlite3.connect(crm)) as file:
            assert file.execute("SELECT count(*) FROM leads").fetchone() == (1,)


async def test_errors_are_the_tools_own_and_show_no_address(crm: Path) -> None:
    async with observing(crm) as observatory:
        for arguments in ({"sql": "DROP TABLE nothing"}, {"sql": "SELECT 1; SELECT 2"}):
            result = await observatory.call_tool("oci_database_execute_sql", arguments)
            assert isinstance(result, CallToolResult)
            assert result.is_error
            assert str(crm) not in str(result.content)
        crm.unlink()
        text, data = await told(observatory, "oci_database_get_status")
        assert data["up"] is False
        assert str(crm) not in text


def test_a_database_that_is_none_is_refused_at_the_start() -> None:
    for said in ("crm", "crm=mysql://host/name"):
        with pytest.raises(SystemExit, match="write NAME=URL"):
            opened([said])


async def test_the_cloud_tells_its_data(tmp_path: Path) -> None:
    async with Client(oci_unified.server_of()) as cloud:
        assert len((await cloud.list_tools()).tools) == 7
        text, data = await told(cloud, "oci_cost_get_summary", service="database")
        assert text == "Cost:\n- Database: 1,200.00 USD in October 2026"
        assert data["total"] == "1200.00"
        text, _ = await told(cloud, "oci_cost_get_summary")
        assert text.startswith("Cost, 1,915.60 USD in all:")
        text, _ = await told(cloud, "oci_logan_search_errors", resource="crm")
        assert "27 Nov 2026, 08:41 UTC, crm: lock timeout on orders.lines (10 times)" in text
        text, _ = await told(cloud, "oci_compute_list_instances", state="running")
        assert "web-1" in text
        assert "batch" not in text
        text, _ = await told(cloud, "oci_logan_search_errors", resource="nowhere")
        assert text == "Errors: none."
        text, _ = await told(cloud, "oci_security_list_problems", kind="compute")
        assert text == "Problems:\n- web-2: Port 22 is open to the world (HIGH)"
    own = tmp_path / "own.yaml"
    own.write_text("vcns: [{name: own, vcn_id: v1, cidr: 10.1.0.0/16}]\n")
    async with Client(oci_unified.server_of(own)) as cloud:
        assert "own (v1)" in (await told(cloud, "oci_network_list_vcns"))[0]


FIVE = {"add_task", "list_tasks", "complete_task", "update_task", "delete_task"}


async def test_the_task_list_has_the_seeds_five_tools_on_data_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "tasks.db"
    async with Client(tasks.server_of(path)) as client:
        listed = {it.name: it.annotations for it in (await client.list_tools()).tools}
        assert set(listed) == FIVE
        assert [n for n, it in listed.items() if it and it.destructive_hint] == ["delete_task"]
        ann = {"user_id": "ann"}
        for title in ("Buy milk", "Call Ben"):
            await told(client, "add_task", **ann, title=title)
        await told(client, "complete_task", **ann, task_id=1)
        await told(client, "update_task", **ann, task_id=2, title="Call Eva")
    async with Client(tasks.server_of(path)) as client:
        text, _ = await told(client, "list_tasks", **ann)
        assert text.splitlines()[1:] == ["- 1. Buy milk (completed)", "- 2. Call Eva (pending)"]
        text, data = await told(client, "list_tasks", **ann, status="pending")
        assert [it["task_id"] for it in data["tasks"]] == [2]
        await told(client, "delete_task", **ann, task_id=2)
        for wrong in (
            ("complete_task", {"user_id": "ben", "task_id": 1}),  # another person's
            ("delete_task", {"user_id": "ann", "task_id": 2}),  # it is gone
            ("update_task", {"user_id": "ann", "task_id": 1}),  # nothing to change
            ("add_task", {"user_id": "ann", "title": " "}),
        ):
            result = await client.call_tool(*wrong)
            assert isinstance(result, CallToolResult)
            assert result.is_error, wrong
        assert (await told(client, "list_tasks", user_id="ben"))[0] == "Tasks: none."
