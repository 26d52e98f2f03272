"""Each rule of `data/rules/tools.toml` fires on its examples and is silent on their like."""

from typing import Any

import pytest

from holdpoint.core.risk.extract.payload import walk
from holdpoint.core.risk.knowledge import entry
from holdpoint.core.risk.tools.names import tool_name
from holdpoint.core.risk.tools.rules import reasons

RULES: list[dict[str, Any]] = [
    {**rule, "group": group}
    for group in ("hazard", "control")
    for rule in entry(f"rules/tools:{group}")
]


def why(rule: dict[str, Any], call: dict[str, Any]) -> list[str]:
    named = frozenset(tool_name(call["tool"]).words)
    return list(reasons(rule["group"], named, walk(call["args"]).leaves))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["reason"])
def test_a_rule_fires_on_its_examples_and_on_nothing_like_them(rule: dict[str, Any]) -> None:
    assert rule["fires"]
    assert rule["silent"]
    assert [call for call in rule["fires"] if rule["reason"] not in why(rule, call)] == []
    assert [call for call in rule["silent"] if rule["reason"] in why(rule, call)] == []
