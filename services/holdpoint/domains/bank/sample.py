"""Sample customers and accounts, for a bank that nobody uses yet."""

from sqlalchemy import insert

from holdpoint.domains.bank.ledger import Posting, post, system_account
from holdpoint.domains.bank.store import Books
from holdpoint.domains.bank.tables import accounts, contacts, customers

CUSTOMERS = (
    {"customer_id": "CUS-1001", "name": "Ann Miller", "email": "ann.miller@example.com"},
    {"customer_id": "CUS-1002", "name": "Ben Ortiz", "email": "ben.ortiz@example.com"},
)
ACCOUNTS = (
    ("ACC-12345678", "CUS-1001", "Main Checking", "checking", 0, None),
    ("ACC-87654321", "CUS-1001", "Joint Savings", "savings", 0, "ACC-12345678"),
    ("ACC-40001111", "CUS-1001", "Travel Card", "credit_card", -500_000, None),
    ("ACC-22223333", "CUS-1002", "Everyday", "checking", 0, None),
    ("ACC-55550000", "CUS-1002", "Old Checking", "checking", 0, None),
)
COLUMNS = ("account_id", "customer_id", "name", "type", "minimum", "linked_to")
FROZEN = "ACC-55550000"
MOVES = (
    ("TXN-20250102-001", "deposit", "ACC-12345678", 254_250, "Opening deposit"),
    ("TXN-20250102-002", "deposit", "ACC-87654321", 1_500_000, "Opening deposit"),
    ("TXN-20250102-003", "deposit", "ACC-22223333", 310_000, "Opening deposit"),
    ("TXN-20250102-004", "deposit", "ACC-55550000", 80_000, "Opening deposit"),
    ("TXN-20250110-001", "card_payment", "ACC-40001111", -12_050, "City Hotel"),
    ("TXN-20250112-001", "card_payment", "ACC-12345678", -4_250, "Corner Bakery"),
)
"""What made the balances; the other side of each is the world outside."""


async def fill(books: Books) -> None:
    """Enter the sample."""
    await books.connection.execute(insert(customers), list(CUSTOMERS))
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in ACCOUNTS]
    for row in rows:
        status = "frozen" if row["account_id"] == FROZEN else "open"
        await books.connection.execute(
            insert(accounts).values(**row, currency="USD", status=status)
        )
    contact = {"contact_id": "CON-1", "name": "Cem Demir", "account": "DE89370400440532013000"}
    await books.connection.execute(insert(contacts).values(**contact, customer_id="CUS-1001"))
    world = await system_account(books, "WORLD", "USD")
    await post(books, [_posting(world, *move) for move in MOVES])


def _posting(world: str, name: str, kind: str, account: str, amount: int, text: str) -> Posting:
    day = f"{name[4:8]}-{name[8:10]}-{name[10:12]}"
    return Posting(
        transaction_id=name,
        hold_id=f"sample-{name}",
        kind=kind,
        description=text,
        posted_at=f"{day}T09:00:00+00:00",
        legs={account: amount, world: -amount},
    )
