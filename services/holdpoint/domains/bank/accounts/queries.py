"""Questions about accounts."""

from sqlalchemy import func, or_, select

from holdpoint.domains.bank.accounts.schemas import (
    Balance,
    Balances,
    FindAccount,
    ListAccounts,
    OfAccount,
)
from holdpoint.domains.bank.ledger import Account, account_of
from holdpoint.domains.bank.store import Books
from holdpoint.domains.bank.tables import accounts

MOST_FOUND = 20


async def balances(books: Books, arguments: OfAccount) -> Balances:
    """The account's balance, and those of the accounts linked to it."""
    own = await account_of(books, arguments.account_id)
    linked = await books.connection.execute(
        select(accounts).where(accounts.c.linked_to == own.account_id).order_by("account_id")
    )
    every = (own, *(Account(**row) for row in linked.mappings()))
    return Balances(
        account=own,
        balances=tuple(
            Balance(type=it.type, available=it.balance, currency=it.currency) for it in every
        ),
    )


async def details(books: Books, arguments: OfAccount) -> Account:
    """One account."""
    return await account_of(books, arguments.account_id)


async def found(books: Books, arguments: FindAccount) -> list[Account]:
    """Customers' accounts whose name or id holds the words."""
    words = arguments.query.lower()
    query = (
        select(accounts)
        .where(
            accounts.c.customer_id.is_not(None),
            or_(
                func.lower(accounts.c.name).contains(words, autoescape=True),
                func.lower(accounts.c.account_id).contains(words, autoescape=True),
            ),
        )
        .order_by("account_id")
        .limit(MOST_FOUND)
    )
    rows = await books.connection.execute(query)
    return [Account(**row) for row in rows.mappings()]


async def listed(books: Books, arguments: ListAccounts) -> list[Account]:
    """A page of customers' accounts."""
    query = select(accounts).where(accounts.c.customer_id.is_not(None)).order_by("account_id")
    if arguments.customer_id is not None:
        query = query.where(accounts.c.customer_id == arguments.customer_id)
    rows = await books.connection.execute(query.limit(arguments.limit).offset(arguments.offset))
    return [Account(**row) for row in rows.mappings()]
