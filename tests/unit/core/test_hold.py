"""The state machine by example: what each command leads to, and why it does not count."""

from datetime import timedelta

import pytest
from msgspec.structs import replace
from tests.builders import (
    DEADLINE,
    T0,
    TITLE,
    UI,
    a_confirmed_hold,
    a_halted_hold,
    a_hold,
    a_sentence,
    a_voice,
    accepted,
    announced_with,
    asked_of,
    begin_with,
    cancel,
    confirm,
    expire,
    kill,
    proceed,
    render,
    resume,
    withdraw,
)

from holdpoint.core.commands import Command, Objected
from holdpoint.core.digest import render_digest
from holdpoint.core.hold import begin, decide
from holdpoint.messages.hold import (
    Answered,
    Denied,
    Halted,
    Outcome,
    Passed,
    Reason,
    Rendered,
    Resolved,
    Resumed,
    Stage,
    Witnessed,
)
from holdpoint.messages.policy import Method, VerdictKind, Voices

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
FINANCE, SECURITY = Voices(group="finance"), Voices(group="security")
TWO_GROUPS = asked_of(FINANCE, SECURITY)


# The first fact.


def test_what_is_harmless_passes_with_a_grant() -> None:
    fact = begin(begin_with(VerdictKind.PASS))

    assert isinstance(fact, Passed)
    assert fact.hold.stage is Stage.PASSED
    assert fact.grant is not None
    assert fact.grant.aud == "domain:database"
    assert (fact.grant.nbf, fact.grant.exp) == (T0, T0 + timedelta(seconds=300))


def test_what_people_are_told_of_runs_with_a_grant() -> None:
    fact = begin(begin_with(VerdictKind.WITNESS))

    assert isinstance(fact, Witnessed)
    assert fact.hold.stage is Stage.WITNESSED
    assert fact.grant is not None


@pytest.mark.parametrize("verdict", [VerdictKind.PASS, VerdictKind.WITNESS])
def test_a_sentence_goes_on_without_a_grant(verdict: VerdictKind) -> None:
    fact = begin(begin_with(verdict, a_sentence()))

    assert isinstance(fact, Passed | Witnessed)
    assert fact.grant is None


def test_what_is_denied_never_gets_a_grant() -> None:
    fact = begin(begin_with(VerdictKind.DENY, a_halted_hold(reason="No.")))

    assert isinstance(fact, Denied)
    assert (fact.hold.stage, fact.hold.reason) == (Stage.DENIED, "No.")


def test_what_is_risky_is_halted() -> None:
    fact = begin(begin_with(VerdictKind.HOLD))

    assert isinstance(fact, Halted)
    assert fact.hold.stage is Stage.HALTED
    assert fact.metadata == fact.hold.metadata


# The road of a hold.


def test_a_halted_hold_is_rendered() -> None:
    fact = accepted(a_halted_hold(), render())

    assert isinstance(fact, Rendered)
    assert fact.hold.ui == UI
    assert fact.hold.title == TITLE
    assert fact.hold.render_digest == render_digest(UI, TITLE)


def test_a_yes_releases_the_hold() -> None:
    fact = accepted(a_hold(), proceed("ann", reason="They agreed."), T0 + MINUTE)

    assert isinstance(fact, Resolved)
    assert (fact.outcome, fact.by) == (Outcome.CONFIRMED, "ann")
    assert fact.hold.resolved_at == T0 + MINUTE
    assert [voice.person for voice in fact.hold.voices] == ["ann"]


def test_the_voice_remembers_its_proof() -> None:
    yes = proceed("ann", method=Method.CHAT, linked=True, evidence_digest="e1")
    (voice,) = accepted(a_hold(), yes, T0 + MINUTE).hold.voices

    assert (voice.method, voice.linked, voice.evidence_digest) == (Method.CHAT, True, "e1")
    assert voice.at == T0 + MINUTE


def test_one_yes_of_two_is_not_enough() -> None:
    fact = accepted(a_hold(requirement=asked_of(Voices(group="finance", voices=2))), proceed("ann"))

    assert isinstance(fact, Answered)
    assert fact.by == "ann"
    assert fact.hold.stage is Stage.ANSWERED
    assert fact.hold.outcome is None


def test_the_second_group_completes_the_voices() -> None:
    one = accepted(a_hold(requirement=TWO_GROUPS), proceed("bob"))
    both = accepted(one.hold, proceed("eve"))

    assert isinstance(one, Answered)
    assert isinstance(both, Resolved)


def test_one_person_in_two_groups_is_still_one_voice() -> None:
    assert isinstance(accepted(a_hold(requirement=TWO_GROUPS), proceed("ann")), Answered)


