"""The transfers' results and confirmations."""

from datetime import datetime, timedelta

from holdpoint.core.tool import Result
from holdpoint.domains.bank.currency import as_money, coded, from_plain, minor, spoken, written
from holdpoint.domains.bank.results import action, done
from holdpoint.domains.bank.transfers.schemas import (
    PayCreditCard,
    ProcessRefund,
    TransferFunds,
    TransferToThirdParty,
)
from holdpoint.messages.action import Pending, Plan
from holdpoint.messages.base import JsonObject
from holdpoint.messages.envelope import AvailableAction

CONFIRM = "confirm_transfer"
FRIDAY = 4
Paying = TransferFunds | TransferToThirdParty | PayCreditCard


def transferred(outcome: JsonObject) -> Result:
    """Money moved."""
    amount, currency = outcome["amount"], outcome["currency"]
    names = f"from {outcome['from_account_name']} to {outcome['to_account_name']}"
    data = {
        "transfer_id": outcome["transfer_id"],
        "status": "completed",
        "posted_at": outcome["posted_at"],
        "amount": as_money(amount, currency),
        "from_account": outcome["from_account"],
        "to_account": outcome["to_account"],
    }
    seen = outcome["from_account"]
    if seen.startswith("ACC-WORLD"):
        seen = outcome["to_account"]
    return done(
        data,
        f"Transferred {coded(amount, currency)} {names}. Reference: {outcome['transfer_id']}.",
        f"I transferred {spoken(amount, currency)} {names}.",
        f"I transferred {written(amount, currency)} {names}. Reference: {outcome['transfer_id']}.",
        status_action(outcome["transfer_id"]),
        balances_action(seen),
    )


def status(found: JsonObject) -> Result:
    """Say how a transfer stands."""
    reference = found["transfer_id"]
    if found["status"] == "not_made":
        return done(
            found,
            f"{reference}: no such transfer was made.",
            "No such transfer was made.",
            "No transfer with this reference was made. If it waits for a confirmation, "
            f"{CONFIRM} tells how it stands.",
        )
    amount, currency = found["amount"], found["currency"]
    account = found["account_id"]
    return done(
        {
            **{name: found[name] for name in ("transfer_id", "status", "kind", "posted_at")},
            "amount": as_money(amount, currency),
        },
        f"{reference}: completed, {coded(amount, currency)}, {found['posted_at'][:10]}.",
        f"The transfer of {spoken(amount, currency)} is completed.",
        f"The transfer of {written(amount, currency)} is completed.",
        *((balances_action(account),) if account else ()),
    )


def pending_transfer(operation: str, it: Paying, plan: Plan) -> Pending:
    """The confirmation of seed 000."""
    known = plan.conditions
    target, name = _target(it, known)
    amount, currency = minor(it.amount), it.amount.currency
    fee = from_plain(known["fee"], currency)
    fees = f"A fee of {written(fee, currency)} applies." if fee else "No fees apply."
    verb = "pay" if isinstance(it, PayCreditCard) else "transfer"
    between = f"from {known['from_account_name']} to {name}"
    return Pending(
        operation=operation,
        summary=f"{verb.capitalize()} {coded(amount, currency)} {between}",
        details={
            "amount": as_money(amount, currency),
            "from_account": it.from_account,
            "from_account_name": known["from_account_name"],
            "to_account": target,
            "to_account_name": name,
            "estimated_arrival": _arrival(plan.at),
            "fee": as_money(fee, currency),
        },
        message_for_user=(
            f"I'd like to {verb} {written(amount, currency)} {between}. {fees} Shall I proceed?"
        ),
        confirmation_tool=CONFIRM,
        id_name="transfer_id",
        available_actions=(balances_action(it.from_account),),
    )


def pending_refund(it: ProcessRefund, plan: Plan) -> Pending:
    """The confirmation of a refund."""
    known, amount, currency = plan.conditions, minor(it.amount), it.amount.currency
    return Pending(
        operation="process_refund",
        summary=f"Refund {coded(amount, currency)} to {known['to_account_name']}",
        details={
            "amount": as_money(amount, currency),
            "transaction_id": it.transaction_id,
            "to_account": known["to_account"],
            "to_account_name": known["to_account_name"],
            "reason": it.reason,
        },
        message_for_user=(
            f"I'd like to refund {written(amount, currency)} of {it.transaction_id} to "
            f"{known['to_account_name']}. Shall I proceed?"
        ),
        confirmation_tool=CONFIRM,
        id_name="transfer_id",
        available_actions=(balances_action(known["to_account"]),),
    )


def balances_action(account_id: str) -> AvailableAction:
    """Look at the balances."""
    text = "See what is on this account now"
    return action("get_account_balances", "View balances", text, {"account_id": account_id})


def status_action(transfer_id: str) -> AvailableAction:
    """Look at the transfer."""
    text = "See whether the transfer is completed"
    return action("get_transfer_status", "View the transfer", text, {"transfer_id": transfer_id})


def _target(it: Paying, known: JsonObject) -> tuple[str, str]:
    match it:
        case TransferFunds():
            return it.to_account, known["to_account_name"]
        case PayCreditCard():
            return it.card_account, known["to_account_name"]
        case TransferToThirdParty():
            return it.recipient_account, it.recipient_name


def _arrival(at: datetime | None) -> str:
    """The next business day."""
    if at is None:
        return ""
    days = 7 - at.weekday() if at.weekday() >= FRIDAY else 1
    return (at + timedelta(days=days)).date().isoformat()
