"""The double-entry ledger: accounts, and transactions whose entries add up to zero."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from holdpoint.domains.bank.currency import written
from holdpoint.domains.bank.errors import BankError
from holdpoint.domains.bank.store import SQLITE, Books
from holdpoint.domains.bank.tables import accounts, entries, transactions

OPEN = "open"
SYSTEM_NAMES = {"WORLD": "Other banks", "FEES": "Fees", "INVEST": "Investments"}


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """One account as the ledger has it."""

    account_id: str
    customer_id: str | None
    name: str
    type: str
    currency: str
    status: str
    balance: int
    minimum: int | None
    alert_below: int | None
    linked_to: str | None

    @property
    def available(self) -> int:
        """The amount that may leave it, in minor units."""
        return self.balance - (self.minimum or 0)


class Posting(msgspec.Struct, frozen=True, kw_only=True):
    """A transaction to enter: from account to account, with the key it is entered under."""

    transaction_id: str
    hold_id: str
    kind: str
    description: str
    posted_at: str
    legs: Mapping[str, int]
    """What each account gains or loses, in minor units."""

    refund_of: str | None = None


async def accounts_of(books: Books, account_ids: Iterable[str]) -> dict[str, Account]:
    """The accounts of these ids, locked in one order where the books are to change."""
    wanted = sorted(set(account_ids))
    query = select(accounts).where(accounts.c.account_id.in_(wanted)).order_by("account_id")
    if books.locks:
        query = query.with_for_update()
    found = await books.connection.execute(query)
    known = {row["account_id"]: Account(**row) for row in found.mappings()}
    for account_id in wanted:
        if account_id not in known:
            raise BankError(f"There is no account {account_id}.")
    return known


async def account_of(books: Books, account_id: str) -> Account:
    """One account; BankError where there is none."""
    return (await accounts_of(books, (account_id,)))[account_id]


def check_usable(account: Account) -> None:
    """Raise BankError unless money may move on the account."""
    if account.status != OPEN or account.customer_id is None:
        raise BankError(
            f"{account.name} ({account.account_id}) is {account.status}: no money moves."
        )


def check_payment(account: Account, amount: int, currency: str) -> None:
    """Raise BankError unless so much may leave the account."""
    check_usable(account)
    if account.currency != currency:
        raise BankError(f"{account.name} is kept in {account.currency}, not in {currency}.")
    if amount > account.available:
        raise BankError(
            f"Insufficient funds: {account.name} has "
            f"{written(account.available, account.currency)} available, and "
            f"{written(amount, currency)} would leave it."
        )


async def system_account(books: Books, kind: str, currency: str) -> str:
    """The bank's own account of this kind and currency; it is made where it is missing."""
    account_id = f"ACC-{kind}-{currency}"
    add = sqlite.insert if books.dialect == SQLITE else postgresql.insert
    name = f"{SYSTEM_NAMES[kind]} ({currency})"
    values = {"account_id": account_id, "name": name, "type": "system", "currency": currency}
    await books.connection.execute(add(accounts).values(**values).on_conflict_do_nothing())
    return account_id


async def post(books: Books, postings: Sequence[Posting]) -> None:
    """Enter transactions, and move the balances with them."""
    moves: dict[str, int] = defaultdict(int)
    rows = []
    for posting in postings:
        if sum(posting.legs.values()):
            raise ValueError(f"The entries of {posting.transaction_id} do not add up to zero.")
        for account_id, amount in posting.legs.items():
            if amount:
                moves[account_id] += amount
                rows.append(
                    {
                        "transaction_id": posting.transaction_id,
                        "account_id": account_id,
                        "amount": amount,
                    }
                )
    heads = [{name: getattr(posting, name) for name in _COLUMNS} for posting in postings]
    await books.connection.execute(insert(transactions), heads)
    await books.connection.execute(insert(entries), rows)
    changes = [{"id": name, "by": amount} for name, amount in sorted(moves.items())]
    await books.connection.execute(_MOVE, changes)


_COLUMNS = tuple(name for name in Posting.__struct_fields__ if name != "legs")
_MOVE = (
    update(accounts)
    .where(accounts.c.account_id == bindparam("id"))
    .values(balance=accounts.c.balance + bindparam("by"))
)
