"""Steps of a confirmed plan: each call that names one is its next step, or people are asked.

A step is taken on the plan's own hold, by compare-and-set, before its call passes: any number of
gates let each of them pass once. What cannot be read or taken asks people.
"""

import dataclasses

import structlog
from msgspec.structs import replace

from holdpoint.core.commands import Take
from holdpoint.core.denials import RULE as DENIED_BEFORE
from holdpoint.core.objections import valid_until
from holdpoint.core.plans import exactly, is_confirmed_by, outside, why_outside
from holdpoint.core.quorum import answers_to
from holdpoint.core.risk import metadata_of
from holdpoint.core.verdict import Verdict, asking
from holdpoint.gate.context import Gate, RefusedError, believed
from holdpoint.gate.first_fact import Draft, first_fact
from holdpoint.gate.lifecycle import advance
from holdpoint.gate.runs import load_run
from holdpoint.messages.hold import Hold, Permitted
from holdpoint.messages.policy import VerdictKind
from holdpoint.messages.run import Finished, Reconciled, RunStatus
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.errors import HoldpointError

log = structlog.get_logger(__name__)

UNREADABLE = "the plan that it names cannot be read now"


async def with_plan(gate: Gate, delivery: Delivery, draft: Draft) -> Draft:
    """The draft as a step of the plan that it names; outside of it people are asked."""
    try:
        return await _taken(gate, delivery, draft)
    except RefusedError as why:
        return _outside(draft, why.text)
    except HoldpointError as why:
        log.warning("plan_not_read", hold_id=draft.hold_id, why=str(why))
        return _outside(draft, UNREADABLE)


async def _taken(gate: Gate, delivery: Delivery, draft: Draft) -> Draft:
    found = await believed(gate, draft.agent, draft.plan)
    if found is None or draft.action is None:
        return _outside(draft, "the plan that it names does not exist")
    if draft.hold_id in found.hold.taken:
        return _again(gate, delivery, draft, found.hold)
    why = why_outside(found.hold, draft.action, delivery.at)
    if why := why or await _why_early(gate, found.hold):
        return _outside(draft, why)
    step = len(found.hold.taken)
    command = Take(cause=delivery.id, by=draft.agent, hold_id=draft.hold_id, step=step)
    stands = await advance(gate, found, command, delivery.at)
    return _as_step(gate, delivery, draft, stands.hold)


def _again(gate: Gate, delivery: Delivery, draft: Draft, plan: Hold) -> Draft:
    """Its step was taken before, by a gate that died: it is that step, or another call."""
    step = plan.steps[plan.taken.index(draft.hold_id)]
    if draft.action is None or exactly(draft.action) != exactly(step.action):
        return _outside(draft, "it is not the step of its plan that was taken for it")
    return _as_step(gate, delivery, draft, plan)


async def _why_early(gate: Gate, plan: Hold) -> str:
    """Why the next step may not begin: the one before it has not run to its end."""
    if not plan.taken:
        return ""
    before = await believed(gate, plan.agent, plan.taken[-1])
    run = await load_run(gate, before.hold) if before else None
    match run.fact if run else None:
        case Finished(status=RunStatus.DONE) | Reconciled(happened=True):
            return ""
        case _:
            return f"step {len(plan.taken)} of its plan has not been done"


def _as_step(gate: Gate, delivery: Delivery, draft: Draft, plan: Hold) -> Draft:
    """Let it pass where the plan's yes is all that it asks for; people are asked otherwise."""
    step = plan.taken.index(draft.hold_id)
    kind, denied = draft.verdict.kind, DENIED_BEFORE
    if kind is VerdictKind.HOLD:
        again = any(signal.rule == denied for signal in draft.assessment.signals)
        asked = first_fact(gate, delivery, draft).hold
        if again or not is_confirmed_by(plan, plan.steps[step], asked):
            return draft
    permitted = _permitted(plan, step)
    if kind is not VerdictKind.HOLD:
        return dataclasses.replace(draft, permitted=permitted)
    reason = (
        f"Step {permitted.use} of {permitted.uses} of the plan that {plan.closed_by} confirmed."
    )
    verdict = Verdict(kind=VerdictKind.PASS, level=draft.verdict.level, reason=reason)
    metadata = replace(draft.metadata, confirmation_required=False)
    return dataclasses.replace(draft, verdict=verdict, metadata=metadata, permitted=permitted)


def _permitted(plan: Hold, step: int) -> Permitted:
    answers = answers_to(plan)
    return Permitted(
        permission_id=plan.hold_id,
        by=plan.closed_by,
        answer=answers[-1] if answers else "",
        hold_id=plan.hold_id,
        use=step + 1,
        uses=len(plan.steps),
        expires_at=valid_until(plan),
    )


def _outside(draft: Draft, why: str) -> Draft:
    found = outside(draft.assessment, why)
    verdict = asking(draft.verdict, draft.basis.policy)
    held = verdict.kind is VerdictKind.HOLD
    metadata = replace(metadata_of(found), confirmation_required=held)
    return dataclasses.replace(draft, assessment=found, verdict=verdict, metadata=metadata)
