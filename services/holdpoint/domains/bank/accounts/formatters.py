"""The accounts' results: as data, as text, for voices, and with the next steps."""

from collections import defaultdict

from holdpoint.core.spoken import counted
from holdpoint.core.tool import Result
from holdpoint.domains.bank.accounts.schemas import Balance, Balances
from holdpoint.domains.bank.currency import as_money, spoken, written
from holdpoint.domains.bank.ledger import OPEN, Account
from holdpoint.domains.bank.results import action, done
from holdpoint.messages.base import JsonObject
from holdpoint.messages.envelope import AvailableAction


def balances(found: Balances) -> Result:
    """Balances of an account and of those linked to it."""
    account = found.account
    lines = [f"- {_title(it.type)}: {written(it.available, it.currency)}" for it in found.balances]
    totals = _totals(found.balances) if len(found.balances) > 1 else {}
    lines += [f"- Total: {written(amount, currency)}" for currency, amount in totals.items()]
    transfer = " or make a transfer" if may_pay(account) else ""
    return done(
        {
            "account_id": account.account_id,
            "balances": [
                {"type": it.type, "available": as_money(it.available, it.currency)}
                for it in found.balances
            ],
        },
        "\n".join([f"Account {account.account_id} balances:", *lines]),
        _spoken(found.balances, totals),
        "Here are your current balances. "
        f"Would you like to see recent transactions{transfer}?",
        action(
            "get_account_details", "View account details",
            "See the account's name, status and alert", {"account_id": account.account_id},
        ),
        transactions_action(account.account_id),
        *changing_actions(account),
    )  # fmt: skip


def details(account: Account) -> Result:
    """One account."""
    name, balance = account.name, account.balance
    alert = account.alert_below
    return done(
        described(account),
        f"{name} ({account.account_id})\n- Type: {_title(account.type)}\n"
        f"- Status: {account.status}\n- Balance: {written(balance, account.currency)}"
        + (f"\n- Alert below: {written(alert, account.currency)}" if alert is not None else ""),
        f"{name} is {_article(account.type)} account. It is {account.status} and its balance is "
        f"{spoken(balance, account.currency)}.",
        f"Here are the details of {name}.",
        balances_action(account.account_id),
        transactions_action(account.account_id),
        *changing_actions(account),
    )


def listing(found: list[Account]) -> Result:
    """Several accounts."""
    lines = [
        f"- {it.name} ({it.account_id}): {written(it.balance, it.currency)}, {it.status}"
        for it in found
    ]
    told = counted(len(found), "account", "accounts")
    names = ", ".join(f"{it.name} with {spoken(it.balance, it.currency)}" for it in found)
    return done(
        {"accounts": [described(it) for it in found]},
        "\n".join(lines) or "No accounts.",
        f"I found {told}" + (f", {names}." if names else "."),
        f"Here {'is' if len(found) == 1 else 'are'} "
        f"{len(found)} account{'' if len(found) == 1 else 's'}." if found
        else "I found no account. Would you like to look for another name?",
        *(balances_action(it.account_id) for it in found[:3]),
    )  # fmt: skip


def alert_set(outcome: JsonObject) -> Result:
    """An alert stands."""
    name, below, currency = outcome["account_name"], outcome["below"], outcome["currency"]
    return done(
        {"account_id": outcome["account_id"], "threshold": as_money(below, currency)},
        f"Alert set: {name} below {written(below, currency)}.",
        f"You will be told when {name} falls below {spoken(below, currency)}.",
        f"I'll let you know when {name} falls below {written(below, currency)}.",
        balances_action(outcome["account_id"]),
    )


def renamed(outcome: JsonObject) -> Result:
    """An account has a new name."""
    return done(
        {"account_id": outcome["account_id"], "name": outcome["name"]},
        f"Renamed: {outcome['was']} is now {outcome['name']}.",
        f"{outcome['was']} is now called {outcome['name']}.",
        f"{outcome['was']} is now called {outcome['name']}.",
        details_action(outcome["account_id"]),
    )


def closed(outcome: JsonObject) -> Result:
    """An account is closed for good."""
    return done(
        {"account_id": outcome["account_id"], "status": "closed"},
        f"Closed: {outcome['name']} ({outcome['account_id']}).",
        f"{outcome['name']} is closed.",
        f"{outcome['name']} is closed. It cannot be opened again.",
        details_action(outcome["account_id"]),
    )


def may_pay(account: Account) -> bool:
    """Return whether money may leave the account now."""
    return account.balance > 0 and account.status == OPEN


def changing_actions(account: Account) -> tuple[AvailableAction, ...]:
    """A transfer where there is money, an alert where there is none yet."""
    params = {"account_id": account.account_id}
    pay = action(
        "transfer_funds", "Transfer funds", "Move money from this account to another",
        {"from_account": account.account_id},
    )  # fmt: skip
    alert = action(
        "set_balance_alert", "Set low-balance alert",
        "Be told when the balance falls below an amount", params,
    )  # fmt: skip
    no_alert = account.alert_below is None and account.status == OPEN
    return (*((pay,) if may_pay(account) else ()), *((alert,) if no_alert else ()))


def balances_action(account_id: str) -> AvailableAction:
    """Look at the balances."""
    text = "See what is on this account now"
    return action("get_account_balances", "View balances", text, {"account_id": account_id})


def details_action(account_id: str) -> AvailableAction:
    """Look at the account."""
    text = "See the account's name, status and alert"
    return action("get_account_details", "View account details", text, {"account_id": account_id})


def transactions_action(account_id: str) -> AvailableAction:
    """Look at what happened lately."""
    return action(
        "get_transactions", "View recent transactions",
        "See the last 10 transactions on this account", {"account_id": account_id, "limit": 10},
    )  # fmt: skip


def described(account: Account) -> JsonObject:
    """An account as data."""
    alert = account.alert_below
    return {
        "account_id": account.account_id,
        "customer_id": account.customer_id,
        "name": account.name,
        "type": account.type,
        "status": account.status,
        "balance": as_money(account.balance, account.currency),
        "alert_below": None if alert is None else as_money(alert, account.currency),
    }


def _totals(found: tuple[Balance, ...]) -> dict[str, int]:
    totals: dict[str, int] = defaultdict(int)
    for it in found:
        totals[it.currency] += it.available
    return dict(totals)


def _spoken(found: tuple[Balance, ...], totals: dict[str, int]) -> str:
    """`Your checking account has … and your savings has …. Your total is ….`"""
    parts = [
        f"your {it.type.replace('_', ' ')}{'' if at else ' account'} has "
        f"{spoken(it.available, it.currency)}"
        for at, it in enumerate(found)
    ]
    text = " and ".join(parts)
    total = " and ".join(spoken(amount, currency) for currency, amount in totals.items())
    return f"{text[:1].upper()}{text[1:]}." + (f" Your total is {total}." if total else "")


def _title(kind: str) -> str:
    return kind.replace("_", " ").capitalize()


def _article(kind: str) -> str:
    words = kind.replace("_", " ")
    return f"an {words}" if words[0] in "aeiou" else f"a {words}"
