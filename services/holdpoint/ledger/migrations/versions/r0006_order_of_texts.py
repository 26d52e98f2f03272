"""The sixth step: in PostgreSQL texts are compared by their bytes, as SQLite does.

So an index serves the beginning of a text, and a row has one place whatever the server's language.
"""

import sqlalchemy as sa
from alembic import op

from holdpoint.runtime.errors import SetupError

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Give every text column the order of its bytes."""
    connection = op.get_bind()
    if connection.dialect.name != "postgresql":
        return
    encoding = connection.scalar(sa.text("SHOW server_encoding"))
    if encoding != "UTF8":
        raise SetupError(f"The ledger's database must be encoded in UTF8, and this is {encoding}.")
    columns = connection.execute(
        sa.text(
            "SELECT table_name, column_name FROM information_schema.columns"
            " WHERE table_schema = current_schema() AND data_type = 'text'"
        )
    )
    for table, column in columns.fetchall():
        op.alter_column(table, column, type_=sa.Text(collation="C"))
