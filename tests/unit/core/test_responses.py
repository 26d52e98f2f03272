"""What an agent is told: one of the outcomes, never another, and no answer's details."""

from datetime import timedelta

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.builders import (
    FOUND,
    METADATA,
    T0,
    a_bar,
    a_confirmed_hold,
    a_finish,
    a_halted_hold,
    a_hold,
    a_lapse,
    a_leave,
    a_pass,
    a_passed_hold,
    a_sentence,
    a_start,
    a_tool,
    a_voice,
    an_action,
    asked_of,
)

from holdpoint.core.responses import (
    carried_out,
    is_final,
    refusal,
    report,
    result,
    unknown_call,
    unknown_hold,
    waiting,
)
from holdpoint.messages.catalog import DISPATCH
from holdpoint.messages.envelope import (
    CANCEL_TOOL,
    FINAL,
    UNKNOWN_CALL,
    UNKNOWN_HOLD,
    AvailableAction,
    Envelope,
    Status,
)
from holdpoint.messages.hold import (
    Answered,
    AnyHoldFact,
    Denied,
    EndedBy,
    Hold,
    Outcome,
    Passed,
    Refused,
    Rendered,
    Resolved,
    Resumed,
    Stage,
)
from holdpoint.messages.policy import Voices
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal
from holdpoint.messages.run import AnyRunFact, RunStatus


def told(fact: AnyHoldFact, run: AnyRunFact | None = None, repeat: str = "") -> Envelope:
    return report(fact, run, a_tool(), repeat)


def shown(hold: Hold) -> Rendered:
    return Rendered(hold=hold, cause="HOLDS:2")


def test_what_nobody_judged_yet_is_waited_for() -> None:
    assert waiting("h1").status is Status.WAITING
    assert waiting("h1").hold_id == "h1"


def test_a_refusal_is_told_in_its_own_words() -> None:
    refused = Refused(principal="crm-agent", cause="CALLS:1", code="bad_json", text="Not JSON.")

    assert refusal(refused).status is Status.REFUSED
    assert (refusal(refused).code, refusal(refused).reason) == ("bad_json", "Not JSON.")


def test_a_hold_of_nobody_knows_whom_is_refused() -> None:
    assert (unknown_hold("h9").status, unknown_hold("h9").hold_id) == (Status.REFUSED, "h9")
    assert unknown_hold("h9").code == UNKNOWN_HOLD


def test_a_call_that_was_never_stored_is_refused() -> None:
    told = unknown_call("")

    assert (told.status, told.code, told.hold_id) == (Status.REFUSED, UNKNOWN_CALL, "")
    assert told.reason


def test_an_order_that_was_carried_out_is_done_and_carries_nothing() -> None:
    text = carried_out().message_for_user
    assert carried_out() == Envelope(
        status=Status.DONE, message_for_user=text, formatted=text, formatted_spoken=text
    )


FORMS = ("data", "formatted", "formatted_spoken", "message_for_user", "available_actions")


@pytest.mark.parametrize(
    "envelope",
    [
        Envelope(status=Status.WAITING),
        waiting("h1"),
        carried_out(),
        unknown_hold("h1"),
        unknown_call("h1"),
    ],
)
def test_the_five_forms_always_stand_on_the_wire(envelope: Envelope) -> None:
    assert set(FORMS) <= set(msgspec.json.decode(msgspec.json.encode(envelope)))


def test_an_action_always_has_its_four_fields_on_the_wire() -> None:
    written = msgspec.json.encode(AvailableAction(tool="read_file", label="Read"))

    assert set(msgspec.json.decode(written)) == {"tool", "params", "label", "description"}


def test_what_waits_for_people_says_how_to_follow_it() -> None:
    envelope = told(shown(a_hold()))

    assert envelope.status is Status.PENDING_CONFIRMATION
    assert envelope.message_for_user == (
        "I'd like to delete 412 rows in prod.users. Shall I proceed? "
        "Please answer on the card: Proceed or Cancel."
    )
    assert envelope.formatted_spoken.endswith(
        "rows in prod.users. Please answer on the card, Proceed or Cancel."
    )
    assert envelope.confirmation is not None
    assert envelope.confirmation.operation == "delete_rows"
    assert envelope.confirmation.confirmation_method.tool == "confirm_delete_rows"
    assert envelope.confirmation.cancel_method.tool == "cancel_pending_operation"
    assert envelope.confirmation.expires_at == a_hold().expires_at
    assert [action.params for action in envelope.available_actions] == [{"hold_id": "h1"}] * 2


def test_a_sentence_that_waits_has_no_tool_behind_it() -> None:
    hold = a_sentence(metadata=replace(METADATA, risk_level=RiskLevel.LOW), ui=None)
    envelope = report(shown(hold), None, None, "")

    assert envelope.confirmation is not None
    assert envelope.confirmation.operation == "say"
    assert envelope.confirmation.confirmation_method.tool == "confirm_say"
    assert envelope.confirmation.details == {
        "risk_level": "low",
        "asked": ["finance"],
        "affected": 412,
    }


