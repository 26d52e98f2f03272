"""Parameters of sentences: amounts and numbers in several languages, tasks, accounts."""

import json
from pathlib import Path
from typing import Any

import pytest

from holdpoint.coordinator.choices import UnclearError, chosen, in_currency
from holdpoint.coordinator.extraction import extract
from holdpoint.coordinator.workflows import InCurrency, Pick
from holdpoint.messages.request import ConversationMessage, Speaker

AMOUNTS = Path(__file__).parents[2] / "corpus" / "amounts.jsonl"
PICK = Pick(
    of="$accounts", said="$account", field="account_id", into="account_id",
    by=["name", "type"], called="account", usual={"type": "checking"},
)  # fmt: skip
ACCOUNTS = [
    {"account_id": "ACC-1", "name": "Main Checking", "type": "checking"},
    {"account_id": "ACC-2", "name": "Joint Savings", "type": "savings"},
    {"account_id": "ACC-3", "name": "Old Savings", "type": "savings"},
]


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("transfer $150 to savings", "150.00", "USD"),
        ("move 1,250.50 USD to checking", "1250.50", "USD"),
        ("überweise 1.500,00 Euro auf das Sparkonto", "1500.00", "EUR"),
        ("transfer one hundred and fifty dollars to savings", "150.00", "USD"),
        ("überweise fünfzig Euro auf das Sparkonto", "50.00", "EUR"),
        ("transfiere cien dólares a ahorros", "100.00", "USD"),
        ("vire deux cents euros vers mon épargne", "200.00", "EUR"),
        ("send 1 250 EUR to savings", "1250.00", "EUR"),
        ("send 1'250.50 CHF to savings", "1250.50", "CHF"),
    ],
)
def test_an_amount_is_read(text: str, value: str, currency: str) -> None:
    assert extract(text, "", ())["amount"] == {"value": value, "currency": currency}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("transfer 150 to savings", "150.00"),
        ("überweise 1.250,50 auf das Sparkonto", "1250.50"),
        ("150", "150.00"),
        ("move 99.50 from ACC-1 to ACC-2", "99.50"),
    ],
)
def test_an_amount_may_lack_its_currency(text: str, value: str) -> None:
    assert extract(text, "", ())["amount"] == {"value": value}


@pytest.mark.parametrize(
    "text",
    [
        "transfer money to savings",
        "transfer money to savings in 2 days",
        "transfer money to account 2",
        "transfer 50 to savings and 20 to checking",
        "transfer 150 to savings in dollars or euros",
        "transfer $150 or $200 to savings",
        "transfer 1.500.00 dollars to savings",
        "transfer 2 50 dollars to savings",
        "transfer -$5 to savings",
        "transfer $-5 to savings",
        "transfer \u22125 dollars to savings",
        "transfer minus five dollars to savings",
        "transfer $1k to savings",
        "transfer $1e3 to savings",
        "transfer $5-10 to savings",
        "transfer 3x $10 to savings",
        "transfer $10% to savings",
        "transfer $20 a day to savings",
        "transfer $20 less than yesterday to savings",
    ],
)
def test_an_amount_that_is_unclear_is_asked_for(text: str) -> None:
    assert "amount" not in extract(text, "", ())


def test_an_amount_is_read_whole_or_asked_for() -> None:
    rows = [json.loads(line) for line in AMOUNTS.read_text("utf-8").splitlines()]
    wrong = [row for row in rows if _told(extract(row["text"], "", ())) != row["amount"]]
    assert not wrong


