"""What people say: answers to cards, and on ADMIN the kill switch and which policy is in force.

Who it is stands in the subject, which the server enforces.
"""

import asyncio

import structlog

from holdpoint.core.commands import Cancel, Proceed
from holdpoint.core.digest import policy_digest
from holdpoint.core.risk import check_policy
from holdpoint.core.verdict import unanswerable
from holdpoint.gate.context import Gate, RefusedError, advance_soon, check_reason, refuse
from holdpoint.gate.lifecycle import go_on
from holdpoint.gate.runs import sweep
from holdpoint.gate.safety_net import stop_open_holds
from holdpoint.messages.answer import Answer, Choice, Proof
from holdpoint.messages.codec import (
    UnreadableError,
    check_strict,
    decode,
    decode_data,
    decode_event,
    message_in,
)
from holdpoint.messages.envelope import UNKNOWN_HOLD
from holdpoint.messages.policy import Method, Policy
from holdpoint.messages.state import EVERYONE, AdoptPolicy, Kill, KillState, PolicyState
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.errors import ConflictError, SignatureError
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.state import LEASE_S

log = structlog.get_logger(__name__)

ON_ITS_WAY_S = 0.1
"""How long a fact may take to the stream that was judged at the very end of a lease."""


async def on_order(gate: Gate, delivery: Delivery) -> None:
    """Carry out what a person with the right to it orders."""
    person = delivery.subject.split(".")[3]
    try:
        check_strict(delivery.data)
        order = decode_data(decode_event(delivery.data))
        _check_right(gate, person)
        await _carry_out(gate, delivery, person, order)
    except RefusedError as why:
        await refuse(gate, delivery, person, why)
    except UnreadableError as why:
        await refuse(gate, delivery, person, RefusedError(why.code, why.text))
    await delivery.ack()


def _check_right(gate: Gate, person: str) -> None:
    known = gate.people.get(person)
    if known is None or not known.admin:
        raise RefusedError("not_an_admin", f"people.yaml does not make {person} an admin.")


async def _carry_out(gate: Gate, delivery: Delivery, person: str, order: object) -> None:
    match order:
        case Kill():
            await _throw(gate, delivery, person, order)
        case AdoptPolicy():
            await _adopt(gate, delivery, person, order)
        case _:
            raise RefusedError("wrong_subject", "This is no order.")


async def _throw(gate: Gate, delivery: Delivery, person: str, order: Kill) -> None:
    """First the state, so that nothing new starts; then what waits; then what was granted.

    What was granted by a lease from before is barred with it: it is swept once no lease is valid,
    and the order is acknowledged, which tells that it was carried out, after that.
    """
    _check(gate, order)
    while True:
        kills = await gate.states.kills()
        if kills.state.cause == delivery.id:
            break
        stopped = {agent: why for agent, why in kills.state.stopped.items() if agent != order.agent}
        if order.on:
            stopped[order.agent] = order.reason or f"{person} threw the kill switch."
        state = KillState(stopped=stopped, by=person, cause=delivery.id)
        try:
            await gate.states.set_kills(state, after=kills.revision)
        except ConflictError:
            continue
        break
    stored_at = clock.monotonic()
    if order.on:
        await stop_open_holds(gate, order.agent, delivery.id)
    await _until_leases_end(stored_at)
    if order.on:
        await sweep(gate)


async def _until_leases_end(stored_at: float) -> None:
    """Verdicts that rest on what stood before are then all written: see `States.leased`."""
    await asyncio.sleep(max(0.0, stored_at + LEASE_S + ON_ITS_WAY_S - clock.monotonic()))


def _check(gate: Gate, order: Kill) -> None:
    """A name that nobody has would stop nobody, and its sender would believe that it did."""
    check_reason(order.reason)
    if order.on and order.agent not in {EVERYONE, *gate.agents}:
        raise RefusedError("unknown_agent", f"agents.yaml does not know {order.agent!r}.")


