"""Agents' requests about their own holds: ask how one stands, or take it back."""

import math

from holdpoint.core.commands import Withdraw as WithdrawCommand
from holdpoint.core.next_steps import IDS, NextStep, is_next_step, next_step_in
from holdpoint.gate import runs
from holdpoint.gate.context import Gate, RefusedError, check_reason, objection
from holdpoint.gate.lifecycle import move
from holdpoint.messages.ask import JUDGED_BY_S
from holdpoint.messages.call import Propose, Withdraw
from holdpoint.messages.envelope import NO_SUCH_HOLD, UNKNOWN_HOLD
from holdpoint.messages.hold import Reason
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.store.history import LoadedHold

WAIT_S = 0.3
NOTHING_LEFT = "This hold is closed already: there is nothing left to take back."
PATIENCE = math.ceil(JUDGED_BY_S / WAIT_S)
"""Deliveries after which a hold that nobody knows is taken for unknown, not for late."""


class TooEarlyError(Exception):
    """It speaks of a hold that is not there yet."""


def asks_for_next_step(gate: Gate, call: Propose) -> bool:
    """Return whether the call is no action: a domain's own tool of such a name is one."""
    return gate.catalog.find(call.tool) is None and is_next_step(call.tool)


def next_step_of(call: Propose) -> NextStep:
    """Read it. Raises RefusedError when it does not say which hold it is about."""
    step = next_step_in(call.tool, call.arguments)
    if step is None:
        text = f"Name one hold of yours, as the pending reply did, in one of: {', '.join(IDS)}."
        raise RefusedError("bad_arguments", text)
    return step


async def take(gate: Gate, delivery: Delivery, agent: str, step: NextStep) -> None:
    """Take the hold back; who asks how it stands is answered by `status_queries.py`.

    No hold is opened and no grant made, and nothing here is ever a yes.
    """
    if step.takes_back:
        await withdraw(gate, delivery, agent, Withdraw(hold_id=step.hold_id, reason=step.reason))
    else:
        await _own_hold(gate, delivery, agent, step.hold_id)


async def withdraw(gate: Gate, delivery: Delivery, agent: str, call: Withdraw) -> None:
    """Take it back: the hold while it waits, the claim once it was let go."""
    check_reason(call.reason, call.hold_id)
    loaded = await _own_hold(gate, delivery, agent, call.hold_id)
    command = WithdrawCommand(cause=delivery.id, by=agent, reason=call.reason)
    try:
        await move(gate, loaded, command, delivery.at)
    except RefusedError as why:
        if await _barred(gate, delivery, agent, call):
            return
        if why.code != Reason.ALREADY_CLOSED:
            raise
        raise RefusedError(why.code, NOTHING_LEFT, call.hold_id) from None


async def _own_hold(gate: Gate, delivery: Delivery, agent: str, hold_id: str) -> LoadedHold:
    loaded = await gate.holds.load(agent, hold_id)
    if loaded is None:
        if delivery.deliveries < PATIENCE:
            raise TooEarlyError
        raise RefusedError(UNKNOWN_HOLD, NO_SUCH_HOLD)
    return loaded


async def _barred(gate: Gate, delivery: Delivery, agent: str, call: Withdraw) -> bool:
    """Return whether it was let go, before or meanwhile, and this withdrawal stops its run."""
    loaded = await gate.holds.load(agent, call.hold_id)
    if loaded is None or not runs.is_let_go(loaded.fact):
        return False
    why = call.reason or "The agent withdrew it."
    if not await runs.bar(gate, loaded.hold, why, delivery.id):
        reason = await runs.why_not_barred(gate, loaded.hold)
        raise objection(reason, call.hold_id)
    return True
