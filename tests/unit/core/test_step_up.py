"""One-time codes: each counts once, wrong ones are counted, too many close the door."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace
from tests.builders import T0

from holdpoint.core.step_up import MOST_AN_HOUR, MOST_ON_A_HOLD, MOST_REMEMBERED, Try, judge
from holdpoint.messages.hold import Reason
from holdpoint.messages.state import StepUpState

ENROLLED = StepUpState(sealed="s", by="ann", cause="ADMIN:1")
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
LONG = T0 + timedelta(days=30)


def a_try(cause: int, step: int | None = None, **fields: Any) -> Try:
    given = {"hold_id": "h1", "at": T0, "until": T0 + 15 * MINUTE}
    return Try(cause=f"ANSWERS:{cause}", step=step, **{**given, **fields})


def after(*tries: Try, state: StepUpState = ENROLLED) -> StepUpState:
    for each in tries:
        state = judge(state, each).state
    return state


def wrong(count: int, **fields: Any) -> StepUpState:
    return after(*(a_try(cause, **fields) for cause in range(count)))


def test_a_code_counts_once() -> None:
    spent = after(a_try(1, step=100))

    assert judge(ENROLLED, a_try(1, step=100)).reason is None
    assert judge(spent, a_try(2, step=100)).reason is Reason.CODE_USED
    assert judge(spent, a_try(2, step=101)).reason is None


def test_a_code_older_than_one_that_counted_never_does() -> None:
    assert judge(after(a_try(1, step=100)), a_try(2, step=99)).reason is Reason.CODE_USED


def test_a_used_code_is_no_wrong_one() -> None:
    state = after(a_try(1, step=100), *(a_try(cause, step=100) for cause in range(2, 60)))

    assert state.wrong == ()
    assert judge(state, a_try(99, step=101)).reason is None


def test_a_message_that_comes_again_is_told_the_same_and_changes_nothing() -> None:
    state = after(a_try(1, step=100), a_try(2), a_try(3, step=101))

    for again, reason in ((a_try(1, step=100), None), (a_try(2), Reason.CODE_WRONG)):
        judged = judge(state, again)
        assert (judged.state, judged.reason) == (state, reason)


def test_without_codes_nothing_is_a_code() -> None:
    assert judge(StepUpState(by="", cause=""), a_try(1, step=100)).reason is Reason.NO_CODES


def test_five_wrong_codes_end_a_persons_say_on_that_hold_alone() -> None:
    almost, over = wrong(MOST_ON_A_HOLD - 1), wrong(MOST_ON_A_HOLD)

    assert judge(almost, a_try(99, step=100)).reason is None
    assert judge(over, a_try(99, step=100)).reason is Reason.TRIES_OVER
    assert judge(over, a_try(99, step=100)).state == over
    assert judge(over, a_try(99, step=100, hold_id="h2")).reason is None


def test_wrong_codes_on_a_hold_count_as_long_as_it_can_be_answered() -> None:
    over = wrong(MOST_ON_A_HOLD, until=LONG)
    later = T0 + timedelta(days=20)

    assert judge(over, a_try(99, step=100, at=later, until=LONG)).reason is Reason.TRIES_OVER
    assert judge(over, a_try(99, at=later, hold_id="h2")).state.wrong[:-1] == over.wrong


def test_ten_wrong_codes_within_an_hour_lock_the_person() -> None:
    each_its_own = [a_try(it, hold_id=f"h{it}") for it in range(MOST_AN_HOUR)]
    locked = after(*each_its_own)

    assert judge(after(*each_its_own[1:]), a_try(99, step=100)).reason is None
    assert judge(locked, a_try(99, step=100)).reason is Reason.LOCKED
    soon = T0 + HOUR - timedelta(microseconds=1)
    assert judge(locked, a_try(99, step=100, at=soon)).reason is Reason.LOCKED
    assert judge(locked, a_try(99, step=100, at=T0 + HOUR)).reason is None


def test_what_counts_no_more_is_forgotten() -> None:
    state = after(a_try(1), a_try(2, at=T0 + HOUR))

    assert [it.cause for it in state.wrong] == ["ANSWERS:2"]


def test_a_hundred_wrong_codes_lock_the_person_however_slowly_they_came() -> None:
    slowly = [
        a_try(it, hold_id=f"h{it}", at=T0 + it * HOUR, until=LONG) for it in range(MOST_REMEMBERED)
    ]
    state, now = after(*slowly), T0 + (MOST_REMEMBERED + 1) * HOUR

    assert len(state.wrong) == MOST_REMEMBERED
    assert judge(state, a_try(999, step=10**6, at=now)).reason is Reason.LOCKED
    assert judge(state, a_try(999, step=10**6, at=LONG)).reason is None


def test_only_the_last_codes_that_counted_are_remembered() -> None:
    state = after(*(a_try(step, step=step) for step in range(100)))

    assert [it.step for it in state.used] == list(range(84, 100))


@pytest.mark.parametrize("hold_id", ["", "h1"])
def test_tries_to_set_up_anew_lock_the_person_and_end_no_say(hold_id: str) -> None:
    state = wrong(MOST_ON_A_HOLD, hold_id="")
    anew = judge(state, a_try(99, step=100, hold_id=hold_id))

    assert anew.reason is None
    assert judge(wrong(MOST_AN_HOUR, hold_id=""), replace(a_try(99), step=1)).reason is (
        Reason.LOCKED
    )
