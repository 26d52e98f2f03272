"""Changes of transactions: category and dispute. Their entries never change."""

from typing import Any

from sqlalchemy import update

from holdpoint.domains.bank.currency import plain
from holdpoint.domains.bank.errors import BankError
from holdpoint.domains.bank.operations import Receipt
from holdpoint.domains.bank.store import Books
from holdpoint.domains.bank.tables import transactions
from holdpoint.domains.bank.transactions import queries
from holdpoint.domains.bank.transactions.schemas import (
    CategorizeTransaction,
    DisputeTransaction,
    OfTransaction,
)
from holdpoint.domains.settings import BankSettings
from holdpoint.messages.base import JsonObject


async def known(books: Books, arguments: OfTransaction, _: BankSettings) -> JsonObject:
    """A customer's transaction."""
    line = await queries.details(books, arguments)
    return {"description": line.description, "category": line.category}


async def disputable(books: Books, arguments: OfTransaction, _: BankSettings) -> JsonObject:
    """A charge that is not disputed yet."""
    line = await queries.details(books, arguments)
    if line.amount >= 0:
        raise BankError(f"{line.transaction_id} is no charge.")
    if line.dispute:
        raise BankError(f"{line.transaction_id} is disputed already.")
    return {
        "description": line.description,
        "amount": plain(-line.amount, line.currency),
        "currency": line.currency,
        "posted_at": line.posted_at,
    }


async def categorize(
    books: Books, it: CategorizeTransaction, state: JsonObject, _: Receipt
) -> JsonObject:
    """Enter the category."""
    await _set(books, it.transaction_id, category=it.category)
    return {
        "transaction_id": it.transaction_id,
        "description": state["description"],
        "category": it.category,
        "was": state["category"],
    }


async def dispute(
    books: Books, it: DisputeTransaction, state: JsonObject, _: Receipt
) -> JsonObject:
    """Enter the dispute."""
    await _set(books, it.transaction_id, dispute=it.reason)
    return {"transaction_id": it.transaction_id, "reason": it.reason, **state}


async def _set(books: Books, transaction_id: str, **values: Any) -> None:
    await books.connection.execute(
        update(transactions).where(transactions.c.transaction_id == transaction_id).values(**values)
    )