def test_a_hold_that_names_no_groups_asks_none() -> None:
    envelope = told(shown(a_hold(requirement=None)))

    assert envelope.confirmation is not None
    assert "asked" not in envelope.confirmation.details


def test_high_risk_is_told_with_its_reasons() -> None:
    signal = Signal(
        rule="r", heuristic=Heuristic.MAGNITUDE, level=RiskLevel.HIGH, reason="412 is over 100."
    )
    hold = a_hold(assessment=replace(FOUND, affected=None, signals=(signal,)))
    envelope = told(shown(hold))

    assert envelope.confirmation is not None
    assert envelope.confirmation.details["reasons"] == ["412 is over 100."]
    assert "affected" not in envelope.confirmation.details


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (Outcome.CANCELLED, Status.CANCELLED),
        (Outcome.EXPIRED, Status.EXPIRED),
        (Outcome.WITHDRAWN, Status.WITHDRAWN),
        (Outcome.SUPERSEDED, Status.SUPERSEDED),
    ],
)
def test_endings_are_never_confused(outcome: Outcome, status: Status) -> None:
    hold = a_hold(stage=Stage.RESOLVED, outcome=outcome, resolved_at=T0, reason="Because.")
    envelope = told(Resolved(hold=hold, cause="ANSWERS:4", outcome=outcome))

    assert (envelope.status, envelope.code, envelope.reason) == (status, status.value, "Because.")


def test_silence_is_not_told_as_a_no() -> None:
    hold = a_hold(stage=Stage.RESOLVED, outcome=Outcome.EXPIRED)
    envelope = told(Resolved(hold=hold, cause="TIMERS:7", outcome=Outcome.EXPIRED))

    assert "not a no" in envelope.message_for_user


def test_what_the_kill_switch_stopped_is_not_told_as_a_no() -> None:
    hold = a_hold(
        stage=Stage.RESOLVED, outcome=Outcome.CANCELLED, ended_by=EndedBy.KILL_SWITCH, reason="Why."
    )
    envelope = told(Resolved(hold=hold, cause="ADMIN:7", outcome=Outcome.CANCELLED))

    assert (envelope.status, envelope.reason) == (Status.CANCELLED, "Why.")
    assert "kill switch stopped it" in envelope.message_for_user
    assert "A person said no" not in envelope.message_for_user


def test_a_denial_says_why() -> None:
    envelope = told(Denied(hold=a_passed_hold(stage=Stage.DENIED, reason="No."), cause="CALLS:1"))

    assert (envelope.status, envelope.message_for_user) == (Status.DENIED, "No.")


@pytest.mark.parametrize(
    ("run", "status"),
    [
        (None, Status.APPROVED),
        (a_start(), Status.APPROVED),
        (a_finish(), Status.DONE),
        (a_finish(RunStatus.FAILED), Status.FAILED),
        (a_finish(RunStatus.PRECONDITION_FAILED), Status.PRECONDITION_FAILED),
        (a_finish(RunStatus.IN_DOUBT), Status.IN_DOUBT),
        (a_bar(), Status.BARRED),
        (a_lapse(), Status.LAPSED),
    ],
)
def test_what_was_let_go_is_told_by_its_run(run: AnyRunFact | None, status: Status) -> None:
    assert told(a_leave(), run).status is status
    assert told(a_pass(), run).status is status


def test_a_dispatch_is_told_by_the_agent_that_it_is_to() -> None:
    action = an_action(tool=DISPATCH, arguments={"target_agent": "refund-agent", "query": "Look"})
    opened = Passed(hold=a_passed_hold(action=action), cause="CALLS:1")

    assert told(opened).message_for_user == "refund-agent has not answered yet."
    assert told(opened, a_lapse()).message_for_user == a_lapse().reason
    assert told(opened, a_finish(message_for_user="Two.")).message_for_user == "Two."


@pytest.mark.parametrize("status", RunStatus)
def test_a_run_alone_tells_the_same_as_with_its_hold(status: RunStatus) -> None:
    same = {"call": "CALLS:1", "call_digest": a_leave().hold.call_digest}
    run = a_finish(status, error="Locked.", formatted="412 rows deleted", held=True, **same)

    assert result(run, "database") == told(a_leave(), run)


def test_a_result_is_handed_on_whole() -> None:
    envelope = told(a_leave(), a_finish(formatted="412 rows deleted", message_for_user="Done."))

    assert (envelope.data, envelope.formatted) == ({"deleted": 412}, "412 rows deleted")
    assert (envelope.message_for_user, envelope.code) == ("Done.", "")


def test_a_failure_says_its_code() -> None:
    assert told(a_leave(), a_finish(RunStatus.FAILED, error="Locked.")).code == "failed"
    assert told(a_leave(), a_finish(RunStatus.FAILED, error="Locked.")).reason == "Locked."


