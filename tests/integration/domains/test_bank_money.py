"""Random transfers against the bank in SQL: balanced to the cent, each key at most once."""

from collections.abc import Iterator
from pathlib import Path
from random import Random  # noqa: TID251  # seeded: a run can be repeated

import pytest
from sqlalchemy import func, insert, select
from tests.bank_system import sample_bank

from holdpoint.domains.bank.effects import claim
from holdpoint.domains.bank.errors import BankError
from holdpoint.domains.bank.ledger import Account, accounts_of, post
from holdpoint.domains.bank.operations import Receipt
from holdpoint.domains.bank.schemas import Money
from holdpoint.domains.bank.store import Bank, Books, reading, writing
from holdpoint.domains.bank.tables import accounts, entries, runs, transactions
from holdpoint.domains.bank.transfers.changes import own_posting
from holdpoint.domains.bank.transfers.conditions import check_own
from holdpoint.domains.bank.transfers.schemas import TransferFunds
from holdpoint.runtime.process import clock

SEED = 20250115
CUSTOMER = "CUS-1001"
COUNT = 40
OPENING = 100_000
AT_ONCE = 2_500
IDS = tuple(f"ACC-{number:08}" for number in range(COUNT))


@pytest.mark.parametrize(
    "transfers",
    [5_000, pytest.param(1_000_000, marks=(pytest.mark.slow, pytest.mark.timeout(900)))],
)
async def test_random_transfers_leave_the_books_balanced(transfers: int, tmp_path: Path) -> None:
    chance, paid, refused = Random(SEED), dict.fromkeys(IDS, OPENING), 0  # noqa: S311
    executed: set[str] = set()
    async with sample_bank("sqlite:///bank.db", tmp_path, timeout_s=600) as bank:
        await _open_accounts(bank)
        for orders in _batches(chance, transfers):
            done, failed = await _settle(bank, orders)
            assert not executed & done.keys()
            executed |= done.keys()
            refused += failed
            for order in done.values():
                amount = int(order.amount.value.replace(".", ""))
                paid[order.from_account] -= amount
                paid[order.to_account] += amount
        assert refused > 0
        assert sum(paid.values()) == COUNT * OPENING
        await _check(bank, paid, executed)


async def _open_accounts(bank: Bank) -> None:
    async with bank.writer.begin() as connection:
        rows = [
            {
                "account_id": it, "customer_id": CUSTOMER, "name": it, "type": "checking",
                "currency": "USD", "balance": OPENING, "minimum": 0,
            }
            for it in IDS
        ]  # fmt: skip
        await connection.execute(insert(accounts), rows)


def _batches(chance: Random, transfers: int) -> Iterator[list[tuple[str, TransferFunds]]]:
    """Random orders, one in fifty under a key that came before."""
    keys: list[str] = []
    for start in range(0, transfers, AT_ONCE):
        orders = []
        for at in range(start, min(start + AT_ONCE, transfers)):
            again = keys and chance.random() < 0.02
            key = chance.choice(keys) if again else f"key-{at}"
            keys.append(key)
            source, target = chance.sample(IDS, 2)
            value = f"{chance.randrange(1, 20_000) / 100:.2f}"
            money = Money(value=value, currency="USD")
            order = TransferFunds(amount=money, from_account=source, to_account=target)
            orders.append((key, order))
        yield orders


async def _settle(
    bank: Bank, orders: list[tuple[str, TransferFunds]]
) -> tuple[dict[str, TransferFunds], int]:
    """Orders together in one transaction, by the domain's own checks and entries."""
    async with bank.writer.begin() as connection:
        books = await writing(connection, bank)
        free = await claim(books, [key for key, _ in orders], "n")
        known = await accounts_of(books, IDS)
        done: dict[str, TransferFunds] = {}
        failed = 0
        for key, order in orders:
            if key not in free or key in done:
                continue
            try:
                check_own(known[order.from_account], known[order.to_account], order.amount)
            except BankError:
                failed += 1
                continue
            _move(known, order)
            done[key] = order
        await _enter(bank, books, done)
    return done, failed


async def _enter(bank: Bank, books: Books, done: dict[str, TransferFunds]) -> None:
    at = clock.now().isoformat()
    receipts = {key: Receipt(key=key, at=at, settings=bank.settings) for key in done}
    await post(books, [own_posting(order, receipts[key]) for key, order in done.items()])


def _move(known: dict[str, Account], order: TransferFunds) -> None:
    amount = int(order.amount.value.replace(".", ""))
    for account_id, by in ((order.from_account, -amount), (order.to_account, amount)):
        account = known[account_id]
        fields = {name: getattr(account, name) for name in account.__struct_fields__}
        known[account_id] = Account(**fields | {"balance": account.balance + by})


async def _check(bank: Bank, paid: dict[str, int], executed: set[str]) -> None:
    async with reading(bank, 600) as books:
        ours = accounts.c.account_id.in_(IDS)
        rows = await books.connection.execute(
            select(accounts.c.account_id, accounts.c.balance).where(ours)
        )
        assert {row.account_id: row.balance for row in rows} == paid
        sums = await books.connection.execute(
            select(entries.c.account_id, func.sum(entries.c.amount))
            .where(entries.c.account_id.in_(IDS))
            .group_by(entries.c.account_id)
        )
        assert {name: OPENING + by for name, by in sums} == paid
        summed = select(entries.c.transaction_id).group_by(entries.c.transaction_id)
        unequal = await books.connection.scalars(summed.having(func.sum(entries.c.amount) != 0))
        assert not unequal.all()
        under_keys = transactions.c.hold_id.like("key-%")
        made = await books.connection.scalars(select(transactions.c.hold_id).where(under_keys))
        entered = made.all()
        assert len(entered) == len(set(entered))
        assert set(entered) == executed
        claimed = await books.connection.scalar(select(func.count()).select_from(runs))
        assert claimed is not None
        assert claimed >= len(executed)
