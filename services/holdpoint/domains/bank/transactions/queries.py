"""Questions about transactions."""

from msgspec.structs import replace
from sqlalchemy import Select, func, select

from holdpoint.domains.bank.errors import BankError
from holdpoint.domains.bank.ledger import account_of
from holdpoint.domains.bank.store import Books
from holdpoint.domains.bank.tables import accounts, entries, transactions
from holdpoint.domains.bank.transactions.schemas import (
    ExportTransactions,
    GetTransactions,
    Line,
    Lines,
    OfTransaction,
    SearchTransactions,
)

MOST_EXPORTED = 500
LAST_MOMENT = "T99"
"""Behind every time of its day."""


async def newest(books: Books, arguments: GetTransactions) -> Lines:
    """The newest transactions of an account."""
    return await _page(
        books, arguments.account_id, _of_account(arguments.account_id), arguments.limit,
        arguments.offset,
    )  # fmt: skip


async def matching(books: Books, arguments: SearchTransactions) -> Lines:
    """Those whose text holds the words."""
    query = _between(_of_account(arguments.account_id), arguments.since, arguments.until)
    words = func.lower(transactions.c.description)
    query = query.where(words.contains(arguments.text.lower(), autoescape=True))
    found = await _page(books, arguments.account_id, query, arguments.limit, arguments.offset)
    return replace(found, since=arguments.since, until=arguments.until)


async def statement(books: Books, arguments: ExportTransactions) -> Lines:
    """Those between two days."""
    query = _between(_of_account(arguments.account_id), arguments.since, arguments.until)
    return await _page(books, arguments.account_id, query, MOST_EXPORTED, 0)


async def details(books: Books, arguments: OfTransaction) -> Line:
    """One transaction, as the customer's account sees it."""
    rows = await books.connection.execute(
        _LINES.where(
            transactions.c.transaction_id == arguments.transaction_id,
            accounts.c.customer_id.is_not(None),
        ).order_by(entries.c.amount)
    )
    row = rows.mappings().first()
    if row is None:
        raise BankError(f"There is no transaction {arguments.transaction_id}.")
    return Line(**row)


_LINES = (
    select(
        *(getattr(transactions.c, name) for name in (
            "transaction_id", "kind", "description", "posted_at", "category", "dispute",
        )),
        entries.c.account_id, entries.c.amount, accounts.c.currency,
    )
    .join(entries, entries.c.transaction_id == transactions.c.transaction_id)
    .join(accounts, accounts.c.account_id == entries.c.account_id)
)  # fmt: skip


def _of_account(account_id: str) -> Select[tuple[object, ...]]:
    newest_first = (transactions.c.posted_at.desc(), transactions.c.transaction_id.desc())
    return _LINES.where(entries.c.account_id == account_id).order_by(*newest_first)


def _between(
    query: Select[tuple[object, ...]], since: str | None, until: str | None
) -> Select[tuple[object, ...]]:
    if since is not None:
        query = query.where(transactions.c.posted_at >= since)
    if until is not None:
        query = query.where(transactions.c.posted_at <= until + LAST_MOMENT)
    return query


async def _page(
    books: Books, account_id: str, query: Select[tuple[object, ...]], limit: int, offset: int
) -> Lines:
    account = await account_of(books, account_id)
    rows = await books.connection.execute(query.limit(limit + 1).offset(offset))
    lines = tuple(Line(**row) for row in rows.mappings())
    return Lines(account=account, lines=lines[:limit], more=len(lines) > limit)
