"""Handler of agents' messages: each call is judged once, or refused with a clear reason."""

from holdpoint.gate import call_chains, host_runs, intents, next_steps, proposals
from holdpoint.gate.context import (
    Gate,
    RefusedError,
    refuse,
)
from holdpoint.gate.tallies import give_back
from holdpoint.messages.base import Event
from holdpoint.messages.call import Intent, Propose, Trace, Withdraw
from holdpoint.messages.codec import UnreadableError, check_strict, decode_data, decode_event
from holdpoint.messages.subjects import CLASSES, call_place
from holdpoint.runtime.broker.lanes import Delivery


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
    except next_steps.TooEarlyError:
        await delivery.nack(next_steps.WAIT_S)
        return
    await delivery.ack()


async def _heard(gate: Gate, delivery: Delivery, agent: str, word: str) -> None:
    check_strict(delivery.data)
    event = decode_event(delivery.data)
    if event.type in CLASSES and word != _word(event):
        raise _misplaced(event, word)
    call = decode_data(event)
    if agent not in gate.agents:
        raise RefusedError(code="unknown_agent", text=f"agents.yaml does not know {agent}.")
    match call:
        case Propose() if next_steps.asks_for_next_step(gate, call):
            await next_steps.take(gate, delivery, agent, next_steps.next_step_of(call))
        case Propose():
            await proposals.propose(gate, delivery, agent, event, call)
        case Intent():
            await intents.say(gate, delivery, agent, event, call)
        case Withdraw():
            await next_steps.withdraw(gate, delivery, agent, call)
        case Trace():
            _check_own_node(call)
            await host_runs.take(gate, delivery, agent, call)
            await call_chains.answer(gate, delivery, agent, call)
        case _:
            raise _misplaced(event, word)


def _check_own_node(trace: Trace) -> None:
    """Refuse a node with a call's id: only the gate and its worker tell of calls."""
    for name, given in (("trace_id", trace.trace_id), ("group_id", trace.group_id)):
        if call_place(given.strip()) is None:
            continue
        text = f"{given.strip()} is the id of a call. Choose a {name} of your own."
        raise RefusedError("not_your_node", text)


def _misplaced(event: Event, word: str) -> RefusedError:
    return RefusedError("wrong_subject", f"`{event.type}` does not belong on `{word}`.")


def _word(event: Event) -> str:
    return event.type.rsplit(".", 1)[-1]
