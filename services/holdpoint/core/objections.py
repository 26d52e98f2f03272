"""Why a command does not count: one small rule each, asked in order (see `hold.py`)."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeAlias, assert_never

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
    Proceed,
    Remind,
    Render,
    Resume,
    Spend,
    Supersede,
    Take,
    Withdraw,
)
from holdpoint.core.quorum import approvers, is_vouched_for, owners, proves, seat_of
from holdpoint.messages.answer import CLIENT_FORM
from holdpoint.messages.hold import Hold, Outcome, Reason, Stage
from holdpoint.messages.policy import OnSilence
from holdpoint.messages.state import TimerKind

MOST_LEVELS = {"slack": 3, CLIENT_FORM: 3}
"""The highest level at which a yes counts, by channel: Slack's one secret speaks for everybody, and
an MCP client's program for the person at it."""

OPEN = frozenset({Stage.HALTED, Stage.RENDERED, Stage.ANSWERED})
LONGEST_PARK = timedelta(days=28)
"""From its proposal on: the bus keeps holds for 30 days, and an end has to be written before."""

MOST_EXTENSIONS = 10
"""Of one hold: each stands in all its later facts."""

RUNNABLE = frozenset({Stage.PASSED, Stage.WITNESSED, Stage.RESUMED})

Objection: TypeAlias = Callable[[Hold, Command, datetime], Reason | None]


def objection(hold: Hold, command: Command, now: datetime) -> Reason | None:
    """The first rule that speaks against it, or nothing."""
    return next((reason for ask in OBJECTIONS if (reason := ask(hold, command, now))), None)


def valid_until(hold: Hold) -> datetime:
    """Until when a yes (or a pass) is good for a fresh grant."""
    since = hold.resolved_at or hold.proposed_at
    cooling = hold.requirement.cooling_off_s if hold.requirement else 0
    return since + timedelta(seconds=cooling + hold.valid_for_s)


def resumes_at(hold: Hold) -> datetime:
    """Return when a resolved hold may be resumed: at once, or after its cooling-off.

    The yes to a sentence may be older than the call that it stands for.
    """
    resolved = hold.resolved_at or hold.proposed_at
    cooling = hold.requirement.cooling_off_s if hold.requirement else 0
    waits = cooling if hold.outcome is Outcome.CONFIRMED else 0
    return max(hold.proposed_at, resolved + timedelta(seconds=waits))


def is_to_be_parked(hold: Hold) -> bool:
    """Return whether it stays open past its deadline, as its level says and people have seen."""
    asked = hold.requirement
    parks = asked is not None and asked.on_silence is OnSilence.PARK
    later = hold.expires_at is not None and hold.expires_at < hold.proposed_at + LONGEST_PARK
    return parks and later and hold.ui is not None and hold.parked_at is None


def cools_off(hold: Hold) -> bool:
    """Return whether it was confirmed and waits for the end of its cooling-off."""
    asked = hold.requirement
    return _confirmed_and_waiting(hold) and asked is not None and asked.cooling_off_s > 0


def begins_at(hold: Hold) -> datetime:
    """Return from when on people are asked: the proposal, or later."""
    return hold.asked_from or hold.proposed_at


def next_reminder(hold: Hold) -> datetime | None:
    """Return when people are told of it again: while it waits for them, or before it goes on."""
    told = hold.reminded_at
    return min((at for at in _reminders(hold) if told is None or at > told), default=None)


def _reminders(hold: Hold) -> tuple[datetime, ...]:
    asked = hold.requirement
    if asked is None:
        return ()
    if cools_off(hold):
        before = (it for it in asked.notice_before_s if it < asked.cooling_off_s)
        return tuple(resumes_at(hold) - timedelta(seconds=it) for it in before)
    if hold.stage not in OPEN or hold.queued:
        return ()
    begins = begins_at(hold)
    first = () if hold.asked_from is None else (begins,)
    return (*first, *(begins + timedelta(seconds=it) for it in asked.remind_after_s))


def next_escalation(hold: Hold) -> datetime | None:
    """Return when the backup group is asked too; None where it never is, or is already."""
    waits = hold.stage in OPEN and not hold.queued and hold.escalated_at is None
    return hold.escalates_at if waits else None


def extendable_s(hold: Hold) -> int:
    """Return by how much people may still move its deadline."""
    asked = hold.requirement
    if asked is None or hold.expires_at is None or len(hold.extensions) >= MOST_EXTENSIONS:
        return 0
    if hold.stage not in OPEN or hold.parked_at is not None:
        return 0
    ends = begins_at(hold) + timedelta(seconds=asked.deadline_s + asked.extend_up_to_s)
    latest = min(ends, hold.proposed_at + LONGEST_PARK)
    return max(0, int((latest - hold.expires_at).total_seconds())) if asked.extend_up_to_s else 0


