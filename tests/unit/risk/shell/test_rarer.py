"""Rarer tools are told by what they do; what only looks asks nobody."""

from tests.unit.risk.shell.levels import level
from tests.unit.risk.shell.rarer_cases import GIVES, HARMLESS, RUNS, STEERS, TAKES

from holdpoint.messages.risk import RiskLevel


def test_what_rarer_tools_do_is_at_least_high() -> None:
    every = [*RUNS, *TAKES, *GIVES, *STEERS]
    assert [text for text in every if level(text) < RiskLevel.HIGH] == []


def test_what_they_only_show_asks_nobody() -> None:
    assert [text for text in HARMLESS if level(text) >= RiskLevel.HIGH] == []
