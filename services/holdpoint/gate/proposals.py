"""A proposal: resolved, planned, assessed and judged."""

import asyncio
import dataclasses
from dataclasses import dataclass
from datetime import datetime

import msgspec

from holdpoint.core.ask_tools import is_ask_only
from holdpoint.core.digest import action_digest, hold_id, money_as_text
from holdpoint.core.responses import CANNOT_RUN
from holdpoint.core.risk import Context, assess, metadata_of, trees_of, why_steered, why_too_much
from holdpoint.core.tallies import due, marks, trails
from holdpoint.core.verdict import (
    Facts,
    Verdict,
    judge,
    killed_by,
    level_of,
    needs_plan,
)
from holdpoint.gate.call_chains import Chain, chain_of, why_denied
from holdpoint.gate.context import Gate, RefusedError, check_confidence
from holdpoint.gate.denials import check_back_off, with_denials
from holdpoint.gate.first_fact import Draft, open_hold
from holdpoint.gate.idempotency import check_first, is_first, key_of
from holdpoint.gate.identity import principal_of
from holdpoint.gate.permissions import asked_once
from holdpoint.gate.policy import Basis, current_basis
from holdpoint.gate.tallies import brought_before, reserve
from holdpoint.messages.action import DESCRIBING, Action, Plan
from holdpoint.messages.ask import JUDGED_BY_S, AskPlan, PlanAnswer
from holdpoint.messages.base import MAX_ARGUMENTS_BYTES, MAX_REASONING_BYTES, Event, JsonObject
from holdpoint.messages.call import Propose
from holdpoint.messages.catalog import READ_LEVEL, Tool
from holdpoint.messages.policy import Policy, VerdictKind
from holdpoint.messages.risk import Assessment, IntentMetadata
from holdpoint.messages.state import Flag
from holdpoint.messages.subjects import ask_plan_subject
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.broker.request_reply import ask
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.process import clock

PLAN_WAIT_S = JUDGED_BY_S - 1.0
"""A worker that was restarted is back by then. No plan by then is no plan: one level up."""

PLAN_TRY_S = 2.0
"""Longer than a dry run takes: a worker that died with the question answers no more."""

PLAN_PAUSE_S = 0.1
"""Between two questions: where nobody listens, the first is over at once."""

MOST_PATIENT = 32
"""Calls that wait at once for a domain's worker that is away; the next are told so at once, so
that hands stay free for calls to other workers."""


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A call that was read: the action it asks for, and the hold it opens or repeats."""

    agent: str
    call: Propose
    tool: Tool
    action: Action
    hold_id: str
    digest: str
    event_id: str
    """The key of a call that gave none."""
    chain: Chain


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A proposal with its verdict, and what the verdict rests on."""

    draft: Draft
    facts: Facts
    context: Context


async def propose(gate: Gate, delivery: Delivery, agent: str, event: Event, call: Propose) -> None:
    """Turn a call into the one fact that its verdict leads to."""
    proposal = proposal_of(gate, agent, event, call)
    if not await check_first(gate, delivery, agent, proposal.hold_id, proposal.digest):
        return
    judged = await judged_alone(gate, delivery, proposal)
    try:
        check_possible(judged)
    except RefusedError:
        if await is_first(gate, delivery, agent, proposal.hold_id, proposal.digest):
            raise
        return
    check_back_off(gate, judged.draft, delivery.at)
    await open_judged(gate, delivery, judged)


async def judged_alone(gate: Gate, delivery: Delivery, proposal: Proposal) -> Judged:
    """Judge a proposal that is not written yet, with its dry run and its chain of agents."""
    agent = proposal.agent
    if proposal.call.dispatched_by:
        chain = await chain_of(gate, agent, proposal.call)
        proposal = dataclasses.replace(proposal, chain=chain)
    is_read = proposal.tool.by_risk and await _is_read(gate, proposal, len(delivery.data))
    plan = None if is_read else await _plan(gate, proposal.tool, proposal.action)
    async with gate.turns.of(agent, len(delivery.data)):
        basis = await current_basis(gate)
        return judged_by(gate, proposal, plan, basis, delivery.at)