def alarms(hold: Hold) -> dict[TimerKind, datetime]:
    """Return everything that is to ring for a hold as it stands, and when."""
    times = {
        TimerKind.EXPIRE: hold.expires_at if hold.stage in OPEN else None,
        TimerKind.RESUME: resumes_at(hold) if cools_off(hold) else None,
        TimerKind.REMIND: next_reminder(hold),
        TimerKind.ESCALATE: next_escalation(hold),
    }
    return {kind: at for kind, at in times.items() if at is not None}


def _already_closed(hold: Hold, command: Command, _: datetime) -> Reason | None:
    """Refuse changes to a closed hold; people may take a yes back only while it cools off.

    The agent's withdrawal and the kill switch stop it until it is resumed.
    """
    match command:
        case Resume() | Mint() | Spend() | Take():
            return None
        case Cancel():
            stoppable = hold.stage in OPEN or cools_off(hold)
            return None if stoppable else Reason.ALREADY_CLOSED
        case Kill() | Withdraw():
            stoppable = hold.stage in OPEN or _confirmed_and_waiting(hold)
            return None if stoppable else Reason.ALREADY_CLOSED
        case Render() | Confirm():
            return None if hold.stage is Stage.HALTED else Reason.ALREADY_CLOSED
        case Remind():
            waits = hold.stage in OPEN or cools_off(hold)
            return None if waits else Reason.ALREADY_CLOSED
        case Proceed() | Expire() | Supersede() | Escalate() | Extend() | Modify():
            return None if hold.stage in OPEN else Reason.ALREADY_CLOSED
        case _:
            assert_never(command)


def _confirmed_and_waiting(hold: Hold) -> bool:
    return hold.stage is Stage.RESOLVED and hold.outcome is Outcome.CONFIRMED


def _not_yet_shown(hold: Hold, command: Command, _: datetime) -> Reason | None:
    """Refuse answers and reminders before a card was shown."""
    answers = isinstance(command, Proceed | Cancel | Extend | Modify | Remind | Escalate)
    return Reason.NOT_YET_SHOWN if answers and hold.ui is None else None


def _not_an_approver(hold: Hold, command: Command, _: datetime) -> Reason | None:
    """Only who was asked may answer, or give more time for it; agents are never asked."""
    if not isinstance(command, Proceed | Cancel | Extend | Modify):
        return None
    asked = {p for people in approvers(hold).values() for p in people}
    seat = command.on_behalf_of or command.by
    return None if seat in asked - {hold.agent} else Reason.NOT_AN_APPROVER


def _own_action(hold: Hold, command: Command, _: datetime) -> Reason | None:
    """Four eyes: whose action it is never says the yes, and nobody in their place."""
    if not isinstance(command, Proceed) or hold.requirement is None:
        return None
    own = not owners(hold).isdisjoint({command.by, command.on_behalf_of or command.by})
    return Reason.OWN_ACTION if own and hold.requirement.four_eyes else None


def _other_digest(hold: Hold, command: Command, _: datetime) -> Reason | None:
    """An answer counts for the very action that was on the screen."""
    if not isinstance(command, Proceed | Cancel | Extend | Modify):
        return None
    return Reason.OTHER_DIGEST if command.digest != hold.digest else None


def _other_render(hold: Hold, command: Command, _: datetime) -> Reason | None:
    """An answer counts for the very card that was on the screen."""
    if not isinstance(command, Proceed | Cancel | Extend | Modify):
        return None
    return Reason.OTHER_RENDER if command.render_digest != hold.render_digest else None


def _too_late(hold: Hold, command: Command, now: datetime) -> Reason | None:
    """An answer after the deadline is none; a grant is minted only while the yes is good."""
    match command:
        case Proceed() | Cancel() | Extend() | Modify() if hold.stage in OPEN:
            late = hold.expires_at is not None and now >= hold.expires_at
        case Mint() | Spend() | Take():
            late = now >= valid_until(hold)
        case _:
            late = False
    return Reason.TOO_LATE if late else None


def _second_voice(hold: Hold, command: Command, _: datetime) -> Reason | None:
    """One person, one voice; and one voice for each approver, no matter who gives it."""
    if not isinstance(command, Proceed):
        return None
    spoke = command.by in {voice.person for voice in hold.voices}
    given = (command.on_behalf_of or command.by) in set(map(seat_of, hold.voices))
    return Reason.SECOND_VOICE if spoke or given else None


