"""What agents say: each call is judged once, or refused with a clear reason."""

import math

from holdpoint.core.commands import Withdraw as WithdrawCommand
from holdpoint.gate import intents, proposals, runs
from holdpoint.gate.context import (
    Gate,
    RefusedError,
    check_reason,
    objection,
    refuse,
)
from holdpoint.gate.lifecycle import move
from holdpoint.gate.tallies import give_back
from holdpoint.messages.ask import JUDGED_BY_S
from holdpoint.messages.base import Event
from holdpoint.messages.call import Intent, Propose, Trace, Withdraw
from holdpoint.messages.codec import UnreadableError, check_strict, decode_data, decode_event
from holdpoint.messages.envelope import NO_SUCH_HOLD, UNKNOWN_HOLD
from holdpoint.messages.subjects import CLASSES, call_place
from holdpoint.runtime.broker.lanes import Delivery

WAIT_S = 0.3
PATIENCE = math.ceil(JUDGED_BY_S / WAIT_S)
"""Deliveries after which a hold that nobody knows is taken for unknown, not for late."""


async def on_call(gate: Gate, delivery: Delivery) -> None:
    """Judge one call. The agent's name comes from the subject, which the server enforces.

    Where it is delivered for the first time, `pass_together` has taken it from the budget.
    """
    _, _, _, agent, word = delivery.subject.split(".")
    if delivery.deliveries > 1 and not await gate.budgets.cover_again(agent, delivery):
        return
    try:
        await _heard(gate, delivery, agent, word)
    except RefusedError as why:
        await refuse(gate, delivery, agent, why)
        await give_back(gate, why.reserved, delivery.id, delivery.at)
    except UnreadableError as why:
        await refuse(gate, delivery, agent, RefusedError(why.code, why.text))
    except TooEarlyError:
        await delivery.nack(WAIT_S)
        return
    await delivery.ack()


class TooEarlyError(Exception):
    """It speaks of a hold that is not there yet."""


async def _heard(gate: Gate, delivery: Delivery, agent: str, word: str) -> None:
    check_strict(delivery.data)
    event = decode_event(delivery.data)
    if event.type in CLASSES and word != _word(event):
        raise _misplaced(event, word)
    call = decode_data(event)
    if agent not in gate.agents:
        raise RefusedError(code="unknown_agent", text=f"agents.yaml does not know {agent}.")
    match call:
        case Propose():
            await proposals.propose(gate, delivery, agent, event, call)
        case Intent():
            await intents.say(gate, delivery, agent, event, call)
        case Withdraw():
            await _withdraw(gate, delivery, agent, call)
        case Trace():
            _check_own_node(call)
        case _:
            raise _misplaced(event, word)


def _check_own_node(trace: Trace) -> None:
    """What becomes of a call, only the gate and its worker may tell."""
    if call_place(trace.trace_id) is not None:
        text = f"{trace.trace_id} is the id of a call. Choose a trace_id of your own."
        raise RefusedError("not_your_node", text)


def _misplaced(event: Event, word: str) -> RefusedError:
    return RefusedError("wrong_subject", f"`{event.type}` does not belong on `{word}`.")


async def _withdraw(gate: Gate, delivery: Delivery, agent: str, call: Withdraw) -> None:
    """Take it back: the hold while it waits, the claim once it was let go."""
    check_reason(call.reason, call.hold_id)
    loaded = await gate.holds.load(agent, call.hold_id)
    if loaded is None:
        if delivery.deliveries < PATIENCE:
            raise TooEarlyError
        raise RefusedError(UNKNOWN_HOLD, NO_SUCH_HOLD)
    command = WithdrawCommand(cause=delivery.id, by=agent, reason=call.reason)
    try:
        await move(gate, loaded, command, delivery.at)
    except RefusedError:
        if not await _barred(gate, delivery, agent, call):
            raise


async def _barred(gate: Gate, delivery: Delivery, agent: str, call: Withdraw) -> bool:
    """Whether it was let go, before or meanwhile, and this withdrawal stops its run."""
    loaded = await gate.holds.load(agent, call.hold_id)
    if loaded is None or not runs.is_let_go(loaded.fact):
        return False
    why = call.reason or "The agent withdrew it."
    if not await runs.bar(gate, loaded.hold, why, delivery.id):
        reason = await runs.why_not_barred(gate, loaded.hold)
        raise objection(reason, call.hold_id)
    return True


def _word(event: Event) -> str:
    return event.type.rsplit(".", 1)[-1]
