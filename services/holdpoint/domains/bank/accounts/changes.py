"""Changes of accounts: alert, name, closing."""

from typing import Any

from sqlalchemy import update

from holdpoint.domains.bank.accounts.schemas import OfAccount, RenameAccount, SetBalanceAlert
from holdpoint.domains.bank.currency import from_plain, minor, plain
from holdpoint.domains.bank.errors import BankError
from holdpoint.domains.bank.ledger import Account, account_of
from holdpoint.domains.bank.operations import Receipt
from holdpoint.domains.bank.schemas import Money
from holdpoint.domains.bank.store import Books
from holdpoint.domains.bank.tables import accounts
from holdpoint.domains.settings import BankSettings
from holdpoint.messages.base import JsonObject

USUAL_ALERT = "100"
CLOSED = "closed"


async def named(books: Books, arguments: OfAccount, _: BankSettings) -> JsonObject:
    """A customer's account that is not closed."""
    account = await _customers(books, arguments.account_id)
    return {"account_name": account.name}


async def without_alert(books: Books, arguments: SetBalanceAlert, _: BankSettings) -> JsonObject:
    """An account that has no alert yet, and the alert that it is to have."""
    account = await _customers(books, arguments.account_id)
    if account.alert_below is not None:
        raise BankError(f"{account.name} has an alert already.")
    threshold = arguments.threshold or Money(value=USUAL_ALERT, currency=account.currency)
    if threshold.currency != account.currency:
        raise BankError(f"{account.name} is kept in {account.currency}.")
    return {
        "account_name": account.name,
        "threshold": plain(minor(threshold), account.currency),
        "currency": account.currency,
    }


async def empty(books: Books, arguments: OfAccount, _: BankSettings) -> JsonObject:
    """An account that can be closed: nothing is on it, and nothing is owed."""
    account = await _customers(books, arguments.account_id)
    if account.balance:
        raise BankError(f"{account.name} can be closed once its balance is zero.")
    return {"account_name": account.name}


async def set_alert(
    books: Books, arguments: SetBalanceAlert, state: JsonObject, _: Receipt
) -> JsonObject:
    """Enter the alert."""
    threshold = from_plain(state["threshold"], state["currency"])
    await _set(books, arguments.account_id, alert_below=threshold)
    return {"account_id": arguments.account_id, "below": threshold, **state}


async def rename(
    books: Books, arguments: RenameAccount, state: JsonObject, _: Receipt
) -> JsonObject:
    """Enter the new name."""
    await _set(books, arguments.account_id, name=arguments.name)
    return {
        "account_id": arguments.account_id,
        "name": arguments.name,
        "was": state["account_name"],
    }


async def close(books: Books, arguments: OfAccount, state: JsonObject, _: Receipt) -> JsonObject:
    """Close the account for good."""
    await _set(books, arguments.account_id, status=CLOSED)
    return {"account_id": arguments.account_id, "name": state["account_name"]}


async def _customers(books: Books, account_id: str) -> Account:
    account = await account_of(books, account_id)
    if account.customer_id is None:
        raise BankError(f"{account_id} is the bank's own account.")
    if account.status == CLOSED:
        raise BankError(f"{account.name} ({account_id}) is closed.")
    return account


async def _set(books: Books, account_id: str, **values: Any) -> None:
    await books.connection.execute(
        update(accounts).where(accounts.c.account_id == account_id).values(**values)
    )
