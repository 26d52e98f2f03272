"""The ledger's views: what the commands ask, as SQL that anybody may select from."""

from hashlib import sha256

from sqlalchemy import Connection, SelectBase, literal, text, union_all

from holdpoint.ledger import exceptions, reviewers

_IN_SQLITE = text("SELECT name, sql FROM sqlite_master WHERE type = 'view'")
_IS_VIEW = text("SELECT oid FROM pg_class WHERE oid = to_regclass(:name) AND relkind = 'v'")
_SAYS = text("SELECT obj_description(to_regclass(:name), 'pg_class')")


def create_views(connection: Connection) -> None:
    """Make each view as this release has it.

    In PostgreSQL one that is as it should be is left, so that only a new release needs the owner;
    its comment holds the hash of what it was made from.
    """
    is_sqlite = connection.dialect.name == "sqlite"
    for name, made in _wanted(connection).items():
        mark = sha256(made.encode()).hexdigest()
        if is_sqlite:
            connection.exec_driver_sql(f"CREATE VIEW {name} AS {made}")
        elif connection.scalar(_SAYS, {"name": name}) != mark:
            connection.exec_driver_sql(f"CREATE OR REPLACE VIEW {name} AS {made}")
            connection.exec_driver_sql(f"COMMENT ON VIEW {name} IS '{mark}'")


def drop_views(connection: Connection) -> None:
    """Drop them before tables are altered: SQLite alters none that a view stands on."""
    if connection.dialect.name == "sqlite":
        for name in _views():
            connection.exec_driver_sql(f"DROP VIEW IF EXISTS {name}")


def changed_views(connection: Connection) -> list[str]:
    """Name the views that are gone or do not say what this release has them say."""
    wanted = _wanted(connection).items()
    if connection.dialect.name == "sqlite":
        there = {row.name: row.sql for row in connection.execute(_IN_SQLITE)}
        return [name for name, made in wanted if there.get(name) != f"CREATE VIEW {name} AS {made}"]
    return [name for name, made in wanted if _runs_otherwise(connection, name, made)]


def _runs_otherwise(connection: Connection, name: str, made: str) -> bool:
    """PostgreSQL keeps a view's meaning and not its words: the server plans both the same way."""
    if connection.scalar(_IS_VIEW, {"name": name}) is None:
        return True
    return _plan(connection, name) != _plan(connection, f"({made}) AS {name}")


def _plan(connection: Connection, source: str) -> list[str]:
    asked = f"EXPLAIN (VERBOSE, COSTS OFF) SELECT * FROM {source}"  # noqa: S608  # our own views
    return list(connection.exec_driver_sql(asked).scalars())


def _wanted(connection: Connection) -> dict[str, str]:
    made = {
        name: it.compile(dialect=connection.dialect, compile_kwargs={"literal_binds": True})
        for name, it in _views().items()
    }
    return {name: str(it) for name, it in made.items()}


def _views() -> dict[str, SelectBase]:
    kinds = (
        wanted.add_columns(literal(kind.value).label("kind"))
        for kind, wanted in exceptions.in_sql().items()
    )
    return {"exceptions": union_all(*kinds), "reviewers": reviewers.reviewers()}
