"""The investments' results and confirmations."""

from typing import Any

from holdpoint.core.spoken import counted, number
from holdpoint.core.tool import Result
from holdpoint.domains.bank.currency import as_money, coded, minor, spoken, written
from holdpoint.domains.bank.investments.schemas import CreateInvestment
from holdpoint.domains.bank.results import action, done
from holdpoint.messages.action import Pending, Plan
from holdpoint.messages.base import JsonObject
from holdpoint.messages.envelope import AvailableAction


def listing(found: list[dict[str, Any]]) -> Result:
    """A customer's contracts."""
    lines = [
        f"- {it['contract_id']}: {written(it['principal'], it['currency'])}, "
        f"{_product(it['product'])}, {it['term_months']} months, {it['status']}"
        for it in found
    ]
    words = ", ".join(
        f"{spoken(it['principal'], it['currency'])} in a {_product(it['product'])}" for it in found
    )
    told = counted(len(found), "investment", "investments")
    active = [it for it in found if it["status"] == "active"]
    return done(
        {"investments": [_described(it) for it in found]},
        "\n".join(lines) or "No investments.",
        f"There {'is' if len(found) == 1 else 'are'} {told}"
        + (f", {words}." if words else "."),
        "Here are the investments." if found else "There are no investments.",
        *(action("terminate_contract", "Terminate", "End this contract early, with a penalty",
                 {"contract_id": it["contract_id"]}) for it in active[:1]),
    )  # fmt: skip


def simulated(found: JsonObject) -> Result:
    """Say what an investment would earn."""
    amount, currency, earned = found["amount"], found["currency"], found["interest"]
    months, product = found["term_months"], _product(found["product"])
    return done(
        {
            **{name: found[name] for name in ("product", "term_months", "rate")},
            "amount": as_money(amount, currency),
            "interest": as_money(earned, currency),
            "total": as_money(amount + earned, currency),
        },
        f"{written(amount, currency)} in a {product} for {months} months at {found['rate']} %: "
        f"{written(earned, currency)} interest.",
        f"{spoken(amount, currency)} for {number(months)} months would earn "
        f"{spoken(earned, currency)}.",
        f"{written(amount, currency)} would earn {written(earned, currency)} in {months} months.",
        action("create_investment", "Invest", "Invest this amount from an account",
               {"product": found["product"], "amount": as_money(amount, currency),
                "term_months": months}),
    )  # fmt: skip


def created(outcome: JsonObject) -> Result:
    """A contract runs."""
    amount, currency = outcome["amount"], outcome["currency"]
    months, product = outcome["term_months"], _product(outcome["product"])
    text = f"{written(amount, currency)} in a {product} for {months} months"
    return done(
        {
            **{name: outcome[name] for name in ("contract_id", "product", "term_months")},
            "amount": as_money(amount, currency),
        },
        f"Invested {text}. Contract: {outcome['contract_id']}.",
        f"I invested {spoken(amount, currency)} in a {product} for {number(months)} months.",
        f"I invested {text}. Contract: {outcome['contract_id']}.",
        _balances(outcome["account_id"]),
    )


def terminated(outcome: JsonObject) -> Result:
    """A contract is over."""
    currency, back, penalty = outcome["currency"], outcome["paid_back"], outcome["penalty"]
    name = outcome["account_name"]
    return done(
        {
            "contract_id": outcome["contract_id"],
            "paid_back": as_money(back, currency),
            "penalty": as_money(penalty, currency),
        },
        f"Terminated {outcome['contract_id']}: {written(back, currency)} to {name}, "
        f"{written(penalty, currency)} penalty.",
        f"The contract is terminated. {name} got {spoken(back, currency)}.",
        f"The contract is terminated. {written(back, currency)} went to {name}.",
        _balances(outcome["account_id"]),
    )


def pending_investment(it: CreateInvestment, plan: Plan) -> Pending:
    """The confirmation of an investment."""
    known, amount, currency = plan.conditions, minor(it.amount), it.amount.currency
    product, name = _product(it.product), known["from_account_name"]
    return Pending(
        operation="create_investment",
        summary=(
            f"Invest {coded(amount, currency)} for {it.term_months} months in a {product} from "
            f"{name}"
        ),
        details={
            "amount": as_money(amount, currency),
            "from_account": it.from_account,
            "from_account_name": name,
            "product": it.product,
            "term_months": it.term_months,
            "rate": known["rate"],
        },
        message_for_user=(
            f"I'd like to invest {written(amount, currency)} from {name} in a {product} for "
            f"{it.term_months} months at {known['rate']} %. Shall I proceed?"
        ),
        confirmation_tool="confirm_investment",
        id_name="operation_id",
        available_actions=(_balances(it.from_account),),
    )


def _described(it: dict[str, Any]) -> JsonObject:
    return {
        **{name: it[name] for name in ("contract_id", "product", "term_months", "started_on")},
        "principal": as_money(it["principal"], it["currency"]),
        "status": it["status"],
    }


def _product(name: str) -> str:
    return "fixed-term deposit" if name == "fixed_term" else name.replace("_", " ")


def _balances(account_id: str) -> AvailableAction:
    text = "See what is on this account now"
    return action("get_account_balances", "View balances", text, {"account_id": account_id})
