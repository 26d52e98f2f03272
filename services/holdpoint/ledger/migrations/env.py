"""Environment of alembic: the steps, on the connection that `migrate` hands over."""

from alembic import context

from holdpoint.ledger.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
)
context.run_migrations()
