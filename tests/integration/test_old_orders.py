"""An order that a gate which stood still was given counts no more once a later one was carried out.

What was pushed to it is handed to another gate meanwhile, and still lies in its own buffer.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from nats.aio.subscription import Subscription
from tests.builders import a_policy
from tests.conftest import Connect
from tests.gate_context import a_gate
from tests.waiting import eventually
from tests.world import World

from holdpoint.core.digest import policy_digest
from holdpoint.gate.admin_orders import on_order
from holdpoint.gate.context import Gate
from holdpoint.messages.base import Message
from holdpoint.messages.codec import encode, encode_event
from holdpoint.messages.state import (
    AdoptPolicy,
    Delegate,
    EnrolTotp,
    Flag,
    Kill,
    RemoveStepUp,
    SetFlag,
    StepUpState,
    TotpSecret,
)
from holdpoint.messages.subjects import ADMIN, stream
from holdpoint.runtime.broker.lanes import Delivery, delivery_of
from holdpoint.runtime.broker.streams import GATES
from holdpoint.runtime.broker.wire import wire_of
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.keys import seal
from holdpoint.runtime.security.one_time_codes import code_at, new_secret
from holdpoint.runtime.security.pinned_passkeys import pin, pinned

pytestmark = pytest.mark.nats

GO_ON = Kill(on=False, agent="robot")
STOP = Kill(on=True, agent="robot", reason="It runs wild.")


@dataclass(frozen=True, kw_only=True)
class Orders:
    """Ann's orders, as the broker hands them to the gates."""

    world: World
    connected: Connect
    gate: Gate
    pushed: Subscription

    async def given(self, word: str, order: Message) -> Delivery:
        """Give an order, as a gate has it in its buffer."""
        ann = await self.connected(self.world.login("person_ann"))
        subject = f"hp.acme.admin.ann.{word}"
        body = encode_event(
            order, event_id=clock.new_id(), source="test", subject=subject, at=clock.now(), salt=""
        )
        await ann.request(subject, body, timeout=5)
        message = await self.pushed.next_msg(timeout=5)
        wire = wire_of(self.gate.client)
        return delivery_of(wire, message.subject, message.reply, b"", message.data)

    async def carry_out(self, delivery: Delivery) -> None:
        """Carry it out and wait until the broker knows."""
        await on_order(self.gate, delivery)

        async def is_acknowledged() -> bool:
            info = await self.gate.jetstream.consumer_info(stream("acme", ADMIN), GATES)
            return info.ack_floor is not None and info.ack_floor.stream_seq == delivery.seq

        await eventually(is_acknowledged)

    async def carried_out(self, word: str, order: Message) -> Delivery:
        """Give an order and carry it out, as another gate still has it in its buffer."""
        delivery = await self.given(word, order)
        await self.carry_out(delivery)
        return delivery


@pytest.fixture
async def orders(own_world: World, connected: Connect) -> Orders:
    gate = await a_gate(own_world, connected)
    pushed = await gate.client.subscribe("_INBOX_gate.admin", queue=GATES)
    return Orders(world=own_world, connected=connected, gate=gate, pushed=pushed)


async def test_an_old_order_to_go_on_does_not_end_a_later_kill(orders: Orders) -> None:
    old = await orders.carried_out("kill", GO_ON)
    await orders.carried_out("kill", STOP)

    await on_order(orders.gate, old)

    kills = await orders.gate.states.kills()
    assert kills.state.stopped == {"robot": "It runs wild."}


