"""Records of customers."""

from typing import Any

from sqlalchemy import select

from holdpoint.domains.bank.errors import BankError
from holdpoint.domains.bank.store import Books
from holdpoint.domains.bank.tables import customers
from holdpoint.domains.settings import BankSettings
from holdpoint.messages.base import JsonObject


async def living_customer(books: Books, arguments: Any, _: BankSettings) -> JsonObject:
    """The name of a customer whose data was not deleted."""
    customer = await customer_of(books, arguments.customer_id)
    return {"customer_name": customer["name"]}


async def customer_of(books: Books, customer_id: str) -> dict[str, Any]:
    """A customer's record, locked where the books are to change; BankError where there is none."""
    query = select(customers).where(customers.c.customer_id == customer_id)
    rows = await books.connection.execute(query.with_for_update() if books.locks else query)
    row = rows.mappings().first()
    if row is None or row["deleted_at"]:
        raise BankError(f"There is no customer {customer_id}.")
    return dict(row)