def _told(found: dict[str, Any]) -> str | None:
    amount = found.get("amount")
    return " ".join(amount.values()) if amount else None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("mark buy milk as done", {"task": "buy milk"}),
        ("complete task 3", {"task": "3"}),
        ("tick off task number two", {"task": "2"}),
        ("the laundry is done", {"task": "laundry"}),
        ("rename task 2 to Buy oat milk", {"task": "2", "new_title": "Buy oat milk"}),
        ('rename "milk" to "soy milk"', {"new_title": "soy milk"}),
        ("edit task 7: pay the rent", {"task": "7", "new_title": "pay the rent"}),
        ("dispute the Corner Bakery charge", {"transaction": "corner bakery"}),
        ("open a ticket about my lost card", {"subject": "my lost card"}),
        ("transfer $5 from savings to checking",
         {"from_account": "savings", "to_account": "checking"}),
        ("show pending tasks", {"status": "pending"}),
        ("show completed tasks", {"status": "completed"}),
        ("show the last 5 transactions", {"limit": 5}),
    ],
)  # fmt: skip
def test_parameters_are_read(text: str, found: dict[str, Any]) -> None:
    assert extract(text, "", ()).items() >= found.items()


@pytest.mark.parametrize(
    ("text", "shop"),
    [
        ("dispute the Corner Bakery charge, it wasn't me", "corner bakery"),
        ("dispute the corner bakery charge it wasnt me", "corner bakery"),
        ("I don't recognize the charge from City Hotel", "city hotel"),
        ("City Hotel charged me twice", "city hotel"),
        ("could you please contest that Netflix purchase from last week for me?", "netflix"),
        ("reklamiere die Abbuchung bei Corner Bakery, das war ich nicht", "corner bakery"),
        ("Die Abbuchung von Corner Bakery kenne ich nicht", "corner bakery"),
        ("disputa la transacción de Corner Bakery", "corner bakery"),
        ("no reconozco el cargo de Corner Bakery", "corner bakery"),
        ("je conteste le paiement chez Corner Bakery", "corner bakery"),
        ("dispute a charge", None),
        ("I don't recognise a payment on my account", None),
        ("Ich möchte eine Abbuchung reklamieren", None),
        ("quiero reclamar un cargo que no hice", None),
    ],
)
def test_a_charge_is_told_by_its_shop(text: str, shop: str | None) -> None:
    assert extract(text, "", ()).get("transaction") == shop


@pytest.mark.parametrize(
    ("text", "account"),
    [
        ("wire 500 to DE89370400440532013000", "DE89370400440532013000"),
        ("überweise 500 Euro an DE89 3704 0044 0532 0130 00", "DE89370400440532013000"),
        ("transfer $20 to Cem Demir", "Cem Demir"),
        ("transfer $20 to ben please", "ben"),
        ("bitte 80 Euro an Anna überweisen", "Anna"),
        ("vire 20 euros à Marie", "Marie"),
        ("transfer $20 to Holiday", "Holiday"),
        ("I want to transfer $20", None),
        ("transfer a hundred dollars", None),
        ("transfer $20 as a gift", None),
        ("ich will 20 Euro auf mein Konto überweisen", None),
    ],
)
def test_whoever_is_to_be_paid_is_read(text: str, account: str | None) -> None:
    assert extract(text, "", ()).get("to_account") == account


@pytest.mark.parametrize(
    ("text", "account"),
    [
        ("transfer $20 from DE89370400440532013000 to savings", "DE89370400440532013000"),
        ("transfer $20 from Ben to savings", "Ben"),
        ("überweise 20 Euro von Oma auf mein Sparkonto", "Oma"),
        ("transfer $20 from Joint Savings to Main Checking", "savings"),
    ],
)
def test_whoever_is_to_pay_is_read(text: str, account: str) -> None:
    assert extract(text, "", ())["from_account"] == account


def test_what_can_be_chosen_at_all_is_said_where_none_is_meant() -> None:
    pick = PICK.model_copy(update={"only": "I pay nobody else."})
    with pytest.raises(UnclearError, match=r"account “Ben”\. There are: .* I pay nobody else\.$"):
        chosen(pick, ACCOUNTS, "Ben")