async def open_judged(gate: Gate, delivery: Delivery, judged: Judged) -> None:
    """Write the first fact of what was judged."""
    await _open(gate, delivery, judged.draft, judged.facts, judged.context)


def proposal_of(gate: Gate, agent: str, event: Event, call: Propose) -> Proposal:
    """Read a call against the catalog. Raises RefusedError when it fits no tool."""
    return proposal_under(gate, agent, call, hold_of(gate, agent, event, call), event.id)


def proposal_under(gate: Gate, agent: str, call: Propose, hold: str, event_id: str) -> Proposal:
    """Read a proposal under a known hold id. Raises RefusedError when it fits no tool."""
    tool = _tool(gate, call)
    _check_fields(call)
    action = _action(gate, agent, tool, call)
    return Proposal(
        agent=agent,
        call=call,
        tool=tool,
        action=action,
        hold_id=hold,
        digest=action_digest(action),
        event_id=event_id,
        chain=Chain(agents=(agent,)),
    )


def judged_by(
    gate: Gate, proposal: Proposal, plan: Plan | None, basis: Basis, at: datetime
) -> Judged:
    """Assess and judge. Raises RefusedError when that takes a dry run that nobody made."""
    call, tool = proposal.call, proposal.tool
    _check_name(gate, proposal, basis)
    planned = _with_preconditions(proposal.action, plan)
    context = _context(gate, proposal.agent, tool, plan, call)
    facts = _facts(gate, proposal, planned, context, basis)
    _check_planned(facts, basis.policy)
    verdict = judge(facts, basis.policy)
    is_same = planned is proposal.action
    draft = Draft(
        agent=proposal.agent,
        on_behalf_of=planned.on_behalf_of,
        hold_id=proposal.hold_id,
        digest=proposal.digest if is_same else action_digest(planned),
        call_digest=proposal.digest,
        assessment=facts.assessment,
        metadata=_metadata(facts.assessment, verdict),
        verdict=verdict,
        basis=basis,
        says=call.reasoning,
        idempotency_key=call.idempotency_key or proposal.event_id,
        claim={},
        deadline=call.deadline,
        intent=call.intent,
        plan=call.plan,
        action=planned,
        tool=tool,
        chain=proposal.chain.agents if call.dispatched_by else (),
        dispatched_by=call.dispatched_by,
        lineage=call.lineage,
    )
    return Judged(draft=with_denials(gate, draft, facts, at), facts=facts, context=context)


def _check_name(gate: Gate, proposal: Proposal, basis: Basis) -> None:
    """Refuse an old name, or a tool that only asks, while those are off; the text says why."""
    said, name = proposal.call.tool, proposal.tool.name
    if Flag.LEGACY_ALIASES in basis.flags_off and gate.catalog.naming.aliases.get(said) == name:
        text = f"{said} is an old name, and old names are switched off: call {name}."
        raise RefusedError("old_name", text)
    if Flag.LEGACY_ASK in basis.flags_off and is_ask_only(name, proposal.tool.domain):
        text = f"{name} only asks a person: call the tool itself, which waits for a confirmation."
        raise RefusedError("ask_removed", text)


def is_counted(judged: Judged) -> bool:
    """Return whether the verdict also depends on tallies or on untrusted content from before."""
    policy, context, draft = judged.draft.basis.policy, judged.context, judged.draft
    if draft.action is None:
        return False
    return bool(
        due(draft.action, context, draft.assessment, policy)
        or marks(draft.action, context, policy)
        or trails(draft.action, context, policy)
    )


def _context(gate: Gate, agent: str, tool: Tool, plan: Plan | None, call: Propose) -> Context:
    """Return what the call is assessed with: its tool, its dry run, and the agent's own words."""
    return Context(
        tool=tool,
        plan=plan,
        reasoning=call.reasoning,
        confidence=call.confidence,
        taint=call.taint,
        taint_source=call.taint_source,
        trees=trees_of(gate.agents[agent], call.lineage.group_id),
    )


