"""Calls that pass, judged together: all are read, then all assessed, then all signed and sent.

A step's code and tables stay in the processor's caches that way. Taken are first deliveries of
proposals for tools of level 1 or 2 without a dry run, judged by what the leader said within the
lease, whose verdict is to pass and depends on no sum and no history. Every other call, every error
and every conflict is left to `on_call`, which begins from the beginning.
"""

import asyncio
from collections.abc import Sequence
from functools import partial

from holdpoint.gate.context import Gate, RefusedError
from holdpoint.gate.first_fact import LARGEST_BYTES, first_fact
from holdpoint.gate.policy import Basis, leased_basis
from holdpoint.gate.proposals import Judged, Proposal, is_counted, judged_by, proposal_of
from holdpoint.messages.call import Propose
from holdpoint.messages.catalog import Tool
from holdpoint.messages.codec import UnreadableError, check_strict, decode_data, decode_event
from holdpoint.messages.hold import AnyHoldFact
from holdpoint.messages.policy import VerdictKind
from holdpoint.messages.subjects import TYPES
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.broker.pulls import Drawing
from holdpoint.runtime.errors import HoldpointError
from holdpoint.runtime.store.history import LONG_LIVED_LEVEL
from holdpoint.runtime.store.journal import Append

WORD = "propose"


def pass_together(gate: Gate, deliveries: Sequence[Delivery], drawing: Drawing) -> None:
    """Write the facts of those calls that pass; hand back all others that the budget covers.

    The calls are one agent's. More than a few at once wait for that agent's pace.
    """
    covered = [it for it in deliveries if _is_covered(gate, it, drawing)]
    if not covered:
        return
    wait_s = gate.budgets.pace_s(_agent_of(covered[0]), len(covered))
    if wait_s:
        asyncio.get_running_loop().call_later(wait_s, _judge, gate, covered, drawing)
    else:
        _judge(gate, covered, drawing)


def _judge(gate: Gate, covered: Sequence[Delivery], drawing: Drawing) -> None:
    """Judge them by the lease; without one the leader is asked first, once for all of them."""
    judge = partial(_pass_covered, gate)
    if gate.states.leased() is None:
        reading = gate.states.begin_reading()
        reading.add_done_callback(lambda _: drawing.hand_over(covered, judge))
    else:
        drawing.hand_over(covered, judge)


def _agent_of(delivery: Delivery) -> str:
    return delivery.subject.split(".")[3]


def _pass_covered(gate: Gate, deliveries: Sequence[Delivery], drawing: Drawing) -> None:
    basis = leased_basis(gate)
    read = [(it, _proposal(gate, it)) for it in deliveries] if basis else []
    judged = [(it, _judged(gate, call, basis, it)) for it, call in read if call and basis]
    facts = [(it, first_fact(gate, it, found.draft)) for it, found in judged if found]
    prepared = [(it, _prepared(gate, it, fact, drawing)) for it, fact in facts]
    fitting = {it: append for it, append in prepared if len(append.body) <= LARGEST_BYTES}
    if gate.states.leased() is None:
        fitting.clear()
    gate.journal.begin(tuple(fitting.values()))
    for it in deliveries:
        if it not in fitting:
            drawing.alone(it)


def _is_covered(gate: Gate, delivery: Delivery, drawing: Drawing) -> bool:
    """Return whether the call is to be judged. A repeated delivery is looked at alone."""
    if delivery.deliveries > 1 or gate.budgets.cover(_agent_of(delivery), delivery):
        return True
    drawing.done(delivery)
    return False


def _proposal(gate: Gate, delivery: Delivery) -> Proposal | None:
    _, _, _, agent, word = delivery.subject.split(".")
    if delivery.deliveries > 1 or word != WORD or agent not in gate.agents:
        return None
    try:
        check_strict(delivery.data)
        event = decode_event(delivery.data)
        call = decode_data(event) if event.type == TYPES[Propose] else None
        if not isinstance(call, Propose) or call.dispatched_by or call.plan:
            return None
        proposal = proposal_of(gate, agent, event, call)
    except (UnreadableError, RefusedError):
        return None
    return proposal if _may_pass(proposal.tool) else None


def _may_pass(tool: Tool) -> bool:
    return tool.by_risk or (tool.level < LONG_LIVED_LEVEL and not tool.plans)


def _judged(gate: Gate, proposal: Proposal, basis: Basis, delivery: Delivery) -> Judged | None:
    try:
        judged = judged_by(gate, proposal, None, basis, delivery.at)
    except RefusedError:
        return None
    verdict = judged.draft.verdict
    passes = verdict.kind is VerdictKind.PASS and verdict.level < LONG_LIVED_LEVEL
    return judged if passes and not is_counted(judged) else None


def _prepared(gate: Gate, delivery: Delivery, fact: AnyHoldFact, drawing: Drawing) -> Append:
    def on_stored(result: int | HoldpointError) -> None:
        """Acknowledge the call only once its fact is stored."""
        if isinstance(result, HoldpointError):
            drawing.alone(delivery)
        else:
            drawing.done(delivery)
            delivery.acknowledge()

    return gate.holds.prepare(fact, on_stored)