CHARGE = Pick(
    of="$transactions", said="$transaction", field="transaction_id", into="transaction_id",
    by=["description", "transaction_id"], called="transaction", named_inside=True,
)  # fmt: skip
CHARGES = [
    {"transaction_id": "TXN-1", "description": "Corner Bakery"},
    {"transaction_id": "TXN-2", "description": "City Hotel"},
    {"transaction_id": "TXN-3", "description": "City Hotel"},
]


def test_a_shop_is_found_among_other_words_and_never_guessed() -> None:
    assert chosen(CHARGE, CHARGES, "bakery") == "TXN-1"
    assert chosen(CHARGE, CHARGES, "corner bakery again") == "TXN-1"
    assert chosen(CHARGE, [*CHARGES, CHARGES[0]], "corner bakery") == "TXN-1"
    with pytest.raises(UnclearError, match=r"Which transaction do you mean\? .*TXN-2.*TXN-3"):
        chosen(CHARGE, CHARGES, "city hotel")
    with pytest.raises(UnclearError, match="I find no transaction “corner shop”"):
        chosen(CHARGE, CHARGES, "corner shop")


def test_history_explains_it() -> None:
    before = ConversationMessage(role=Speaker.USER, content="rename task 4 to Groceries")
    assert "task" not in extract("delete it", "", ())
    assert extract("delete it", "", (before,))["task"] == "4"


def test_one_row_is_chosen_or_the_person_is_asked() -> None:
    assert chosen(PICK, ACCOUNTS, None) == "ACC-1"
    assert chosen(PICK, ACCOUNTS, "joint savings") == "ACC-2"
    with pytest.raises(UnclearError, match=r"Which account do you mean\? .*ACC-2.*ACC-3"):
        chosen(PICK, ACCOUNTS, "savings")
    with pytest.raises(UnclearError, match="I find no account “gold”"):
        chosen(PICK, ACCOUNTS, "gold")
    with pytest.raises(UnclearError, match="account that you mean, and there is none"):
        chosen(PICK, [], None)


IN_CURRENCY = InCurrency(amount="$amount", of="$accounts", field="balance.currency", name="name")


def kept_in(*currencies: str) -> list[dict[str, Any]]:
    return [{"name": f"Account {it}", "balance": {"currency": it}} for it in currencies]


def test_a_currency_is_taken_where_there_is_only_one() -> None:
    bare, rows = {"value": "150.00"}, kept_in("USD", "USD")
    assert in_currency(IN_CURRENCY, rows, bare, None) == {**bare, "currency": "USD"}
    assert in_currency(IN_CURRENCY, rows, bare, "EUR") == {**bare, "currency": "EUR"}
    euros = {**bare, "currency": "EUR"}
    assert in_currency(IN_CURRENCY, rows, euros, None) == euros


def test_among_several_currencies_it_is_said_that_only_that_is_missing() -> None:
    with pytest.raises(UnclearError) as asked:
        in_currency(IN_CURRENCY, kept_in("USD", "EUR"), {"value": "150.00"}, None)
    assert str(asked.value) == (
        "In which currency are the 150.00? Account USD is in USD; Account EUR is in EUR. "
        "For example: EUR 150.00."
    )


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("lösch die aufgabe steuer machen", "steuer machen"),
        ("lösch die aufgabe Übung prüfen", "Übung prüfen"),
        ("elimina la tarea “Niño”", "Niño"),
    ],
)
def test_a_task_keeps_its_accents(text: str, task: str) -> None:
    assert extract(text, "", ())["task"] == task


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("dispute the bakery charge", "No reason was given."),
        ("please dispute the bakery charge because I was abroad", "I was abroad"),
        ("dispute the bakery charge: it was not me", "it was not me"),
        ("I don't recognize the bakery charge", "I don't recognize the bakery charge"),
    ],
)
def test_a_command_is_no_reason(text: str, reason: str) -> None:
    assert extract(text, "", ())["reason"] == reason