def _proof_missing(hold: Hold, command: Command, _: datetime) -> Reason | None:
    """A yes carries the proof that its level asks for. A no never needs one."""
    if not isinstance(command, Proceed) or hold.requirement is None:
        return None
    if hold.level > MOST_LEVELS.get(command.channel, hold.level):
        return Reason.PROOF_MISSING
    if command.channel == CLIENT_FORM and not hold.requirement.client_may_answer:
        return Reason.PROOF_MISSING
    given = command.methods or (command.method,)
    return None if proves(hold.requirement, given) else Reason.PROOF_MISSING


def _not_the_proposer(hold: Hold, command: Command, _: datetime) -> Reason | None:
    """Only the proposer takes an action back, or makes the call that its sentence announced."""
    other = isinstance(command, Withdraw | Supersede | Spend | Take) and command.by != hold.agent
    return Reason.NOT_THE_PROPOSER if other else None


def _not_yet_due(hold: Hold, command: Command, now: datetime) -> Reason | None:
    """A timer that rings early does nothing."""
    match command:
        case Expire():
            early = hold.expires_at is None or now < hold.expires_at
        case Resume():
            early = hold.stage is Stage.RESOLVED and now < resumes_at(hold)
        case Remind():
            early = (due := next_reminder(hold)) is None or now < due
        case Escalate():
            early = (due := next_escalation(hold)) is None or now < due
        case _:
            early = False
    return Reason.NOT_YET_DUE if early else None


def _not_announced(hold: Hold, command: Command, _: datetime) -> Reason | None:
    """A sentence makes way for the call that it announced; its yes stands for one call, never more,
    and only where it is as strong as the yes that the call asks for.
    """
    match command:
        case Supersede():
            fits = hold.action is None
        case Spend():
            confirmed = hold.stage is Stage.RESUMED and hold.outcome is Outcome.CONFIRMED
            unused = hold.used_by in {"", command.hold_id}
            fits = hold.action is None and confirmed and unused
        case Confirm():
            fits = is_vouched_for(hold)
        case _:
            fits = True
    return None if fits else Reason.NOT_ANNOUNCED


def _not_extendable(hold: Hold, command: Command, _: datetime) -> Reason | None:
    """More time is given with a reason, and up to what the policy allows."""
    if not isinstance(command, Extend):
        return None
    fits = 0 < command.seconds <= extendable_s(hold) and command.reason.strip()
    return None if fits else Reason.NOT_EXTENDABLE


def _not_the_next_step(hold: Hold, command: Command, _: datetime) -> Reason | None:
    """The steps of a confirmed plan are taken once each, in their order."""
    if not isinstance(command, Take):
        return None
    confirmed = hold.stage is Stage.RESUMED and hold.outcome is Outcome.CONFIRMED
    is_next = command.step == len(hold.taken) < len(hold.steps)
    is_new = command.hold_id not in hold.taken
    fits = confirmed and is_next and is_new and hold.action is None
    return None if fits else Reason.NOT_THE_NEXT_STEP


def _not_modifiable(hold: Hold, command: Command, _: datetime) -> Reason | None:
    """A sentence has no arguments to change."""
    changes = isinstance(command, Modify) and hold.action is None
    return Reason.NOT_MODIFIABLE if changes else None


def _not_resolved(hold: Hold, command: Command, _: datetime) -> Reason | None:
    """RESUME follows RESOLVE, once."""
    resumes = isinstance(command, Resume) and hold.stage is not Stage.RESOLVED
    return Reason.ALREADY_CLOSED if resumes else None


def _nothing_to_run(hold: Hold, command: Command, _: datetime) -> Reason | None:
    """A fresh grant is only for an action that was let go."""
    if not isinstance(command, Mint):
        return None
    let_go = hold.stage in RUNNABLE and hold.action is not None
    stopped = hold.outcome not in {None, Outcome.CONFIRMED}
    return Reason.NOTHING_TO_RUN if stopped or not let_go else None


OBJECTIONS: tuple[Objection, ...] = (
    _not_the_proposer,
    _already_closed,
    _not_yet_shown,
    _not_an_approver,
    _own_action,
    _other_digest,
    _other_render,
    _nothing_to_run,
    _not_announced,
    _not_modifiable,
    _not_the_next_step,
    _too_late,
    _second_voice,
    _proof_missing,
    _not_extendable,
    _not_resolved,
    _not_yet_due,
)
