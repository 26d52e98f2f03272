"""The confirmation state machine. Pure: one command in, one fact out, or the reason why not.

    begin ─▶ PASSED / WITNESSED / DENIED
         └─▶ HALTED ─▶ RENDERED ─▶ ANSWERED* ─▶ RESOLVED(confirmed) ─▶ RESUMED(true) ─▶ a run
               ││          │           │              ▲    └─▶ RESUMED(false): stopped in time
               │└──────────┼───────────┼── vouched for┘
               └───────────┴───────────┴─▶ RESOLVED(cancelled | expired | withdrawn | superseded)
                                                      └─▶ RESUMED(false)

What nobody answers is parked where its level says so, and stays open with a later end:
RENDERED | ANSWERED ─▶ PARKED, which people answer like before.

While it waits, people are REMINDED of it, a backup group may come to be asked too (ESCALATED), and
a person may move its deadline (EXTENDED); while it cools off, people are REMINDED that it is about
to run. None of these is an answer. What is queued stays halted and unseen, until its turn comes.

A call whose sentence was confirmed may be vouched for: the yes to the sentence stands for it, and
nobody is asked again. A sentence is superseded by the call that it announced while it is open, and
once it is confirmed it is spent on one call at most: RESUMED(true) ─▶ RESUMED(true, used).

A plan is a sentence with steps: once it is confirmed, each of them is taken once, in their order.

Step by step, which the complete walk compares with what it finds:

    begin ─▶ passed, witnessed, denied, halted
    halted ─▶ rendered, resolved
    rendered ─▶ answered, resolved, rendered (parked, reminded, escalated, extended)
    answered ─▶ answered, resolved
    resolved ─▶ resumed, resolved (reminded)
    resumed ─▶ resumed (a fresh grant, a sentence that is used, a step that is taken)
    passed ─▶ passed (a fresh grant)
    witnessed ─▶ witnessed (a fresh grant)

A person may change the arguments of an open call: that supersedes it, and the changed call is a
hold of its own, judged afresh.

What happens to a hold stands in this file, why a command does not count in `objections.py`, and
nothing else decides about holds. Silence is never a yes.
`now` is the broker's timestamp of the command, not a process's clock.
"""

from datetime import datetime, timedelta
from typing import NamedTuple, assert_never

from msgspec.structs import replace

