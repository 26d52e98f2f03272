"""Orders on ADMIN: kill switch, policy in force, flags, people's step-up and delegations.

Who gave an order is in its subject, which the server enforces.
"""

import asyncio
from typing import assert_never

import structlog

from holdpoint.core.digest import policy_digest
from holdpoint.core.grant import ON_ITS_WAY
from holdpoint.core.policy_faults import policy_faults
from holdpoint.gate import delegations, host_runs, permissions, step_up_orders
from holdpoint.gate.context import Gate, RefusedError, check_reason, refuse
from holdpoint.gate.old_orders import OldOrderError, check_not_old
from holdpoint.gate.runs import EVERY_GRANT, sweep
from holdpoint.gate.safety_net import is_asked, redraw_open_later, stop_open_holds
from holdpoint.messages.codec import UnreadableError, check_strict, decode_data, decode_event
from holdpoint.messages.policy import Policy
from holdpoint.messages.state import (
    EVERYONE,
    AdoptPolicy,
    Delegate,
    EnrolPasskey,
    EnrolTotp,
    FlagState,
    Kill,
    KillState,
    PolicyState,
    RemoveStepUp,
    RevokePermission,
    SetFlag,
    switched,
)
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.errors import ConflictError
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.state import LEASE_S

log = structlog.get_logger(__name__)


async def on_order(gate: Gate, delivery: Delivery) -> None:
    """Carry out what a person with the right to it orders."""
    person = delivery.subject.split(".")[3]
    try:
        await check_not_old(gate, delivery)
        check_strict(delivery.data)
        order = decode_data(decode_event(delivery.data))
        _check_right(gate, person, order)
        await _carry_out(gate, delivery, person, order)
    except RefusedError as why:
        await refuse(gate, delivery, person, why)
    except UnreadableError as why:
        await refuse(gate, delivery, person, RefusedError(why.code, why.text))
    except OldOrderError:
        log.warning("order_was_dealt_with", id=delivery.id, person=person)
    await delivery.ack()


_BY_EVERYBODY = (EnrolTotp, EnrolPasskey, Delegate, RevokePermission)
"""Their own step-up, who answers in their place, and the permissions that they gave."""


def _check_right(gate: Gate, person: str, order: object) -> None:
    known = gate.people.get(person)
    if known is None:
        raise RefusedError("unknown_person", f"people.yaml does not know {person}.")
    if not known.admin and not isinstance(order, _BY_EVERYBODY):
        raise RefusedError("not_an_admin", f"people.yaml does not make {person} an admin.")


async def _carry_out(gate: Gate, delivery: Delivery, person: str, order: object) -> None:
    match order:
        case Kill():
            await _throw(gate, delivery, person, order)
        case AdoptPolicy():
            await _adopt(gate, delivery, person, order)
        case EnrolTotp() | EnrolPasskey() | RemoveStepUp():
            await _change_step_up(gate, delivery, person, order)
        case SetFlag():
            check_reason(order.reason)
            await _switch(gate, delivery, person, order)
        case Delegate():
            await delegations.delegate(gate, delivery, person, order)
            redraw_open_later(gate, is_asked)
        case RevokePermission():
            await permissions.revoke(gate, delivery, person, order)
        case _:
            raise RefusedError("wrong_subject", "This is no order.")


async def _change_step_up(
    gate: Gate, delivery: Delivery, person: str, order: EnrolTotp | EnrolPasskey | RemoveStepUp
) -> None:
    match order:
        case EnrolTotp():
            await step_up_orders.enrol(gate, delivery, person, order)
        case EnrolPasskey():
            await step_up_orders.add_passkey(gate, delivery, person, order)
        case RemoveStepUp():
            check_reason(order.reason)
            await step_up_orders.remove(gate, delivery, person, order)
        case _:
            assert_never(order)


async def _throw(gate: Gate, delivery: Delivery, person: str, order: Kill) -> None:
    """First the state, so that nothing new starts; then what waits; then what was granted.

    What was halted or granted by a lease from before is stopped with it: both are swept once no
    lease is valid, and the order is acknowledged, which tells that it was carried out, after that.
    """
    _check(gate, order)
    while True:
        kills = await gate.states.kills()
        if kills.state.cause == delivery.id:
            break
        await check_not_old(gate, delivery)
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
        await stop_open_holds(gate, order.agent, delivery.id)
        await sweep(gate, EVERY_GRANT)
        await host_runs.sweep(gate, EVERY_GRANT)


async def _until_leases_end(stored_at: float) -> None:
    """Verdicts that rest on what stood before are then all written: see `States.leased`."""
    over_at = stored_at + LEASE_S + ON_ITS_WAY.total_seconds()
    await asyncio.sleep(max(0.0, over_at - clock.monotonic()))


async def _switch(gate: Gate, delivery: Delivery, person: str, order: SetFlag) -> None:
    """Every gate and coordinator goes by it once no lease from before is valid."""
    while True:
        flags = await gate.states.flags()
        if flags.state is not None and flags.state.cause == delivery.id:
            break
        await check_not_old(gate, delivery)
        off, on = switched(flags.state, order)
        state = FlagState(off=off, on=on, by=person, cause=delivery.id)
        try:
            await gate.states.set_flags(state, after=flags.revision)
        except ConflictError:
            continue
        break
    await _until_leases_end(clock.monotonic())
    log.info("flag_switched", flag=order.flag.value, on=order.on, by=person)


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
        await check_not_old(gate, delivery)
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
    agents = gate.agents.values()
    if problems := policy_faults(order.policy, agents, gate.passkey_from_level):
        raise RefusedError("bad_policy", "The policy cannot be used: " + "; ".join(problems))
    return order.policy
