"""The seventh step: arguments that can be searched. `writer.py` fills them from the events."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table; in PostgreSQL its texts have the order of their bytes, like all."""
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    text = sa.Text() if is_sqlite else sa.Text(collation="C")
    op.create_table(
        "action_values",
        *(sa.Column(name, text, nullable=False) for name in ("hold_id", "path", "text")),
        sa.Column("number", sa.Float),
        sa.PrimaryKeyConstraint("hold_id", "path", name="pk_action_values"),
    )
    for column in ("number", "text"):
        op.create_index(f"ix_action_values_path_{column}", "action_values", ["path", column])
