"""A call says the same in whatever shape it is sent: behind junk, in texts, in pairs, in calls."""

import json
from base64 import b64encode
from collections.abc import Callable
from itertools import islice, product
from typing import Any

from tests.shares import in_shares
from tests.unit.risk.builders import the_policy
from tests.unit.risk.corpus import Call, calls

from holdpoint.core.risk.assessment import MAX_CALLS
from holdpoint.messages.risk import Assessment, RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

AT_THE_TOP = frozenset({"vm.power_off", "admin_console", "order_office", "translate_text"})
"""What is told by where an argument stands: an environment, a type, goods in words, a text."""

EVERY = calls("asks", "action", "basics", "bounds", "family", "operation", "stranger", "target")
PADDING: dict[str, Any] = {f"pad{number}": "" for number in range(80)}
READS = [{"tool": "get_plan", "args": {"page": page}} for page in range(40)]


def _found(tool: str, arguments: dict[str, Any]) -> Assessment:
    line = Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": tool, "args": arguments})
    return judged(line, the_policy())


def level(tool: str, arguments: dict[str, Any]) -> RiskLevel:
    return _found(tool, arguments).level


def _in_base64(held: dict[str, Any]) -> str:
    return b64encode(json.dumps(held).encode()).decode()


def _in_pairs(held: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"name": key, "value": value} for key, value in held.items()]


SHAPES: dict[str, Callable[[str, dict[str, Any]], Call]] = {
    "padded": lambda tool, held: (tool, PADDING | held),
    "a text": lambda tool, held: (tool, {"payload": json.dumps(held)}),
    "a text of a text": lambda tool, held: (tool, {"payload": json.dumps(json.dumps(held))}),
    "base64": lambda tool, held: (tool, {"payload": _in_base64(held)}),
    "pairs": lambda tool, held: (tool, {"params": _in_pairs(held)}),
    "the last of a batch": lambda tool, held: (
        "batch",
        {"calls": [*READS, {"tool": tool, "args": held}]},
    ),
    "a slug": lambda tool, held: ("execute", {"toolSlug": tool, "arguments": held}),
    "a remote call": lambda tool, held: (
        "mcp",
        PADDING | {"method": "tools/call", "params": {"name": tool, "arguments": held}},
    ),
}


@in_shares
def test_no_shape_makes_a_call_ask_nobody(step: int) -> None:
    lowered = [
        (name, case)
        for case, (name, shaped) in islice(product(EVERY, SHAPES.items()), 0, None, step)
        if case[0] not in AT_THE_TOP and level(*shaped(*case)) < RiskLevel.HIGH
    ]

    assert lowered == []


def test_more_calls_or_programs_than_are_read_go_up() -> None:
    calls = [{"tool": "touch_item", "args": {"page": page}} for page in range(MAX_CALLS + 1)]
    nested: dict[str, Any] = {"id": 7}
    for _ in range(MAX_CALLS):
        nested = {"tool": "touch_item", "args": nested}
    many: tuple[Call, ...] = (
        ("do", {"calls": calls}),
        ("do", {"cells": [{"code": "print(1)"}] * 140}),
        ("do", nested),
    )

    assert [case[0] for case in many if level(*case) < RiskLevel.HIGH] == []
    assert level("do", {"calls": calls[:40]}) < RiskLevel.HIGH


def test_reasons_say_what_is_done_in_its_own_words() -> None:
    said: tuple[tuple[Call, str], ...] = (
        (("sell_stock", {"symbol": "ABC", "quantity": 900}), "900 shares"),
        (("docker_create", {"volumes": ["/:/host"]}), "hands a container"),
        (("issue_refund", {"orders": "all"}), "applies to everything there is"),
        (("kubernetes", {"verb": "delete", "resource": "namespace"}), "delete namespace"),
    )
    silent = [
        (case, words)
        for case, words in said
        if not any(words in one.reason for one in _found(*case).signals)
    ]

    assert silent == []


def test_sums_among_more_keys_than_are_looked_through_go_up() -> None:
    sums = {f"amount_{number}": 1 for number in range(20)}

    assert level("pay", sums | {f"k{number}": "x" for number in range(1_400)}) >= RiskLevel.HIGH
    assert level("pay", sums | {f"k{number}": "x" for number in range(100)}) < RiskLevel.HIGH
