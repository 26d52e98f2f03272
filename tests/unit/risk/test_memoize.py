"""What the engine remembers between texts stays small, whoever sends them."""

import gc
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from tests.unit.risk.builders import an_action, the_policy

from holdpoint.core.memoize import MAX_KEPT, memoize
from holdpoint.core.risk import assess
from holdpoint.core.risk.context import Context
from holdpoint.messages.action import Action

LONG = 16 * 1024
CALLS = 60
AT_MOST = 512 * 1024
"""Bytes that may be more afterwards: an eighth of what they sent for each part of it."""


def long_name(number: int) -> str:
    return f"{number}_amount_role_{'x' * LONG}"


def a_long_key(number: int) -> Action:
    return an_action(**{long_name(number): "12 USD"})


def a_long_value(number: int) -> Action:
    said = long_name(number)
    return an_action("iam.grant_role", role=said, amount=said, currency=said, action=said)


def a_long_path(number: int) -> Action:
    within: Any = {"amount": 12, "total": {"value": "9"}}
    return an_action(**{long_name(number): within})


def a_long_tool(number: int) -> Action:
    return an_action(f"pay.{long_name(number)}", amount=12)


@pytest.mark.slow
@pytest.mark.parametrize("made", [a_long_key, a_long_value, a_long_path, a_long_tool])
def test_long_texts_are_forgotten_once_they_were_judged(made: Callable[[int], Action]) -> None:
    policy = the_policy()
    assess(made(0), Context(), policy)
    gc.collect()
    tracemalloc.start()
    try:
        for number in range(1, CALLS):
            assess(made(number), Context(), policy)
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert kept < AT_MOST, f"{kept:,} bytes are kept of {CALLS * LONG:,} sent"


def test_a_short_text_is_worked_out_once_and_a_long_one_each_time() -> None:
    asked: list[str] = []

    @memoize(2)
    def length(text: str) -> int:
        asked.append(text)
        return len(text)

    long = "x" * (MAX_KEPT + 1)
    assert [length("a"), length("a"), length(long), length(long)] == [1, 1, len(long), len(long)]
    assert asked == ["a", long, long]


def test_when_it_is_full_it_begins_anew() -> None:
    asked: list[str] = []

    @memoize(2)
    def same(text: str) -> str:
        asked.append(text)
        return text

    assert [same(text) for text in "abcab"] == list("abcab")
    assert asked == ["a", "b", "c", "a", "b"]
