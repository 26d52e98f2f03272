"""Answers of the coordinator in whole sentences."""

import pytest

from holdpoint.client import Outcome, Status
from holdpoint.coordinator.calls import WAITS, told


@pytest.mark.parametrize("said", ["Transfer 150.00 USD to Joint Savings", "Stop it."])
def test_what_waits_is_told_in_two_sentences(said: str) -> None:
    outcome = Outcome(status=Status.PENDING_CONFIRMATION, message_for_user=said)

    assert told(outcome) == f"{said.rstrip('.')}. {WAITS}"


@pytest.mark.parametrize(
    ("status", "said", "text"),
    [
        (Status.CANCELLED, "A person said no.", "Cancelled. Nothing was done."),
        (Status.ALREADY_PROCESSED, "This was processed before. Task 1 is completed: milk.",
         "Task 1 is completed: milk."),
        (Status.FAILED, "The account is closed.", "The account is closed."),
    ],
)  # fmt: skip
def test_an_ending_is_told_in_words_for_a_person(status: Status, said: str, text: str) -> None:
    assert told(Outcome(status=status, message_for_user=said)) == text


def test_a_result_is_told_once() -> None:
    transfer = Outcome(status=Status.DONE, formatted="Moved $5.", message_for_user="I moved $5.")
    balances = Outcome(status=Status.DONE, formatted="Balances:\n- $5", message_for_user="Here.")
    assert told(transfer) == "I moved $5."
    assert told(balances) == "Balances:\n- $5"
