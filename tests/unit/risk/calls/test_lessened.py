"""A name that lessens a call lessens nothing where an argument says that it is done."""

from itertools import product
from typing import Any

from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

ACTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("delete_users", {"all": True}),
    ("refund_orders", {"amount": 90_000, "currency": "EUR"}),
    ("wipe_disk", {"host": "a"}),
)
LESSENED = ("preview", "simulate", "validate", "check", "plan", "test", "dry_run")
ORDERS = ("apply", "execute", "commit", "confirm", "apply_changes", "run_now")
ON: tuple[Any, ...] = (True, "yes", 1)


def _level(tool: str, args: dict[str, Any]) -> RiskLevel:
    line = Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": tool, "args": args})
    return judged(line, the_policy()).level


def test_an_order_beside_such_a_name_is_the_action() -> None:
    low = [
        (tool, order, on)
        for (action, args), word, order, on in product(ACTIONS, LESSENED, ORDERS, ON)
        if _level(tool := f"{word}_{action}", args | {order: on}) < RiskLevel.HIGH
    ]

    assert low == []


def test_a_draft_that_is_sent_is_sent() -> None:
    for tool, args in (
        ("draft_email", {"send": True, "to": "all@acme.example"}),
        ("create_draft", {"send_now": True, "to": "all-customers@lists.example"}),
    ):
        assert _level(tool, args) >= RiskLevel.HIGH, tool
        assert _level(tool, {"to": args["to"]}) < RiskLevel.HIGH, tool


def test_of_two_flags_that_contradict_each_other_the_graver_counts() -> None:
    for more in ({"dryRun": False}, {"dry-run": "false"}, {"commit": True}, {"execute": "yes"}):
        assert _level("delete_users", {"all": True, "dry_run": True} | more) >= RiskLevel.HIGH, more
    assert _level("delete_users", {"all": True, "dry_run": True}) < RiskLevel.HIGH


def test_what_is_only_previewed_asks_nobody() -> None:
    for tool, args in (
        ("preview_delete_users", {"all": True}),
        ("preview_delete_users", {"all": True, "apply": False}),
        ("validate_invoice", {"amount": 90, "run": 7}),
        ("get_prices", {"live": True}),
    ):
        assert _level(tool, args) < RiskLevel.HIGH, tool


ALERTS = (
    "bank_accounts_set_balance_alert",
    "bank_alerts_set_preferences",
    "bank_set_notification_preferences",
    "update_beneficiary_notification_preferences",
    "bank_accounts_set_statement_delivery",
    "update_bank_statement_format",
)
ORDERS_OF_MONEY: tuple[tuple[str, dict[str, Any]], ...] = (
    ("set_direct_deposit_account", {"account_number": "12345678"}),
    ("bank_set_direct_deposit_account", {}),
    ("update_payout_iban", {}),
    ("set_forwarding", {"address": "kim@freemail.example"}),
    ("set_bank_statement_account", {}),
    ("bank_alerts_set_payout_preferences", {}),
    ("bank_update_account_and_alert", {}),
    ("bank_accounts_set_balance_alert", {"iban": "DE89370400440532013000"}),
)


def test_what_people_are_told_of_their_money_moves_none() -> None:
    assert [tool for tool in ALERTS if _level(tool, {"account_id": "ACC-1"}) > RiskLevel.LOW] == []


def test_where_money_goes_is_grave_whatever_stands_beside_it() -> None:
    assert [it for it in ORDERS_OF_MONEY if _level(*it) < RiskLevel.HIGH] == []
