"""The bank's ledger: each key once, the books balanced, and nothing that was not confirmed."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import create_async_engine
from tests.bank_system import (
    BAKERY,
    CARD,
    CHECKING,
    FROZEN,
    OTHERS,
    SAVINGS,
    TOOLS,
    arguments,
    context_of,
    sample_bank,
    usd,
)

from holdpoint.core.tool import PlanContext, Result, spec_of
from holdpoint.domains.bank.ledger import Posting, post
from holdpoint.domains.bank.store import Bank, reading, writing
from holdpoint.domains.bank.tables import accounts, entries, transactions
from holdpoint.messages.action import Plan
from holdpoint.messages.run import RunStatus

TRANSFER = {"amount": usd("150.00"), "from_account": CHECKING, "to_account": SAVINGS}


@pytest.fixture(params=["sqlite", "postgres"])
async def bank(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Bank]:
    url = "sqlite:///bank.db"
    if request.param == "postgres":
        url = request.getfixturevalue("postgres_url")
        engine = create_async_engine(url.replace("postgresql:", "postgresql+asyncpg:"))
        async with engine.begin() as connection:
            await connection.exec_driver_sql("DROP SCHEMA public CASCADE")
            await connection.exec_driver_sql("CREATE SCHEMA public")
        await engine.dispose()
    async with sample_bank(url, tmp_path, third_party_fee="1.50") as opened:
        yield opened


async def run(bank: Bank, name: str, key: str, conditions: Any = None, /, **raw: Any) -> Result:
    preconditions = {"conditions": conditions} if conditions is not None else {}
    context = context_of(bank, key, preconditions)
    return await spec_of(TOOLS[name]).run(arguments(name, raw), context)


async def plan(bank: Bank, name: str, /, **raw: Any) -> Plan:
    planner = spec_of(TOOLS[name]).plan
    assert planner is not None
    context = PlanContext(settings=bank.settings, resource=bank)
    return await planner(arguments(name, raw), context)


async def looked_up(bank: Bank, name: str, key: str, /, **raw: Any) -> Result | None:
    lookup = spec_of(TOOLS[name]).lookup
    assert lookup is not None
    return await lookup(arguments(name, raw), context_of(bank, key))


async def balance(bank: Bank, account_id: str) -> int:
    async with reading(bank, 5) as books:
        query = select(accounts.c.balance).where(accounts.c.account_id == account_id)
        return int(await books.connection.scalar(query) or 0)


async def check_books(bank: Bank) -> None:
    """Every transaction adds up to zero, and every balance is the sum of its entries."""
    async with reading(bank, 60) as books:
        summed = select(func.sum(entries.c.amount)).group_by(entries.c.transaction_id)
        unequal = await books.connection.scalars(summed.having(func.sum(entries.c.amount) != 0))
        assert not unequal.all()
        rows = await books.connection.execute(
            select(accounts.c.balance, func.coalesce(func.sum(entries.c.amount), 0).label("sum"))
            .outerjoin(entries, entries.c.account_id == accounts.c.account_id)
            .group_by(accounts.c.account_id, accounts.c.balance)
        )
        assert all(int(row.balance) == int(row.sum) for row in rows)


async def test_the_same_key_pays_once(bank: Bank) -> None:
    first = await run(bank, "transfer_funds", "k1", **TRANSFER)
    again = await run(bank, "transfer_funds", "k1", **TRANSFER)
    assert first.status is RunStatus.DONE
    assert again == first
    assert await looked_up(bank, "transfer_funds", "k1", **TRANSFER) == first
    assert await balance(bank, CHECKING) == 235_000
    assert await balance(bank, SAVINGS) == 1_515_000
    await check_books(bank)


async def test_what_did_not_happen_is_not_found(bank: Bank) -> None:
    assert await looked_up(bank, "transfer_funds", "k1", **TRANSFER) is None
    assert (await run(bank, "transfer_funds", "k1", **TRANSFER)).status is RunStatus.DONE


async def test_concurrent_transfers_never_overdraw(bank: Bank) -> None:
    each = TRANSFER | {"amount": usd("300.00")}
    told = await asyncio.gather(
        *(run(bank, "transfer_funds", f"k{at}", **each) for at in range(12)),
        *(run(bank, "transfer_funds", f"k{at}", **each) for at in range(12)),
    )
    paid = {it.data["transfer_id"] for it in told if it.status is RunStatus.DONE}
    assert len(paid) == 8
    assert all("Insufficient funds" in it.error for it in told if it.status is RunStatus.FAILED)
    assert await balance(bank, CHECKING) == 10_000
    await check_books(bank)


async def test_transfers_in_both_directions_do_not_block_each_other(bank: Bank) -> None:
    back = {"amount": usd("150.00"), "from_account": SAVINGS, "to_account": CHECKING}
    told = await asyncio.gather(
        *(run(bank, "transfer_funds", f"there-{at}", **TRANSFER) for at in range(10)),
        *(run(bank, "transfer_funds", f"back-{at}", **back) for at in range(10)),
    )
    assert {it.status for it in told} == {RunStatus.DONE}
    assert await balance(bank, CHECKING) == 250_000
    await check_books(bank)


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        ("transfer_funds", {"amount": usd("2500.01")}, "Insufficient funds"),
        ("transfer_funds", {"from_account": FROZEN}, "is frozen"),
        ("transfer_funds", {"amount": {"value": "1", "currency": "EUR"}}, "is kept in USD"),
        ("transfer_funds", {"amount": {"value": "1", "currency": "XXX"}}, "no accounts in XXX"),
        ("transfer_funds", {"amount": usd("0.00")}, "above zero"),
        ("transfer_funds", {"to_account": OTHERS}, "different customers"),
        ("transfer_funds", {"to_account": "ACC-999"}, "There is no account"),
    ],
)
async def test_what_cannot_be_paid_is_refused_before_and_at_the_effect(
    bank: Bank, name: str, change: dict[str, Any], why: str
) -> None:
    raw = TRANSFER | change
    assert why in (await plan(bank, name, **raw)).impossible
    told = await run(bank, name, "k1", **raw)
    assert told.status is RunStatus.FAILED
    assert why in told.error
    assert await balance(bank, SAVINGS) == 1_500_000


async def test_the_effect_compares_what_was_confirmed(bank: Bank) -> None:
    seen = (await plan(bank, "transfer_funds", **TRANSFER)).conditions
    await run(bank, "rename_account", "k1", account_id=SAVINGS, name="Mallory")

    told = await run(bank, "transfer_funds", "k2", seen, **TRANSFER)

    assert told.status is RunStatus.PRECONDITION_FAILED
    assert await balance(bank, CHECKING) == 250_000
    unknown = await spec_of(TOOLS["transfer_funds"]).run(
        arguments("transfer_funds", TRANSFER), context_of(bank, "k3", {"affected": 1})
    )
    assert unknown.status is RunStatus.PRECONDITION_FAILED


async def test_a_fee_goes_to_the_bank(bank: Bank) -> None:
    paying = {
        "amount": usd("100.00"), "from_account": CHECKING,
        "recipient_account": "DE89370400440532013000", "recipient_name": "Cem Demir",
    }  # fmt: skip
    told = await run(bank, "transfer_to_third_party", "k1", **paying)
    assert told.status is RunStatus.DONE, told.error
    assert await balance(bank, CHECKING) == 239_850
    assert await balance(bank, "ACC-FEES-USD") == 150
    refund = {"transaction_id": told.data["transfer_id"], "amount": usd("100.00"), "reason": "No."}
    assert (await run(bank, "process_refund", "k2", **refund)).status is RunStatus.DONE
    again = await run(bank, "process_refund", "k3", **refund)
    assert "only $0.00 can still be refunded" in again.error
    await check_books(bank)


async def test_a_card_is_paid_up_to_what_is_owed(bank: Bank) -> None:
    paying = {"from_account": CHECKING, "card_account": CARD}
    more = await run(bank, "pay_credit_card", "k1", amount=usd("120.51"), **paying)
    assert "Only $120.50 is owed" in more.error
    assert (
        await run(bank, "pay_credit_card", "k2", amount=usd("120.50"), **paying)
    ).status is RunStatus.DONE
    assert await balance(bank, CARD) == 0


async def test_an_investment_ends_with_its_penalty(bank: Bank) -> None:
    made = await run(
        bank, "create_investment", "k1", amount=usd("1000.00"), term_months=12,
        from_account=CHECKING,
    )  # fmt: skip
    ended = {"contract_id": made.data["contract_id"]}
    told = await run(bank, "terminate_contract", "k2", **ended)
    assert told.data["paid_back"] == {"value": 990.0, "currency": "USD"}
    assert "no active contract" in (await run(bank, "terminate_contract", "k3", **ended)).error
    assert await balance(bank, CHECKING) == 249_000
    await check_books(bank)


async def test_offered_steps_follow_the_state(bank: Bank) -> None:
    async def offered(account_id: str) -> set[str]:
        told = await run(bank, "get_account_balances", "read", account_id=account_id)
        return {it.tool for it in told.available_actions}

    assert {"transfer_funds", "set_balance_alert"} <= await offered(CHECKING)
    assert not {"transfer_funds", "set_balance_alert"} & await offered(FROZEN)
    assert "transfer_funds" not in await offered(CARD)
    await run(bank, "set_balance_alert", "k1", account_id=CHECKING)
    await run(bank, "transfer_funds", "k2", **TRANSFER | {"amount": usd("2500.00")})
    assert not {"transfer_funds", "set_balance_alert"} & await offered(CHECKING)


async def test_a_closed_account_and_deleted_data_stay_in_the_books(bank: Bank) -> None:
    moved = {
        "amount": usd("3100.00"), "from_account": OTHERS, "recipient_account": CHECKING,
        "recipient_name": "Ann",
    }  # fmt: skip
    assert "Insufficient" in (await run(bank, "transfer_to_third_party", "k0", **moved)).error
    moved["amount"] = usd("3098.50")
    assert (await run(bank, "transfer_to_third_party", "k1", **moved)).status is RunStatus.DONE
    assert (await run(bank, "close_account", "k2", account_id=OTHERS)).status is RunStatus.DONE
    refused = await run(bank, "delete_all_data", "k3", customer_id="CUS-1002")
    assert "still has 1 accounts" in refused.error
    closed = await run(bank, "transfer_to_third_party", "k4", **moved)
    assert "is closed" in closed.error
    await check_books(bank)


async def test_a_dispute_and_a_category_leave_the_entries(bank: Bank) -> None:
    await run(bank, "categorize_transaction", "k1", transaction_id=BAKERY, category="food")
    await run(bank, "dispute_transaction", "k2", transaction_id=BAKERY, reason="Not me.")
    told = await run(bank, "get_transaction_details", "read", transaction_id=BAKERY)
    assert told.data["category"] == "food"
    assert told.data["disputed"]
    assert not {"dispute_transaction"} & {it.tool for it in told.available_actions}
    await check_books(bank)


async def test_the_ledger_takes_no_entries_that_do_not_add_up(bank: Bank) -> None:
    made = Posting(
        transaction_id="TXN-1", hold_id="k", kind="transfer", description="", posted_at="2025",
        legs={CHECKING: -100, SAVINGS: 101},
    )  # fmt: skip
    async with bank.writer.connect() as connection:
        await connection.begin()
        with pytest.raises(ValueError, match="do not add up"):
            await post(await writing(connection, bank), [made])


async def test_the_database_itself_refuses_an_overdraft(bank: Bank) -> None:
    made = Posting(
        transaction_id="TXN-1", hold_id="k", kind="transfer", description="", posted_at="2025",
        legs={CHECKING: -250_001, SAVINGS: 250_001},
    )  # fmt: skip
    async with bank.writer.connect() as connection:
        await connection.begin()
        with pytest.raises(IntegrityError):
            await post(await writing(connection, bank), [made])
    assert await balance(bank, CHECKING) == 250_000
    async with reading(bank, 5) as books:
        query = select(transactions).where(transactions.c.transaction_id == "TXN-1")
        assert (await books.connection.execute(query)).first() is None
