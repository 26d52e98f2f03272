"""Chains of agents at run time: a dispatch opens the way to the agent it is to, its answer ends it.

One that is not answered lapses once it is older than a yes is good, and once that time has passed
since the last call under it ended: until then its agent may wait for people. What becomes of those
calls is told to its caller, whether or not the agent does.

Everything stands in the gate's own facts: the hold of a dispatch says whom it is to and by which
chain of agents it came, and its run's first fact ends it, whether `finished` or `barred`.
"""

from dataclasses import dataclass
from datetime import timedelta

from holdpoint.core.dispatch import chain_below, opens_for, why_outside
from holdpoint.core.objections import valid_until
from holdpoint.gate.calls_under import calls_under, listed, standings
from holdpoint.gate.context import Gate, RefusedError
from holdpoint.gate.runs import is_let_go, lapse, load_run, sweep_lane
from holdpoint.messages.action import Action
from holdpoint.messages.call import Phase, Propose, Trace
from holdpoint.messages.catalog import AGENTS_DOMAIN, DISPATCH
from holdpoint.messages.hold import Hold, Passed, Resumed, Witnessed
from holdpoint.messages.run import Finished, RunStatus
from holdpoint.messages.subjects import HOLDS, command_id, stream
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.errors import ConflictError, SignatureError
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.history import LoadedHold, hold_fact
from holdpoint.runtime.store.journal import Revision, Stored

LONGEST_OPEN = timedelta(hours=23)
"""The bus keeps a dispatch that nobody had to confirm for a day: its end has to come before."""

NOT_ANSWERED = (
    "{agent} did not answer in time, and made no call for it. Does a program run as this agent?"
)
NO_LAST_WORD = "{agent} did not answer in time. Its calls: {calls}."
STILL_OPEN = "Not finished: {calls}."
NOT_OPEN = (
    "`dispatched_by` names no open dispatch to {agent}: it was never let go, it is to another "
    "agent, or it has ended."
)


@dataclass(frozen=True, kw_only=True)
class Chain:
    """The agents from the one that a user faces down to the one that acts, and what is wrong."""

    agents: tuple[str, ...]
    why: str = ""
    """Why the one that acts may not; empty where nothing is wrong so far."""


async def chain_of(gate: Gate, agent: str, call: Propose) -> Chain:
    """Return the chain by which an agent acts, as the gate's own facts say it."""
    if not call.dispatched_by:
        return Chain(agents=(agent,))
    above = await _open_dispatch(gate, agent, call.dispatched_by)
    if above is None:
        return Chain(agents=(agent,), why=NOT_OPEN.format(agent=agent))
    chain = chain_below(above.hold, agent)
    for _ in range(gate.depth_bound):
        if not above.hold.dispatched_by:
            return Chain(agents=chain)
        caller = above.hold.agent
        above = await _open_dispatch(gate, caller, above.hold.dispatched_by)
        if above is None:
            return Chain(agents=chain, why=f"The dispatch to {caller} has ended.")
    return Chain(agents=chain)


def why_denied(gate: Gate, chain: Chain, action: Action) -> str:
    """Return why the access matrix does not allow the action; empty where it does."""
    dispatches = action.arguments if action.tool == DISPATCH else None
    return chain.why or why_outside(chain.agents, dispatches, gate.agents, gate.depth_bound)


async def answer(gate: Gate, delivery: Delivery, agent: str, trace: Trace) -> None:
    """End the dispatch that a closed node answers: the caller receives the output."""
    if not trace.dispatched_by or trace.phase is not Phase.CLOSED:
        return
    above = await _dispatch(gate, agent, trace.dispatched_by)
    if above is None:
        raise RefusedError("not_dispatched", NOT_OPEN.format(agent=agent), trace.dispatched_by)
    try:
        finished = _finished(delivery, above, trace, await _still_open(gate, above))
        await gate.runs.append(finished, above.hold, after=0)
    except ConflictError:
        run = await load_run(gate, above.hold)
        if run is None or run.fact.cause != delivery.id:
            text = "This dispatch has ended before: its answer does not count."
            raise RefusedError("already_closed", text, trace.dispatched_by) from None


