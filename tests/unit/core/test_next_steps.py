"""A next step names one hold, and says nothing else."""

from typing import Any

import pytest

from holdpoint.core.next_steps import NextStep, is_next_step, next_step_in

HOLD, OTHER = "a" * 26, "b" * 26


@pytest.mark.parametrize(
    ("tool", "is_it"),
    [
        ("confirm_transfer", True),
        ("cancel_pending_operation", True),
        ("cancel_pending_operations", False),
        ("confirm", False),
        ("transfer_funds", False),
    ],
)
def test_next_steps_are_known_by_name(tool: str, is_it: bool) -> None:
    assert is_next_step(tool) is is_it


@pytest.mark.parametrize("name", ["hold_id", "operation_id", "transfer_id"])
def test_each_name_of_the_seed_gives_the_hold(name: str) -> None:
    step = next_step_in("confirm_transfer", {name: HOLD, "idempotency_key": "k"})

    assert step == NextStep(hold_id=HOLD, takes_back=False)


def test_a_withdrawal_may_say_why() -> None:
    step = next_step_in("cancel_pending_operation", {"operation_id": HOLD, "reason": "A typo."})

    assert step == NextStep(hold_id=HOLD, takes_back=True, reason="A typo.")


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"hold_id": 7},
        {"hold_id": "TXN-20250115-001"},
        {"hold_id": HOLD, "transfer_id": OTHER},
        {"hold_id": HOLD, "answer": "proceed"},
        {"hold_id": HOLD, "reason": ["no"]},
    ],
)
def test_what_names_no_single_hold_is_no_next_step(arguments: dict[str, Any]) -> None:
    assert next_step_in("confirm_transfer", arguments) is None
