"""The ledger's triggers in either database: a rule of `trigger_rules.py` as that database says it.

They stand outside the migrations, because SQLite drops a table's triggers when it alters the table:
`install` puts them back, and `missing` tells an auditor which are gone.
"""

import msgspec
from sqlalchemy import Connection, Table, text

from holdpoint.ledger.tables import metadata
from holdpoint.ledger.trigger_rules import (
    Trigger,
    append_only,
    common_triggers,
    insert_once,
    never_truncated,
)

_IN_SQLITE = text("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'")
_IN_POSTGRESQL = text(
    "SELECT t.tgname AS name, t.tgenabled AS enabled, pg_get_triggerdef(t.oid, true) AS definition,"
    " p.prosrc AS body, t.tgrelid::regclass::text AS tbl_name"
    " FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid"
    " WHERE NOT t.tgisinternal AND t.tgrelid IN"
    " (SELECT c.oid FROM pg_class c WHERE pg_table_is_visible(c.oid))"
)
ALWAYS_ON = frozenset({"O", "A"})


class _Statement(msgspec.Struct, frozen=True, kw_only=True):
    """What makes a trigger, word by word as the database tells it."""

    table: str
    create: str
    body: str = ""
    """Of the function that a trigger of PostgreSQL calls; both have one name."""


def install(connection: Connection) -> tuple[str, ...]:
    """Create the triggers that are missing or changed; returns their names."""
    wrong, wanted = missing(connection), _wanted(connection)
    for name in wrong:
        made = wanted[name]
        _drop(connection, name, made.table)
        if made.body:
            connection.exec_driver_sql(
                f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql "
                f"AS $trigger${made.body}$trigger$"
            )
        connection.exec_driver_sql(made.create)
    return wrong


def missing(connection: Connection) -> tuple[str, ...]:
    """Name the triggers that are gone or do not say what they should."""
    if _is_sqlite(connection):
        there = {row.name: (row.sql, "") for row in connection.execute(_IN_SQLITE)}
    else:
        there = {
            row.name: (row.definition, row.body)
            for row in connection.execute(_IN_POSTGRESQL)
            if _character(row.enabled) in ALWAYS_ON
        }
    wanted = _wanted(connection)
    return tuple(name for name, it in wanted.items() if there.get(name) != (it.create, it.body))


def added(connection: Connection) -> tuple[str, ...]:
    """Name the triggers on the ledger's tables that this release does not have."""
    asked = _IN_SQLITE if _is_sqlite(connection) else _IN_POSTGRESQL
    wanted = _wanted(connection)
    rows = connection.execute(asked)
    return tuple(it.name for it in rows if it.tbl_name in metadata.tables and it.name not in wanted)


def let_delete(connection: Connection, table: Table) -> None:
    """Drop what keeps rows from being deleted; `install` puts it back."""
    _drop(connection, f"{table.name}_stays", table.name)


def _drop(connection: Connection, name: str, table: str) -> None:
    on = "" if _is_sqlite(connection) else f" ON {table}"
    connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {name}{on}")


def _wanted(connection: Connection) -> dict[str, _Statement]:
    if _is_sqlite(connection):
        return {it.name: _in_sqlite(it) for it in (*common_triggers(), *insert_once())}
    whole = {f"{table}_whole": _not_truncated(table) for table in never_truncated()}
    return {it.name: _in_postgresql(it) for it in common_triggers()} | whole


def _in_sqlite(it: Trigger) -> _Statement:
    when = f"WHEN {it.condition} " if it.condition else ""
    does = it.action.strip() or f"SELECT RAISE(ABORT, '{it.refusal}');"
    create = f"CREATE TRIGGER {it.name} {it.when} ON {it.table} {when}BEGIN {does} END"
    return _Statement(table=it.table, create=create)


def _in_postgresql(it: Trigger) -> _Statement:
    does = it.action.strip() or _refuse(it.refusal)
    guarded = f"IF {it.condition} THEN {does} END IF;" if it.condition else does
    return _Statement(
        table=it.table,
        create=_call(it.name, it.when, it.table, "ROW"),
        body=f" BEGIN {guarded} RETURN NEW; END ",
    )


def _not_truncated(table: str) -> _Statement:
    return _Statement(
        table=table,
        create=_call(f"{table}_whole", "BEFORE TRUNCATE", table, "STATEMENT"),
        body=f" BEGIN {_refuse(append_only(table))} END ",
    )


def _call(name: str, when: str, table: str, each: str) -> str:
    return f"CREATE TRIGGER {name} {when} ON {table} FOR EACH {each} EXECUTE FUNCTION {name}()"


def _refuse(refusal: str) -> str:
    return f"RAISE EXCEPTION '{refusal}' USING ERRCODE = 'integrity_constraint_violation';"


def _is_sqlite(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite"


def _character(value: bytes | str) -> str:
    """PostgreSQL's own "char" type comes as a byte."""
    return value.decode() if isinstance(value, bytes) else value
