"""Next steps of a program about its own call, and what it is told of them."""

import pytest

from holdpoint.adapters.next_step_of_call import Next, step_of
from holdpoint.client import Outcome, Status

HOLD = "46qi5ujpjhovku6gyfvgsflaoo"


def test_a_call_that_is_not_judged_names_no_hold_and_is_to_be_made_again() -> None:
    """Its id is made of its key, and no such hold exists until the gate stores one."""
    step = step_of(Outcome(status=Status.WAITING, hold_id=HOLD), {})

    assert (step.next, step.hold_id, step.ok) == (Next.OVER, "", False)
    assert HOLD not in step.text
    assert "Nobody was asked yet, and nothing ran" in step.text
    assert "Make exactly this call again" in step.text


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (Status.PENDING_CONFIRMATION, f"waits for a person, as hold {HOLD}"),
        (Status.APPROVED, f"approved, as hold {HOLD}, and has not ended"),
    ],
)
def test_what_has_not_ended_says_what_it_waits_for(status: Status, says: str) -> None:
    step = step_of(Outcome(status=status, hold_id=HOLD, domain="shell"), {})

    assert (step.next, step.hold_id) == (Next.WAIT, HOLD)
    assert says in step.text
