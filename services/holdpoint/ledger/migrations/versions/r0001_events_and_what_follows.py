"""The first step: events, bodies and heads; verifications; and what is derived from them."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create every table."""
    _events()
    _beside()
    _confirmation_events()
    _runs()
    _traces()
    _trace_indexes()


def _events() -> None:
    op.create_table(
        "events",
        sa.Column("seq", NUMBER, autoincrement=False, nullable=False),
        sa.Column("src_stream", sa.Text, nullable=False),
        sa.Column("src_seq", NUMBER, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("time", sa.DateTime(timezone=True), nullable=False),
        *_texts("hold_id", "agent", "principal", "signature"),
        sa.Column("body_sha256", sa.Text, nullable=False),
        sa.Column("leaf", sa.LargeBinary, nullable=False),
        sa.Column("link", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_events"),
        sa.UniqueConstraint("src_stream", "src_seq", name="uq_events_src_stream_src_seq"),
    )
    op.create_index("ix_events_hold_id", "events", ["hold_id"])
    op.create_index("ix_events_agent_time", "events", ["agent", "time"])
    op.create_index("ix_events_time", "events", ["time"])


def _beside() -> None:
    _beside_events("bodies", sa.Column("body", sa.LargeBinary, nullable=False))
    _beside_events("heads", sa.Column("link", sa.LargeBinary, nullable=False))
    _beside_events(
        "verifications",
        sa.Column("ok", sa.Boolean, nullable=False),
        sa.Column("key_id", sa.Text),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )


def _beside_events(name: str, *columns: sa.Column[object]) -> None:
    op.create_table(
        name,
        sa.Column("seq", NUMBER, autoincrement=False, nullable=False),
        *columns,
        sa.PrimaryKeyConstraint("seq", name=f"pk_{name}"),
        sa.ForeignKeyConstraint(["seq"], ["events.seq"], name=f"fk_{name}_seq"),
    )


def _confirmation_events() -> None:
    op.create_table(
        "confirmation_events",
        sa.Column("hold_id", sa.Text, nullable=False),
        *_moments("timestamp"),
        *_texts("agent_reasoning", "proposed_action", "risk_assessment"),
        sa.Column("user_response", sa.Boolean),
        *_texts("final_action", "tenant", "agent", "on_behalf_of", "outcome"),
        sa.Column("answered", sa.Boolean),
        *_texts("reason", "approvers", "resolved_by"),
        *_moments("halted_at"),
        *_texts("policy_version", "digest", "proposal"),
        sa.Column("resumed", sa.Boolean),
        *_texts("ended_as"),
        sa.PrimaryKeyConstraint("hold_id", name="pk_confirmation_events"),
    )
    op.create_index("ix_confirmation_events_timestamp", "confirmation_events", ["timestamp"])
    op.create_index("ix_confirmation_events_proposal", "confirmation_events", ["proposal"])


def _runs() -> None:
    op.create_table(
        "runs",
        sa.Column("hold_id", sa.Text, nullable=False),
        sa.Column("domain", sa.Text, nullable=False),
        *_texts("agent"),
        *_moments("started_at", "in_doubt_at", "finished_at"),
        *_texts("status", "executed"),
        *_moments("barred_at", "lapsed_at"),
        *_texts("reason"),
        sa.PrimaryKeyConstraint("hold_id", "domain", name="pk_runs"),
    )


def _traces() -> None:
    op.create_table(
        "traces",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("parent_id", NUMBER),
        sa.Column("cycle_id", NUMBER),
        sa.Column("call_order", NUMBER),
        *_texts("group_id", "fn", "input", "output", "exception"),
        *_texts("prompt_versions", "app_version"),
        *_moments("created_at", "updated_at"),
        sa.Column("tenant", sa.Text, nullable=False),
        sa.Column("agent", sa.Text, nullable=False),
        sa.Column("trace_id", sa.Text, nullable=False),
        sa.Column("parent", sa.Text),
        sa.PrimaryKeyConstraint("id", "tenant", name="pk_traces"),
        sa.UniqueConstraint("tenant", "trace_id", "agent", name="uq_traces_tenant_trace_id_agent"),
    )


def _trace_indexes() -> None:
    _traces_index(["tenant", "parent"], "parent IS NOT NULL")
    _traces_index(["tenant", "parent_id", "call_order"], "parent_id IS NOT NULL")
    _traces_index(["tenant", "agent", "group_id", "call_order"], "parent IS NULL")


def _traces_index(columns: list[str], where: str) -> None:
    op.create_index(
        f"ix_traces_{'_'.join(columns)}",
        "traces",
        columns,
        sqlite_where=sa.text(where),
        postgresql_where=sa.text(where),
    )


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text) for name in names]


def _moments(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.DateTime(timezone=True)) for name in names]