async def _adopt(gate: Gate, delivery: Delivery, person: str, order: AdoptPolicy) -> None:
    """First the policy itself, then which one is in force; every gate follows at its next call.

    Checking one takes a moment: calls are judged by the old one meanwhile.
    """
    policy = await asyncio.to_thread(_usable, gate, order)
    adopted = await gate.states.adopted()
    if adopted.state is None or adopted.state.cause != delivery.id:
        cause, digest = delivery.id, order.digest
        await gate.states.keep(policy, digest, cause)
        state = PolicyState(version=policy.version, digest=digest, by=person, cause=cause)
        await gate.states.adopt(state, after=adopted.revision)
    await _until_leases_end(clock.monotonic())
    log.info("policy_adopted", version=policy.version, digest=order.digest, by=person)


def _usable(gate: Gate, order: AdoptPolicy) -> Policy:
    """The policy that the order carries, if it is the one it names and makes sense."""
    if order.policy is None:
        raise RefusedError("no_policy", "The order names a policy and does not carry it.")
    if policy_digest(order.policy) != order.digest or order.policy.version != order.version:
        raise RefusedError("other_policy", "The order names another policy than it carries.")
    impossible = unanswerable(order.policy, gate.agents.values())
    if problems := [*check_policy(order.policy)] or [*impossible]:
        raise RefusedError("bad_policy", "The policy cannot be used: " + "; ".join(problems))
    return order.policy


async def on_answer(gate: Gate, delivery: Delivery) -> None:
    """Count one answer, or refuse it where its sender sees it."""
    _, _, _, _, person, agent, hold_id = delivery.subject.split(".")
    try:
        check_strict(delivery.data)
        answer = message_in(delivery.data, Answer)
        await _count(gate, delivery, answer, (person, agent, hold_id))
    except RefusedError as why:
        await refuse(gate, delivery, person, why)
    except UnreadableError as why:
        await refuse(gate, delivery, person, RefusedError(why.code, why.text, hold_id))
    gate.answers.settle(delivery.id)
    await delivery.ack()


async def _count(
    gate: Gate, delivery: Delivery, answer: Answer, place: tuple[str, str, str]
) -> None:
    person, agent, hold_id = place
    if answer.hold_id != hold_id:
        raise RefusedError("wrong_subject", "The answer names another hold.", hold_id)
    if person not in gate.people:
        raise RefusedError("unknown_person", f"people.yaml does not know {person}.", hold_id)
    check_reason(answer.reason, hold_id)
    command = _command(gate, delivery, answer, person)
    async with gate.turn(hold_id):
        stands = await advance_soon(gate, agent, hold_id, command, delivery.at)
        if stands is None:
            raise RefusedError(UNKNOWN_HOLD, "There is no hold of this id.", hold_id)
        await go_on(gate, stands, delivery.at)


def _command(gate: Gate, delivery: Delivery, answer: Answer, person: str) -> Proceed | Cancel:
    if answer.answer is Choice.CANCEL:
        return Cancel(
            cause=delivery.id,
            by=person,
            digest=answer.digest,
            render_digest=answer.render_digest,
            reason=answer.reason,
        )
    return Proceed(
        cause=delivery.id,
        by=person,
        method=_method(gate, answer),
        digest=answer.digest,
        render_digest=answer.render_digest,
        reason=answer.reason,
    )


def _method(gate: Gate, answer: Answer) -> Method:
    """How the person proved themselves. Only what can be checked counts."""
    if not answer.proof:
        return Method.CHAT
    try:
        proof = decode(gate.unsealer.open(answer.proof), Proof)
    except (SignatureError, UnreadableError):
        text = "The proof was not sealed to this gate's key. Look at the card again."
        raise RefusedError("bad_proof", text, answer.hold_id) from None
    if proof.method is not Method.CHAT:
        text = f"No step-up is set up: a proof by {proof.method.value} cannot be checked."
        raise RefusedError("proof_not_checked", text, answer.hold_id)
    return Method.CHAT
