"""What is meant though the verb says little."""

import pytest
from tests.unit.risk.builders import said
from tests.unit.risk.dialogue.light_cases import GRAVE, MILD

from holdpoint.messages.risk import RiskLevel


@pytest.mark.parametrize("text", GRAVE)
def test_what_is_meant_asks(text: str) -> None:
    assert said(text).level >= RiskLevel.HIGH


@pytest.mark.parametrize("text", MILD)
def test_what_is_harmless_asks_nobody(text: str) -> None:
    assert said(text).level < RiskLevel.HIGH
