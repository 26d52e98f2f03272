"""The first fact of a hold: what was judged, written with a compare-and-set of its key."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import msgspec

from holdpoint.core.commands import Begin
from holdpoint.core.hold import begin
from holdpoint.core.hours import Asked
from holdpoint.core.objections import LONGEST_PARK
from holdpoint.core.verdict import Verdict
from holdpoint.gate.attention import is_queued
from holdpoint.gate.cards import Picture, picture_of
from holdpoint.gate.context import Gate, RefusedError
from holdpoint.gate.hours import asked_from
from holdpoint.gate.idempotency import is_first
from holdpoint.gate.lifecycle import go_on, store
from holdpoint.gate.policy import Basis, check_lease
from holdpoint.messages.action import Action
from holdpoint.messages.base import MAX_MESSAGE_BYTES, JsonObject
from holdpoint.messages.call import Lineage
from holdpoint.messages.catalog import HOST_DOMAIN, Enforcement, Tool
from holdpoint.messages.codec import encode
from holdpoint.messages.envelope import TOO_MANY_HOLDS
from holdpoint.messages.hold import (
    Announced,
    AnyHoldFact,
    Denied,
    Halted,
    Hold,
    Modified,
    Permitted,
    PlanStep,
    Requirement,
    Reserved,
    Stage,
)
from holdpoint.messages.policy import VerdictKind
from holdpoint.messages.risk import Assessment, IntentMetadata
from holdpoint.messages.state import OpenHold
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.errors import ConflictError, HoldpointError
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.history import LoadedHold, is_kept

FRAME_BYTES = 8 * 1024
"""Room for what later facts add to a hold: voices, causes, reasons, the frame."""

LARGEST_BYTES = MAX_MESSAGE_BYTES - FRAME_BYTES
"""Of a hold's first fact."""


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A call that was judged."""

    agent: str
    on_behalf_of: str
    hold_id: str
    digest: str
    call_digest: str
    assessment: Assessment
    metadata: IntentMetadata
    verdict: Verdict
    basis: Basis
    says: str
    idempotency_key: str
    claim: JsonObject
    deadline: datetime | None
    action: Action | None = None
    tool: Tool | None = None
    reserved: tuple[Reserved, ...] = ()
    intent: str = ""
    """The hold of the sentence that the agent names."""

    announced: Announced | None = None
    chain: tuple[str, ...] = ()
    dispatched_by: str = ""
    lineage: Lineage
    permitted: Permitted | None = None
    modified: Modified | None = None
    """The call that a person changed into this one; its hold was paid for."""

    plan: str = ""
    """The hold of the plan that the agent names."""

    steps: tuple[PlanStep, ...] = ()
    """Of a plan."""

    valid_for_s: int = 0
    """How long a yes is good, where the policy does not say it."""

    queued: bool = False
    """Whether it waits for its turn to be asked about."""


async def open_hold(gate: Gate, delivery: Delivery, draft: Draft) -> None:
    """Write the verdict's fact; somebody who was first with the same key makes this a repeat.

    What runs unasked rests on what stands within the lease of `runtime/store/state.py`.
    """
    if await _is_queued(gate, delivery, draft):
        draft = replace(draft, queued=True)
    fact = first_fact(gate, delivery, draft)
    picture = picture_of(gate, fact.hold) if isinstance(fact, Halted) else None
    size = _size(fact, picture)
    async with gate.turn(draft.hold_id):
        if is_kept(fact) and not await _is_covered(gate, delivery, draft, size):
            return
        if not isinstance(fact, Denied | Halted):
            await check_lease(gate, draft.basis)
        try:
            stands = await _stored(gate, delivery, fact, picture, size)
        except ConflictError:
            await is_first(gate, delivery, draft.agent, draft.hold_id, draft.call_digest)
        else:
            await go_on(gate, stands, delivery.at, picture)


async def _is_queued(gate: Gate, delivery: Delivery, draft: Draft) -> bool:
    """Return whether it waits for its turn. What nobody is asked about takes no attention, and
    what a person changed takes the place of what they saw.
    """
    most, asked = draft.basis.policy.most_open, draft.verdict.requirement
    vouched = draft.announced is not None and bool(draft.announced.voices)
    unasked = draft.verdict.kind is not VerdictKind.HOLD or vouched or draft.modified is not None
    if not most or asked is None or unasked:
        return False
    new = OpenHold(
        hold_id=draft.hold_id,
        call_digest=draft.call_digest,
        groups=tuple(dict.fromkeys(each.group for each in asked.all_of)),
        at=delivery.at,
    )
    return await is_queued(gate, draft.agent, new, most, delivery.id)


async def _is_covered(gate: Gate, delivery: Delivery, draft: Draft, size: int) -> bool:
    """Take a hold from the agent's budget; False where this call was judged before.

    Raises RefusedError where the budget does not cover it. A repeat is told as one.
    """
    if draft.modified is not None:
        return True
    wait_s = gate.budgets.take_hold(draft.agent, size, delivery.at)
    if not wait_s:
        return True
    if not await is_first(gate, delivery, draft.agent, draft.hold_id, draft.call_digest):
        return False
    text = gate.budgets.too_many_holds(draft.agent)
    raise RefusedError(TOO_MANY_HOLDS, text, draft.hold_id, retry_after_s=wait_s)


async def _stored(
    gate: Gate, delivery: Delivery, fact: AnyHoldFact, picture: Picture | None, size: int
) -> LoadedHold:
    """Write it; what is not stored costs nothing."""
    try:
        return await store(gate, fact, 0, delivery.at, picture)
    except HoldpointError:
        if is_kept(fact) and fact.hold.modified is None:
            gate.budgets.give_back_hold(fact.hold.agent, size)
        raise


def first_fact(gate: Gate, delivery: Delivery, draft: Draft) -> AnyHoldFact:
    """The fact that the verdict leads to."""
    hold = hold_of(gate, delivery, draft)
    kind = draft.verdict.kind
    nonce = clock.new_nonce()
    return begin(Begin(cause=delivery.id, hold=hold, verdict=kind, nonce=nonce, at=clock.now()))


def hold_of(gate: Gate, delivery: Delivery, draft: Draft) -> Hold:
    """Return the hold of a call as it was judged."""
    verdict = draft.verdict
    asked = _asked(gate, draft, delivery.at) if verdict.kind is VerdictKind.HOLD else None
    times = None if draft.queued else asked
    return Hold(
        hold_id=draft.hold_id,
        tenant=gate.tenant,
        agent=draft.agent,
        on_behalf_of=draft.on_behalf_of,
        stage=Stage.HALTED,
        level=verdict.level,
        digest=draft.digest,
        call_digest=draft.call_digest,
        idempotency_key=draft.idempotency_key,
        policy=draft.basis.ref,
        assessment=draft.assessment,
        metadata=draft.metadata,
        proposed_at=delivery.at,
        action=draft.action,
        says=draft.says,
        claim=draft.claim,
        announced=draft.announced,
        permitted=draft.permitted,
        modified=draft.modified,
        requirement=verdict.requirement if asked else None,
        witnesses=_witnesses(draft),
        expires_at=_deadline(asked.begins, draft, delivery.at) if asked else None,
        queued=draft.queued,
        asked_from=times.begins if times and times.begins > delivery.at else None,
        escalates_at=times.escalates if times else None,
        steps=draft.steps,
        valid_for_s=draft.valid_for_s or draft.basis.policy.valid_for_s,
        grant_s=draft.basis.policy.grant_s,
        reason=verdict.reason,
        reserved=draft.reserved,
        chain=draft.chain,
        dispatched_by=draft.dispatched_by,
        lineage=draft.lineage,
        enforcement=_enforcement(draft),
        causes=(delivery.id,),
    )


def _enforcement(draft: Draft) -> Enforcement:
    """Return what keeps it from running: each step of a plan is a call with a grant of its own."""
    if draft.tool is not None:
        return draft.tool.enforcement
    by_host = any(it.action.domain == HOST_DOMAIN for it in draft.steps)
    is_structural = draft.steps and not by_host
    return Enforcement.STRUCTURAL if is_structural else Enforcement.COOPERATIVE


def _witnesses(draft: Draft) -> tuple[str, ...]:
    """Return the groups told of a witnessed action: those that the level names, or all."""
    if draft.verdict.kind is not VerdictKind.WITNESS or draft.verdict.requirement is None:
        return ()
    named = tuple(each.group for each in draft.verdict.requirement.all_of)
    return named or tuple(sorted(draft.basis.policy.groups))


def _asked(gate: Gate, draft: Draft, at: datetime) -> Asked:
    """Return when its people are asked: now, or in their hours."""
    asked = draft.verdict.requirement or Requirement(level=draft.verdict.level)
    return asked_from(gate, asked, draft.agent, draft.on_behalf_of, at)


def _deadline(since: datetime, draft: Draft, at: datetime) -> datetime:
    """The policy's deadline; an agent may ask for an earlier one, never for a later one."""
    latest = since + timedelta(seconds=draft.verdict.deadline_s)
    latest = min(latest, at + LONGEST_PARK) if since > at else latest
    latest = at + LONGEST_PARK if draft.queued else latest
    asked = max(at, draft.deadline) if draft.deadline else latest
    return min(latest, asked).astimezone(UTC)


def check_size(gate: Gate, fact: AnyHoldFact) -> None:
    """Refuse what cannot be shown to a person whole."""
    _size(fact, picture_of(gate, fact.hold) if isinstance(fact, Halted) else None)


def _size(fact: AnyHoldFact, picture: Picture | None) -> int:
    """In bytes. What cannot be shown whole is not asked about: nothing is cut."""
    size = len(encode(fact)) + (len(msgspec.json.encode(picture)) if picture else 0)
    if size > LARGEST_BYTES:
        text = "This is too large to be shown to a person whole. Send less in one call."
        raise RefusedError("too_large", text, fact.hold.hold_id)
    return size
