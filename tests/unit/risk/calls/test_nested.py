"""Calls inside calls, flags that take something away, counts and sums under more names."""

from typing import Any

import pytest
from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

GRAVE: tuple[dict[str, Any], ...] = (
    {"steps": [{"name": "delete_customer", "arguments": {"id": 7}}]},
    {"call": {"tool": "cancel_order", "input": '{"order": "o-7"}'}},
    {"FUNCTION": "close_account", "PARAMETERS": {"id": 7}},
    {"records": ["a", "b"], "delete_source": True},
    {"recipient_count": "two thousand"},
    {"audience": {"size": 1200}},
    {"value_usd": "9.000,00"},
    {"order": {"value": "0.5M EUR"}},
    {"lines": {"a": {"amount": 800}, "b": {"amount": 450}}},
)
MILD: tuple[dict[str, Any], ...] = (
    {"steps": [{"name": "get_customer", "arguments": {"id": 7}}]},
    {"widget": {"name": "Cancel button", "parameters": {"colour": "red"}}},
    {"name": "delete_customer"},
    {"delete_after": True, "drop_duplicates": True},
    {"delete_source": False},
    {"page_count": 1200, "word_count": 5000},
    {"audience": {"size": 12}},
    {"image": {"size": 1200}},
    {"balance_usd": 90000, "price_usd": 12},
    {"value": "0.5M"},
)


def level(arguments: dict[str, Any]) -> RiskLevel:
    line = Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": "do", "args": arguments})
    return judged(line, the_policy()).level


@pytest.mark.parametrize("arguments", GRAVE, ids=str)
def test_what_an_argument_holds_counts(arguments: dict[str, Any]) -> None:
    assert level(arguments) >= RiskLevel.HIGH


@pytest.mark.parametrize("arguments", MILD, ids=str)
def test_what_only_looks_like_it_asks_nobody(arguments: dict[str, Any]) -> None:
    assert level(arguments) < RiskLevel.HIGH


def test_inside_a_mere_read_nothing_is_called() -> None:
    inner = {"name": "delete_customer", "arguments": {"id": 7}}
    line = Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": "get_plan", "args": inner})

    assert judged(line, the_policy()).level < RiskLevel.HIGH
