"""The ledger's triggers, in either database: what is kept only grows.

They stand outside the migrations, because SQLite drops a table's triggers when it alters the table:
`install` puts them back, and `missing` tells an auditor which are gone.
"""

from sqlalchemy import Connection, Table, text

from holdpoint.ledger import postgresql_triggers, sqlite_triggers

_IN_SQLITE = text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
_IN_POSTGRESQL = text(
    "SELECT t.tgname AS name, t.tgenabled AS enabled, pg_get_triggerdef(t.oid, true) AS definition,"
    " p.prosrc AS body FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid"
    " WHERE NOT t.tgisinternal AND t.tgrelid IN"
    " (SELECT c.oid FROM pg_class c WHERE pg_table_is_visible(c.oid))"
)
ALWAYS_ON = frozenset({"O", "A"})


def install(connection: Connection) -> tuple[str, ...]:
    """Create the triggers that are missing or changed; returns their names."""
    wrong = missing(connection)
    if connection.dialect.name == "sqlite":
        statements = sqlite_triggers.triggers()
        for name in wrong:
            connection.execute(text(f"DROP TRIGGER IF EXISTS {name}"))
            connection.execute(text(statements[name]))
        return wrong
    functions = postgresql_triggers.triggers()
    for name in wrong:
        made = functions[name]
        connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {name} ON {made.table}")
        connection.exec_driver_sql(made.function)
        connection.exec_driver_sql(made.definition)
    return wrong


def missing(connection: Connection) -> tuple[str, ...]:
    """Name the triggers that are gone or do not say what they should."""
    if connection.dialect.name == "sqlite":
        there = {row.name: row.sql for row in connection.execute(_IN_SQLITE)}
        wanted = sqlite_triggers.triggers()
        return tuple(name for name, sql in wanted.items() if there.get(name) != sql.strip())
    said = {
        row.name: (row.definition, row.body)
        for row in connection.execute(_IN_POSTGRESQL)
        if _character(row.enabled) in ALWAYS_ON
    }
    functions = postgresql_triggers.triggers()
    return tuple(
        name for name, it in functions.items() if said.get(name) != (it.definition, it.body)
    )


def let_delete(connection: Connection, table: Table) -> None:
    """Drop what keeps rows from being deleted; `install` puts it back."""
    connection.execute(text(f"DROP TRIGGER IF EXISTS {table.name}_stays{_on(connection, table)}"))


def _on(connection: Connection, table: Table) -> str:
    return "" if connection.dialect.name == "sqlite" else f" ON {table.name}"


def _character(value: bytes | str) -> str:
    """PostgreSQL's own "char" type comes as a byte."""
    return value.decode() if isinstance(value, bytes) else value
