"""Contracts: questions about them, and the entries that they make."""

from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from sqlalchemy import insert, select, update

from holdpoint.domains.bank.currency import from_plain, minor, plain
from holdpoint.domains.bank.errors import BankError
from holdpoint.domains.bank.investments.schemas import (
    PENALTY_PERCENT,
    RATES,
    CreateInvestment,
    GetInvestments,
    SimulateInvestment,
    TerminateContract,
)
from holdpoint.domains.bank.ledger import (
    Posting,
    account_of,
    check_payment,
    check_usable,
    post,
    system_account,
)
from holdpoint.domains.bank.operations import Receipt
from holdpoint.domains.bank.store import Books
from holdpoint.domains.bank.tables import accounts, contracts
from holdpoint.domains.settings import BankSettings
from holdpoint.messages.base import JsonObject

ACTIVE = "active"
INVEST = "INVEST"
MONTHS = 12 * 100
"""Of a rate in percent a year."""


async def of_customer(books: Books, arguments: GetInvestments) -> list[dict[str, Any]]:
    """The customer's contracts, with their currency."""
    rows = await books.connection.execute(
        select(contracts, accounts.c.currency)
        .join(accounts, accounts.c.account_id == contracts.c.account_id)
        .where(accounts.c.customer_id == arguments.customer_id)
        .order_by("contract_id")
    )
    return [dict(row) for row in rows.mappings()]


async def simulated(_: Books, it: SimulateInvestment) -> JsonObject:
    """Return what it would earn."""
    amount = minor(it.amount)
    return {
        "product": it.product,
        "amount": amount,
        "currency": it.amount.currency,
        "term_months": it.term_months,
        "rate": str(RATES[it.product]),
        "interest": interest(amount, it.product, it.term_months),
    }


def interest(amount: int, product: str, months: int) -> int:
    """Return simple interest in minor units, rounded half to even."""
    exact = Decimal(amount) * RATES[product] * months / MONTHS
    return int(exact.quantize(Decimal(1), ROUND_HALF_EVEN))


async def affordable(books: Books, it: CreateInvestment, _: BankSettings) -> JsonObject:
    """Enough on the account."""
    account = await account_of(books, it.from_account)
    check_payment(account, minor(it.amount), it.amount.currency)
    earned = interest(minor(it.amount), it.product, it.term_months)
    return {
        "from_account_name": account.name,
        "rate": str(RATES[it.product]),
        "interest": plain(earned, it.amount.currency),
    }


async def active(books: Books, it: TerminateContract, _: BankSettings) -> JsonObject:
    """A contract that runs, and what comes back of it."""
    query = select(contracts).where(contracts.c.contract_id == it.contract_id)
    rows = await books.connection.execute(query.with_for_update() if books.locks else query)
    found = rows.mappings().first()
    if found is None or found["status"] != ACTIVE:
        raise BankError(f"There is no active contract {it.contract_id}.")
    account = await account_of(books, found["account_id"])
    check_usable(account)
    penalty = -(-found["principal"] * PENALTY_PERCENT // 100)
    return {
        "account_id": account.account_id,
        "account_name": account.name,
        "currency": account.currency,
        "principal": plain(found["principal"], account.currency),
        "penalty": plain(penalty, account.currency),
    }


async def create(
    books: Books, it: CreateInvestment, state: JsonObject, receipt: Receipt
) -> JsonObject:
    """Enter the contract and its payment."""
    amount, currency = minor(it.amount), it.amount.currency
    contract_id = receipt.id("INV")
    invested = await system_account(books, INVEST, currency)
    legs = {it.from_account: -amount, invested: amount}
    await post(books, [_posting(receipt, "investment", f"Investment {contract_id}", legs)])
    await books.connection.execute(
        insert(contracts).values(
            contract_id=contract_id, account_id=it.from_account, product=it.product,
            principal=amount, term_months=it.term_months, started_on=receipt.at[:10],
        )
    )  # fmt: skip
    return {
        "contract_id": contract_id,
        "product": it.product,
        "amount": amount,
        "currency": currency,
        "account_id": it.from_account,
        "account_name": state["from_account_name"],
        "term_months": it.term_months,
    }


async def terminate(
    books: Books, it: TerminateContract, state: JsonObject, receipt: Receipt
) -> JsonObject:
    """Pay the principal back, less the penalty."""
    currency, account_id = state["currency"], state["account_id"]
    principal, penalty = (from_plain(state[name], currency) for name in ("principal", "penalty"))
    invested = await system_account(books, INVEST, currency)
    fees = await system_account(books, "FEES", currency)
    legs = {invested: -principal, account_id: principal - penalty, fees: penalty}
    text = f"Termination of {it.contract_id}"
    await post(books, [_posting(receipt, "termination", text, legs)])
    await books.connection.execute(
        update(contracts)
        .where(contracts.c.contract_id == it.contract_id)
        .values(status="terminated")
    )
    return {
        "contract_id": it.contract_id,
        "paid_back": principal - penalty,
        "penalty": penalty,
        **{name: state[name] for name in ("currency", "account_id", "account_name")},
    }


def _posting(receipt: Receipt, kind: str, text: str, legs: dict[str, int]) -> Posting:
    return Posting(
        transaction_id=receipt.id("TXN"),
        hold_id=receipt.key,
        kind=kind,
        description=text,
        posted_at=receipt.at,
        legs=legs,
    )
