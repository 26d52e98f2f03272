"""Effects that a change of a table sets off: foreign keys that cascade, triggers that fire."""

import msgspec
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlglot import exp

from holdpoint.domains.database.connections import Database
from holdpoint.domains.database.statements import Statement

SQLITE_KIND = "SELECT type = 'table' FROM sqlite_master WHERE name = ? COLLATE NOCASE"
SQLITE_TRIGGERS = (
    "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE"
)
SQLITE_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
POSTGRES_KIND = "SELECT relkind IN ('r', 'p') FROM pg_class WHERE oid = to_regclass($1)"
POSTGRES_TRIGGERS = """
    SELECT tgname::text FROM pg_trigger
    WHERE tgrelid = to_regclass($1) AND NOT tgisinternal AND tgenabled <> 'D'
    UNION ALL SELECT rulename::text FROM pg_rewrite WHERE ev_class = to_regclass($1)
"""
POSTGRES_CASCADES = """
    SELECT DISTINCT conrelid::regclass::text AS child, confrelid::regclass::text AS parent,
        confdeltype::text AS action
    FROM pg_constraint WHERE contype = 'f' AND confdeltype IN ('c', 'n', 'd')
"""
ON_DELETE = {"CASCADE": "c", "SET NULL": "n", "SET DEFAULT": "d"}
DELETES = "c"
"""What goes on to the next table; setting a column to NULL or its default stops there."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Dependents of a table."""

    is_table: bool
    triggers: tuple[str, ...] = ()
    cascades: tuple[str, ...] = ()
    """Tables whose rows change with it when its rows are deleted."""

    def remarks(self, verb: str) -> tuple[str, ...]:
        """Return what the count does not say."""
        cascades = self.cascades if verb == "delete" else ()
        return (
            *(f"and rows of {table} that refer to them" for table in cascades),
            *(f"and whatever the trigger {name} does" for name in self.triggers),
        )


async def of_table(connection: AsyncConnection, database: Database, statement: Statement) -> Table:
    """The statement's target."""
    if database.dialect == "sqlite":
        name = statement.target.rpartition(".")[2]
        return Table(
            is_table=bool(await _scalar(connection, SQLITE_KIND, name)),
            triggers=await _names(connection, SQLITE_TRIGGERS, name),
            cascades=_cascades(await _sqlite_edges(connection), name.lower()),
        )
    name = _as_written(statement)
    known = await _scalar(connection, "SELECT to_regclass($1)::text", name)
    return Table(
        is_table=bool(await _scalar(connection, POSTGRES_KIND, name)),
        triggers=await _names(connection, POSTGRES_TRIGGERS, name),
        cascades=_cascades(await _postgres_edges(connection), str(known)),
    )


class Edge(msgspec.Struct, frozen=True, kw_only=True):
    """A foreign key that does something when the row it refers to goes."""

    child: str
    parent: str
    action: str


async def _sqlite_edges(connection: AsyncConnection) -> list[Edge]:
    """SQLite compares names without case."""
    tables = (await connection.exec_driver_sql(SQLITE_TABLES)).scalars().all()
    edges = []
    for table in tables:
        name = str(table).replace('"', '""')
        keys = await connection.exec_driver_sql(f'PRAGMA foreign_key_list("{name}")')
        edges += [
            Edge(
                child=str(table).lower(),
                parent=key["table"].lower(),
                action=ON_DELETE[key["on_delete"]],
            )
            for key in keys.mappings()
            if key["on_delete"] in ON_DELETE
        ]
    return edges


async def _postgres_edges(connection: AsyncConnection) -> list[Edge]:
    found = await connection.exec_driver_sql(POSTGRES_CASCADES)
    return [
        Edge(child=row["child"], parent=row["parent"], action=row["action"])
        for row in found.mappings()
    ]


def _cascades(edges: list[Edge], table: str) -> tuple[str, ...]:
    """From table to table, as far as deleting goes."""
    found: dict[str, None] = {}
    waiting = [table]
    while waiting:
        parent = waiting.pop()
        for edge in edges:
            if edge.parent == parent and edge.child not in found:
                found[edge.child] = None
                waiting += [edge.child] if edge.action == DELETES else []
    return tuple(found)


async def _scalar(connection: AsyncConnection, sql: str, name: str) -> object:
    return (await connection.exec_driver_sql(sql, (name,))).scalar()


async def _names(connection: AsyncConnection, sql: str, name: str) -> tuple[str, ...]:
    return tuple(str(one) for one in (await connection.exec_driver_sql(sql, (name,))).scalars())


def _as_written(statement: Statement) -> str:
    """The table's name with its quotes, without alias."""
    table = statement.tree.find(exp.Table)
    parts = table.parts if table is not None else []
    return ".".join(part.sql(dialect="postgres") for part in parts)
