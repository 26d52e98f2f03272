"""Leave is asked for in many frames: what is asked decides, not how."""

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
DEEDS = (
    "delete the old calendar",
    "pull the plug on the mailbox",
    "pay the plumber",
    "accept the terms",
    "take a look at it and cancel it",
    "draft a reply and send it to everyone",
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
def test_leave_for_a_deed_asks_a_person(frame: str) -> None:
    asked = [deed for deed in DEEDS if said(frame.format(deed)).level >= RiskLevel.HIGH]

    assert asked == list(DEEDS)


@pytest.mark.parametrize("frame", FRAMES)
def test_leave_for_what_harms_nobody_asks_nobody(frame: str) -> None:
    asked = [deed for deed in MILD if said(frame.format(deed)).level >= RiskLevel.HIGH]

    assert asked == []


@pytest.mark.parametrize(
    "text",
    [
        "Is it ok if I rebook the ferry?",
        "Will I go ahead and reroute the calls?",
        "Thumbs up for the deployment?",
        "Cool with the cancellation?",
        "Any objections to me unpublishing it?",
        "Give me a nod and I'll merge it.",
    ],
)
def test_leave_for_what_no_list_holds_asks_a_person(text: str) -> None:
    rules = {signal.rule for signal in said(text).signals if signal.level >= RiskLevel.HIGH}

    assert "doubt.asks-for-leave" in rules
