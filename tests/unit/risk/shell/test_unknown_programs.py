"""A program that nobody knows raises the level; most of all one whose name takes something away."""

import pytest
from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import Assessment, RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

UNKNOWN = "shell.unknown-program"


def found(text: str) -> Assessment:
    return judged(Line(id="", kind=LineKind.SHELL, text=text), the_policy())


@pytest.mark.parametrize(
    "text",
    [
        "remove -r logs",
        "delete 12 files",
        "purge --all",
        "wipe disk0",
        "/opt/acme/bin/destroy cluster",
        "sudo obliterate data",
        "bash -c 'purge --all'",
        "cd /srv && nuke backups",
        "delete all users",
        "frobnicate --purge",
        "frobnicate delete users",
    ],
)
def test_a_destructive_verb_or_option_of_an_unknown_program_asks(text: str) -> None:
    assert found(text).level >= RiskLevel.HIGH


@pytest.mark.parametrize(
    "text",
    [
        "purge --help",
        "delete --dry-run 12 files",
        "purge() { echo done; }; purge --all",
        "alias purge='echo done'; purge --all",
        "echo purge --all",
        "Delete the first line of a file",
        "zap https://a.example",
        "remove old files",
    ],
)
def test_its_like_does_not(text: str) -> None:
    assert found(text).level < RiskLevel.HIGH


@pytest.mark.parametrize(
    "text",
    [
        *("frobnicate status", "./deploy.sh", "ls; frob x", "frob", "bash deploy.sh"),
        *("sh -x /opt/x.sh", ". ./deploy.sh", "python3 x.py", "sudo bash /opt/x/run.sh --all"),
    ],
)
def test_an_unknown_program_is_remarked_on(text: str) -> None:
    assessment = found(text)

    assert assessment.level is RiskLevel.MEDIUM
    assert [one.rule for one in assessment.signals] == [UNKNOWN]


@pytest.mark.parametrize(
    "text",
    [
        "ls -l | sort",
        "git status",
        "python -m pytest",
        "bash -n deploy.sh",
        "printf 'echo hi' > hi.sh; bash hi.sh",
        "greet() { echo hi; }; greet you",
        "printf 'echo hi' > hi.sh; chmod +x hi.sh; ./hi.sh",
        "Get-ChildItem",
        "",
    ],
)
def test_a_known_program_or_a_script_that_was_read_is_not(text: str) -> None:
    assert UNKNOWN not in {one.rule for one in found(text).signals}


def test_what_an_unknown_program_is_told_proves_nothing_more() -> None:
    assert found("frobnicate --message 'rm -rf /srv failed'").level is RiskLevel.MEDIUM
