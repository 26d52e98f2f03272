"""Answers of the coordinator in whole sentences."""

import pytest

from holdpoint.client import Outcome, Status
from holdpoint.coordinator.calls import WAITS, told


@pytest.mark.parametrize("said", ["Transfer 150.00 USD to Joint Savings", "Stop it."])
def test_what_waits_is_told_in_two_sentences(said: str) -> None:
    outcome = Outcome(status=Status.PENDING_CONFIRMATION, message_for_user=said)

    assert told(outcome) == f"{said.rstrip('.')}. {WAITS}"
