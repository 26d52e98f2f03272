"""Holds and runs under any fault: S4, S6, D1, D2 and L1 of INVARIANTS.md."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from tests.faults.evidence import Evidence

from holdpoint.core.digest import action_digest, render_digest
from holdpoint.messages import subjects as s
from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.call import Intent, Propose, Withdraw
from holdpoint.messages.card import Card
from holdpoint.messages.hold import EndedBy, Halted, Hold, Outcome, Resolved, Resumed
from holdpoint.messages.run import Barred, Finished, Lapsed, RunStatus, Started
from holdpoint.messages.state import Kill
from holdpoint.messages.subject_parts import timer_place
from holdpoint.messages.subjects import command_id
from holdpoint.runtime.store.journal import Stored

MOVES_ON = timedelta(seconds=30)
NOTHING_RAN = frozenset({RunStatus.FAILED, RunStatus.PRECONDITION_FAILED})


def s4_each_hold_is_resolved_once_as_its_answers_say(it: Evidence) -> Iterator[str]:
    said = it.said
    for hold, facts in it.holds.items():
        resolved = [fact for _, fact in facts if isinstance(fact, Resolved)]
        if not isinstance(facts[0][1], Halted):
            continue
        if len(resolved) > 1:
            yield f"{hold} was resolved {len(resolved)} times"
        resumed = {fact.confirmed for _, fact in facts if isinstance(fact, Resumed)}
        if len(resumed) > 1:
            yield f"{hold} was resumed with yes and with no"
        for fact in resolved:
            yield from (f"{hold}: {wrong}" for wrong in _unlike(fact, said.get(fact.cause)))


def s4_each_answer_counts_once_or_is_refused(it: Evidence) -> Iterator[str]:
    refused = it.refused
    counted = {cause for facts in it.holds.values() for cause in facts[-1][1].hold.causes}
    for at, _ in it.of(s.ANSWERS, Answer):
        answer = command_id(s.stream("", s.ANSWERS), at.seq)
        if answer in counted and answer in refused:
            yield f"{answer} counted, and was refused"
        if answer not in counted and answer not in refused:
            yield f"{answer} was lost"
    for hold, facts in it.holds.items():
        causes = facts[-1][1].hold.causes
        if len(set(causes)) < len(causes):
            yield f"{hold} counted something twice: {causes}"


def s4_nothing_expires_before_its_deadline(it: Evidence) -> Iterator[str]:
    for hold, facts in it.holds.items():
        for at, fact in facts:
            if isinstance(fact, Resolved) and fact.outcome is Outcome.EXPIRED:
                alarm = it.alarms.get(fact.cause)
                yield from (f"{hold}: {wrong}" for wrong in _early(at, fact, alarm))


def s6_the_digest_is_the_same_everywhere(it: Evidence) -> Iterator[str]:
    said = it.said
    for hold, facts in it.holds.items():
        digest, call = facts[0][1].hold.digest, said.get(facts[0][1].cause)
        for _, fact in facts:
            yield from (f"{hold}: {wrong}" for wrong in _other(fact.hold, digest, said))
        if any(run.digest != digest for _, run in it.runs_of(hold)):
            yield f"{hold}: its run has another digest"
        proposed = call[1] if call else None
        action = facts[0][1].hold.action
        if isinstance(proposed, Propose) and action.arguments != proposed.arguments:
            yield f"{hold}: what was proposed is not what was judged"
        if isinstance(proposed, Answer) and not _is_changed_so(facts[0][1].hold, proposed):
            yield f"{hold}: what a person changed is not what was judged"
    for deed in it.deeds:
        acted = it.facts_of(deed.hold_id)
        if any(fact.hold.action.arguments != deed.arguments for _, fact in acted):
            yield f"{deed.hold_id}: what happened is not what was said yes to"


def d1_each_call_ends_or_waits_with_a_live_deadline(it: Evidence) -> Iterator[str]:
    refused = it.refused
    counted = {cause: hold for hold, facts in it.holds.items() for _, fact in facts
               for cause in fact.hold.causes}  # fmt: skip
    for call, (_, said) in it.said.items():
        if not isinstance(said, Propose | Intent) or call in refused:
            continue
        if call not in counted:
            yield f"{call} was never judged"
        elif not _has_ended(it, it.holds[counted[call]][-1][1], it.runs_of(counted[call])):
            yield f"{call} ({counted[call]}) neither ended nor waits"


def d2_each_claim_has_one_result(it: Evidence) -> Iterator[str]:
    shown = {found.hold_id for found in it.findings}
    for hold, runs in it.runs.items():
        finished = [run for _, run in runs if isinstance(run, Finished)]
        started = [run for _, run in runs if isinstance(run, Started)]
        if len(finished) > 1:
            yield f"{hold} has {len(finished)} results"
        if started and not finished and started[-1].lease_until < it.at - MOVES_ON:
            yield f"{hold} was claimed long ago and has no result"
        for run in finished:
            logged = it.logs_all or hold in it.effects
            if run.status is RunStatus.DONE and logged and not it.effects.get(hold):
                yield f"{hold} is said to be done and never happened"
            if run.status in NOTHING_RAN and it.effects.get(hold):
                yield f"{hold} is said to have failed and happened"
            if run.status is RunStatus.IN_DOUBT and hold not in shown:
                yield f"{hold} is in doubt, and the ledger does not show it"


def l1_nothing_stays_past_its_deadline(it: Evidence) -> Iterator[str]:
    cards: dict[str, Card] = {card.hold_id: card for _, card in it.of(s.CARDS, Card)}
    for hold, facts in it.holds.items():
        last = facts[-1][1].hold
        late = last.expires_at is not None and last.expires_at < it.at - MOVES_ON
        if late and last.outcome is None:
            yield f"{hold} is open, and its deadline was {last.expires_at}"
        revision = facts[-1][0].seq + (it.runs_of(hold)[-1][0].seq if it.runs_of(hold) else 0)
        if last.ui is not None and (hold not in cards or cards[hold].revision < revision):
            yield f"{hold}: the card on the screen is older than the hold"


def _is_changed_so(hold: Hold, answer: Answer) -> bool:
    arguments = hold.action.arguments if hold.action else {}
    if answer.change is None:
        return False
    left_out = not set(answer.change.removed) & set(arguments)
    made = answer.change.arguments.items()
    return left_out and all(arguments.get(name) == it for name, it in made)


def _unlike(fact: Resolved, cause: tuple[Stored, Any] | None) -> Iterator[str]:
    """How the outcome differs from what was said."""
    message = cause[1] if cause else None
    fits = {
        Outcome.CONFIRMED: isinstance(message, Answer) and message.answer is Choice.PROCEED,
        Outcome.CANCELLED: _is_a_no(message) or _is_stopped(fact, message),
        Outcome.WITHDRAWN: isinstance(message, Withdraw),
        Outcome.EXPIRED: fact.cause.startswith(s.TIMERS),
        Outcome.SUPERSEDED: _is_superseded(fact, message),
    }
    if not fits.get(fact.outcome):
        yield f"{fact.outcome} by {fact.cause}, which says {message}"
    if isinstance(message, Answer) and message.digest != fact.hold.digest:
        yield "the answer was to another action"
    late = fact.hold.expires_at is not None and cause and cause[0].at >= fact.hold.expires_at
    if fact.outcome is Outcome.CONFIRMED and late:
        yield "the yes came after the deadline"


def _is_a_no(message: Any) -> bool:
    return isinstance(message, Answer) and message.answer is Choice.CANCEL


def _is_superseded(fact: Resolved, message: Any) -> bool:
    """Whether the call that it announced took its place, or one that a person changed."""
    if fact.hold.ended_by is EndedBy.PERSON:
        return isinstance(message, Answer) and message.answer is Choice.MODIFY
    return fact.cause.startswith(s.HOLDS)


def _is_stopped(fact: Resolved, message: Any) -> bool:
    """Whether an admin's order cancelled it, and it says so: the switch's state names the order."""
    return isinstance(message, Kill) and fact.hold.ended_by is EndedBy.KILL_SWITCH


def _early(at: Stored, fact: Resolved, alarm: Stored | None) -> Iterator[str]:
    """Each time by which an end by silence came too early: the broker's own, and the gate's."""
    due = fact.hold.expires_at
    if due is None:
        yield "it expired, and it had no deadline"
        return
    times = {"stored": at.at, "said to have ended": fact.hold.resolved_at}
    times |= {"rung for": alarm.at} if alarm else {}
    for how, when in times.items():
        if when is None or when < due:
            yield f"it expired, {how} at {when}, and its deadline was {due}"
    if alarm and timer_place(alarm.subject).hold_id != fact.hold.hold_id:
        yield f"it expired by an alarm on {alarm.subject}"


def _other(hold: Hold, digest: str, said: Any) -> Iterator[str]:
    """Where a digest is not that of the action, or of the screen."""
    if hold.digest != digest or (hold.action and action_digest(hold.action) != digest):
        yield "the digest of its action changed"
    if hold.ui is not None and render_digest(hold.ui, hold.title) != hold.render_digest:
        yield "its card has another digest than its text"
    answers = [said[cause][1] for cause in hold.causes if cause in said]
    for answer in answers:
        if isinstance(answer, Answer) and answer.render_digest != hold.render_digest:
            yield "an answer counted that was given to another card"


def _has_ended(evidence: Evidence, fact: Any, runs: Sequence[tuple[Stored, Any]]) -> bool:
    it: Hold = fact.hold
    if it.requirement is not None and it.outcome is None:
        return it.expires_at is not None and it.expires_at > evidence.at
    granted = getattr(fact, "grant", None) is not None
    if isinstance(fact, Resolved):
        return False
    return not granted or any(isinstance(run, Finished | Barred | Lapsed) for _, run in runs)
