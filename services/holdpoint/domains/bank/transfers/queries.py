"""Questions about transfers."""

from typing import Any

from sqlalchemy import or_, select

from holdpoint.domains.bank.store import Books
from holdpoint.domains.bank.tables import accounts, entries, transactions
from holdpoint.domains.bank.transfers.schemas import GetTransferStatus
from holdpoint.messages.base import JsonObject


async def status(books: Books, arguments: GetTransferStatus) -> JsonObject:
    """Return how a transfer stands, with the amount that each side gained or lost."""
    wanted = arguments.transfer_id
    rows = await books.connection.execute(
        select(
            transactions.c.transaction_id, transactions.c.kind, transactions.c.posted_at,
            accounts.c.account_id, accounts.c.currency, accounts.c.customer_id, entries.c.amount,
        )
        .join(entries, entries.c.transaction_id == transactions.c.transaction_id)
        .join(accounts, accounts.c.account_id == entries.c.account_id)
        .where(or_(transactions.c.transaction_id == wanted, transactions.c.hold_id == wanted))
        .order_by(entries.c.amount)
    )  # fmt: skip
    found: list[dict[str, Any]] = [dict(row) for row in rows.mappings()]
    if not found:
        return {"transfer_id": wanted, "status": "not_made"}
    gains = [row for row in found if row["amount"] > 0]
    own = next((row["account_id"] for row in found if row["customer_id"]), "")
    return {
        "transfer_id": found[0]["transaction_id"],
        "status": "completed",
        "kind": found[0]["kind"],
        "posted_at": found[0]["posted_at"],
        "amount": max(row["amount"] for row in gains),
        "currency": found[0]["currency"],
        "account_id": own,
    }
