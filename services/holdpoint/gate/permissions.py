"""Remembered permissions: given with a yes, taken back by an order, counted before a call passes.

A use is written to STATE by compare-and-set before the call's fact, so that any number of gates
never let more pass than a person allowed. What cannot be read or counted asks people.
"""

import dataclasses

import msgspec
import structlog

from holdpoint.core.card_title import title_of
from holdpoint.core.denials import RULE as DENIED_BEFORE
from holdpoint.core.permissions import (
    MOST,
    Candidate,
    Yes,
    added,
    given,
    is_full,
    refusal,
    revoked,
    used,
)
from holdpoint.core.verdict import Verdict
from holdpoint.gate.announcements import with_sentence
from holdpoint.gate.context import Gate, RefusedError, check_reason
from holdpoint.gate.first_fact import Draft
from holdpoint.gate.plan_steps import with_plan
from holdpoint.gate.policy import current_basis
from holdpoint.messages.answer import Answer, Choice, Remember
from holdpoint.messages.hold import Hold, Outcome, Permitted
from holdpoint.messages.policy import VerdictKind
from holdpoint.messages.state import PermissionState, RevokePermission
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.errors import ConflictError, HoldpointError

log = structlog.get_logger(__name__)

NOTHING = PermissionState(by="", cause="")
BAD_PERMISSION = "bad_permission"


async def asked_once(gate: Gate, delivery: Delivery, draft: Draft) -> Draft:
    """The draft beside what was said before: by the yes to its sentence, or by a permission.

    A call that names its sentence is asked about with it; one that names a plan is a step of that.
    """
    if draft.plan:
        return await with_plan(gate, delivery, draft)
    told = await with_sentence(gate, delivery, draft)
    return told if told.announced is not None else await _permitted(gate, delivery, told)


async def _permitted(gate: Gate, delivery: Delivery, draft: Draft) -> Draft:
    call = _candidate(delivery, draft)
    if call is None:
        return draft
    try:
        permitted = await _counted(gate, call)
    except HoldpointError as why:
        log.warning("permission_not_counted", hold_id=draft.hold_id, why=str(why))
        return draft
    if permitted is None:
        return draft
    reason = (
        f"Allowed by {permitted.by}: permission {permitted.permission_id}, "
        f"use {permitted.use} of {permitted.uses}."
    )
    verdict = Verdict(kind=VerdictKind.PASS, level=draft.verdict.level, reason=reason)
    metadata = msgspec.structs.replace(draft.metadata, confirmation_required=False)
    return dataclasses.replace(draft, verdict=verdict, metadata=metadata, permitted=permitted)


def _candidate(delivery: Delivery, draft: Draft) -> Candidate | None:
    verdict, action = draft.verdict, draft.action
    if verdict.kind is not VerdictKind.HOLD or verdict.requirement is None or action is None:
        return None
    if any(signal.rule == DENIED_BEFORE for signal in draft.assessment.signals):
        return None
    return Candidate(
        cause=delivery.id,
        at=delivery.at,
        action=action,
        level=verdict.level,
        requirement=verdict.requirement,
        assessment=draft.assessment,
        thresholds=draft.basis.policy.thresholds,
    )


async def _counted(gate: Gate, call: Candidate) -> Permitted | None:
    """Count the use where it is stored, and only then let the call pass."""
    agent = call.action.agent
    while True:
        stands = await gate.states.permissions(agent)
        state = stands.state or NOTHING
        found = used(state, call)
        if found is None:
            return None
        try:
            if found.state != state:
                await gate.states.set_permissions(agent, found.state, after=stands.revision)
        except ConflictError:
            continue
        return found.permitted


async def check_remembered(
    gate: Gate, delivery: Delivery, answer: Answer, agent: str, person: str
) -> None:
    """Refuse a yes that asks to be remembered where it cannot be, before it counts."""
    wanted = answer.remember
    if wanted is None:
        return
    loaded = await gate.holds.load(agent, answer.hold_id)
    if loaded is None:
        return
    why = refusal(loaded.hold, gate.tool_of(loaded.hold), person, wanted)
    if answer.answer is not Choice.PROCEED:
        why = "Only a yes can be remembered."
    if answer.on_behalf_of:
        why = "A yes in somebody else's place is not remembered."
    why = why or await _too_many(gate, delivery, agent)
    if why:
        text = f"{why} Answer without it."
        raise RefusedError(BAD_PERMISSION, text, answer.hold_id)


async def _too_many(gate: Gate, delivery: Delivery, agent: str) -> str:
    state = (await gate.states.permissions(agent)).state or NOTHING
    if delivery.id in state.settled or not is_full(state, delivery.at):
        return ""
    return f"{agent} has {MOST} permissions already. Take one back: holdpoint permissions revoke."


async def remember(
    gate: Gate, delivery: Delivery, hold: Hold, person: str, wanted: Remember
) -> None:
    """Keep the permission that came with a yes, once that yes confirmed the hold by itself."""
    alone = hold.outcome is Outcome.CONFIRMED and [it.person for it in hold.voices] == [person]
    if not alone or delivery.id not in hold.causes:
        return
    thresholds = (await current_basis(gate)).policy.thresholds
    title = hold.title or title_of(hold, gate.tool_of(hold))
    yes = Yes(cause=delivery.id, at=delivery.at, person=person, wanted=wanted)
    permission = given(hold, yes, thresholds, title)
    while True:
        stands = await gate.states.permissions(hold.agent)
        state = stands.state or NOTHING
        if delivery.id in state.settled:
            return
        if is_full(state, delivery.at):
            log.warning("permission_not_given", hold_id=hold.hold_id, by=person)
            return
        more = added(state, permission, delivery.at)
        try:
            await gate.states.set_permissions(hold.agent, more, after=stands.revision)
        except ConflictError:
            continue
        log.info("permission_given", permission_id=permission.permission_id, by=person)
        return


async def revoke(gate: Gate, delivery: Delivery, person: str, order: RevokePermission) -> None:
    """Revoke a permission, as the person who gave it or as an admin."""
    check_reason(order.reason)
    if order.agent not in gate.agents:
        raise RefusedError("unknown_agent", f"agents.yaml does not know {order.agent!r}.")
    while True:
        stands = await gate.states.permissions(order.agent)
        state = stands.state or NOTHING
        if delivery.id in state.settled:
            return
        found = [it for it in state.permissions if it.permission_id == order.permission_id]
        if not found:
            text = f"{order.agent} has no permission {order.permission_id!r}."
            raise RefusedError("unknown_permission", text)
        if found[0].by != person and not gate.people[person].admin:
            text = f"Only {found[0].by}, who gave it, or an admin takes it back."
            raise RefusedError("not_an_admin", text)
        left = revoked(state, order.permission_id, person, delivery.id)
        try:
            await gate.states.set_permissions(order.agent, left, after=stands.revision)
        except ConflictError:
            continue
        log.info("permission_revoked", permission_id=order.permission_id, by=person)
        return
