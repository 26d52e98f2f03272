"""Transfers as entries of the ledger."""

from holdpoint.domains.bank.currency import from_plain, minor
from holdpoint.domains.bank.errors import BankError
from holdpoint.domains.bank.ledger import Posting, post, system_account
from holdpoint.domains.bank.operations import Receipt
from holdpoint.domains.bank.store import Books
from holdpoint.domains.bank.transfers.conditions import HERE
from holdpoint.domains.bank.transfers.schemas import (
    PayCreditCard,
    ProcessRefund,
    TransferFunds,
    TransferToThirdParty,
)
from holdpoint.messages.base import JsonObject

PREFIX = "TXN"
WORLD = "WORLD"
FEES = "FEES"


def own_posting(it: TransferFunds | PayCreditCard, receipt: Receipt) -> Posting:
    """The entries of a transfer between a customer's own accounts."""
    target = it.to_account if isinstance(it, TransferFunds) else it.card_account
    amount = minor(it.amount)
    return Posting(
        transaction_id=receipt.id(PREFIX),
        hold_id=receipt.key,
        kind="transfer" if isinstance(it, TransferFunds) else "card_settlement",
        description=f"Transfer from {it.from_account} to {target}",
        posted_at=receipt.at,
        legs={it.from_account: -amount, target: amount},
    )


async def transfer(
    books: Books, it: TransferFunds | PayCreditCard, state: JsonObject, receipt: Receipt
) -> JsonObject:
    """Enter a transfer between a customer's own accounts."""
    posting = own_posting(it, receipt)
    await post(books, [posting])
    target = it.to_account if isinstance(it, TransferFunds) else it.card_account
    return _outcome(posting, it.from_account, state["from_account_name"]) | {
        "amount": minor(it.amount),
        "currency": it.amount.currency,
        "to_account": target,
        "to_account_name": state["to_account_name"],
    }


async def pay_third_party(
    books: Books, it: TransferToThirdParty, state: JsonObject, receipt: Receipt
) -> JsonObject:
    """Enter a transfer to somebody else, and its fee."""
    amount, currency = minor(it.amount), it.amount.currency
    fee = from_plain(state["fee"], currency)
    target = it.recipient_account
    if not target.startswith(HERE):
        target = await system_account(books, WORLD, currency)
    legs = {it.from_account: -amount - fee, target: amount}
    if fee:
        legs[await system_account(books, FEES, currency)] = fee
    posting = Posting(
        transaction_id=receipt.id(PREFIX),
        hold_id=receipt.key,
        kind="third_party",
        description=f"Transfer to {it.recipient_name}" + (f", {it.memo}" if it.memo else ""),
        posted_at=receipt.at,
        legs=legs,
    )
    await post(books, [posting])
    return _outcome(posting, it.from_account, state["from_account_name"]) | {
        "amount": amount,
        "currency": currency,
        "to_account": it.recipient_account,
        "to_account_name": it.recipient_name,
    }


async def refund(
    books: Books, it: ProcessRefund, state: JsonObject, receipt: Receipt
) -> JsonObject:
    """Give a payment back, from the world outside."""
    amount, currency = minor(it.amount), it.amount.currency
    world = await system_account(books, WORLD, currency)
    if world == state["to_account"]:
        raise BankError("The bank's own account gets no refund.")
    posting = Posting(
        transaction_id=receipt.id(PREFIX),
        hold_id=receipt.key,
        kind="refund",
        description=f"Refund of {it.transaction_id}: {it.reason}",
        posted_at=receipt.at,
        legs={world: -amount, state["to_account"]: amount},
        refund_of=it.transaction_id,
    )
    await post(books, [posting])
    return _outcome(posting, world, f"the payee of {it.transaction_id}") | {
        "amount": amount,
        "currency": currency,
        "to_account": state["to_account"],
        "to_account_name": state["to_account_name"],
    }


def _outcome(posting: Posting, account_id: str, name: str) -> JsonObject:
    return {
        "transfer_id": posting.transaction_id,
        "posted_at": posting.posted_at,
        "from_account": account_id,
        "from_account_name": name,
    }
