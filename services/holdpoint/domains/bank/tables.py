"""The bank's tables. Amounts are minor units; the entries of each transaction add up to zero."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
)

metadata = MetaData()
customers = Table(
    "bank_customers",
    metadata,
    Column("customer_id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("email", Text, nullable=False, server_default=""),
    Column("phone", Text, nullable=False, server_default=""),
    Column("shipping_address", Text, nullable=False, server_default=""),
    Column("notifications", Text, nullable=False, server_default=""),
    Column("deleted_at", Text),
)
contacts = Table(
    "bank_contacts",
    metadata,
    Column("contact_id", Text, primary_key=True),
    Column("customer_id", Text, ForeignKey("bank_customers.customer_id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("account", Text, nullable=False),
)
accounts = Table(
    "bank_accounts",
    metadata,
    Column("account_id", Text, primary_key=True),
    Column("customer_id", Text, ForeignKey("bank_customers.customer_id")),
    Column("name", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("currency", Text, nullable=False),
    Column("status", Text, nullable=False, server_default="open"),
    Column("balance", BigInteger, nullable=False, server_default="0"),
    Column("minimum", BigInteger),
    Column("alert_below", BigInteger),
    Column("linked_to", Text, ForeignKey("bank_accounts.account_id")),
    CheckConstraint("minimum IS NULL OR balance >= minimum", name="bank_accounts_covered"),
)
transactions = Table(
    "bank_transactions",
    metadata,
    Column("transaction_id", Text, primary_key=True),
    Column("hold_id", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("posted_at", Text, nullable=False),
    Column("category", Text, nullable=False, server_default=""),
    Column("dispute", Text, nullable=False, server_default=""),
    Column("refund_of", Text, ForeignKey("bank_transactions.transaction_id")),
)
entries = Table(
    "bank_entries",
    metadata,
    Column(
        "transaction_id", Text, ForeignKey("bank_transactions.transaction_id"), primary_key=True
    ),
    Column("account_id", Text, ForeignKey("bank_accounts.account_id"), primary_key=True),
    Column("amount", BigInteger, nullable=False),
    CheckConstraint("amount <> 0", name="bank_entries_move"),
    Index("bank_entries_of_account", "account_id"),
)
contracts = Table(
    "bank_contracts",
    metadata,
    Column("contract_id", Text, primary_key=True),
    Column("account_id", Text, ForeignKey("bank_accounts.account_id"), nullable=False),
    Column("product", Text, nullable=False),
    Column("principal", BigInteger, nullable=False),
    Column("term_months", Integer, nullable=False),
    Column("started_on", Text, nullable=False),
    Column("status", Text, nullable=False, server_default="active"),
)
tickets = Table(
    "bank_tickets",
    metadata,
    Column("ticket_id", Text, primary_key=True),
    Column("customer_id", Text, ForeignKey("bank_customers.customer_id"), nullable=False),
    Column("subject", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("status", Text, nullable=False, server_default="open"),
    Column("opened_at", Text, nullable=False),
)
runs = Table(
    "bank_runs",
    metadata,
    Column("hold_id", Text, primary_key=True),
    Column("nonce", Text, nullable=False),
    Column("outcome", Text),
    Column("at", Text, nullable=False),
)
