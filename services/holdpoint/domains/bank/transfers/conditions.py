"""Conditions of a transfer, when it is shown and when it happens."""

from sqlalchemy import func, select

from holdpoint.domains.bank.currency import from_plain, minor, plain, written
from holdpoint.domains.bank.errors import BankError
from holdpoint.domains.bank.ledger import Account, accounts_of, check_payment, check_usable
from holdpoint.domains.bank.schemas import Money
from holdpoint.domains.bank.store import Books
from holdpoint.domains.bank.tables import entries, transactions
from holdpoint.domains.bank.transfers.schemas import (
    PayCreditCard,
    ProcessRefund,
    TransferFunds,
    TransferToThirdParty,
)
from holdpoint.domains.settings import BankSettings
from holdpoint.messages.base import JsonObject

CREDIT_CARD = "credit_card"
HERE = "ACC-"
WORLD = "ACC-WORLD-"


async def own(books: Books, it: TransferFunds, _: BankSettings) -> JsonObject:
    """Two accounts of one customer, and enough on the first."""
    known = await accounts_of(books, (it.from_account, it.to_account))
    check_own(known[it.from_account], known[it.to_account], it.amount)
    return _between(known[it.from_account], known[it.to_account], fee=0)


def check_own(source: Account, target: Account, amount: Money) -> None:
    """Raise BankError unless so much may go from one account to another of the same customer."""
    _check_pair(source, target, amount, minor(amount))
    if source.customer_id != target.customer_id:
        raise BankError(
            f"{source.account_id} and {target.account_id} belong to different customers. "
            "Use transfer_to_third_party."
        )


async def third_party(books: Books, it: TransferToThirdParty, settings: BankSettings) -> JsonObject:
    """Enough for the amount and the fee, and where it goes."""
    here = it.recipient_account.startswith(HERE)
    known = await accounts_of(books, (it.from_account, *((it.recipient_account,) if here else ())))
    source, amount = known[it.from_account], minor(it.amount)
    fee = from_plain(settings.third_party_fee, it.amount.currency)
    if here:
        _check_pair(source, known[it.recipient_account], it.amount, amount + fee)
    else:
        check_payment(source, amount + fee, it.amount.currency)
    return {
        "from_account_name": source.name,
        "fee": plain(fee, it.amount.currency),
    }


async def card(books: Books, it: PayCreditCard, _: BankSettings) -> JsonObject:
    """A card of the same customer on which at least so much is owed."""
    known = await accounts_of(books, (it.from_account, it.card_account))
    source, target = known[it.from_account], known[it.card_account]
    check_own(source, target, it.amount)
    if target.type != CREDIT_CARD:
        raise BankError(f"{target.name} is no credit card.")
    if minor(it.amount) > -target.balance:
        owed = written(max(0, -target.balance), target.currency)
        raise BankError(f"Only {owed} is owed on {target.name}.")
    return _between(source, target, fee=0)


async def refund(books: Books, it: ProcessRefund, _: BankSettings) -> JsonObject:
    """A payment of a customer, of which at least so much was not given back before."""
    account_id, paid = await _payment(books, it.transaction_id)
    known = await accounts_of(books, (account_id,))
    account = known[account_id]
    check_usable(account)
    if account.currency != it.amount.currency:
        raise BankError(f"{it.transaction_id} was made in {account.currency}.")
    returned = await _returned(books, it.transaction_id, account_id)
    if minor(it.amount) > paid - returned:
        left = written(paid - returned, account.currency)
        raise BankError(f"Of {it.transaction_id} only {left} can still be refunded.")
    return {"to_account": account_id, "to_account_name": account.name}


def _check_pair(source: Account, target: Account, amount: Money, total: int) -> None:
    if source.account_id == target.account_id:
        raise BankError("From and to are the same account.")
    check_payment(source, total, amount.currency)
    check_usable(target)
    if target.currency != amount.currency:
        raise BankError(f"{target.name} is kept in {target.currency}, not in {amount.currency}.")


def _between(source: Account, target: Account, fee: int) -> JsonObject:
    return {
        "from_account_name": source.name,
        "to_account_name": target.name,
        "fee": plain(fee, source.currency),
    }


async def _payment(books: Books, transaction_id: str) -> tuple[str, int]:
    """The account that paid the world outside, and how much of it arrived there."""
    rows = await books.connection.execute(
        select(entries.c.account_id, entries.c.amount).where(
            entries.c.transaction_id == transaction_id
        )
    )
    legs = {str(row.account_id): int(row.amount) for row in rows}
    arrived = sum(by for name, by in legs.items() if name.startswith(WORLD) and by > 0)
    payer = next((name for name, by in legs.items() if by < 0), "")
    if not arrived or not payer:
        raise BankError(f"{transaction_id} is no payment that can be refunded.")
    return payer, arrived


async def _returned(books: Books, transaction_id: str, account_id: str) -> int:
    total = await books.connection.scalar(
        select(func.coalesce(func.sum(entries.c.amount), 0))
        .join(transactions, transactions.c.transaction_id == entries.c.transaction_id)
        .where(
            transactions.c.refund_of == transaction_id,
            entries.c.account_id == account_id,
        )
    )
    return int(total or 0)
