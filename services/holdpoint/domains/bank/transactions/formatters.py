"""The transactions' results."""

import csv
import io
from datetime import date

from holdpoint.core.spoken import counted
from holdpoint.core.tool import Result
from holdpoint.domains.bank.currency import as_money, coded, from_plain, plain, spoken, written
from holdpoint.domains.bank.results import action, done
from holdpoint.domains.bank.transactions.schemas import Line, Lines
from holdpoint.messages.base import JsonObject
from holdpoint.messages.envelope import AvailableAction

SPOKEN = 3
COLUMNS = ("posted_at", "transaction_id", "description", "category", "amount", "currency")


def listing(found: Lines) -> Result:
    """Transactions of an account, newest first."""
    account, lines = found.account, found.lines
    text = "\n".join(_written(line) for line in lines) or "No transactions."
    words = ". ".join(_spoken(line) for line in lines[:SPOKEN])
    told = counted(len(lines), "transaction", "transactions")
    count = f"{len(lines)} transaction{'' if len(lines) == 1 else 's'}"
    return done(
        {
            "account_id": account.account_id,
            "transactions": [described(line) for line in lines],
            "more": found.more,
        },
        f"{account.name} ({account.account_id}){_period(found)}:\n{text}",
        f"I found {told} on {account.name}." + (f" {words}." if words else ""),
        f"Here {'is' if len(lines) == 1 else 'are'} the last {count} on {account.name}."
        if lines else f"There are no transactions on {account.name}.",
        *_actions(found),
    )  # fmt: skip


def _period(found: Lines) -> str:
    since = f" from {found.since}" if found.since else ""
    until = f" until {found.until}" if found.until else ""
    return f",{since}{until}" if since or until else ""


def details(line: Line) -> Result:
    """One transaction."""
    marks = (f"\n- Category: {line.category}" if line.category else "") + (
        f"\n- Disputed: {line.dispute}" if line.dispute else ""
    )
    return done(
        described(line) | {"account_id": line.account_id},
        f"{_written(line)}\n- Kind: {line.kind}{marks}",
        f"{_spoken(line)}.",
        f"Here are the details of {line.description}.",
        *_changing(line),
    )


def exported(found: Lines) -> Result:
    """A statement as CSV."""
    account, lines = found.account, found.lines
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(COLUMNS)
    for line in lines:
        amount = plain(line.amount, line.currency)
        text = _cell(line.description)
        table.writerow(
            (line.posted_at, line.transaction_id, text, line.category, amount, line.currency)
        )
    count = f"{len(lines)} transaction{'' if len(lines) == 1 else 's'}"
    return done(
        {
            "account_id": account.account_id, "format": "csv", "content": out.getvalue(),
            "more": found.more,
        },
        f"Statement of {account.name}: {count} as CSV.",
        f"I exported {counted(len(lines), 'transaction', 'transactions')} of {account.name}.",
        f"Here is the statement of {account.name} with {count}.",
        _balances(account.account_id),
    )  # fmt: skip


def categorized(outcome: JsonObject) -> Result:
    """A transaction has a category."""
    return done(
        {name: outcome[name] for name in ("transaction_id", "category")},
        f"Categorized: {outcome['description']} as {outcome['category']}.",
        f"{outcome['description']} is categorized as {outcome['category'].replace('_', ' ')}.",
        f"I put {outcome['description']} into the category {outcome['category']}.",
        details_action(outcome["transaction_id"]),
    )


def disputing(state: JsonObject) -> str:
    """A charge that is to be disputed, on one line."""
    currency = state["currency"]
    amount = coded(from_plain(state["amount"], currency), currency)
    return f"Dispute {amount} at {state['description']}, {_day(state['posted_at'])}"


def disputed(outcome: JsonObject) -> Result:
    """A charge is disputed."""
    return done(
        {name: outcome[name] for name in ("transaction_id", "reason")},
        f"Disputed: {outcome['description']}, {outcome['amount']} {outcome['currency']}.",
        f"The charge of {outcome['description']} is disputed.",
        f"I disputed the charge of {outcome['description']}. The bank looks into it.",
        details_action(outcome["transaction_id"]),
    )


def described(line: Line) -> JsonObject:
    """A transaction as data."""
    return {
        "transaction_id": line.transaction_id,
        "posted_at": line.posted_at,
        "kind": line.kind,
        "description": line.description,
        "amount": as_money(line.amount, line.currency),
        "category": line.category,
        "disputed": bool(line.dispute),
    }


def details_action(transaction_id: str) -> AvailableAction:
    """Look at one transaction."""
    return action(
        "get_transaction_details", "View transaction details",
        "See everything about this transaction", {"transaction_id": transaction_id},
    )  # fmt: skip


def _actions(found: Lines) -> tuple[AvailableAction, ...]:
    if not found.lines:
        return ()
    charge = next((it for it in found.lines if it.amount < 0 and not it.dispute), None)
    newest, account_id = found.lines[0], found.account.account_id
    return (
        details_action(newest.transaction_id),
        *((_dispute(charge),) if charge else ()),
        _categorize(newest),
        action("export_transactions", "Download statement",
               "Get the transactions of this account as CSV", {"account_id": account_id}),
    )  # fmt: skip


def _changing(line: Line) -> tuple[AvailableAction, ...]:
    may_dispute = line.amount < 0 and not line.dispute
    return (
        *((_dispute(line),) if may_dispute else ()),
        _categorize(line),
        _balances(line.account_id),
    )


def _dispute(line: Line) -> AvailableAction:
    return action(
        "dispute_transaction", "Dispute a charge", f"Object to {line.description}",
        {"transaction_id": line.transaction_id},
    )  # fmt: skip


def _categorize(line: Line) -> AvailableAction:
    return action(
        "categorize_transaction", "Categorize", "Put this transaction into a category",
        {"transaction_id": line.transaction_id},
    )  # fmt: skip


def _balances(account_id: str) -> AvailableAction:
    text = "See what is on this account now"
    return action("get_account_balances", "View balances", text, {"account_id": account_id})


def _written(line: Line) -> str:
    amount = written(line.amount, line.currency)
    return f"- {_day(line.posted_at)}, {line.description}: {amount}"


def _day(posted_at: str) -> str:
    day = date.fromisoformat(posted_at[:10])
    return f"{day.day} {day:%b %Y}"


def _spoken(line: Line) -> str:
    way = "in" if line.amount > 0 else "out"
    return f"{line.description}, {spoken(abs(line.amount), line.currency)} {way}"


def _cell(text: str) -> str:
    """A spreadsheet runs no formula of a stranger's."""
    return f"'{text}" if text[:1] in "=+-@" else text
