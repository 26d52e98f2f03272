"""What is meant though the verb says little."""

import pytest
from tests.unit.risk.builders import the_policy
from tests.unit.risk.dialogue.light_cases import GRAVE, MILD

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind


def level(text: str) -> RiskLevel:
    return judged(Line(id="", kind=LineKind.DIALOGUE, text=text), the_policy()).level


@pytest.mark.parametrize("text", GRAVE)
def test_what_is_meant_asks(text: str) -> None:
    assert level(text) >= RiskLevel.HIGH


@pytest.mark.parametrize("text", MILD)
def test_what_is_harmless_asks_nobody(text: str) -> None:
    assert level(text) < RiskLevel.HIGH
