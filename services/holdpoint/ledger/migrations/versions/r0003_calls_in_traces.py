"""The third step: traces name each call's hold, so that its result closes the node.

The table is created again and filled again from the events (`writer.py`): nothing of it is a
source.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the table and its indexes."""
    op.drop_table("traces")
    op.create_table(
        "traces",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        *(sa.Column(name, NUMBER) for name in ("parent_id", "cycle_id", "call_order")),
        *_texts("group_id", "fn", "input", "output", "exception"),
        *_texts("prompt_versions", "app_version"),
        *(sa.Column(at, sa.DateTime(timezone=True)) for at in ("created_at", "updated_at")),
        sa.Column("tenant", sa.Text, nullable=False),
        sa.Column("agent", sa.Text, nullable=False),
        sa.Column("trace_id", sa.Text, nullable=False),
        *_texts("parent", "hold_id", "domain", "dispatched_by"),
        sa.PrimaryKeyConstraint("id", "tenant", name="pk_traces"),
        sa.UniqueConstraint("tenant", "trace_id", "agent", name="uq_traces_tenant_trace_id_agent"),
    )
    _index(["tenant", "parent"], "parent IS NOT NULL")
    _index(["tenant", "parent_id", "call_order"], "parent_id IS NOT NULL")
    _index(["tenant", "agent", "group_id", "call_order"], "parent IS NULL")
    _index(["tenant", "hold_id"], "hold_id IS NOT NULL")
    _index(["tenant", "dispatched_by"], "dispatched_by IS NOT NULL")


def _index(columns: list[str], where: str) -> None:
    op.create_index(
        f"ix_traces_{'_'.join(columns)}",
        "traces",
        columns,
        sqlite_where=sa.text(where),
        postgresql_where=sa.text(where),
    )


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text) for name in names]
