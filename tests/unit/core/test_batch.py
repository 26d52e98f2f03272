"""Which cards may be answered together."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.builders import T0, a_hold, a_tool

from holdpoint.core.batch import separately
from holdpoint.core.card import Shown, card_of
from holdpoint.messages.policy import Method
from holdpoint.messages.risk import RiskLevel

SHOWN = Shown(group="finance", state="rendered", seal_key="", revision=1)
CARD = card_of(a_hold(), a_tool(), SHOWN)
CRITICAL = replace(CARD.ui, risk_level=RiskLevel.CRITICAL)


def test_two_holds_on_the_same_action_are_answered_together() -> None:
    assert separately([CARD, replace(CARD, hold_id="h2")]) == ""


@pytest.mark.parametrize(
    "fields",
    [
        {"level": 4},
        {"ui": CRITICAL},
        {"proofs": (Method.TOTP,)},
        {"proofs": (Method.CHAT, Method.TOTP), "every_proof": True},
        {"cools_off_until": T0},
        {"agent": "spy"},
        {"on_behalf_of": "ann"},
        {"title": "Delete 413 rows"},
    ],
)
def test_what_is_grave_or_differs_is_answered_by_itself(fields: dict[str, Any]) -> None:
    assert "by itself" in separately([CARD, replace(CARD, **{"hold_id": "h2", **fields})])