async def sweep(gate: Gate) -> None:
    """Let lapse what was not answered in time."""
    await sweep_lane(gate, AGENTS_DOMAIN, lambda found: _is_settled(gate, found))


async def _is_settled(gate: Gate, found: Stored) -> bool:
    """Let a dispatch lapse whose time is over; whether nothing more will come of it."""
    fact = hold_fact(found.message)
    hold = fact.hold
    if not gate.journal.reader.counts(found) or not is_let_go(fact):
        return True
    if not await gate.runs.has_begun(hold):
        if clock.now() <= valid_until(hold):
            return False
        why = await _why_over(gate, hold, found.seq)
        if not why:
            return False
        await lapse(gate, hold, command_id(stream(gate.tenant, HOLDS), found.seq), why)
    gate.called_under.pop(hold.hold_id, None)
    return True


async def _why_over(gate: Gate, hold: Hold, seq: Revision) -> str:
    """Return why a dispatch that was not answered is over; empty while its agent may go on."""
    agent = hold.action.arguments.get("target_agent") if hold.action else ""
    known = await calls_under(gate, hold, seq)
    is_late = clock.now() > hold.proposed_at + LONGEST_OPEN
    if not known.hold_ids:
        return NOT_ANSWERED.format(agent=agent) if known.is_complete or is_late else ""
    calls = await standings(gate, known)
    since = max((it.at for it in calls), default=hold.proposed_at)
    grace = timedelta(seconds=hold.valid_for_s)
    is_over = known.is_complete and all(it.is_over for it in calls)
    is_quiet = is_over and clock.now() > since + grace
    return NO_LAST_WORD.format(agent=agent, calls=listed(calls)) if is_quiet or is_late else ""


async def _open_dispatch(gate: Gate, agent: str, hold_id: str) -> LoadedHold | None:
    """The dispatch of this id, if it is to this agent, was let go and has not ended."""
    loaded = await _dispatch(gate, agent, hold_id)
    if loaded is None or await gate.runs.has_begun(loaded.hold):
        return None
    return loaded


async def _dispatch(gate: Gate, agent: str, hold_id: str) -> LoadedHold | None:
    try:
        loaded = await gate.holds.load("*", hold_id)
    except SignatureError:
        return None
    return loaded if loaded is not None and opens_for(loaded.hold, agent) else None


async def _still_open(gate: Gate, above: LoadedHold) -> str:
    """Return which calls under a dispatch its answer comes before, in words; empty for none."""
    known = await calls_under(gate, above.hold, above.seq)
    gate.called_under.pop(above.hold.hold_id, None)
    calls = [it for it in await standings(gate, known) if not it.is_over]
    return STILL_OPEN.format(calls=listed(calls)) if calls else ""


def _finished(delivery: Delivery, above: LoadedHold, trace: Trace, still_open: str) -> Finished:
    hold, fact = above.hold, above.fact
    said = trace.output.get("text", "")
    text = "\n".join(filter(None, (said if isinstance(said, str) else "", still_open)))
    grant = fact.grant if isinstance(fact, Passed | Witnessed | Resumed) else None
    return Finished(
        hold_id=hold.hold_id,
        digest=hold.digest,
        cause=delivery.id,
        held=hold.requirement is not None,
        nonce=grant.nonce if grant else "",
        status=RunStatus.FAILED if trace.exception else RunStatus.DONE,
        data=trace.output,
        formatted=text,
        message_for_user=text,
        error=trace.exception,
        executed=_executed(hold),
        call=hold.causes[0],
        call_digest=hold.call_digest,
    )


def _executed(hold: Hold) -> dict[str, object] | None:
    action = hold.action
    return {"tool": action.tool, "arguments": action.arguments} if action else None
