"""The ledger's schema, step by step; `upgrade` takes any ledger to the newest one."""

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.util import CommandError
from sqlalchemy import Connection, inspect

from holdpoint.runtime.errors import SetupError

LOCATION = "holdpoint.ledger:migrations"

UNKNOWN = (
    "The ledger says that its tables are at step {step}, which this release does not know: a newer "
    "release wrote it, or somebody changed `alembic_version`. Start that release, or restore the "
    "ledger from a backup."
)
NO_STEP = (
    "The ledger has tables, and does not say at which step they are: `alembic_version` is empty or "
    "gone. Restore the ledger from a backup."
)


def migrate(connection: Connection) -> bool:
    """Run every step that this ledger has not seen, inside the caller's transaction.

    Return whether there was one. SetupError of a step that nobody knows.
    """
    before = MigrationContext.configure(connection).get_current_revision()
    if before is None and inspect(connection).has_table("events"):
        raise SetupError(NO_STEP)
    config = Config()
    config.set_main_option("script_location", LOCATION)
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError:
        raise SetupError(UNKNOWN.format(step=before)) from None
    return MigrationContext.configure(connection).get_current_revision() != before
