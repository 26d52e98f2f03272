"""The ledger's views: what the commands ask, as SQL that anybody may select from."""

from hashlib import sha256

from sqlalchemy import Connection, SelectBase, literal, text, union_all

from holdpoint.ledger import exceptions, reviewers

_SAYS = text("SELECT obj_description(to_regclass(:name), 'pg_class')")


def create_views(connection: Connection) -> None:
    """Make each view as this release has it.

    In PostgreSQL one that is as it should be is left, so that only a new release needs the owner;
    its comment holds the hash of what it was made from.
    """
    is_sqlite = connection.dialect.name == "sqlite"
    for name, wanted in _views().items():
        made = wanted.compile(dialect=connection.dialect, compile_kwargs={"literal_binds": True})
        mark = sha256(str(made).encode()).hexdigest()
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


def _views() -> dict[str, SelectBase]:
    kinds = (
        wanted.add_columns(literal(kind.value).label("kind"))
        for kind, wanted in exceptions.in_sql().items()
    )
    return {"exceptions": union_all(*kinds), "reviewers": reviewers.reviewers()}