def test_four_eyes_are_two_people_whatever_the_groups_ask_for() -> None:
    hold = a_hold(requirement=asked_of(FINANCE, four_eyes=True))
    one = accepted(hold, proceed("ann"))

    assert isinstance(one, Answered)
    assert isinstance(accepted(one.hold, proceed("bob")), Resolved)


def test_one_no_is_enough() -> None:
    one = accepted(a_hold(requirement=TWO_GROUPS), proceed("bob"))
    fact = accepted(one.hold, cancel("eve", reason="Ask the customer first."))

    assert isinstance(fact, Resolved)
    assert (fact.outcome, fact.by) == (Outcome.CANCELLED, "eve")
    assert fact.hold.reason == "Ask the customer first."


def test_a_no_without_a_reason_says_whose_it_was() -> None:
    assert accepted(a_hold(), cancel("ann")).hold.reason == "ann cancelled it."


def test_who_said_yes_may_still_say_no() -> None:
    one = accepted(a_hold(requirement=TWO_GROUPS), proceed("bob"))
    fact = accepted(one.hold, cancel("bob"))

    assert isinstance(fact, Resolved)
    assert fact.outcome is Outcome.CANCELLED


def test_silence_ends_as_expired_and_is_no_no() -> None:
    fact = accepted(a_hold(), expire(), DEADLINE)

    assert isinstance(fact, Resolved)
    assert (fact.outcome, fact.by) == (Outcome.EXPIRED, "")
    assert "not a no" in fact.hold.reason


def test_a_hold_that_nobody_was_shown_expires_too() -> None:
    fact = accepted(a_halted_hold(), expire(), DEADLINE)

    assert isinstance(fact, Resolved)
    assert fact.outcome is Outcome.EXPIRED


def test_the_agent_takes_it_back() -> None:
    fact = accepted(a_hold(), withdraw())

    assert isinstance(fact, Resolved)
    assert (fact.outcome, fact.by) == (Outcome.WITHDRAWN, "crm-agent")
    assert fact.hold.reason == "The agent withdrew it."


def test_the_kill_switch_cancels_what_waits() -> None:
    fact = accepted(a_halted_hold(), kill())

    assert isinstance(fact, Resolved)
    assert (fact.outcome, fact.by) == (Outcome.CANCELLED, "ada")
    assert fact.hold.reason == "Kill switch: The agent runs wild."


def test_what_a_passkey_signed_of_a_sentence_is_not_bound_to_its_call() -> None:
    said = announced_with(replace(a_voice("ann"), linked=True))

    fact = accepted(a_halted_hold(announced=said), confirm())

    assert [(voice.person, voice.linked) for voice in fact.hold.voices] == [("ann", False)]


def test_resume_after_a_yes_carries_the_grant() -> None:
    fact = accepted(a_confirmed_hold(), resume())

    assert isinstance(fact, Resumed)
    assert fact.confirmed
    assert fact.grant is not None
    assert (fact.grant.aud, fact.grant.nonce) == ("domain:database", "n2")
    assert fact.grant.exp - fact.grant.nbf == timedelta(seconds=300)


@pytest.mark.parametrize("outcome", [it for it in Outcome if it is not Outcome.CONFIRMED])
def test_resume_after_any_other_ending_is_false(outcome: Outcome) -> None:
    fact = accepted(a_hold(stage=Stage.RESOLVED, outcome=outcome, resolved_at=T0), resume())

    assert isinstance(fact, Resumed)
    assert not fact.confirmed
    assert fact.grant is None


def test_resume_of_a_sentence_is_the_boolean_and_nothing_else() -> None:
    fact = accepted(a_confirmed_hold(action=None), resume())

    assert isinstance(fact, Resumed)
    assert fact.confirmed
    assert fact.grant is None


# Until it is resumed, a yes can be taken back.


@pytest.mark.parametrize(
    ("command", "outcome"),
    [
        (cancel("bob"), Outcome.CANCELLED),
        (kill(), Outcome.CANCELLED),
        (withdraw(), Outcome.WITHDRAWN),
    ],
    ids=["cancel", "kill", "withdraw"],
)
def test_a_yes_that_cools_off_can_be_taken_back(command: Command, outcome: Outcome) -> None:
    cooling = asked_of(FINANCE, cooling_off_s=24 * 3600)
    fact = accepted(a_confirmed_hold(requirement=cooling), command, T0 + timedelta(hours=20))

    assert isinstance(fact, Resumed)
    assert not fact.confirmed
    assert fact.grant is None
    assert fact.hold.outcome is outcome


def test_cooling_off_is_over_when_it_is_over() -> None:
    cooling = asked_of(FINANCE, cooling_off_s=3600)
    hold = a_confirmed_hold(requirement=cooling)

    assert decide(hold, resume(), T0 + timedelta(seconds=3599)) == Objected(
        reason=Reason.NOT_YET_DUE
    )
    assert isinstance(accepted(hold, resume(), T0 + timedelta(seconds=3600)), Resumed)
