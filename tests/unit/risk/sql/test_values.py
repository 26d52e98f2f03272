"""Money that a statement moves is found; the policy says what is large."""

from decimal import Decimal

from holdpoint.core.risk.extract.payload import Leaf
from holdpoint.core.risk.programs import programs
from holdpoint.core.risk.sql.analyzer import analyze_sql

CASES = (
    (
        "INSERT INTO payouts (amount, currency, iban) VALUES (900.50, 'EUR', 'DE1')",
        ("900.50", "EUR"),
    ),
    ("INSERT INTO bank.transfers SET amount = 900, currency = 'GBP'", ("900", "GBP")),
    ("INSERT INTO payouts (staff, amount) SELECT 4, 900 FROM staff WHERE id = 4", ("900", "")),
    ("INSERT INTO refunds (order_id, amount_cents) VALUES (4, 90000)", ("900.00", "")),
    ("INSERT INTO transfers (amount, target) VALUES (400, 'a'), (500, 'b')", ("900", "")),
    ("INSERT INTO payments (amount) VALUES (3 * 300)", ("900", "")),
    ("INSERT INTO payments (amount) VALUES (CAST('900' AS numeric))", ("900", "")),
    ("INSERT INTO payments (amount) VALUES (900::numeric)", ("900", "")),
    ("UPDATE accounts SET balance = balance + 900 WHERE id = 10000", ("900", "")),
    ("UPDATE accounts AS a SET a.balance = 900 WHERE id = 10000", ("900", "")),
    ("UPDATE payouts SET amount = 900, state = 'due' WHERE id = 10000", ("900", "")),
    ("BEGIN; INSERT INTO payouts (amount) VALUES (900); COMMIT", ("900", "")),
    ("DO $$ BEGIN INSERT INTO payouts (amount) VALUES (900); END $$", ("900", "")),
    ("INSERT INTO transfers (reference, id, amount) VALUES (99999, 123456, 9)", ("9", "")),
    ("INSERT INTO payment_logs (amount) VALUES (900)", None),
    ("INSERT INTO file_transfers (amount) VALUES (900)", None),
    ("INSERT INTO transfers (id, size_bytes) VALUES (4, 90000)", None),
    ("INSERT INTO payment_methods (id) VALUES (90000)", None),
    ("INSERT INTO payouts (amount) VALUES (f(x))", None),
    ("INSERT INTO payouts (paid) VALUES (TRUE)", None),
    ("INSERT INTO payouts VALUES (90000)", None),
    ("INSERT INTO payouts VALUES (4, 900, 'EUR', 'DE1')", ("900", "EUR")),
    ("INSERT INTO payouts VALUES (4, 'EUR', 900)", ("900", "EUR")),
    ("INSERT INTO payouts VALUES (4, 'x', 'EUR')", None),
    ("INSERT INTO payouts VALUES (900, 'EUR', 'DE1')", ("900", "EUR")),
    ("INSERT INTO payouts VALUES ('EUR', 900)", None),
    ("INSERT INTO payouts (amount) VALUES", None),
    ("INSERT INTO payouts DEFAULT VALUES", None),
    ("INSERT INTO payouts TABLE others", None),
    ("UPDATE payouts SET state = 'due' WHERE id = 10000", None),
    ("UPDATE accounts SET logins = 90000 WHERE id = 10000", None),
    ("UPDATE orders SET balance = 90000 WHERE id = 10000", None),
    ("UPDATE accounts SET balance WHERE id = 10000", None),
    ("SELECT amount FROM payouts WHERE amount > 900", None),
)


def _largest(text: str) -> tuple[str, str] | None:
    sums = [(one.value, one.currency) for one in analyze_sql(text).amounts]
    value, currency = max(sums, key=lambda one: one[0] or Decimal(0), default=(None, ""))
    return None if value is None else (f"{value:f}", currency)


def test_each_sum_is_found() -> None:
    told = {text: _largest(text) for text, _ in CASES}

    assert {text: told[text] for text, want in CASES if told[text] != want} == {}


def test_a_sum_is_no_danger_by_itself() -> None:
    assert analyze_sql("INSERT INTO payouts (amount) VALUES (900)").signals == ()


def test_the_sum_of_a_statement_in_a_command_counts_too() -> None:
    text = 'psql -c "INSERT INTO payouts (amount) VALUES (900)"'

    found = programs("shell", (Leaf("/command", "command", text, {}),), (), "")

    assert [one.value for one in found.amounts] == [Decimal(900)]
