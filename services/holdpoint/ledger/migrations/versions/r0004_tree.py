"""The fourth step: a Merkle tree and signed checkpoints take the place of the chain and its heads.

The chain is verified one last time, because its links are dropped: a ledger that was tampered with
stays as it is, and says where.
"""

import hashlib

import sqlalchemy as sa
from alembic import op

from holdpoint.core.leaf import leaf
from holdpoint.ledger.tables import Moment
from holdpoint.runtime.errors import SetupError

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
GENESIS = bytes(32)
READ = 1_000

_events = sa.table(
    "events",
    *(sa.column(name) for name in ("seq", "src_stream", "src_seq", "subject", "type", "hold_id")),
    sa.column("time", Moment),
    *(sa.column(name) for name in ("signature", "body_sha256", "leaf", "link")),
)
_heads = sa.table("heads", sa.column("seq"), sa.column("link"))


def upgrade() -> None:
    """Check the chain, drop it, and make the tables of the tree; the writer fills them."""
    _check_chain(op.get_bind())
    _drop_triggers()
    op.drop_table("heads")
    with op.batch_alter_table("events", recreate="never") as events:
        events.drop_column("link")
    op.create_table(
        "tree_nodes",
        sa.Column("level", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("place", NUMBER, autoincrement=False, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("beneath", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("level", "place", name="pk_tree_nodes"),
    )
    op.create_table(
        "checkpoints",
        sa.Column("number", NUMBER, autoincrement=False, nullable=False),
        sa.Column("size", NUMBER, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_checkpoints"),
        sa.UniqueConstraint("size", name="uq_checkpoints_size"),
        sa.ForeignKeyConstraint(["size"], ["events.seq"], name="fk_checkpoints_size"),
    )


def _check_chain(connection: sa.Connection) -> None:
    heads = {row.seq: row.link for row in connection.execute(sa.select(_heads))}
    rows = connection.execute(
        sa.select(_events).order_by(_events.c.seq), execution_options={"yield_per": READ}
    )
    link, last = GENESIS, 0
    for row in rows:
        link = hashlib.sha256(b"\x01" + link + row.leaf).digest()
        is_whole = row.seq == last + 1 and row.link == link and leaf(row._asdict()) == row.leaf
        if not is_whole or heads.pop(row.seq, link) != link:
            raise SetupError(_tampered(row.seq))
        last = row.seq
    if heads:
        raise SetupError(_tampered(min(heads)))


def _tampered(seq: int) -> str:
    return (
        f"The ledger's chain is broken at event {seq}, so it is not upgraded. Look at it with "
        "`holdpoint audit verify` of the version that wrote it; then move it away: the audit makes "
        "a new one from what the streams still hold."
    )


def _drop_triggers() -> None:
    """A trigger may name the column that is dropped; the writer puts them back."""
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        named = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'events'"
        for (name,) in connection.execute(sa.text(named)).fetchall():
            connection.execute(sa.text(f"DROP TRIGGER {name}"))
