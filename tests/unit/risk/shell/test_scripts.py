"""Scripts of several lines: each line counts as it does alone, at its own place."""

import pytest
from tests.unit.risk.corpus import commands
from tests.unit.risk.shell.levels import level

from holdpoint.core.risk.shell.analyzer import analyze_shell
from holdpoint.messages.risk import RiskLevel


def among_others(text: str) -> RiskLevel:
    return level(f"ls -la\n{text}\ngrep -rn x src | sort")


def test_a_danger_stays_one_between_other_lines() -> None:
    assert [
        text for text in commands("asks", "corners") if among_others(text) < RiskLevel.HIGH
    ] == []


def test_what_is_harmless_stays_so_between_other_lines() -> None:
    every = [one for one in commands("silent", "corners") if "<<" not in one]

    assert [text for text in every if among_others(text) >= RiskLevel.HIGH] == []


@pytest.mark.parametrize(
    "before",
    ["ls -la", "du -sh a | sort", 'echo "$HOME"', 'for f in a/*; do wc -l "$f"; done', "ls > a"],
)  # fmt: skip
def test_each_finding_quotes_its_own_line(before: str) -> None:
    text = f"{before}\n\n  rm -rf /srv/x  \n{before}\n" + "echo `date`\n" * 3
    found = [one for one in analyze_shell(text).signals if one.rule == "shell.rm-recursive"]
    assert [one.evidence for one in found] == ["rm -rf /srv/x"]
    assert [text[slice(*one.span or ())] for one in found] == ["rm -rf /srv/x"]


@pytest.mark.parametrize("lines", [1, 23, 24, 25, 60])
def test_however_many_lines_need_the_grammar_the_last_is_read(lines: int) -> None:
    text = "echo `date`\n" * lines + "rm -rf /srv/x"
    found = analyze_shell(text).signals
    assert [(one.rule, one.evidence) for one in found] == [("shell.rm-recursive", "rm -rf /srv/x")]


@pytest.mark.parametrize(
    "text",
    [
        "| ls\nls",
        "ls |\nzap /x",
        "ls &&\nzap /x",
        "if true\nthen ls\nfi",
        "zap 'a\nb'",
        "f() {\nls\n}",
    ],
)
def test_a_line_that_goes_on_in_the_next_is_read_with_it(text: str) -> None:
    assert level(f"x=rm\n{text}\n$x -rf /etc") >= RiskLevel.HIGH


def test_lines_that_were_passed_by_are_read_where_one_before_changes_them() -> None:
    for between in ("", "\n", " \n\n"):
        text = f"x=1\nls() {{ rm -rf /srv; }}\necho a\n{between}ls"
        found = analyze_shell(text).signals

        assert [one.evidence for one in found][-1:] == ["ls"], text


def test_what_runs_inside_a_command_is_told_where_that_one_stands() -> None:
    for text, where in (
        ("ls x\necho $(rm -rf /srv/x)", "echo $(rm -rf /srv/x)"),
        ("ls x; cat <(rm -rf /srv/x)", "cat <(rm -rf /srv/x)"),
        ("pwd\ny=$(rm -rf /srv/x)", "y=$(rm -rf /srv/x)"),
        ("pwd\nfor f in $(rm -rf /srv/x); do ls; done", "for f in $(rm -rf /srv/x); do ls; done"),
        ("pwd\n[[ -n $(rm -rf /srv/x) ]]", "$(rm -rf /srv/x)"),
        ("pwd\nf() { rm -rf /srv/x; }", "f() { rm -rf /srv/x; }"),
        ("pwd\nPROMPT_COMMAND='rm -rf /srv/x'", "PROMPT_COMMAND='rm -rf /srv/x'"),
    ):
        [found] = analyze_shell(text).signals
        assert text[slice(*found.span or ())] == found.evidence == where