def _facts(gate: Gate, proposal: Proposal, action: Action, context: Context, basis: Basis) -> Facts:
    """Return what the verdict rests on. No caller of the agent may be stopped either."""
    tool, chain = proposal.tool, proposal.chain
    kills = (killed_by(basis.kills.stopped, each) for each in reversed(chain.agents))
    return Facts(
        agent=gate.agents[action.agent],
        tool=tool,
        assessment=assess(action, context, basis.policy),
        planned=context.plan is not None or not tool.plans,
        killed=next(filter(None, kills), ""),
        outside=why_denied(gate, chain, action),
    )


async def _open(
    gate: Gate, delivery: Delivery, draft: Draft, facts: Facts, context: Context
) -> None:
    """Open a hold; its sums are counted before it is let go, and a denied call adds nothing."""
    policy, action, found = draft.basis.policy, draft.action, draft.assessment
    denied = draft.verdict.kind is VerdictKind.DENY
    if action is None or denied:
        await open_hold(gate, delivery, draft)
        return
    added = (*due(action, context, found, policy), *marks(action, context, policy))
    looked = trails(action, context, policy)
    if not added and not looked:
        await open_hold(gate, delivery, await asked_once(gate, delivery, draft))
    elif await _is_uncounted(gate, delivery, draft):
        told = await reserve(gate, added, delivery.id, delivery.at)
        brought = await brought_before(gate, looked, delivery.at)
        around = msgspec.structs.replace(context, tallies=told.tallies, brought=brought)
        counted = dataclasses.replace(draft, reserved=told.reserved)
        again = _judged_again(gate, counted, facts, around, delivery.at)
        await _open_counted(gate, delivery, await asked_once(gate, delivery, again))


async def _is_uncounted(gate: Gate, delivery: Delivery, draft: Draft) -> bool:
    """Return whether this call is new, and was not refused before: what that gave back stays so."""
    again = delivery.deliveries > 1
    if again and await gate.holds.refusal(draft.agent, delivery.id) is not None:
        return False
    return await is_first(gate, delivery, draft.agent, draft.hold_id, draft.call_digest)


def _judged_again(gate: Gate, draft: Draft, facts: Facts, around: Context, at: datetime) -> Draft:
    """Return where a sum is too high, untrusted content came in, or nobody knows."""
    policy, action = draft.basis.policy, draft.action
    too_much = (why_too_much(it, policy.thresholds.currency) for it in around.tallies)
    if action is None or not any((*too_much, *map(why_steered, around.brought))):
        return draft
    found = assess(action, around, policy)
    verdict = judge(msgspec.structs.replace(facts, assessment=found), policy)
    metadata = _metadata(found, verdict)
    again = dataclasses.replace(draft, assessment=found, verdict=verdict, metadata=metadata)
    return with_denials(gate, again, facts, at)


async def _open_counted(gate: Gate, delivery: Delivery, draft: Draft) -> None:
    """Open a counted hold; if it is refused after all, what it reserved is given back."""
    try:
        await open_hold(gate, delivery, draft)
    except RefusedError as why:
        why.reserved = draft.reserved
        raise


def _check_planned(facts: Facts, policy: Policy) -> None:
    """A worker's absence is no verdict: nothing is written that a plan could have prevented."""
    if needs_plan(facts, policy):
        text = (
            f"There was no dry run: the worker for {facts.tool.domain} did not answer within "
            f"{PLAN_WAIT_S:.0f} s. Nothing was decided and nothing ran: the same call may be "
            "tried again, with the same key."
        )
        raise RefusedError("no_dry_run", text)


def check_possible(judged: Judged) -> None:
    """Refuse a call that cannot run, before anyone is asked."""
    plan, verdict = judged.context.plan, judged.draft.verdict
    if plan is not None and plan.impossible and verdict.kind is VerdictKind.HOLD:
        raise RefusedError("cannot_run", f"{CANNOT_RUN}{plan.impossible}")


