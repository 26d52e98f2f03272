from holdpoint.core.risk.shell.analyzer import analyze_shell
from holdpoint.messages.risk import RiskLevel


def test_a_path_may_be_nothing_at_all() -> None:
    for text in ("rm -rf ''", 'rm -r "" /etc', "rm ''", "rm -rf $nothing''", "shred ''"):
        assert isinstance(analyze_shell(text).signals, tuple), text
    assert max(one.level for one in analyze_shell("rm -rf ''").signals) >= RiskLevel.HIGH
