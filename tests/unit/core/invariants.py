"""What must hold on every road, each promise one function over the steps of the walk."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import permutations

from msgspec.structs import replace
from tests.unit.core.state_walk import (
    MORE_S,
    VALID_FOR,
    Step,
    without_history,
)

from holdpoint.core.commands import (
    Cancel,
    Command,
    Confirm,
    Escalate,
    Expire,
    Extend,
    Kill,
    Mint,
    Modify,
    Objected,
    Proceed,
    Remind,
    Render,
    Resume,
    Spend,
    Supersede,
    Take,
    Withdraw,
)
from holdpoint.core.objections import LONGEST_PARK, OPEN
from holdpoint.messages.hold import (
    AnyHoldFact,
    EndedBy,
    Escalated,
    Extended,
    Grant,
    Hold,
    Outcome,
    Parked,
    Passed,
    Reminded,
    Rendered,
    Resolved,
    Resumed,
    Stage,
    Witnessed,
)

Steps = Sequence[Step]


def what_is_over_stays_over(steps: Steps) -> None:
    over = {Stage.RESUMED, Stage.PASSED, Stage.WITNESSED, Stage.DENIED}
    for step in steps:
        if step.before.hold.stage in over and not isinstance(step.fact, Objected):
            assert isinstance(step.command, Mint | Spend | Take)
            used_by, taken = step.fact.hold.used_by, step.fact.hold.taken
            after = without_history(replace(step.before.hold, used_by=used_by, taken=taken))
            assert without_history(step.fact.hold) == after


def there_is_one_resolve_at_most_and_one_before_each_resume(steps: Steps) -> None:
    for step in steps:
        assert step.before.resolves <= 1
        if isinstance(step.fact, Resolved):
            assert step.before.resolves == 0
        if isinstance(step.fact, Resumed):
            assert step.before.resolves == 1


def an_ending_is_what_the_commands_say(steps: Steps) -> None:
    says: dict[type[Command], tuple[Outcome, EndedBy]] = {
        Cancel: (Outcome.CANCELLED, EndedBy.PERSON),
        Kill: (Outcome.CANCELLED, EndedBy.KILL_SWITCH),
        Expire: (Outcome.EXPIRED, EndedBy.TIMEOUT),
        Withdraw: (Outcome.WITHDRAWN, EndedBy.AGENT),
        Proceed: (Outcome.CONFIRMED, EndedBy.PERSON),
        Confirm: (Outcome.CONFIRMED, EndedBy.PERSON),
        Supersede: (Outcome.SUPERSEDED, EndedBy.AGENT),
        Modify: (Outcome.SUPERSEDED, EndedBy.PERSON),
    }
    for step in steps:
        if isinstance(step.fact, Objected) or step.fact.hold.outcome is step.before.hold.outcome:
            continue
        ended = step.fact.hold
        assert (ended.outcome, ended.ended_by) == says[type(step.command)]
        by = ended.voices[-1].person if isinstance(step.command, Confirm) else ""
        assert ended.closed_by == getattr(step.command, "by", by)
        assert bool(ended.superseded_by) == isinstance(step.command, Supersede | Modify)


def silence_is_told_only_after_the_deadline(steps: Steps) -> None:
    for step in steps:
        if isinstance(step.command, Expire) and not isinstance(step.fact, Objected):
            assert step.before.hold.stage in OPEN
            assert step.before.hold.expires_at is not None
            assert step.now >= step.before.hold.expires_at


def no_answer_counts_late_unseen_or_for_something_else(steps: Steps) -> None:
    for step in steps:
        it, hold = step.command, step.before.hold
        if not isinstance(it, Proceed | Cancel | Modify) or isinstance(step.fact, Objected):
            continue
        assert hold.ui is not None
        assert (it.digest, it.render_digest) == (hold.digest, hold.render_digest)
        assert it.by in asked(hold)
        if hold.stage in OPEN:
            assert hold.expires_at is not None
            assert step.now < hold.expires_at


def only_the_proposer_withdraws(steps: Steps) -> None:
    for step in steps:
        if isinstance(step.command, Withdraw | Supersede | Spend | Take) and not isinstance(
            step.fact, Objected
        ):
            assert step.command.by == step.before.hold.agent


def every_voice_is_another_person_who_may_and_who_proved_it(steps: Steps) -> None:
    for step in steps:
        if isinstance(step.fact, Objected) or step.fact.hold.requirement is None:
            continue
        hold, requirement = step.fact.hold, step.fact.hold.requirement
        people = [voice.person for voice in hold.voices]
        assert len(set(people)) == len(people)
        assert set(people) <= asked(hold) - {hold.agent}
        least = len(requirement.proofs) if requirement.every_proof else 1
        for voice in hold.voices:
            carried = set(voice.methods or (voice.method,))
            assert len(carried.intersection(requirement.proofs)) >= least
        if requirement.four_eyes:
            assert hold.on_behalf_of not in people
            assert hold.modified is None or not {*hold.modified.authors} & {*people}


def a_yes_is_enough_voices_and_no_more_than_that(steps: Steps) -> None:
    for step in steps:
        if isinstance(step.command, Proceed) and not isinstance(step.fact, Objected):
            assert isinstance(step.fact, Resolved) == suffices(step.fact.hold)


def only_an_open_sentence_is_superseded(steps: Steps) -> None:
    for step in steps:
        if isinstance(step.command, Supersede) and not isinstance(step.fact, Objected):
            assert step.before.hold.action is None
            assert step.before.hold.stage in OPEN


def only_an_open_call_is_modified(steps: Steps) -> None:
    for step in steps:
        if isinstance(step.command, Modify) and not isinstance(step.fact, Objected):
            assert step.before.hold.action is not None
            assert step.before.hold.stage in OPEN


def the_yes_to_a_sentence_stands_for_one_call_while_it_is_good(steps: Steps) -> None:
    for step in steps:
        it, hold = step.command, step.before.hold
        if isinstance(step.fact, Objected):
            continue
        if not isinstance(it, Spend):
            assert step.fact.hold.used_by == hold.used_by
            continue
        assert hold.action is None
        assert (hold.stage, hold.outcome) == (Stage.RESUMED, Outcome.CONFIRMED)
        assert hold.used_by in {"", it.hold_id}
        assert step.fact.hold.used_by == it.hold_id
        assert hold.resolved_at is not None
        assert step.now < hold.resolved_at + VALID_FOR


def a_step_of_a_confirmed_plan_is_taken_once_in_its_order_and_in_time(steps: Steps) -> None:
    for step in steps:
        it, hold = step.command, step.before.hold
        if isinstance(step.fact, Objected):
            continue
        if not isinstance(it, Take):
            assert step.fact.hold.taken == hold.taken
            continue
        assert (hold.stage, hold.outcome) == (Stage.RESUMED, Outcome.CONFIRMED)
        assert it.step == len(hold.taken) < len(hold.steps)
        assert step.fact.hold.taken == (*hold.taken, it.hold_id)
        assert it.hold_id not in hold.taken
        assert hold.resolved_at is not None
        assert step.now < hold.resolved_at + VALID_FOR


def a_call_is_confirmed_by_the_yes_to_its_sentence_and_as_of_then(steps: Steps) -> None:
    for step in steps:
        if isinstance(step.command, Confirm) and not isinstance(step.fact, Objected):
            said = step.before.hold.announced
            assert said is not None
            assert step.before.hold.stage is Stage.HALTED
            assert [it.person for it in step.fact.hold.voices] == [it.person for it in said.voices]
            assert not any(it.linked for it in step.fact.hold.voices)
            assert step.fact.hold.resolved_at == said.resolved_at
            assert suffices(step.fact.hold)


def a_grant_comes_from_a_yes_in_time_or_from_a_pass(steps: Steps) -> None:
    for step, grant in granted(steps):
        hold = step.before.hold
        assert not step.before.stopped
        assert hold.action is not None
        assert grant.aud == f"domain:{hold.action.domain}"
        assert step.now <= grant.nbf
        assert grant.exp - grant.nbf <= timedelta(seconds=hold.grant_s)
        if hold.requirement is None:
            assert hold.stage in {Stage.PASSED, Stage.WITNESSED}
            continue
        assert hold.outcome is Outcome.CONFIRMED
        assert suffices(hold)
        assert hold.resolved_at is not None
        cooled = hold.resolved_at + timedelta(seconds=hold.requirement.cooling_off_s)
        assert grant.nbf >= cooled
        assert grant.exp <= cooled + VALID_FOR


def a_resume_with_yes_is_a_grant_or_a_sentence(steps: Steps) -> None:
    for step in steps:
        if isinstance(step.fact, Resumed):
            acts = step.fact.confirmed and step.fact.hold.action is not None
            assert acts == (step.fact.grant is not None)
            assert not (step.fact.confirmed and step.before.stopped)
            assert step.fact.confirmed == (step.fact.hold.outcome is Outcome.CONFIRMED)


def a_fresh_grant_is_for_what_was_let_go_and_is_still_good(steps: Steps) -> None:
    for step in steps:
        if isinstance(step.command, Mint) and not isinstance(step.fact, Objected):
            hold = step.before.hold
            since = hold.resolved_at or hold.proposed_at
            cooling_off_s = hold.requirement.cooling_off_s if hold.requirement else 0
            assert step.now < since + timedelta(seconds=cooling_off_s) + VALID_FOR


def causes_grow_by_exactly_the_command(steps: Steps) -> None:
    """Facts that are stored together have one cause, which is counted once."""
    for step in steps:
        if not isinstance(step.fact, Objected):
            before, cause = step.before.hold.causes, step.command.cause
            assert step.fact.cause == cause
            assert step.fact.hold.causes == (*before, *({cause} - {*before}))


def what_was_halted_is_frozen(steps: Steps) -> None:
    for step in steps:
        if not isinstance(step.fact, Objected):
            assert frozen(step.fact.hold) == frozen(moved_as(step.fact, step.before.hold))


def more_time_is_given_by_whom_it_asks_with_a_reason_and_within_bounds(steps: Steps) -> None:
    for step in steps:
        it, hold = step.command, step.before.hold
        if not isinstance(it, Extend) or isinstance(step.fact, Objected):
            continue
        assert hold.stage in {Stage.RENDERED, Stage.ANSWERED}
        assert in_time(step)
        assert it.by in asked(hold) - {hold.agent}
        assert (it.digest, it.render_digest) == (hold.digest, hold.render_digest)
        made, last = step.fact.hold.extensions[-1], hold.expires_at
        assert (made.by, made.reason, made.at) == (it.by, it.reason, step.now)
        assert made.reason.strip()
        assert last is not None
        assert step.fact.hold.expires_at == made.until == last + timedelta(seconds=it.seconds)
        given = sum((each.until - each.at).total_seconds() for each in step.fact.hold.extensions)
        assert made.until <= hold.proposed_at + timedelta(seconds=900 + MORE_S)
        assert given > 0


def time_alone_answers_nothing(steps: Steps) -> None:
    """Reminders, notices, escalations and extensions change no voice, no outcome and no stage."""
    for step in steps:
        if isinstance(step.fact, Reminded | Escalated | Extended):
            before, after = step.before.hold, step.fact.hold
            assert (after.stage, after.outcome) == (before.stage, before.outcome)
            assert after.voices == before.voices
            assert (after.ui, after.render_digest) == (before.ui, before.render_digest)


def others_are_asked_too_once_it_is_time_and_only_they(steps: Steps) -> None:
    for step in steps:
        before = step.before.hold
        if isinstance(step.fact, Objected):
            continue
        if not isinstance(step.command, Escalate):
            assert asked(step.fact.hold) == asked(before)
            continue
        assert before.requirement is not None
        assert before.escalates_at is not None
        assert before.escalated_at is None
        assert step.now >= before.escalates_at
        assert asked(step.fact.hold) == asked(before) | set(before.requirement.backup)


def people_are_told_again_once_for_each_time(steps: Steps) -> None:
    for step in steps:
        it, hold = step.command, step.before.hold
        if not isinstance(it, Remind) or isinstance(step.fact, Objected):
            continue
        assert hold.requirement is not None
        assert hold.ui is not None
        if hold.stage in OPEN:
            begins = hold.asked_from or hold.proposed_at
            times = [begins + timedelta(seconds=it) for it in hold.requirement.remind_after_s]
            times += [] if hold.asked_from is None else [begins]
        else:
            assert hold.outcome is Outcome.CONFIRMED
            assert hold.resolved_at is not None
            ends = hold.resolved_at + timedelta(seconds=hold.requirement.cooling_off_s)
            times = [ends - timedelta(seconds=it) for it in hold.requirement.notice_before_s]
        told = hold.reminded_at
        assert any(at <= step.now and (told is None or told < at) for at in times)


def what_is_queued_is_seen_by_nobody_and_asked_in_its_turn(steps: Steps) -> None:
    for step in steps:
        before = step.before.hold
        if not before.queued:
            assert isinstance(step.fact, Objected) or not step.fact.hold.queued
            continue
        assert before.stage in {Stage.HALTED, Stage.RESOLVED, Stage.RESUMED}
        if isinstance(step.fact, Rendered):
            assert step.fact.hold.asked_from == step.now
            assert before.expires_at is not None
            ends = min(before.expires_at, step.now + timedelta(seconds=900))
            assert step.fact.hold.expires_at == ends
            assert step.fact.hold.escalates_at == step.now + timedelta(seconds=600)


def who_was_asked_can_always_stop_it_in_time(steps: Steps) -> None:
    for step in steps:
        it, hold = step.command, step.before.hold
        confirmed = hold.stage is Stage.RESOLVED and hold.outcome is Outcome.CONFIRMED
        asks = hold.requirement
        cools = confirmed and asks is not None and asks.cooling_off_s > 0 and hold.ui is not None
        waits = hold.stage in {Stage.RENDERED, Stage.ANSWERED} and in_time(step)
        if isinstance(it, Cancel) and it.by in asked(hold) - {hold.agent} and (cools or waits):
            right = (it.digest, it.render_digest) == (hold.digest, hold.render_digest)
            assert right != isinstance(step.fact, Objected)
        if isinstance(it, Cancel) and confirmed and not cools:
            assert isinstance(step.fact, Objected)
        if isinstance(it, Kill) and (confirmed or hold.stage in OPEN):
            assert not isinstance(step.fact, Objected)


def no_open_hold_is_stuck(steps: Steps) -> None:
    for step in steps:
        hold = step.before.hold
        if isinstance(step.command, Expire) and hold.stage in OPEN and not in_time(step):
            assert not isinstance(step.fact, Objected)
        if isinstance(step.command, Render) and hold.stage is Stage.HALTED:
            assert not isinstance(step.fact, Objected)
        if isinstance(step.command, Resume) and hold.stage is Stage.RESOLVED and cooled(step):
            assert not isinstance(step.fact, Objected)


PROPERTIES: tuple[Callable[[Steps], None], ...] = (
    what_is_over_stays_over,
    there_is_one_resolve_at_most_and_one_before_each_resume,
    an_ending_is_what_the_commands_say,
    silence_is_told_only_after_the_deadline,
    no_answer_counts_late_unseen_or_for_something_else,
    only_the_proposer_withdraws,
    every_voice_is_another_person_who_may_and_who_proved_it,
    a_yes_is_enough_voices_and_no_more_than_that,
    only_an_open_sentence_is_superseded,
    only_an_open_call_is_modified,
    the_yes_to_a_sentence_stands_for_one_call_while_it_is_good,
    a_step_of_a_confirmed_plan_is_taken_once_in_its_order_and_in_time,
    a_call_is_confirmed_by_the_yes_to_its_sentence_and_as_of_then,
    a_grant_comes_from_a_yes_in_time_or_from_a_pass,
    a_resume_with_yes_is_a_grant_or_a_sentence,
    a_fresh_grant_is_for_what_was_let_go_and_is_still_good,
    causes_grow_by_exactly_the_command,
    what_was_halted_is_frozen,
    more_time_is_given_by_whom_it_asks_with_a_reason_and_within_bounds,
    time_alone_answers_nothing,
    others_are_asked_too_once_it_is_time_and_only_they,
    people_are_told_again_once_for_each_time,
    what_is_queued_is_seen_by_nobody_and_asked_in_its_turn,
    who_was_asked_can_always_stop_it_in_time,
    no_open_hold_is_stuck,
)


def granted(steps: Steps) -> list[tuple[Step, Grant]]:
    return [
        (step, step.fact.grant)
        for step in steps
        if isinstance(step.fact, Passed | Witnessed | Resumed) and step.fact.grant is not None
    ]


def suffices(hold: Hold) -> bool:
    """By trying out every order: the voices can be dealt to the groups that were asked."""
    if hold.requirement is None:
        return False
    groups = [each.group for each in hold.requirement.all_of for _ in range(each.voices)]
    people = {voice.person for voice in hold.voices}
    able = hold.requirement.approvers
    dealt = any(
        all(one in able[group] for group, one in zip(groups, order, strict=True))
        for order in permutations(people, len(groups))
    )
    return dealt and len(people) >= (2 if hold.requirement.four_eyes else 1)


def asked(hold: Hold) -> set[str]:
    groups = hold.requirement.approvers.values() if hold.requirement else ()
    return {person for people in groups for person in people}


def frozen(hold: Hold) -> Hold:
    """What no command may change, once it was halted."""
    return replace(
        without_history(hold),
        stage=Stage.HALTED,
        ui=None,
        title="",
        render_digest="",
        voices=(),
        outcome=None,
        ended_by=None,
        closed_by="",
        reason="",
        superseded_by="",
        used_by="",
        taken=(),
        resolved_at=None,
    )


def moved_as(fact: AnyHoldFact, hold: Hold) -> Hold:
    """The hold from before, with what this fact alone may change of its time and its people."""
    after = fact.hold
    match fact:
        case Parked():
            assert hold.parked_at is None
            until = hold.proposed_at + LONGEST_PARK
            return replace(hold, parked_at=after.parked_at, expires_at=until)
        case Reminded():
            return replace(hold, reminded=hold.reminded + 1, reminded_at=after.reminded_at)
        case Escalated():
            return replace(hold, escalated_at=after.escalated_at, requirement=after.requirement)
        case Extended():
            made = (*hold.extensions, after.extensions[-1])
            return replace(hold, expires_at=after.expires_at, extensions=made)
        case Rendered() if hold.queued:
            return replace(
                hold,
                queued=False,
                asked_from=after.asked_from,
                reminded_at=after.reminded_at,
                expires_at=after.expires_at,
                escalates_at=after.escalates_at,
            )
        case _:
            return hold


def in_time(step: Step) -> bool:
    expires_at = step.before.hold.expires_at
    return expires_at is not None and step.now < expires_at


def cooled(step: Step) -> bool:
    hold = step.before.hold
    if hold.outcome is not Outcome.CONFIRMED or hold.resolved_at is None:
        return True
    cooling_off_s = hold.requirement.cooling_off_s if hold.requirement else 0
    return step.now >= hold.resolved_at + timedelta(seconds=cooling_off_s)
