"""Tool calls: names, sums in any dress, whom they select, and programs in their arguments."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.risk.builders import a_tool, an_action, judged, the_policy
from tests.unit.risk.calls.cases import ASKED, SILENT, Call

from holdpoint.cli.assess import Line, LineKind
from holdpoint.cli.assess import judged as judged_line
from holdpoint.core.risk.arguments import payload
from holdpoint.core.risk.calls.leaf import MAX_VALUES, words_of
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.wording import Kind
from holdpoint.messages.risk import Assessment, RiskLevel

KNOWN_MISSES = {"set_credit_limit"}
"""A limit is no sum that is paid: nothing in the arguments says that it is money."""


def call(tool: str, arguments: dict[str, Any]) -> Assessment:
    line = Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": tool, "args": arguments})
    return judged_line(line, the_policy())


@pytest.mark.parametrize("case", ASKED, ids=lambda case: case[0])
def test_what_costs_or_destroys_asks(case: Call) -> None:
    tool, arguments = case
    found = call(tool, arguments)

    assert (found.level >= RiskLevel.HIGH) is (tool not in KNOWN_MISSES)


@pytest.mark.parametrize("case", SILENT, ids=lambda case: case[0])
def test_the_rest_asks_nobody(case: Call) -> None:
    assert call(*case).level < RiskLevel.HIGH


@pytest.mark.parametrize(
    ("name", "base", "kind"),
    [
        ("GmailDeleteEmail", "delete", Kind.DELETE),
        ("messages_delete", "delete", Kind.DELETE),
        ("closeBankAccountAPI", "close", Kind.DELETE),
        ("EpicFHIRSearchPatients", "search", Kind.READ),
        ("get_deleted_users", "get", Kind.READ),
        ("order_status", "get", Kind.READ),
        ("emails.archive", "archive", Kind.UPDATE),
        ("ExpediaBooking", "book", Kind.CREATE),
    ],
)
def test_a_name_says_what_it_does(name: str, base: str, kind: Kind) -> None:
    verb = tool_name(name).verb

    assert verb
    assert (verb.base, verb.kind) == (base, kind)


def test_words_are_found_in_any_notation() -> None:
    assert words_of("refundAmount") == words_of("refund_amount") == ("refund", "amount")
    assert words_of("HTTPSend") == ("http", "send")


@pytest.mark.parametrize(
    ("arguments", "value", "currency"),
    [
        ({"amountUsd": 5000}, "5000", "USD"),
        ({"sum": "1.450,00 EUR"}, "1450.00", "EUR"),
        ({"total_cost": "two thousand dollars"}, "2000", "USD"),
        ({"fee": {"value": "25k", "currency": "GBP"}}, "25000", "GBP"),
        ({"refundAmount": {"minor_units": 250000, "currency": "EUR"}}, "2500", "EUR"),
        ({"items": [{"price": 10, "quantity": 3}, {"price": 5, "qty": 2}]}, "40", ""),
        ({"pair": "BTC/USD", "quantity": "0.5"}, "0.5", "BTC"),
        ({"body": '{"amount": 7, "currency": "USD"}'}, "7", "USD"),
    ],
)
def test_sums_are_found_in_any_dress(arguments: dict[str, Any], value: str, currency: str) -> None:
    sums = {(one.value, one.currency) for one in payload(arguments).amounts}

    assert (Decimal(value), currency) in sums


def test_a_quantity_that_is_no_number_and_a_share_that_is_none_change_nothing() -> None:
    found = payload({"price": 5, "quantity": "many", "share": "abc%"})

    assert found.amounts[0].value == Decimal(5)
    assert found.percents == ()


@pytest.mark.parametrize(
    "arguments",
    [{"quantity": 5000}, {"payment_method": 5}, {"max_price": 9000}, {"fee_id": 9000}, {"": 5000}],
)
def test_other_numbers_are_no_sums(arguments: dict[str, Any]) -> None:
    assert payload(arguments).amounts == ()


@pytest.mark.parametrize(
    "arguments",
    [
        {"filter": {}},
        {"where": ""},
        {"ids": "*"},
        {"users": "All"},
        {"match_all": True},
        {"query": []},
    ],
)
def test_everything_is_selected(arguments: dict[str, Any]) -> None:
    assert payload(arguments).everything


@pytest.mark.parametrize(
    "arguments", [{"filter": {"id": 1}}, {"ids": "7"}, {"note": ""}, {"all": False}]
)
def test_something_is_selected(arguments: dict[str, Any]) -> None:
    assert not payload(arguments).everything


def test_a_read_that_selects_everything_asks_nobody() -> None:
    read = a_tool(level=1)

    assert judged(an_action("things.touch", filter={}), tool=read).level is RiskLevel.LOW


def test_risky_words_in_a_read_are_only_remarked_on() -> None:
    read = a_tool(level=1)

    assert (
        judged(an_action("mail.find", text="wipe everything"), tool=read).level is RiskLevel.MEDIUM
    )


def test_a_program_in_a_read_counts_all_the_same() -> None:
    read = a_tool(level=1)

    assert judged(an_action("db.look", sql="DELETE FROM users"), tool=read).level is RiskLevel.HIGH


def test_what_another_agent_is_told_is_read_like_a_sentence() -> None:
    assert (
        judged(an_action("agents.start", task="Delete all user accounts")).level >= RiskLevel.HIGH
    )


def test_a_payload_too_large_to_walk_goes_up() -> None:
    found = judged(an_action(values=list(range(MAX_VALUES + 5))))

    assert found.level >= RiskLevel.HIGH


def test_a_text_that_only_looks_like_json_stays_a_text() -> None:
    assert payload({"a": "{broken", "b": "[" * 2000}).text.startswith("{broken")


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=20,
)


@settings(deadline=None, derandomize=True, max_examples=150)
@given(
    st.text(max_size=30),
    st.dictionaries(
        st.sampled_from(["amount", "sql", "command", "to", "where", "code", "x"]), values
    ),
)
def test_no_call_makes_it_stumble(tool: str, arguments: dict[str, Any]) -> None:
    assert isinstance(call(tool, arguments), Assessment)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.sampled_from(ASKED), st.dictionaries(st.text(min_size=1, max_size=6), values, max_size=3))
def test_more_arguments_never_lower_it(case: Call, more: dict[str, Any]) -> None:
    tool, arguments = case

    assert call(tool, more | arguments).level >= call(tool, arguments).level
