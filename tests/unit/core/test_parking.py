"""What nobody answers is parked where its level says so: open, and neither a yes nor a no."""

from datetime import timedelta

from msgspec.structs import replace
from tests.builders import DEADLINE, ONE_VOICE, T0, a_hold, a_tool, cancel, expire, proceed

from holdpoint.core.card import PARKED, PARKS, Shown, card_of
from holdpoint.core.commands import Objected
from holdpoint.core.hold import decide
from holdpoint.core.objections import LONGEST_PARK
from holdpoint.core.responses import report
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Hold, Outcome, Parked, Reason, Resolved
from holdpoint.messages.policy import OnSilence

PARKING = a_hold(requirement=replace(ONE_VOICE, on_silence=OnSilence.PARK))
LATER = DEADLINE + timedelta(days=3)
END = T0 + LONGEST_PARK
SHOWN = Shown(group="finance", state="rendered", seal_key="", revision=1)


def parked() -> Hold:
    fact = decide(PARKING, expire(), DEADLINE)
    assert isinstance(fact, Parked)
    return fact.hold


def test_at_its_deadline_it_is_parked_and_stays_open() -> None:
    hold = parked()

    assert (hold.parked_at, hold.expires_at) == (DEADLINE, END)
    assert (hold.stage, hold.outcome) == (PARKING.stage, None)


def test_a_parked_hold_is_answered_days_later() -> None:
    yes, no = (decide(parked(), it, LATER) for it in (proceed("ann"), cancel("bob")))

    assert isinstance(yes, Resolved)
    assert isinstance(no, Resolved)
    assert (yes.outcome, no.outcome) == (Outcome.CONFIRMED, Outcome.CANCELLED)


def test_between_the_deadline_and_its_parking_no_answer_counts() -> None:
    assert decide(PARKING, proceed("ann"), DEADLINE) == Objected(reason=Reason.TOO_LATE)


def test_it_is_parked_once_and_then_expires() -> None:
    again = replace(expire(), cause="TIMERS:99")

    assert decide(parked(), again, END - timedelta(seconds=1)) == Objected(
        reason=Reason.NOT_YET_DUE
    )
    ended = decide(parked(), again, END)
    assert isinstance(ended, Resolved)
    assert ended.outcome is Outcome.EXPIRED


def test_what_nobody_saw_expires() -> None:
    ended = decide(replace(PARKING, ui=None), expire(), DEADLINE)

    assert isinstance(ended, Resolved)
    assert ended.outcome is Outcome.EXPIRED


def test_card_and_agent_are_told_in_plain_words() -> None:
    told = report(Parked(hold=parked(), cause="TIMERS:4"), None, a_tool(), "")

    assert card_of(PARKING, a_tool(), SHOWN).on_silence == PARKS
    assert card_of(parked(), a_tool(), SHOWN).on_silence == PARKED
    assert (told.status, told.parked) == (Status.PENDING_CONFIRMATION, True)
    assert "people may still answer" in told.message_for_user
