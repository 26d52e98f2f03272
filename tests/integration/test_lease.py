"""Verdicts rest on what the leader said within the lease; orders are told once it is over."""

import asyncio
import contextlib
import itertools
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

import pytest
from msgspec.structs import replace
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js.errors import NotFoundError
from tests.actors import AgentVoice, Guests, PersonVoice, StreamEyes
from tests.builders import a_confirmed_hold, a_halted_hold, a_passed_hold
from tests.conftest import Connect
from tests.gate_context import a_gate
from tests.payment_system import another_gate
from tests.running_system import LONG_S, Road, fresh
from tests.waiting import eventually, stop
from tests.world import World

from holdpoint.core.commands import Kill, Resume
from holdpoint.core.verdict import Verdict
from holdpoint.gate import admin_orders, lifecycle
from holdpoint.gate.batch_passing import pass_together
from holdpoint.gate.context import Gate
from holdpoint.gate.first_fact import Draft, open_hold
from holdpoint.gate.policy import basis_since
from holdpoint.messages import subjects as s
from holdpoint.messages.codec import encode_event
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import EndedBy, Halted, Passed, Reserved
from holdpoint.messages.policy import VerdictKind
from holdpoint.messages.run import Barred, Finished, Started
from holdpoint.messages.state import CURRENT, KillState
from holdpoint.messages.state import Kill as KillOrder
from holdpoint.runtime.broker.connection import jetstream
from holdpoint.runtime.broker.lanes import Delivery, Lane, delivery_of
from holdpoint.runtime.broker.pulls import Drawing
from holdpoint.runtime.broker.wire import wire_of
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import GATE
from holdpoint.runtime.security.keys import Keyset, Signer
from holdpoint.runtime.store.history import Holds
from holdpoint.runtime.store.journal import Journal
from holdpoint.runtime.store.state import KILL, LEASE_S, States

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures",)

THROWN = KillState(stopped={"robot": "enough"}, by="ann", cause="ADMIN:1")
AGENT = "doomed"
FACTS = f"hp.acme.hold.{AGENT}.>"
WARM_UP = 20
AT_ONCE = 60
ROUNDS = 2
"""In which the order was told as done while one of the gates stood still."""

QUESTIONS = 6
"""Asked at once: those that come to the gate that stands still are not answered."""

TELL_S = 3.0


async def _states(world: World, connected: Connect) -> States:
    """As a gate has them that was just started."""
    folder = world.settings.keys_dir
    signer, login = Signer(folder, GATE, Keyset(folder)), world.login(GATE)
    return States(Journal(await connected(login), login, "acme", "holdpoint/gate", signer))


async def test_what_the_leader_said_counts_no_longer_than_the_lease(
    own_world: World, connected: Connect
) -> None:
    states = await _states(own_world, connected)
    assert states.leased() is None
    since = clock.monotonic()
    await states.in_force()
    assert states.leased() is not None

    async def is_renewed() -> bool:
        return clock.monotonic() > since + 2 * LEASE_S and states.leased() is not None

    async def is_over() -> bool:
        return states.leased() is None

    async with _used(states):
        await eventually(is_renewed)
        pid = own_world.server.pid
        await stop(pid)
        stopped_at = clock.monotonic()
        await eventually(is_over)
        assert clock.monotonic() - stopped_at < LEASE_S + 0.5
        os.kill(pid, signal.SIGCONT)
        await eventually(is_renewed)


async def test_what_another_gate_stored_is_known_within_the_lease(
    own_world: World, connected: Connect
) -> None:
    states, others = [await _states(own_world, connected) for _ in range(2)]
    await states.in_force()
    async with _used(states):
        await others.set_kills(THROWN, after=0)
        stored_at = clock.monotonic()
        while clock.monotonic() < stored_at + 3 * LEASE_S:
            known = states.leased()
            is_old = known is not None and not known.kills.stopped
            assert not is_old or clock.monotonic() - stored_at <= LEASE_S
            await asyncio.sleep(0)


@pytest.mark.parametrize("killed", [True, False])
async def test_a_call_that_took_longer_than_the_lease_passes_only_by_what_stands_then(
    own_world: World, connected: Connect, *, killed: bool
) -> None:
    gate, others = await a_gate(own_world, connected), await _states(own_world, connected)
    call, draft = await _judged_alone(gate)
    if killed:
        await others.set_kills(THROWN, after=0)
    await asyncio.sleep(LEASE_S)
    with pytest.raises(UnavailableError) if killed else contextlib.nullcontext():
        await open_hold(gate, call, draft)
    stands = await gate.holds.load(draft.agent, draft.hold_id)
    assert (stands is None) is killed


