from tests.unit.risk.shell.levels import level
from tests.unit.risk.shell.more_cases import DANGEROUS, HARMLESS

from holdpoint.core.risk.shell.analyzer import analyze_shell
from holdpoint.messages.risk import RiskLevel


def test_rarer_ways_to_destroy_are_at_least_high() -> None:
    assert [text for text in DANGEROUS if level(text) < RiskLevel.HIGH] == []


def test_their_harmless_neighbours_ask_nobody() -> None:
    assert [text for text in HARMLESS if level(text) >= RiskLevel.HIGH] == []


def test_a_path_may_be_nothing_at_all() -> None:
    for text in ("rm -rf ''", 'rm -r "" /etc', "rm ''", "rm -rf $nothing''", "shred ''"):
        assert isinstance(analyze_shell(text).signals, tuple), text
    assert max(one.level for one in analyze_shell("rm -rf ''").signals) >= RiskLevel.HIGH
