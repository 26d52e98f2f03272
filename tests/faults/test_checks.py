"""Each check sees its breach: it is given evidence that was made up, good and bad."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests import builders as b
from tests.faults import checker_holds, checker_ledger, checker_told, checker_voices
from tests.faults.checker import CHECKS
from tests.faults.evidence import EMPTY, head_of, named, rewritten
from tests.faults.forged import HOLD, Streams
from tests.integration.ledger_files import asked, entered, new_ledger
from tests.integration.ledger_stories import every_story

from holdpoint.ledger.exceptions import Finding, Kind
from holdpoint.messages import subjects as s
from holdpoint.messages.answer import Choice
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import EndedBy, Outcome, Requirement, Resumed
from holdpoint.messages.policy import Voices
from holdpoint.messages.run import RunStatus
from holdpoint.messages.state import Kill
from holdpoint.runtime.security.keys import worker_role

EARLIER = b.DEADLINE - timedelta(seconds=1)
A_FORGERY = Resumed(hold=b.a_confirmed_hold(), cause="HOLDS:1", confirmed=True)
DBA, SECURITY = Voices(group="dba"), Voices(group="security")
TWO_GROUPS = b.asked_of(
    DBA, SECURITY, approvers={"dba": ("ann", "bob"), "security": ("cem", "ann")}
)


def confirmed(*people: str, requirement: Requirement = b.ONE_VOICE) -> Streams:
    """These people said yes, and the gate counted them."""
    streams = Streams()
    answers = tuple(streams.answer(person) for person in people)
    streams.resolve(
        Outcome.CONFIRMED,
        answers[-1],
        requirement=requirement,
        voices=tuple(b.a_voice(person) for person in people),
        causes=("CALLS:1", *answers),
    )
    return streams


def enough(streams: Streams) -> list[str]:
    return list(checker_voices.s5_enough_of_the_right_people_said_yes(streams.evidence()))


def theirs(streams: Streams) -> list[str]:
    return list(checker_voices.s5_each_voice_is_an_answer_of_that_person(streams.evidence()))


def fitting(streams: Streams) -> list[str]:
    it = streams.evidence()
    return list(checker_holds.s4_each_hold_is_resolved_once_as_its_answers_say(it))


def in_time(streams: Streams) -> list[str]:
    return list(checker_holds.s4_nothing_expires_before_its_deadline(streams.evidence()))


def test_every_new_check_is_asked() -> None:
    assert {
        checker_told.l2_who_comes_back_learns_the_outcome,
        checker_told.l2_whoever_is_told_at_once_is_told_what_stands,
        checker_voices.s5_enough_of_the_right_people_said_yes,
        checker_voices.s5_each_voice_is_an_answer_of_that_person,
        checker_holds.s4_nothing_expires_before_its_deadline,
    } <= set(CHECKS)


@pytest.mark.parametrize("people", [("ann", "cem"), ("bob", "ann"), ("cem", "bob")])
def test_s5_one_of_each_group_is_enough(people: tuple[str, ...]) -> None:
    assert enough(confirmed(*people, requirement=TWO_GROUPS)) == []


def test_s5_two_of_one_group_do_not_speak_for_the_other() -> None:
    only_dba = b.asked_of(DBA, SECURITY, approvers={"dba": ("ann", "bob"), "security": ("cem",)})

    found = enough(confirmed("ann", "bob", requirement=only_dba))

    assert found == [f"{HOLD}: too few of security said yes: []"]


def test_s5_one_person_does_not_fill_the_seats_of_two_groups() -> None:
    found = enough(confirmed("ann", requirement=TWO_GROUPS))

    assert found == [f"{HOLD}: too few of dba and security said yes: ['ann']"]


def test_s5_four_eyes_are_two_people_and_not_the_one_it_is_for() -> None:
    four_eyes = b.asked_of(Voices(group="finance"), four_eyes=True)

    assert f"{HOLD}: too few said yes: ['ann']" in enough(confirmed("ann", requirement=four_eyes))
    found = enough(confirmed("ann", "olga", requirement=four_eyes))
    assert f"{HOLD}: these may not say yes together: ['ann', 'olga']" in found


def test_s5_what_a_person_said_is_their_voice() -> None:
    assert theirs(confirmed("ann")) == []


@pytest.mark.parametrize(
    ("person", "choice", "other"),
    [
        ("bob", Choice.PROCEED, {}),
        ("ann", Choice.CANCEL, {}),
        ("ann", Choice.PROCEED, {"digest": "ab" * 32}),
        ("ann", Choice.PROCEED, {"render_digest": "r2"}),
        ("ann", Choice.PROCEED, {"hold_id": "h2"}),
    ],
)
def test_s5_a_voice_that_its_person_never_gave_is_seen(
    person: str, choice: Choice, other: dict[str, str]
) -> None:
    streams = Streams()
    cause = streams.answer(person, choice, **other)
    voices = (b.a_voice("ann"),)
    streams.resolve(Outcome.CONFIRMED, cause, voices=voices, causes=("CALLS:1", cause))

    assert theirs(streams) == [f"{HOLD}: ann never said yes to it"]


def test_s5_an_answer_that_is_no_cause_of_the_hold_is_nobodys_voice() -> None:
    streams = Streams()
    first, _ = streams.answer("ann"), streams.answer("bob")
    voices = (b.a_voice("ann"), b.a_voice("bob"))
    streams.resolve(Outcome.CONFIRMED, first, voices=voices, causes=("CALLS:1", first))

    assert theirs(streams) == [f"{HOLD}: bob never said yes to it"]


def test_s4_an_admins_order_cancels() -> None:
    streams = Streams()
    order = streams.say(s.ADMIN, s.admin_subject("acme", "ann", "kill"), Kill(on=True))
    streams.resolve(Outcome.CANCELLED, order, ended_by=EndedBy.KILL_SWITCH)

    assert fitting(streams) == []


@pytest.mark.parametrize(
    "outcome", [it for it in Outcome if it not in {Outcome.CANCELLED, Outcome.EXPIRED}]
)
def test_s4_a_word_about_the_kill_switch_excuses_no_other_outcome(outcome: Outcome) -> None:
    streams = Streams()
    order = streams.say(s.ADMIN, s.admin_subject("acme", "ann", "kill"), Kill(on=True))
    streams.resolve(outcome, order, ended_by=EndedBy.KILL_SWITCH)

    assert len(fitting(streams)) == 1


def test_s7_silence_is_not_reported_as_a_no() -> None:
    streams = Streams()
    streams.resolve(
        Outcome.CANCELLED, streams.ring(b.DEADLINE), b.DEADLINE, ended_by=EndedBy.KILL_SWITCH
    )

    assert len(fitting(streams)) == 1


def test_s4_silence_until_the_deadline_is_an_end() -> None:
    streams = Streams()
    streams.resolve(Outcome.EXPIRED, streams.ring(b.DEADLINE), b.DEADLINE)

    assert fitting(streams) == []
    assert in_time(streams) == []


def test_s4_an_alarm_that_rang_too_early_ends_nothing() -> None:
    streams = Streams()
    streams.resolve(Outcome.EXPIRED, streams.ring(EARLIER), b.DEADLINE)

    (found,) = in_time(streams)
    assert f"rung for at {EARLIER}" in found


def test_s4_an_end_by_silence_before_the_deadline_is_seen_without_its_alarm() -> None:
    streams = Streams()
    streams.resolve(Outcome.EXPIRED, "TIMERS:99", EARLIER)

    assert [f"stored at {EARLIER}" in it for it in in_time(streams)] == [True, False]


def test_s4_the_alarm_of_another_hold_ends_nothing() -> None:
    streams = Streams()
    streams.resolve(Outcome.EXPIRED, streams.ring(b.DEADLINE, "h2"), b.DEADLINE)

    (found,) = in_time(streams)
    assert "h2" in found


def told(streams: Streams, status: Status | None, **other: Any) -> list[str]:
    it = streams.evidence(told={HOLD: status}, **other)
    return list(checker_told.l2_who_comes_back_learns_the_outcome(it))


def cancelled() -> Streams:
    streams = Streams()
    streams.resolve(Outcome.CANCELLED, streams.answer("ann", Choice.CANCEL))
    return streams


def test_l2_who_comes_back_is_told_what_the_streams_say() -> None:
    assert told(cancelled(), Status.CANCELLED) == []


@pytest.mark.parametrize(
    "status",
    [None, Status.WAITING, Status.PENDING_CONFIRMATION, Status.EXPIRED, Status.REFUSED],
)
def test_l2_whoever_is_told_anything_else_is_seen(status: Status | None) -> None:
    assert len(told(cancelled(), status)) == 1


def test_l2_a_hold_that_nobody_was_told_of_is_seen() -> None:
    it = cancelled().evidence(told={})

    assert len(list(checker_told.l2_who_comes_back_learns_the_outcome(it))) == 1


@pytest.mark.parametrize(
    ("told", "seen"),
    [
        ({HOLD: Status.CANCELLED}, 0),
        ({HOLD: Status.DONE}, 1),
        ({"nohold": Status.DONE}, 1),
    ],
)
def test_l2_what_the_sdk_says_is_what_stands(told: dict[str, Status], seen: int) -> None:
    it = cancelled().evidence(hurried=told)

    assert len(list(checker_told.l2_whoever_is_told_at_once_is_told_what_stands(it))) == seen


@pytest.mark.parametrize("status", [Status.WAITING, Status.REFUSED, Status.APPROVED])
def test_l2_what_is_still_open_is_not_waited_for(status: Status) -> None:
    streams = Streams()
    streams.halt(b.a_hold())

    assert len(told(streams, status)) == 1
    assert told(streams, Status.PENDING_CONFIRMATION) == []
    assert told(streams, Status.EXPIRED) == [], "it may have ended since"


@pytest.mark.parametrize("status", list(RunStatus))
def test_l2_a_run_is_told_by_its_end(status: RunStatus) -> None:
    streams = confirmed("ann")
    hold = b.a_confirmed_hold()
    streams.tell(Resumed(hold=hold, cause="HOLDS:2", confirmed=True))
    run = b.a_finish(status)
    place = s.run_subject("acme", "database", hold.agent, run)
    streams.say(s.RUNS, place, run, signer=worker_role("database"))

    assert told(streams, Status(status.value)) == []
    assert len(told(streams, Status.APPROVED)) == 1


def unverified(*found: Finding) -> list[str]:
    """Two that no gate signed, on one subject: what the ledger leaves unsaid."""
    streams = Streams()
    for at in (b.T0, EARLIER):
        streams.say(s.HOLDS, s.hold_subject(A_FORGERY), A_FORGERY, at)
    places = {(at.subject, at.at): [f"HOLDS:{at.seq}"] for at, _ in streams.messages[s.HOLDS]}
    it = streams.evidence(unsigned=named(found, places))
    return list(checker_ledger.i3_what_does_not_verify_leaves_a_trace(it))


def a_finding(at: Any) -> Finding:
    subject = s.hold_subject(A_FORGERY)
    return Finding(kind=Kind.UNSIGNED, at=at, hold_id=HOLD, agent="crm-agent", subject=subject)


def test_i3_a_finding_for_each_is_a_trace_of_each() -> None:
    assert unverified(a_finding(b.T0), a_finding(EARLIER)) == []


def test_i3_one_finding_does_not_excuse_another_message() -> None:
    assert len(unverified(a_finding(b.T0))) == 1
    assert len(unverified(a_finding(b.T0), a_finding(b.T0))) == 1
    assert len(unverified()) == 2


def test_a2_a_ledger_that_only_grew_was_not_rewritten(tmp_path: Path) -> None:
    stories = every_story()
    ledger = new_ledger(tmp_path)
    entered(ledger, stories[:20])
    head = asked(ledger, head_of)
    entered(ledger, stories[20:])

    assert head != EMPTY
    assert rewritten(ledger, [head, asked(ledger, head_of)]) == []


def test_a2_a_ledger_that_was_rewritten_as_a_whole_is_seen(tmp_path: Path) -> None:
    """It is whole in itself: only a head that was taken before tells."""
    stories = every_story()
    ledger, other = new_ledger(tmp_path), new_ledger(tmp_path, "other")
    entered(ledger, stories)
    entered(other, stories[1:])
    entered(other, stories[:1])
    heads = [asked(ledger, head_of)]

    assert rewritten(other, []) == []
    assert any("another root" in it for it in rewritten(other, heads))


def test_a2_a_ledger_that_lost_its_end_is_seen(tmp_path: Path) -> None:
    stories = every_story()
    ledger, shorter = new_ledger(tmp_path), new_ledger(tmp_path, "shorter")
    entered(ledger, stories)
    entered(shorter, stories[:20])

    assert any("another root" in it for it in rewritten(shorter, [asked(ledger, head_of)]))
