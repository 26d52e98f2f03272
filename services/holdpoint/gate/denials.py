"""Denial memory at the gate: written before the no itself, read with the kill switch's lease."""

import dataclasses
from datetime import datetime

from msgspec.structs import replace

from holdpoint.core.commands import Cancel
from holdpoint.core.denials import (
    asked_of,
    back_off_s,
    denial_of,
    remembered,
    with_denial,
    with_memory,
)
from holdpoint.core.objections import objection as objected
from holdpoint.core.risk import metadata_of
from holdpoint.core.verdict import Facts, asking, judge, level_of
from holdpoint.gate.context import Gate, RefusedError
from holdpoint.gate.first_fact import Draft
from holdpoint.messages.catalog import READ_LEVEL
from holdpoint.messages.policy import VerdictKind
from holdpoint.messages.state import DenialState
from holdpoint.runtime.errors import ConflictError
from holdpoint.runtime.process import clock

BACKING_OFF = "backing_off"


async def remember(gate: Gate, agent: str, hold_id: str, no: Cancel, at: datetime) -> None:
    """Keep what a person is about to cancel: its agent hears of it only afterwards.

    A no that will not count is not remembered.
    """
    loaded = await gate.holds.load(agent, hold_id)
    if loaded is None or no.cause in loaded.hold.causes or objected(loaded.hold, no, at):
        return
    basis = await gate.states.in_force()
    policy = gate.policy or (
        await gate.states.policy(basis.policy.state.digest) if basis.policy.state else None
    )
    window_s = policy.denials_s if policy else 0
    if not window_s:
        return
    made = denial_of(loaded.hold, tree_of(gate, agent), no.by, at)
    denial = replace(made, seat=no.on_behalf_of)
    while True:
        stands = await gate.states.denials()
        before = stands.state.denials if stands.state else ()
        if any(it.hold_id == hold_id for it in before):
            return
        state = DenialState(denials=with_denial(before, denial, window_s), by=no.by, cause=no.cause)
        try:
            await gate.states.set_denials(state, after=stands.revision)
        except ConflictError:
            continue
        break
    await gate.states.in_force(clock.monotonic())


def tree_of(gate: Gate, agent: str) -> str:
    """The root of its tree: rephrasing is no other for being done by a sub-agent."""
    known = gate.agents.get(agent)
    return known.tree or agent if known else agent


def check_back_off(gate: Gate, draft: Draft, at: datetime) -> None:
    """Refuse to ask people again right after they cancelled so much of the same agents."""
    policy, tree = draft.basis.policy, tree_of(gate, draft.agent)
    if draft.verdict.kind is not VerdictKind.HOLD:
        return
    made, after = draft.basis.denials, policy.back_off_after
    if wait_s := back_off_s(made, tree, at, policy.denials_s, after):
        text = (
            f"People cancelled much of what {draft.agent} asked, so nobody is asked again for "
            f"{wait_s:.0f} s. Nothing ran: the same call may be made then, with the same key."
        )
        raise RefusedError(BACKING_OFF, text, draft.hold_id, retry_after_s=wait_s)


def with_denials(gate: Gate, draft: Draft, facts: Facts, at: datetime) -> Draft:
    """The draft, which asks people where one of them cancelled the same lately."""
    policy, action = draft.basis.policy, draft.action
    if action is None or not draft.basis.denials or draft.verdict.kind is VerdictKind.DENY:
        return draft
    found = draft.assessment
    asked = asked_of(
        action, found, draft.hold_id, tree_of(gate, draft.agent), draft.call_digest, at
    )
    changes = level_of(facts.tool, found) > READ_LEVEL
    denial = remembered(draft.basis.denials, asked, at, policy.denials_s, changes=changes)
    if denial is None:
        return draft
    seen = with_memory(found, denial, at)
    verdict = asking(judge(replace(facts, assessment=seen), policy), policy)
    held = verdict.kind is VerdictKind.HOLD
    metadata = replace(metadata_of(seen), confirmation_required=held)
    return dataclasses.replace(draft, assessment=seen, verdict=verdict, metadata=metadata)
