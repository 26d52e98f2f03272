"""What agents are told when a fault is over: L2 of INVARIANTS.md."""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.faults.evidence import Evidence

from holdpoint.messages.envelope import FINAL, Status
from holdpoint.messages.hold import Answered, Denied, Halted, Outcome, Rendered
from holdpoint.messages.run import Barred, Finished, Lapsed, RunStatus

OPEN = (Halted, Rendered, Answered)
ENDED: Mapping[Outcome | RunStatus, Status] = {
    Outcome.CANCELLED: Status.CANCELLED,
    Outcome.EXPIRED: Status.EXPIRED,
    Outcome.WITHDRAWN: Status.WITHDRAWN,
    Outcome.SUPERSEDED: Status.SUPERSEDED,
    RunStatus.DONE: Status.DONE,
    RunStatus.FAILED: Status.FAILED,
    RunStatus.PRECONDITION_FAILED: Status.PRECONDITION_FAILED,
    RunStatus.IN_DOUBT: Status.IN_DOUBT,
}
STOPPED: Mapping[type[Any], Status] = {Barred: Status.BARRED, Lapsed: Status.LAPSED}


def l2_who_comes_back_learns_the_outcome(it: Evidence) -> Iterator[str]:
    if it.told is None:
        return
    for hold, facts in it.holds.items():
        told, runs = it.told.get(hold), it.runs_of(hold)
        stands = _stands(facts[-1][1], runs[-1][1] if runs else None)
        may_have_ended = stands not in FINAL and told in FINAL - {Status.REFUSED}
        if told is None:
            yield f"{hold} is {stands}, and nobody told its agent"
        elif told is not stands and not may_have_ended:
            yield f"{hold} is {stands}, and its agent was told {told}"


def l2_whoever_is_told_at_once_is_told_what_stands(it: Evidence) -> Iterator[str]:
    for hold, told in it.hurried.items():
        facts, runs = it.holds.get(hold), it.runs_of(hold)
        stands = _stands(facts[-1][1], runs[-1][1] if runs else None) if facts else None
        if told is not stands:
            yield f"{hold} is {stands}, and the SDK said {told}"


def _stands(fact: Any, run: Any) -> Status:
    """What the streams say of a hold, in the words for its agent."""
    if isinstance(fact, Denied):
        return Status.DENIED
    if isinstance(fact, OPEN):
        return Status.PENDING_CONFIRMATION
    if fact.hold.outcome in ENDED:
        return ENDED[fact.hold.outcome]
    if isinstance(run, Finished):
        return ENDED[run.status]
    return STOPPED.get(type(run), Status.APPROVED)
