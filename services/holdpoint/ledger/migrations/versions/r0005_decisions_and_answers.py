"""The fifth step: decisions and answers, and what compliance asks of each confirmation.

`writer.py` fills them again from the events: nothing of them is a source.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables, and add the columns."""
    added: tuple[sa.Column[Any], ...] = (
        sa.Column("level", sa.Integer),
        *(sa.Column(name, sa.Text) for name in ("groups", "signals")),
        sa.Column("seconds_shown", sa.Float),
        *(sa.Column(name, TIME) for name in ("shown_at", "answered_at", "resumed_at")),
        *(sa.Column(name, sa.Text) for name in ("grant_nonce", "worker", "run_status")),
    )
    for column in added:
        op.add_column("confirmation_events", column)
    op.add_column("runs", sa.Column("worker", sa.Text))
    op.create_table(
        "decisions",
        sa.Column("hold_id", sa.Text, nullable=False),
        sa.Column("at", TIME, nullable=False),
        *_texts("verdict", "tenant", "agent", "on_behalf_of", "tool", "domain"),
        sa.Column("level", sa.Integer, nullable=False),
        *_texts("risk", "rules", "policy_version", "environment", "enforcement", "digest"),
        sa.PrimaryKeyConstraint("hold_id", name="pk_decisions"),
    )
    op.create_table(
        "answers",
        *_texts("tenant", "answer", "hold_id", "person", "on_behalf_of", "channel"),
        sa.Column("method", sa.Text),
        sa.Column("linked", sa.Boolean),
        sa.Column("at", TIME, nullable=False),
        *_texts("choice"),
        sa.Column("seconds_shown", sa.Float, nullable=False),
        sa.Column("counted", sa.Boolean),
        sa.PrimaryKeyConstraint("tenant", "answer", name="pk_answers"),
    )
    for columns in (["at"], ["risk", "at"], ["domain", "at"]):
        op.create_index(f"ix_decisions_{'_'.join(columns)}", "decisions", columns)
    for columns in (["hold_id"], ["person", "at"]):
        op.create_index(f"ix_answers_{'_'.join(columns)}", "answers", columns)


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in names]
