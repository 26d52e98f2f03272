"""What looks like a sum and is a group of commands runs; a sum with brackets alarms nobody."""

import pytest
from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind


def level(text: str) -> RiskLevel:
    return judged(Line(id="", kind=LineKind.SHELL, text=text), the_policy()).level


@pytest.mark.parametrize("text", ["$((a;b)|" * 200 + "x", "$((a; " * 40 + "b" + ") | c)" * 40])
def test_groups_without_end_ask_a_person(text: str) -> None:
    assert level(text) >= RiskLevel.HIGH
