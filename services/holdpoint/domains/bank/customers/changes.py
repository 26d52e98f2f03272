"""Customers' records: found, changed, deleted."""

import json
from typing import Any

from sqlalchemy import delete, func, insert, or_, select, update

from holdpoint.domains.bank.customer_records import customer_of
from holdpoint.domains.bank.customers.schemas import (
    AddContact,
    ChangeShippingAddress,
    FindCustomer,
    OfCustomer,
    UpdateNotificationPreferences,
    UpdateProfile,
)
from holdpoint.domains.bank.errors import BankError
from holdpoint.domains.bank.operations import Receipt
from holdpoint.domains.bank.store import Books
from holdpoint.domains.bank.tables import accounts, contacts, customers, tickets
from holdpoint.domains.settings import BankSettings
from holdpoint.messages.base import JsonObject

MOST_FOUND = 20
SHOWN = ("customer_id", "name", "email", "phone", "shipping_address")
DELETED = "Deleted customer"


async def found(books: Books, arguments: FindCustomer) -> list[dict[str, Any]]:
    """Customers whose name, email or id holds the words."""
    words = arguments.query.lower()
    columns = (customers.c.name, customers.c.email, customers.c.customer_id)
    rows = await books.connection.execute(
        select(*(customers.c[name] for name in SHOWN))
        .where(
            customers.c.deleted_at.is_(None),
            or_(*(func.lower(it).contains(words, autoescape=True) for it in columns)),
        )
        .order_by("customer_id")
        .limit(MOST_FOUND)
    )
    return [dict(row) for row in rows.mappings()]


async def without_accounts(books: Books, arguments: OfCustomer, _: BankSettings) -> JsonObject:
    """A customer all of whose accounts are closed."""
    customer = await customer_of(books, arguments.customer_id)
    still_open = await books.connection.scalar(
        select(func.count())
        .select_from(accounts)
        .where(accounts.c.customer_id == arguments.customer_id, accounts.c.status != "closed")
    )
    if still_open:
        raise BankError(f"{customer['name']} still has {still_open} accounts: close them first.")
    return {"customer_name": customer["name"]}


async def add_contact(books: Books, it: AddContact, _: JsonObject, receipt: Receipt) -> JsonObject:
    """Enter a contact."""
    values = {
        "contact_id": receipt.id("CON"),
        "customer_id": it.customer_id,
        "name": it.name,
        "account": it.account,
    }
    await books.connection.execute(insert(contacts).values(**values))
    return values


async def change_address(
    books: Books, it: ChangeShippingAddress, state: JsonObject, _: Receipt
) -> JsonObject:
    """Enter the address."""
    return await _set(books, it, state, shipping_address=it.address)


async def update_profile(
    books: Books, it: UpdateProfile, state: JsonObject, _: Receipt
) -> JsonObject:
    """Enter what is given."""
    given = {name: getattr(it, name) for name in ("name", "email", "phone")}
    changed = {name: value for name, value in given.items() if value is not None}
    if not changed:
        raise BankError("Nothing to update was given.")
    return await _set(books, it, state, **changed)


async def set_notifications(
    books: Books, it: UpdateNotificationPreferences, state: JsonObject, _: Receipt
) -> JsonObject:
    """Enter the channels of each topic; the others stay."""
    customer = await customer_of(books, it.customer_id)
    kept = json.loads(customer["notifications"] or "{}")
    text = json.dumps(kept | dict(it.preferences), sort_keys=True)
    await _set(books, it, state, notifications=text)
    return {"customer_id": it.customer_id, **state, "preferences": json.loads(text)}


async def delete_all(
    books: Books, it: OfCustomer, state: JsonObject, receipt: Receipt
) -> JsonObject:
    """Remove everything personal. The ledger's entries stay: they are the bank's books."""
    for table in (contacts, tickets):
        await books.connection.execute(delete(table).where(table.c.customer_id == it.customer_id))
    await books.connection.execute(
        update(accounts)
        .where(accounts.c.customer_id == it.customer_id)
        .values(name=accounts.c.account_id)
    )
    empty = dict.fromkeys(("email", "phone", "shipping_address", "notifications"), "")
    return await _set(books, it, state, name=DELETED, deleted_at=receipt.at, **empty)


async def _set(books: Books, it: OfCustomer, state: JsonObject, **values: Any) -> JsonObject:
    await books.connection.execute(
        update(customers).where(customers.c.customer_id == it.customer_id).values(**values)
    )
    return {"customer_id": it.customer_id, **state, "changed": sorted(values)}