def hold_of(gate: Gate, agent: str, event: Event, call: Propose) -> str:
    """The id of the hold that a proposal opens or repeats."""
    who = principal_of(gate, agent, call.on_behalf_of)
    key = key_of(call.idempotency_key, event.id)
    return hold_id(gate.tenant, agent, who, _tool(gate, call).name, key)


def _tool(gate: Gate, call: Propose) -> Tool:
    tool = gate.catalog.find(call.tool)
    if tool is None:
        text = f"There is no tool {call.tool!r}. `holdpoint tools` lists those that exist."
        raise RefusedError("unknown_tool", text)
    return tool


def _check_fields(call: Propose) -> None:
    if len(msgspec.json.encode(call.arguments)) > MAX_ARGUMENTS_BYTES:
        raise RefusedError("arguments_too_large", "Arguments have at most 64 KiB.")
    if len(call.reasoning.encode()) > MAX_REASONING_BYTES:
        raise RefusedError("reasoning_too_large", "Reasoning has at most 32 KiB.")
    check_confidence(call.confidence)


def _action(gate: Gate, agent: str, tool: Tool, call: Propose) -> Action:
    arguments: JsonObject = money_as_text(call.arguments)
    if wrong := gate.catalog.objection(tool, arguments):
        if missing := gate.catalog.missing(tool, arguments):
            names = ", ".join(f"`{name}` is missing" for name in missing)
            text = f"{tool.name} takes more: {names}. Ask for it, and call again."
            raise RefusedError("missing_arguments", text)
        text = f"The arguments do not fit: {wrong}."
        raise RefusedError("bad_arguments", text)
    return Action(
        tenant=gate.tenant,
        agent=agent,
        on_behalf_of=principal_of(gate, agent, call.on_behalf_of),
        domain=tool.domain,
        tool=tool.name,
        tool_schema_sha256=tool.schema_sha256,
        arguments=arguments,
    )


async def _plan(gate: Gate, tool: Tool, action: Action) -> Plan | None:
    """Return the dry run's result; None where none is due, or no worker answered."""
    if not tool.plans:
        return None
    ends_at = clock.monotonic() + PLAN_WAIT_S
    plan = await _planned(gate, tool, action, PLAN_TRY_S)
    if plan is not None or gate.patient[tool.domain] >= MOST_PATIENT:
        return plan
    gate.patient[tool.domain] += 1
    try:
        while plan is None and (left := ends_at - clock.monotonic()) > 0:
            await asyncio.sleep(PLAN_PAUSE_S)
            plan = await _planned(gate, tool, action, min(PLAN_TRY_S, left))
    finally:
        gate.patient[tool.domain] -= 1
    return plan


async def _is_read(gate: Gate, proposal: Proposal, size: int) -> bool:
    """Return whether what a tool is given to run is proven to only read: that takes no dry run."""
    tool = proposal.tool
    context = _context(gate, proposal.agent, tool, None, proposal.call)
    async with gate.turns.of(proposal.agent, size):
        basis = await current_basis(gate)
        found = assess(proposal.action, context, basis.policy)
    return level_of(tool, found) == READ_LEVEL


async def _planned(gate: Gate, tool: Tool, action: Action, within_s: float) -> Plan | None:
    subject = ask_plan_subject(gate.tenant, tool.domain)
    try:
        answer = await ask(gate.client, subject, AskPlan(action=action), PlanAnswer, within_s)
    except UnavailableError:
        return None
    return answer.plan


def _with_preconditions(action: Action, plan: Plan | None) -> Action:
    """Freeze the plan into the action: the effect compares it in its own transaction."""
    if plan is None:
        return action
    frozen: JsonObject = msgspec.to_builtins(plan)
    known = ("affected", "files", "conditions", *DESCRIBING)
    names = ("files", "conditions", "sample", "summary") if plan.error else known
    kept = {name: frozen[name] for name in names if name in frozen}
    return msgspec.structs.replace(action, preconditions=kept) if set(kept) - {"at"} else action


def _metadata(found: Assessment, verdict: Verdict) -> IntentMetadata:
    asks = verdict.kind is VerdictKind.HOLD
    return msgspec.structs.replace(metadata_of(found), confirmation_required=asks)