async def test_a_yes_whose_counting_outlives_the_lease_goes_on_only_by_what_stands_then(
    own_world: World, connected: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, others = await a_gate(own_world, connected), await _states(own_world, connected)
    counted = Reserved(subject="hp.acme.tally.k.60-1", amount=1, bucket_s=60)
    hold = a_confirmed_hold(tenant="acme", agent="robot", reserved=(counted,))
    assert isinstance(await lifecycle.resumption(gate, hold, "HOLDS:1"), Resume)

    async def moved(*_: object) -> tuple[Reserved, ...]:
        await others.set_kills(THROWN, after=0)
        await asyncio.sleep(LEASE_S)
        return (counted,)

    monkeypatch.setattr(lifecycle, "moved", moved)
    assert isinstance(await lifecycle.resumption(gate, hold, "HOLDS:1"), Kill)


async def test_a_kill_order_stops_what_was_halted_by_a_lease_from_before_it(
    own_world: World, connected: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = await a_gate(own_world, connected)
    hold = a_halted_hold(tenant="acme", agent="robot")

    async def until_leases_end(_: float) -> None:
        fact = Halted(hold=hold, cause="CALLS@robot:1", metadata=hold.metadata)
        await gate.holds.append(fact, after=0)

    monkeypatch.setattr(admin_orders, "_until_leases_end", until_leases_end)
    await admin_orders.on_order(gate, _order(gate, KillOrder(on=True, agent="robot")))
    stands = await gate.holds.load(hold.agent, hold.hold_id)
    assert stands is not None
    assert stands.hold.ended_by is EndedBy.KILL_SWITCH


def _order(gate: Gate, order: KillOrder) -> Delivery:
    subject = "hp.acme.admin.ann.kill"
    body = encode_event(
        order, event_id="order", source="test", subject=subject, at=clock.now(), salt=""
    )
    reply = f"$JS.ACK.HP_ADMIN_acme.gates.1.1.1.{clock.now():%s}000000000.0"
    return delivery_of(wire_of(gate.client), subject, reply, b"", body)


@pytest.mark.parametrize("is_away", [False, True])
async def test_without_a_lease_a_handful_waits_until_the_leader_was_asked(
    own_world: World, connected: Connect, *, is_away: bool
) -> None:
    gate, login = await a_gate(own_world, connected), own_world.login(GATE)
    leases = []

    async def handler(_: Delivery) -> None:
        leases.append(gate.states.leased() is not None)

    lane = Lane(stream="HP_CALLS_acme@robot", durable=GATE)
    drawing = Drawing(
        client=gate.client,
        login=login,
        lane=lane,
        handler=handler,
        together=None,
        back=None,
        inbox="calls",
    )
    reply = f"$JS.ACK.{lane.stream}.gate.1.{{}}.1.{clock.now():%s}000000000.0"
    calls = [
        delivery_of(
            wire_of(gate.client), "hp.acme.call.robot.propose", reply.format(seq), b"", b"no call"
        )
        for seq in range(1, AT_ONCE)
    ]
    if is_away:
        await gate.client.close()
    pass_together(gate, calls, drawing)

    async def all_handed_back() -> bool:
        return len(leases) == len(calls)

    await eventually(all_handed_back)
    assert set(leases) == {not is_away}


async def _judged_alone(gate: Gate) -> tuple[Delivery, Draft]:
    """A call that is to pass, and what that verdict rests on."""
    hold = a_passed_hold(tenant="acme", agent="robot")
    reply = f"$JS.ACK.HP_CALLS_acme@robot.gate.1.1.1.{clock.now():%s}000000000.0"
    draft = Draft(
        agent=hold.agent,
        on_behalf_of=hold.on_behalf_of,
        hold_id=hold.hold_id,
        digest=hold.digest,
        call_digest=hold.digest,
        assessment=hold.assessment,
        metadata=hold.metadata,
        lineage=hold.lineage,
        verdict=Verdict(kind=VerdictKind.PASS, level=1),
        basis=await basis_since(gate, clock.monotonic()),
        says="",
        idempotency_key="",
        claim={},
        deadline=None,
        action=hold.action,
    )
    return delivery_of(wire_of(gate.client), "", reply, b"", b""), draft


@asynccontextmanager
async def _used(states: States) -> AsyncIterator[None]:
    """Somebody asks again and again, as under load."""

    async def use() -> None:
        while True:
            states.leased()
            await asyncio.sleep(0.001)

    using = asyncio.create_task(use())
    try:
        yield
    finally:
        using.cancel()


async def test_an_order_is_told_as_done_only_once_no_lease_from_before_it_is_valid(
    ann: PersonVoice, eyes: StreamEyes
) -> None:
    for order in (ann.kill, ann.revive):
        told = await ann.told(await order(AGENT))
        told_at = clock.now()
        stored = await eyes.on(s.STATE, s.state_subject("acme", KILL, CURRENT))
        assert told.status is Status.DONE
        assert (told_at - stored[-1].at).total_seconds() >= LEASE_S


async def test_a_kill_that_was_told_as_done_is_followed_by_no_passed_fact(
    own: Road, visitors: Guests
) -> None:
    """Not even by a gate that stood still meanwhile, with calls in hand and a lease."""
    doomed, ann, eyes = (
        await visitors.agent(AGENT), await visitors.person(), await visitors.eyes(),
    )  # fmt: skip
    rounds = 0
    async with another_gate(own) as second:
        gates = itertools.cycle((second, own.supervisor.pid("gate")))
        while rounds < ROUNDS:  # an order that the paused gate was given is told too late
            await _judged(doomed, eyes, WARM_UP)
            async with _paused(next(gates)):
                facts = asyncio.create_task(_judged(doomed, eyes, AT_ONCE))
                order = await ann.kill(AGENT)
                told_at = await _told_done(ann, order)
            if told_at is not None:
                rounds += 1
                assert [at for at in (await facts)["passed"] if at > told_at] == []
            await facts
            await ann.told(order)
            assert (await ann.told(await ann.revive(AGENT))).status is Status.DONE


@pytest.mark.parametrize("killed", [True, False])
async def test_a_pass_that_is_stored_after_a_kill_was_told_does_not_run(
    guests: Guests, ann: PersonVoice, eyes: StreamEyes, *, killed: bool
) -> None:
    """Its gate stood still right before it sent it; without a kill, a fresh grant runs it."""
    doomed = await guests.agent(AGENT)
    call = await doomed.propose("create_file", {"path": fresh("file"), "content": "x"})
    done = await doomed.hears(call, Status.DONE)
    (passed,) = await eyes.facts(done.hold_id)
    grant = replace(passed.grant, nonce=clock.new_nonce())
    zombie = replace(passed, hold=replace(passed.hold, hold_id=fresh("hold")), grant=grant)
    order = await (ann.kill(AGENT) if killed else ann.revive(AGENT))
    assert (await ann.told(order)).status is Status.DONE
    await _as_a_gate(guests, zombie)

    async def ended() -> list[Any]:
        runs = await eyes.runs(zombie.hold.hold_id)
        assert runs
        assert not isinstance(runs[-1], Started)
        return runs

    try:
        runs = await eventually(ended, LONG_S)
    finally:
        await ann.told(await ann.revive(AGENT))
    assert [type(it) for it in runs] == ([Barred] if killed else [Started, Finished])
    assert killed or runs[0].nonce != grant.nonce


async def _as_a_gate(guests: Guests, fact: Passed) -> None:
    """Write a fact as a gate does."""
    login, folder = guests.road.login(GATE), guests.road.settings.keys_dir
    signer = Signer(folder, GATE, Keyset(folder))
    journal = Journal(await guests.client(GATE), login, "acme", "holdpoint/gate", signer)
    await Holds(journal).append(fact, after=0)


@asynccontextmanager
async def _paused(pid: int) -> AsyncIterator[None]:
    await stop(pid)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


async def _judged(agent: AgentVoice, eyes: StreamEyes, count: int) -> dict[str, list[datetime]]:
    """So many calls made at once: by the first fact's word, when each was judged."""
    js = jetstream(eyes.client, eyes.login)
    name = s.stream("acme", s.HOLDS)
    seq = (await js.stream_info(name)).state.last_seq
    await asyncio.gather(*(agent.propose("list_directory", {"path": "."}) for _ in range(count)))
    found: dict[str, list[datetime]] = {"passed": [], "denied": []}

    async def all_judged() -> bool:
        nonlocal seq
        with contextlib.suppress(NotFoundError):
            while True:
                it = await js.get_msg(name, seq=seq + 1, subject=FACTS, next=True)
                assert it.seq is not None
                assert it.time is not None
                assert it.subject is not None
                found[it.subject.split(".")[5]].append(it.time)
                seq = it.seq
        return sum(map(len, found.values())) >= count

    await eventually(all_judged, LONG_S)
    return found


async def _told_done(person: PersonVoice, order: int) -> datetime | None:
    """When it was first told that the order was carried out, if it was."""
    asking = [asyncio.create_task(person.told(order, TELL_S)) for _ in range(QUESTIONS)]
    try:
        for told in asyncio.as_completed(asking, timeout=2 * TELL_S):
            with contextlib.suppress(NatsTimeoutError):
                if (await told).status is Status.DONE:
                    return clock.now()
    except TimeoutError:
        return None
    finally:
        for it in asking:
            it.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
    return None
