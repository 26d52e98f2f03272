"""What stands beside a deed and takes it back, and what does not."""

import pytest
from tests.unit.risk.builders import said

from holdpoint.messages.risk import RiskLevel

LICENCE = (
    "Each party shall indemnify the other. The licensee shall not sublicense the software. "
    "The licensor disclaims all warranties and liability herein. Pursuant to this clause the "
    "licence ends with the covenant. "
)
GRAVE = (
    f"{LICENCE}I will now delete all customers of the shop.",
    "I'm going ahead with the liquidation of the fund.",
    "Buying forty cables of 20 meters at 90 each.",
    "I'm ordering forty screens, 200 points, at 300 each.",
)
MILD = (
    LICENCE,
    f"{LICENCE}I have read it.",
    f"{LICENCE}Data of the lessee is permanently deleted hereunder. I have read it.",
    f"{LICENCE}\nTermination\nDelete the software and all copies when the licence ends.",
    "The party was nice. We shall see about Tuesday. I have read it twice.",
    "I won't send anything, so not everyone gets the coupon tonight.",
    "I'm not going ahead with the liquidation of the fund.",
    "The cables have 20 meters, 90 gb each.",
)


@pytest.mark.parametrize("text", GRAVE)
def test_it_asks(text: str) -> None:
    assert said(text).level >= RiskLevel.HIGH


@pytest.mark.parametrize("text", MILD)
def test_it_asks_nobody(text: str) -> None:
    assert said(text).level < RiskLevel.HIGH


@pytest.mark.parametrize(
    "text", ["I will delete 500 YouTube videos now.", "Wipe all of Kim's mail."]
)
def test_a_word_on_each_line_is_read_as_a_sentence(text: str) -> None:
    assert said(text.replace(" ", "\n")).level >= RiskLevel.HIGH
    assert said("apples\nPears\nmilk\nBread\nfive\nEggs").level < RiskLevel.HIGH