async def test_an_order_that_others_overtake_while_it_is_carried_out_does_not_either(
    orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The gate stands still after it began with the order, and before it read the state."""
    old, read = await orders.given("kill", GO_ON), orders.gate.states.kills

    async def read_late() -> Any:
        monkeypatch.undo()
        await orders.carry_out(old)
        await orders.carried_out("kill", STOP)
        return await read()

    monkeypatch.setattr(orders.gate.states, "kills", read_late)
    await on_order(orders.gate, old)

    assert (await read()).state.stopped == {"robot": "It runs wild."}


async def test_codes_that_were_set_up_since_an_overtaken_removal_stay(
    orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, person = orders.gate, "ben"
    old = await orders.given("step_up", RemoveStepUp(person=person, reason="lost"))
    await _set_up(gate, person, "first")

    async def meanwhile() -> None:
        await orders.carry_out(old)
        await _set_up(gate, person, "second")

    await _overtaken(orders, old, meanwhile, monkeypatch)

    state = (await gate.states.step_up(person)).state
    assert state is not None
    assert (state.sealed, pinned(gate.keys_dir)[person]) == ("second", ("second",))


async def test_codes_that_were_taken_away_since_an_overtaken_enrolment_do_not_come_back(
    orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, secret = orders.gate, new_secret()
    wanted = TotpSecret(person="ann", secret=secret, code=code_at(secret, clock.now()))
    sealed = seal(gate.unsealer.public, encode(wanted))
    old = await orders.given("totp", EnrolTotp(sealed=sealed))

    async def meanwhile() -> None:
        await on_order(await a_gate(orders.world, orders.connected), old)
        taken_away = StepUpState(by="ben", cause="ADMIN:9")
        stands = await gate.states.step_up("ann")
        assert stands.state is not None
        assert stands.state.sealed
        await gate.states.set_step_up("ann", taken_away, after=stands.revision)

    await _overtaken(orders, old, meanwhile, monkeypatch)

    state = (await gate.states.step_up("ann")).state
    assert state is not None
    assert not state.sealed


async def _set_up(gate: Gate, person: str, what: str) -> None:
    """Give a person codes and a passkey."""
    stands = await gate.states.step_up(person)
    state = StepUpState(sealed=what, by=person, cause=f"ADMIN:{what}")
    await gate.states.set_step_up(person, state, after=stands.revision)
    pin(gate.keys_dir, person, what)


async def _overtaken(
    orders: Orders,
    old: Delivery,
    meanwhile: Callable[[], Awaitable[None]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Carry an order about step-up out by a gate that stands still before it reads the state."""
    read = orders.gate.states.step_up

    async def read_late(person: str) -> Any:
        monkeypatch.undo()
        await meanwhile()
        return await read(person)

    monkeypatch.setattr(orders.gate.states, "step_up", read_late)
    await on_order(orders.gate, old)


async def test_an_old_policy_does_not_replace_a_later_one(orders: Orders) -> None:
    first, second = (a_policy(version=it) for it in ("one", "two"))
    old, _ = [
        await orders.carried_out(
            "policy", AdoptPolicy(version=it.version, digest=policy_digest(it), policy=it)
        )
        for it in (first, second)
    ]

    await on_order(orders.gate, old)

    adopted = (await orders.gate.states.adopted()).state
    assert adopted is not None
    assert adopted.version == "two"


async def test_an_old_flag_does_not_turn_back(orders: Orders) -> None:
    flag = Flag.LEGACY_ALIASES
    old = await orders.carried_out("flag", SetFlag(flag=flag, on=True, reason="x"))
    await orders.carried_out("flag", SetFlag(flag=flag, on=False, reason="x"))

    await on_order(orders.gate, old)

    flags = (await orders.gate.states.flags()).state
    assert flags is not None
    assert flags.off == (flag,)


async def test_an_old_delegation_does_not_come_back(orders: Orders) -> None:
    until = clock.now() + timedelta(days=1)
    old = await orders.carried_out("delegate", Delegate(to="ben", until=until, reason="away"))
    await orders.carried_out("delegate", Delegate(to="", reason="back"))

    await on_order(orders.gate, old)

    made = (await orders.gate.states.delegations("ann")).state
    assert made is not None
    assert [it for it in made.delegations if it.until > clock.now()] == []
