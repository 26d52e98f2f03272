import pytest
from tests.unit.risk.shell.levels import level
from tests.unit.risk.shell.more_cases import DANGEROUS, HARMLESS

from holdpoint.messages.risk import RiskLevel


@pytest.mark.parametrize("text", DANGEROUS)
def test_rarer_ways_to_destroy_are_at_least_high(text: str) -> None:
    assert level(text) >= RiskLevel.HIGH


@pytest.mark.parametrize("text", HARMLESS)
def test_their_harmless_neighbours_ask_nobody(text: str) -> None:
    assert level(text) < RiskLevel.HIGH
