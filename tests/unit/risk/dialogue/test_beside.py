"""A text whose words stand on lines of their own is read as what it says."""

import pytest
from tests.unit.risk.builders import said

from holdpoint.messages.risk import RiskLevel


@pytest.mark.parametrize(
    "text", ["I will delete 500 YouTube videos now.", "Wipe all of Kim's mail."]
)
def test_a_word_on_each_line_is_read_as_a_sentence(text: str) -> None:
    assert said(text.replace(" ", "\n")).level >= RiskLevel.HIGH
    assert said("apples\nPears\nmilk\nBread\nfive\nEggs").level < RiskLevel.HIGH