from holdpoint.core.commands import (
    Begin,
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
from holdpoint.core.objections import LONGEST_PARK, OPEN, is_to_be_parked, objection, valid_until
from holdpoint.core.quorum import enough
from holdpoint.core.sentences import (
    NOBODY_ANSWERED,
    WITHDRAWN,
    cancelled_by,
    killed,
    modified_by,
    superseded_by,
)
from holdpoint.messages.hold import (
    Answered,
    AnyHoldFact,
    Denied,
    EndedBy,
    Escalated,
    Extended,
    Extension,
    Grant,
    Halted,
    Hold,
    Outcome,
    Parked,
    Passed,
    Reminded,
    Rendered,
    Resolved,
    Resumed,
    Stage,
    Voice,
    Witnessed,
)
from holdpoint.messages.policy import VerdictKind


def begin(command: Begin) -> Passed | Witnessed | Denied | Halted:
    """The first fact of a hold: what the verdict makes of a proposal."""
    hold, cause, at = command.hold, command.cause, max(command.hold.proposed_at, command.at)
    match command.verdict:
        case VerdictKind.PASS:
            passed = replace(hold, stage=Stage.PASSED)
            return Passed(hold=passed, cause=cause, grant=_grant(passed, command.nonce, at))
        case VerdictKind.WITNESS:
            seen = replace(hold, stage=Stage.WITNESSED)
            grant = _grant(seen, command.nonce, at)
            return Witnessed(hold=seen, cause=cause, grant=grant)
        case VerdictKind.DENY:
            return Denied(hold=replace(hold, stage=Stage.DENIED), cause=cause)
        case VerdictKind.HOLD:
            halted = replace(hold, stage=Stage.HALTED)
            return Halted(hold=halted, cause=cause, metadata=hold.metadata)
        case _:
            assert_never(command.verdict)


def decide(hold: Hold, command: Command, now: datetime) -> AnyHoldFact | Objected:
    """Answer a command with the one fact that it leads to, or with the objection to it."""
    if reason := objection(hold, command, now):
        return Objected(reason=reason)
    is_new = command.cause not in hold.causes
    causes = (*hold.causes, command.cause) if is_new else hold.causes
    return _accept(replace(hold, causes=causes), command, now)


def _accept(hold: Hold, command: Command, now: datetime) -> AnyHoldFact:  # noqa: PLR0911  # a table
    cause = command.cause
    match command:
        case Render():
            return _show(_in_turn(hold, command, now), command)
        case Remind() | Escalate() | Extend():
            return _keep_open(hold, command, now)
        case Expire() if is_to_be_parked(hold):
            until = hold.proposed_at + LONGEST_PARK
            return Parked(hold=replace(hold, parked_at=now, expires_at=until), cause=cause)
        case Proceed():
            return _count(hold, command, now)
        case Confirm():
            return _confirm(hold, cause, now)
        case Cancel() | Kill() | Expire() | Withdraw() | Supersede() | Modify():
            return _end(hold, _ending(command), cause, now)
        case Resume() | Mint() | Spend() | Take():
            return _let_go(hold, command, now)
        case _:
            assert_never(command)


def _show(hold: Hold, seen: Render) -> Rendered:
    drawn = {"ui": seen.ui, "title": seen.title, "render_digest": seen.render_digest}
    return Rendered(hold=replace(hold, stage=Stage.RENDERED, **drawn), cause=seen.cause)


def _in_turn(hold: Hold, command: Render, now: datetime) -> Hold:
    """A hold that was queued is asked about from now on, or from its people's next hours."""
    asked = hold.requirement
    if not hold.queued or asked is None:
        return hold
    begins = max(now, command.asked_from or now)
    ends = begins + timedelta(seconds=asked.deadline_s)
    after = timedelta(seconds=asked.escalate.after_s) if asked.escalate else None
    return replace(
        hold,
        queued=False,
        asked_from=begins,
        reminded_at=now if begins == now else None,
        expires_at=min(ends, hold.expires_at or ends),
        escalates_at=None if after is None else begins + after,
    )


def _keep_open(
    hold: Hold, command: Remind | Escalate | Extend, now: datetime
) -> Reminded | Escalated | Extended:
    cause = command.cause
    match command:
        case Remind():
            told = replace(hold, reminded=hold.reminded + 1, reminded_at=now)
            return Reminded(hold=told, cause=cause)
        case Escalate():
            return Escalated(hold=_with_backup(hold, now), cause=cause)
        case Extend(by=by, on_behalf_of=seat, seconds=seconds, reason=why):
            until = (hold.expires_at or now) + timedelta(seconds=seconds)
            made = Extension(
                by=by, on_behalf_of=seat, at=now, until=until, reason=why, answer=cause
            )
            later = replace(hold, expires_at=until, extensions=(*hold.extensions, made))
            return Extended(hold=later, cause=cause, by=by)
        case _:
            assert_never(command)


def _with_backup(hold: Hold, now: datetime) -> Hold:
    """The backup group's people count for every group that is asked."""
    asked = hold.requirement
    if asked is None:
        return hold
    approvers = {
        group: tuple(dict.fromkeys((*people, *asked.backup)))
        for group, people in asked.approvers.items()
    }
    return replace(hold, escalated_at=now, requirement=replace(asked, approvers=approvers))


def _count(hold: Hold, yes: Proceed, now: datetime) -> Answered | Resolved:
    voice = Voice(
        person=yes.by,
        on_behalf_of=yes.on_behalf_of,
        method=yes.method,
        methods=yes.methods,
        at=now,
        linked=yes.linked,
        evidence_digest=yes.evidence_digest,
        passkey=yes.passkey,
    )
    heard = replace(hold, voices=(*hold.voices, voice))
    if not enough(heard):
        return Answered(hold=replace(heard, stage=Stage.ANSWERED), cause=yes.cause, by=yes.by)
    by, seat = yes.by, yes.on_behalf_of
    ending = _Ending(Outcome.CONFIRMED, EndedBy.PERSON, by, yes.reason, closed_for=seat)
    return _resolve(heard, ending, yes.cause, now)


def _confirm(hold: Hold, cause: str, now: datetime) -> Resolved:
    """By the yes that the call's sentence got, and for as long as that is good.

    What a passkey signed then was the sentence, not this action.
    """
    said = hold.announced
    voices = tuple(replace(voice, linked=False) for voice in said.voices) if said else ()
    by = voices[-1].person if voices else ""
    vouched = replace(hold, voices=voices)
    ending = _Ending(Outcome.CONFIRMED, EndedBy.PERSON, by, "")
    return _resolve(vouched, ending, cause, said.resolved_at if said and said.resolved_at else now)


class _Ending(NamedTuple):
    """End of a hold: outcome, cause, person, and the sentence that people read."""

    outcome: Outcome
    ended_by: EndedBy
    closed_by: str
    reason: str
    superseded_by: str = ""
    closed_for: str = ""


def _ending(command: Cancel | Kill | Expire | Withdraw | Supersede | Modify) -> _Ending:
    match command:
        case Cancel(by=by, on_behalf_of=seat, reason=why):
            told = why or cancelled_by(by)
            return _Ending(Outcome.CANCELLED, EndedBy.PERSON, by, told, closed_for=seat)
        case Kill(by=by, reason=why):
            return _Ending(Outcome.CANCELLED, EndedBy.KILL_SWITCH, by, killed(why))
        case Expire():
            return _Ending(Outcome.EXPIRED, EndedBy.TIMEOUT, "", NOBODY_ANSWERED)
        case Withdraw(by=by, reason=why):
            return _Ending(Outcome.WITHDRAWN, EndedBy.AGENT, by, why or WITHDRAWN)
        case Supersede(by=by, hold_id=call):
            return _Ending(Outcome.SUPERSEDED, EndedBy.AGENT, by, superseded_by(call), call)
        case Modify(by=by, on_behalf_of=seat, reason=why, hold_id=call):
            told = modified_by(by, why)
            return _Ending(Outcome.SUPERSEDED, EndedBy.PERSON, by, told, call, seat)
        case _:
            assert_never(command)


def _end(hold: Hold, ending: _Ending, cause: str, now: datetime) -> Resolved | Resumed:
    """Close an open hold; one that was confirmed but not resumed yet is resumed with false."""
    if hold.stage in OPEN:
        return _resolve(hold, ending, cause, now)
    ended = replace(hold, stage=Stage.RESUMED, **ending._asdict())
    return Resumed(hold=ended, cause=cause, confirmed=False)


def _resolve(hold: Hold, ending: _Ending, cause: str, now: datetime) -> Resolved:
    closed = replace(hold, stage=Stage.RESOLVED, resolved_at=now, **ending._asdict())
    return Resolved(hold=closed, cause=cause, outcome=ending.outcome, by=ending.closed_by)


def _let_go(hold: Hold, command: Resume | Mint | Spend | Take, now: datetime) -> AnyHoldFact:
    match command:
        case Resume():
            return _resume(hold, command, now)
        case Mint():
            return _mint(hold, command, now)
        case Spend(cause=cause, hold_id=call):
            return Resumed(hold=replace(hold, used_by=call), cause=cause, confirmed=True)
        case Take(cause=cause, hold_id=call):
            taken = (*hold.taken, call)
            return Resumed(hold=replace(hold, taken=taken), cause=cause, confirmed=True)
        case _:
            assert_never(command)


def _resume(hold: Hold, command: Resume, now: datetime) -> Resumed:
    confirmed = hold.outcome is Outcome.CONFIRMED
    reserved = (command.reserved or hold.reserved) if confirmed else hold.reserved
    resumed = replace(hold, stage=Stage.RESUMED, reserved=reserved)
    minted_at = max(now, command.at)
    grant = _grant(resumed, command.nonce, minted_at) if confirmed else None
    return Resumed(hold=resumed, cause=command.cause, confirmed=confirmed, grant=grant)


def _mint(hold: Hold, command: Mint, now: datetime) -> Passed | Witnessed | Resumed:
    grant = _grant(hold, command.nonce, max(now, command.at))
    if hold.stage is Stage.PASSED:
        return Passed(hold=hold, cause=command.cause, grant=grant)
    if hold.stage is Stage.WITNESSED:
        return Witnessed(hold=hold, cause=command.cause, grant=grant)
    return Resumed(hold=hold, cause=command.cause, confirmed=True, grant=grant)


def _grant(hold: Hold, nonce: str, at: datetime) -> Grant | None:
    """A sentence gets no grant: its RESUME is the boolean and nothing else.

    `at` is a process's clock, which may delay and never hurry: it is not before `now`. However
    late that is, the grant of a yes ends with the yes.
    """
    if hold.action is None:
        return None
    exp = at + timedelta(seconds=hold.grant_s)
    ends = min(exp, valid_until(hold)) if hold.resolved_at else exp
    return Grant(aud=f"domain:{hold.action.domain}", iat=at, nbf=at, exp=ends, nonce=nonce)
