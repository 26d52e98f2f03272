"""A person changes the arguments of an open call: it is superseded, and the changed call judged.

The changed call is a proposal of the same agent with a hold of its own: its level, its digest, its
card. The answer that changed it is its cause, and never a yes to it. First it is judged, so that
what cannot be proposed leaves the hold as it was; then the hold is superseded, by compare-and-set;
only then does the changed call begin. Where this process dies in between, the answer comes again.
"""

import dataclasses

import structlog
from msgspec.structs import replace

from holdpoint.core.commands import Begin
from holdpoint.core.commands import Modify as ModifyCommand
from holdpoint.core.digest import action_digest, hold_id
from holdpoint.core.hold import begin
from holdpoint.core.modifying import can_be_confirmed, changed_arguments, modified_of, refusal
from holdpoint.core.objections import objection as objected
from holdpoint.core.quorum import owners
from holdpoint.gate.context import Gate, RefusedError, objection
from holdpoint.gate.first_fact import check_size, first_fact
from holdpoint.gate.lifecycle import advance, go_on
from holdpoint.gate.proposals import (
    Judged,
    check_possible,
    judged_alone,
    open_judged,
    proposal_under,
)
from holdpoint.messages.action import Action
from holdpoint.messages.answer import Answer
from holdpoint.messages.call import Propose
from holdpoint.messages.envelope import UNKNOWN_HOLD
from holdpoint.messages.hold import Hold, Stage
from holdpoint.messages.policy import VerdictKind
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.errors import ConflictError
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.history import LoadedHold

log = structlog.get_logger(__name__)

BAD_CHANGE = "bad_change"
NOBODY_LEFT = "nobody_left"


async def modify(gate: Gate, delivery: Delivery, answer: Answer, person: str, agent: str) -> None:
    """Supersede the hold with the changed call, and begin that one."""
    loaded = await gate.holds.load(agent, answer.hold_id)
    if loaded is None:
        raise RefusedError(UNKNOWN_HOLD, "There is no hold of this id.", answer.hold_id)
    command = _command(gate, delivery, answer, person, loaded.hold)
    if delivery.id in loaded.hold.causes:
        await _begin_again(gate, delivery, answer, person, loaded.hold)
        return
    if reason := objected(loaded.hold, command, delivery.at):
        raise objection(reason, answer.hold_id)
    judged = await _judged(gate, delivery, answer, person, loaded.hold)
    await _supersede(gate, delivery, loaded, command)
    await _begin(gate, delivery, judged)


def _command(
    gate: Gate, delivery: Delivery, answer: Answer, person: str, hold: Hold
) -> ModifyCommand:
    return ModifyCommand(
        cause=delivery.id,
        by=person,
        on_behalf_of=answer.on_behalf_of,
        digest=answer.digest,
        render_digest=answer.render_digest,
        reason=answer.reason,
        hold_id=_new_hold(gate, delivery, hold),
    )


def _new_hold(gate: Gate, delivery: Delivery, hold: Hold) -> str:
    """An id that no key of an agent's leads to: a key has printable characters only."""
    tool = hold.action.tool if hold.action else ""
    return hold_id(gate.tenant, hold.agent, hold.on_behalf_of, tool, f"\0{delivery.id}")


async def _judged(
    gate: Gate, delivery: Delivery, answer: Answer, person: str, hold: Hold
) -> Judged:
    """Judge the changed call as if its agent had made it. Raises RefusedError if it cannot be."""
    action = _action_of(hold)
    if why := refusal(hold, gate.tool_of(hold), answer):
        raise RefusedError(BAD_CHANGE, why, hold.hold_id)
    call = Propose(
        tool=action.tool,
        arguments=changed_arguments(action, answer.change),
        on_behalf_of=hold.on_behalf_of,
        reasoning=hold.says,
        dispatched_by=hold.dispatched_by,
        lineage=hold.lineage,
    )
    new = _new_hold(gate, delivery, hold)
    proposal = proposal_under(gate, hold.agent, call, new, f"modified-{new}")
    modified = modified_of(hold, proposal.action, answer, (person, delivery.id))
    judged = await judged_alone(gate, delivery, proposal)
    check_possible(judged)
    draft = dataclasses.replace(judged.draft, modified=modified)
    made = first_fact(gate, delivery, draft).hold
    if not can_be_confirmed(made.requirement, hold.agent, owners(made)):
        text = (
            "This level asks for four eyes, and nobody who neither changed it nor is acted for "
            "could confirm the changed call. Cancel it instead."
        )
        raise RefusedError(NOBODY_LEFT, text, hold.hold_id)
    check_size(gate, first_fact(gate, delivery, draft))
    return dataclasses.replace(judged, draft=draft)


async def _supersede(
    gate: Gate, delivery: Delivery, loaded: LoadedHold, command: ModifyCommand
) -> None:
    stands = await advance(gate, loaded, command, delivery.at)
    await go_on(gate, stands, delivery.at)
    log.info("call_modified", hold_id=loaded.hold.hold_id, by=command.by, new=command.hold_id)


async def _begin_again(
    gate: Gate, delivery: Delivery, answer: Answer, person: str, hold: Hold
) -> None:
    """A gate died behind the supersession: begin what it did not."""
    if await gate.holds.load(hold.agent, hold.superseded_by) is not None:
        return
    try:
        judged = await _judged(gate, delivery, answer, person, hold)
    except RefusedError as why:
        await _deny(gate, delivery, answer, person, hold, why.text)
        return
    await _begin(gate, delivery, judged)


async def _begin(gate: Gate, delivery: Delivery, judged: Judged) -> None:
    try:
        await open_judged(gate, delivery, judged)
    except RefusedError as why:
        refused = first_fact(gate, delivery, judged.draft).hold
        await _store_denied(gate, delivery, refused, why.text)


async def _deny(
    gate: Gate, delivery: Delivery, answer: Answer, person: str, hold: Hold, why: str
) -> None:
    """The answer counted, and what it asked for can no longer be judged: it never runs."""
    action = _action_of(hold)
    changed = replace(action, arguments=changed_arguments(action, answer.change), preconditions={})
    refused = replace(
        hold,
        hold_id=hold.superseded_by,
        action=changed,
        digest=action_digest(changed),
        call_digest=action_digest(changed),
        modified=modified_of(hold, changed, answer, (person, delivery.id)),
        voices=(),
        outcome=None,
        ended_by=None,
        closed_by="",
        closed_for="",
        superseded_by="",
        resolved_at=None,
        requirement=None,
        expires_at=None,
        ui=None,
        title="",
        render_digest="",
        reserved=(),
        announced=None,
    )
    await _store_denied(gate, delivery, refused, why)


async def _store_denied(gate: Gate, delivery: Delivery, hold: Hold, why: str) -> None:
    denied = replace(
        hold,
        stage=Stage.HALTED,
        requirement=None,
        expires_at=None,
        reason=why,
        causes=(delivery.id,),
        reserved=(),
    )
    fact = begin(
        Begin(
            cause=delivery.id,
            hold=denied,
            verdict=VerdictKind.DENY,
            nonce=clock.new_nonce(),
            at=clock.now(),
        )
    )
    try:
        await gate.holds.append(fact, 0)
    except ConflictError:
        log.info("changed_call_exists", hold_id=hold.hold_id)


def _action_of(hold: Hold) -> Action:
    if hold.action is None:
        raise ValueError("A sentence has no arguments to change.")
    return hold.action
