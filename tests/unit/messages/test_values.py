"""Ids, keys, risk levels, and what of a plan the effect compares."""

import pytest
from tests.builders import an_action

from holdpoint.messages.base import is_id, is_key
from holdpoint.messages.risk import RiskLevel


@pytest.mark.parametrize("text", ["a", "Z", "0", "a-b_c", "x" * 64])
def test_an_id_is_one_token(text: str) -> None:
    assert is_id(text)


@pytest.mark.parametrize("text", ["", "a.b", "*", ">", "a b", "a\n", "ä", "x" * 65, "a\x00", "$x"])
def test_what_is_no_token_is_no_id(text: str) -> None:
    assert not is_id(text)


@pytest.mark.parametrize(
    ("text", "fits"),
    [("k", True), ("delete-users ~2026", True), ("", False), ("k\n", False), ("ä", False)],
)
def test_a_key_is_printable(text: str, *, fits: bool) -> None:
    assert is_key(text) is fits


def test_risk_levels_are_ordered() -> None:
    low, medium, high, critical = RiskLevel

    assert low < medium < high < critical
    assert (low.raised(), critical.raised()) == (medium, critical)
    assert max(high, critical, low) is critical
    with pytest.raises(TypeError):
        assert low < "high"


def test_the_effect_compares_what_is_not_only_for_people_to_read() -> None:
    action = an_action(preconditions={"affected": 412, "sample": [], "targets": [], "at": "now"})

    assert action.conditions == {"affected": 412}
