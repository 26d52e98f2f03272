"""The ledger's schema, step by step; `upgrade` takes any ledger to the newest one."""

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection

LOCATION = "holdpoint.ledger:migrations"


def migrate(connection: Connection) -> bool:
    """Run every step that this ledger has not seen, inside the caller's transaction.

    Return whether there was one.
    """
    before = MigrationContext.configure(connection).get_current_revision()
    config = Config()
    config.set_main_option("script_location", LOCATION)
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    return MigrationContext.configure(connection).get_current_revision() != before
