"""The database observatory: seed 004's tools of the domains `database` and `opsi`.

python -m holdpoint.mcp.samples.database_observatory crm=sqlite:///var/sample/crm.db
"""

import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult
from sqlalchemy import text

from holdpoint.mcp.samples import measures
from holdpoint.mcp.samples.answers import READS, answer, lines
from holdpoint.mcp.samples.databases import MOST_ROWS, Database, Row, opened

KINDS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
MEBIBYTE = 1024 * 1024


class Observatory:
    """Tools over some databases. An argument `database` may be left out where there is one."""

    def __init__(self, databases: Mapping[str, Database]) -> None:
        self._databases = databases

    async def oci_database_execute_sql(self, sql: str, database: str = "") -> CallToolResult:
        """Execute one SQL statement, which may change data."""
        one = self._one(database)
        async with one.change() as connection:
            result = await connection.execute(text(sql.replace(":", r"\:")))
            if not result.returns_rows:
                said = {"database": one.name, "changed_rows": result.rowcount}
                return answer(f"{result.rowcount} rows were changed in {one.name}.", said)
            found = result.mappings().fetchmany(MOST_ROWS)
            rows = [{name: _plain(value) for name, value in it.items()} for it in found]
        title = f"{len(rows)} rows of {one.name}"
        return answer(lines(title, _said(rows)), {"database": one.name, "rows": rows})

    async def oci_database_get_schema(self, database: str = "") -> CallToolResult:
        """Describe tables and columns."""
        one = self._one(database)
        tables = await measures.schema(one)
        said = [f"{name} ({', '.join(c['name'] for c in it)})" for name, it in tables.items()]
        return answer(lines(f"Tables of {one.name}", said), {"tables": tables})

    async def oci_database_list_connections(self) -> CallToolResult:
        """List database connections, without their credentials."""
        rows = [{"name": it.name, "kind": it.kind} for it in self._databases.values()]
        return answer(lines("Connections", _said(rows)), {"connections": rows})

    async def oci_database_get_status(self, database: str = "") -> CallToolResult:
        """Report whether a database is up."""
        row = await self._status(self._one(database))
        return answer(f"{_standing(row)}.", row)

    async def oci_opsi_get_fleet_summary(self) -> CallToolResult:
        """Summarize the database fleet."""
        rows = [await self._status(it) for it in self._databases.values()]
        up = sum(it["up"] for it in rows)
        title = f"{up} of {len(rows)} databases are up"
        return answer(lines(title, [_standing(it) for it in rows]), {"up": up, "databases": rows})

    async def oci_opsi_search_databases(self, name: str = "") -> CallToolResult:
        """Search databases by name."""
        wanted = name.casefold()
        rows = [
            {"name": it.name, "kind": it.kind}
            for it in self._databases.values()
            if wanted in it.name.casefold()
        ]
        said = [f"{it['name']} ({KINDS[it['kind']]})" for it in rows]
        return answer(lines("Databases", said), {"databases": rows})

    async def oci_opsi_list_insights(self, database: str = "") -> CallToolResult:
        """List database insights: tables without a primary key."""
        one = self._one(database)
        keyless = [
            {"table": name, "insight": "it has no primary key"}
            for name, columns in (await measures.schema(one)).items()
            if not any(it["is_key"] for it in columns)
        ]
        return answer(lines(f"Insights into {one.name}", _said(keyless)), {"insights": keyless})

    async def oci_opsi_analyze_cpu(self, database: str = "") -> CallToolResult:
        """Analyze CPU usage now: sessions that run."""
        return await self._measured("CPU", database, measures.CPU)

    async def oci_opsi_analyze_memory(self, database: str = "") -> CallToolResult:
        """Analyze memory usage: what is set aside for caches and work."""
        return await self._measured("Memory", database, measures.MEMORY)

    async def oci_opsi_analyze_io(self, database: str = "") -> CallToolResult:
        """Analyze I/O usage: blocks and pages."""
        return await self._measured("I/O", database, measures.IO)

    async def oci_opsi_get_blocking_sessions(self, database: str = "") -> CallToolResult:
        """List sessions that block others."""
        one = self._one(database)
        rows = await measures.blocking(one)
        return answer(lines(f"Blocking sessions of {one.name}", _said(rows)), {"sessions": rows})

    async def oci_opsi_analyze_wait_events(self, database: str = "") -> CallToolResult:
        """Analyze wait events: what sessions wait for now."""
        one = self._one(database)
        rows = await measures.waits(one)
        return answer(lines(f"Wait events of {one.name}", _said(rows)), {"events": rows})

    async def _measured(
        self, title: str, database: str, queries: Mapping[str, str]
    ) -> CallToolResult:
        one = self._one(database)
        rows = [{k: _plain(v) for k, v in it.items()} for it in await one.rows(queries[one.kind])]
        return answer(lines(f"{title} of {one.name}", _said(rows)), {"measures": rows})

    async def _status(self, one: Database) -> Row:
        try:
            version = str(await one.value(measures.VERSION[one.kind]))
            size = await one.value(measures.BYTES[one.kind])
        except ToolError as error:
            return {"name": one.name, "kind": one.kind, "up": False, "problem": str(error)}
        megabytes = round(int(size) / MEBIBYTE, 2)
        return {
            "name": one.name, "kind": one.kind, "up": True, "version": version, "MiB": megabytes,
        }  # fmt: skip

    def _one(self, name: str) -> Database:
        known = ", ".join(self._databases)
        if not name and len(self._databases) == 1:
            return next(iter(self._databases.values()))
        if name not in self._databases:
            raise ToolError(f"Name a database. There are: {known}.")
        return self._databases[name]


def server_of(databases: Mapping[str, Database]) -> MCPServer:
    """Return the server with its twelve tools; all but one only read."""
    server, its = MCPServer("Database observatory", version="1"), Observatory(databases)
    changing: Callable[..., Awaitable[Any]] = its.oci_database_execute_sql
    server.add_tool(changing, structured_output=False)
    for name in dir(Observatory):
        tool = getattr(its, name)
        if name.startswith("oci_") and tool != changing:
            server.add_tool(tool, annotations=READS, structured_output=False)
    return server


def _plain(value: Any) -> Any:
    return value if isinstance(value, bool | int | float | str | None) else str(value)


def _standing(row: Row) -> str:
    """Return a database's state as people read it: `crm: up, SQLite 3.40.1, 0.02 MiB`."""
    if not row["up"]:
        return f"{row['name']}: down, {row['problem']}"
    return f"{row['name']}: up, {KINDS[row['kind']]} {row['version']}, {row['MiB']} MiB"


def _said(rows: list[Row]) -> list[str]:
    return [", ".join(f"{name}: {value}" for name, value in row.items()) for row in rows]


if __name__ == "__main__":
    server_of(opened(sys.argv[1:])).run("stdio")
