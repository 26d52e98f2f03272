"""Words of a name that make it look harmless lose that power if an argument orders the action."""

from itertools import product
from typing import Any

from tests.unit.risk.builders import a_tool, an_action, judged, the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged as judged_line
from holdpoint.policy_lab.cases import Line, LineKind

Call = tuple[str, dict[str, Any]]
HIGH = RiskLevel.HIGH

ORDERED: tuple[Call, ...] = (
    ("preview_delete_users", {"all": True, "apply": True}),
    ("draft_email", {"send": True, "to": "all@acme.example"}),
    ("create_draft", {"send_now": True, "to": "all-customers@lists.example"}),
    ("delete_users", {"all": True, "dry_run": True, "dryRun": False}),
    ("delete_users", {"all": True, "dry_run": True, "options": {"dryRun": "no"}}),
    ("delete_users", {"all": True, "dry_run": True, "apply": True}),
    ("delete_users", {"all": True, "dry_run": True, "confirm": True}),
    ("delete_users", {"all": True, "preview": True, "for_real": "yes"}),
    ("delete_users", {"all": True, "dry_run": True, "no_dry_run": True}),
    ("delete_users", {"all": True, "dry_run": True, "options": {"skipDryRun": 1}}),
    ("simulate_transfer", {"amount": 90_000, "currency": "EUR", "execute": True}),
    ("terraform_plan_destroy", {"mode": "apply"}),
)
"""Each asks a person."""

LOOKED_AT: tuple[Call, ...] = (
    ("preview_delete_users", {"all": True, "apply": False}),
    ("preview_delete_users", {"all": True}),
    ("draft_email", {"send": False, "to": "all@acme.example"}),
    ("draft_email", {"send": True, "to": "bob@acme.example"}),
    ("create_draft", {"to": "bob@acme.example", "subject": "Friday"}),
    ("delete_users", {"all": True, "dry_run": True, "apply": False}),
    ("delete_users", {"all": True, "dry_run": True, "confirm": False, "no_dry_run": False}),
    ("delete_users", {"all": True, "dry_run": True, "force": True}),
    ("run_tests", {"all": True, "force": True}),
    ("get_order", {"id": 7, "force": True}),
    ("list_users", {"run": True, "limit": 20}),
    ("validate_email", {"email": "kim@acme.example", "run": True}),
    ("format_text", {"text": "all of it", "apply": True}),
    ("check_email", {"confirm_email": True}),
)
"""Nobody is asked."""

SOFT: tuple[str, ...] = (
    "preview",
    "simulate",
    "validate",
    "test",
    "dry_run",
    "plan",
    "check",
    "lint",
    "explain",
    "read",
    "get",
    "list",
    "estimate",
    "quote",
    "review",
    "verify",
)
ORDERS = ("apply", "execute", "commit", "confirm", "force", "run", "applyChanges", "run_now")
YES = (True, "yes", 1, "on", "true")


def call(case: Call) -> RiskLevel:
    line = Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": case[0], "args": case[1]})
    return judged_line(line, the_policy()).level


def test_each_of_these_asks() -> None:
    assert [case for case in ORDERED if call(case) < HIGH] == []


def test_what_is_only_looked_at_asks_nobody() -> None:
    assert [case for case in LOOKED_AT if call(case) >= HIGH] == []


def test_no_harmless_word_beats_an_order_beside_it() -> None:
    low = [
        (soft, order, yes)
        for soft, order, yes in product(SOFT, ORDERS, YES)
        if call((f"{soft}_delete_users", {"all": True, order: yes})) < HIGH
    ]

    assert low == []


def test_no_dry_run_beats_one_that_contradicts_it() -> None:
    flags = ("dry_run", "dryRun", "simulate", "preview", "validate_only", "what_if")
    low = [
        (one, other, no)
        for one, other, no in product(flags, flags, (False, "no", 0, "off"))
        if one != other and call(("delete_users", {"all": True, one: True, other: no})) < HIGH
    ]

    assert low == []


def test_it_asks_too_where_a_catalog_knows_the_tool() -> None:
    known = a_tool(level=3)
    action = an_action("preview_delete_users", all=True, apply=True)

    assert judged(action, tool=known).level >= HIGH