def test_a_repeat_hears_that_it_was_processed_before() -> None:
    again = told(a_leave(), a_finish(message_for_user="Done."), repeat="CALLS:9")

    assert again.status is Status.ALREADY_PROCESSED
    assert again.message_for_user == "This was processed before. Done."
    assert again.data == {"deleted": 412}


def test_a_repeat_of_what_has_not_ended_hears_how_it_stands() -> None:
    assert told(shown(a_hold()), repeat="CALLS:9").status is Status.PENDING_CONFIRMATION


def test_a_confirmed_sentence_goes_on() -> None:
    resolved = Resolved(
        hold=a_confirmed_hold(action=None), cause="ANSWERS:3", outcome=Outcome.CONFIRMED
    )

    assert told(resolved).status is Status.APPROVED
    assert told(replace(a_leave(), hold=replace(a_leave().hold, action=None))).status is (
        Status.CONFIRMED
    )


def test_an_agent_learns_no_voices_and_no_proofs() -> None:
    answered = Answered(
        hold=a_hold(stage=Stage.ANSWERED, voices=(a_voice("ann"),)), cause="ANSWERS:3", by="ann"
    )

    assert b"ann" not in msgspec.json.encode(replace(told(answered), call_digest=""))


def test_what_is_final_stays_final() -> None:
    assert {status for status in Status if not is_final(status)} == set(Status) - FINAL


def test_a_credential_stands_in_nothing_that_an_agent_is_told_of_a_waiting_hold() -> None:
    key = f"sk-proj-{'a1B2' * 8}"
    signal = Signal(
        rule="r",
        heuristic=Heuristic.MAGNITUDE,
        level=RiskLevel.HIGH,
        reason=f"`deploy --token {key}` asks.",
    )
    hold = a_halted_hold(
        action=an_action(arguments={"command": f"deploy --token {key}"}),
        assessment=replace(FOUND, signals=(signal,)),
    )

    told = report(shown(hold), None, a_tool(template="run {command}"), "")

    assert told.confirmation is not None
    assert told.confirmation.summary == "Run deploy --token •••"
    assert told.confirmation.details["reasons"] == ["`deploy --token •••` asks."]
    assert key not in str(told)


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60), st.sampled_from(RunStatus))
@example("", "", "-$1,234.50", RunStatus.DONE)
@example("", "", "", RunStatus.FAILED)
def test_whatever_a_tool_says_its_reply_has_every_form(
    spoken: str, formatted: str, message: str, status: RunStatus
) -> None:
    action = AvailableAction(tool="read_file", label="Read")
    finish = a_finish(
        status=status,
        formatted_spoken=spoken,
        formatted=formatted,
        message_for_user=message,
        available_actions=(action,),
    )

    reply = result(finish, "shell")

    assert all(it.isalpha() or it in " .,'-" for it in reply.formatted_spoken)
    assert reply.formatted or not message
    assert reply.message_for_user or not formatted
    assert [it.description for it in reply.available_actions] == ["Read."]


@pytest.mark.parametrize(
    ("outcome", "allowed"),
    [
        (Outcome.CANCELLED, False),
        (Outcome.EXPIRED, True),
        (Outcome.WITHDRAWN, True),
        (Outcome.SUPERSEDED, False),
    ],
)
def test_each_ending_says_whether_the_same_may_be_proposed_anew(
    outcome: Outcome, allowed: bool
) -> None:
    hold = a_hold(stage=Stage.RESUMED, outcome=outcome, reason="Not today.", superseded_by="h2")
    told = report(Resumed(hold=hold, cause="HOLDS:4", confirmed=False), None, a_tool(), "")

    assert (told.retry_allowed, told.reason) == (allowed, "Not today.")
    assert bool(told.available_actions) is (allowed or outcome is Outcome.SUPERSEDED)


def test_people_never_read_a_pattern() -> None:
    text = "day: it must fit `^[0-9-]+$`"
    told = refusal(Refused(principal="a", cause="CALLS:1", code="bad_arguments", text=text))

    assert told.reason == text
    assert told.message_for_user == "day: it does not have the right form."
    assert told.formatted_spoken == "day, it does not have the right form."


def test_while_it_cools_off_its_end_and_the_way_back_are_told() -> None:
    asked = asked_of(Voices(group="finance"), cooling_off_s=60)
    cooling = told(
        Resolved(
            hold=a_confirmed_hold(requirement=asked), outcome=Outcome.CONFIRMED, cause="HOLDS:3"
        )
    )
    until = (T0 + timedelta(seconds=60)).strftime("%Y-%m-%d %H:%M:%S UTC")

    assert cooling.status is Status.APPROVED
    assert f"waits until {until}" in cooling.message_for_user
    (back,) = cooling.available_actions
    assert (back.tool, back.params) == (CANCEL_TOOL, {"operation_id": cooling.hold_id})
