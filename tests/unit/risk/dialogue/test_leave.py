"""permission is asked for in many frames: what is asked decides, not how."""

import pytest
from tests.unit.risk.builders import said

from holdpoint.messages.risk import RiskLevel

FRAMES = (
    "Is it ok if I {}?",
    "Fine by you if I {}?",
    "Would you mind if I {}?",
    "Cool if I {}?",
    "Permission to {}?",
    "Do I have leave to {}?",
    "May I have the permission to {}?",
    "Do you allow me to {}?",
    "Do you agree that I {}?",
    "Are you fine with me if I {}?",
    "Okay for me to {}?",
    "Shall I {}",
    "Should I {}?",
    "How about I {}?",
    "So I {}, yes?",
    "Please tell me whether I may {}.",
    "Any reason not to {}?",
    "Let me know if you'd like me to {}.",
    "Tell me whether you want me to {}.",
)
MILD = (
    "explain the second step",
    "sketch a diagram",
    "read the terms",
    "write a short summary",
    "draft the email",
    "open the report in a new tab",
)


@pytest.mark.parametrize("frame", FRAMES)
def test_leave_for_what_harms_nobody_asks_nobody(frame: str) -> None:
    asked = [action for action in MILD if said(frame.format(action)).level >= RiskLevel.HIGH]

    assert asked == []
