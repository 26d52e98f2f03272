"""Queries of the observatory, by kind of database.

SQLite runs inside of the program that opens it: it has no sessions, and no CPU time of its own.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from holdpoint.mcp.samples.databases import Database, Row

VERSION = {"sqlite": "SELECT sqlite_version()", "postgresql": "SHOW server_version"}
BYTES = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    "postgresql": "SELECT pg_database_size(current_database())",
}
COLUMNS = {
    "sqlite": """
        SELECT t.name AS table_name, c.name AS column_name, c.type AS type, c.pk > 0 AS is_key
        FROM sqlite_schema t JOIN pragma_table_info(t.name) c
        WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid""",
    "postgresql": """
        SELECT c.table_name, c.column_name, c.data_type AS type, k.column_name IS NOT NULL AS is_key
        FROM information_schema.columns c
        LEFT JOIN information_schema.table_constraints t ON t.table_schema = c.table_schema
          AND t.table_name = c.table_name AND t.constraint_type = 'PRIMARY KEY'
        LEFT JOIN information_schema.key_column_usage k ON k.constraint_name = t.constraint_name
          AND k.table_schema = c.table_schema AND k.column_name = c.column_name
        WHERE c.table_schema NOT IN ('pg_catalog', 'information_schema')
        ORDER BY c.table_name, c.ordinal_position""",
}
CPU = {
    "sqlite": "SELECT 'none of its own: SQLite runs inside of the program that opens it' AS cpu",
    "postgresql": """
        SELECT count(*) FILTER (WHERE state = 'active') AS running, count(*) AS sessions
        FROM pg_stat_activity WHERE datname = current_database()""",
}
MEMORY = {
    "sqlite": """
        SELECT cache_size AS cache_pages, page_size AS page_bytes
        FROM pragma_cache_size(), pragma_page_size()""",
    "postgresql": """
        SELECT name, current_setting(name) AS value FROM pg_settings
        WHERE name IN ('shared_buffers', 'work_mem', 'maintenance_work_mem',
                       'effective_cache_size') ORDER BY name""",
}
IO = {
    "sqlite": """
        SELECT page_count AS pages, freelist_count AS free_pages, journal_mode
        FROM pragma_page_count(), pragma_freelist_count(), pragma_journal_mode()""",
    "postgresql": """
        SELECT blks_read AS blocks_read, blks_hit AS blocks_from_cache, temp_bytes, deadlocks
        FROM pg_stat_database WHERE datname = current_database()""",
}
BLOCKING = """
    SELECT a.pid AS waits, b.pid AS blocks, b.usename AS "user", b.state,
           extract(epoch FROM now() - b.xact_start)::int AS open_for_s
    FROM pg_stat_activity a JOIN LATERAL unnest(pg_blocking_pids(a.pid)) AS p(pid) ON true
    JOIN pg_stat_activity b ON b.pid = p.pid WHERE a.datname = current_database()
    ORDER BY a.pid, b.pid"""
WAITS = """
    SELECT wait_event_type AS type, wait_event AS event, count(*) AS sessions
    FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event IS NOT NULL AND pid <> pg_backend_pid()
    GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2"""


async def blocking(database: Database) -> list[Row]:
    """Return who blocks whom; SQLite knows only that somebody writes."""
    if database.kind == "postgresql":
        return await database.rows(BLOCKING)
    return [{"blocks": "a writer that is not finished"}] if _is_locked(database) else []


async def waits(database: Database) -> list[Row]:
    """Return what sessions wait for."""
    if database.kind == "postgresql":
        return await database.rows(WAITS)
    found = {"type": "Lock", "event": "database", "sessions": 1}
    return [found] if _is_locked(database) else []


async def schema(database: Database) -> dict[str, list[Row]]:
    """Return each table with its columns."""
    tables: dict[str, list[Row]] = {}
    for row in await database.rows(COLUMNS[database.kind]):
        column = {"name": row["column_name"], "type": row["type"], "is_key": bool(row["is_key"])}
        tables.setdefault(row["table_name"], []).append(column)
    return tables


def _is_locked(database: Database) -> bool:
    """Return whether a write would have to wait now; nothing is written."""
    uri = f"file:{quote(str(Path(database.url.database or '').resolve()))}?mode=rw"
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=0, isolation_level=None)) as file:
            file.execute("BEGIN IMMEDIATE")
            file.execute("ROLLBACK")
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    return False
