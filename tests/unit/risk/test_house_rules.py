"""What a house adds to the policy counts wherever it is run, however it is written."""

import pytest
from msgspec import structs
from tests.unit.risk.builders import the_policy

from holdpoint.messages.policy import Pattern
from holdpoint.messages.risk import Heuristic, RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

ZAPPER = Pattern(
    id="house.zapper",
    pattern=r"\bzapper go\b",
    heuristic=Heuristic.IRREVERSIBILITY,
    level=RiskLevel.CRITICAL,
    reason="it zaps",
)
POLICY = structs.replace(
    the_policy(),
    high_risk_commands=(*the_policy().high_risk_commands, "launch the rocket", "make wipe"),
    patterns=(*the_policy().patterns, ZAPPER),
)
RUN = (
    "launch the rocket", "sudo launch the rocket", "launch  the rocket", "'launch' the rocket",
    "l='launch the'; $l rocket", "make wipe", "make\twipe", "cd x && make 'wipe'", "ls; make wipe",
    "bash -c 'make wipe'", "zapper go", "zapper  go", "z'a'pper go", 'zapper g"o"',
    "zapper \\\n go", "x=go; zapper $x", "ls -la\nzapper 'go'",
    'x=go; [ -n "$CI" ] && x=no; zapper $x', 'x=no; [ -n "$CI" ] && x=go; zapper $x',
)  # fmt: skip
NOT_RUN = (
    "git commit -m 'make wipe'", "echo launch the rocket", "grep -rn 'zapper go' src",
    "git log --grep='make wipe'", "zapper gone",
)  # fmt: skip


def level(text: str, kind: LineKind = LineKind.SHELL) -> RiskLevel:
    return judged(Line(id="", kind=kind, text=text), POLICY).level


def test_a_houses_own_words_are_critical_however_a_command_is_written() -> None:
    assert [text for text in RUN if level(text) is not RiskLevel.CRITICAL] == []


def test_they_are_not_where_they_are_only_searched_printed_or_quoted() -> None:
    assert [text for text in NOT_RUN if level(text) >= RiskLevel.HIGH] == []


@pytest.mark.parametrize("text", ["I will launch the rocket.", "Next I run: zapper go"])
def test_they_are_in_what_an_agent_says(text: str) -> None:
    assert level(text, LineKind.DIALOGUE) is RiskLevel.CRITICAL
