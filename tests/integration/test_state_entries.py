"""What stands on STATE: the last thing that a gate wrote there, or nobody can tell."""

from contextlib import AsyncExitStack
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from nats.aio.client import Client
from tests.actors import Guests
from tests.conftest import Connect
from tests.running_system import running
from tests.waiting import eventually
from tests.world import World

from holdpoint.messages.codec import encode_event
from holdpoint.messages.envelope import Status
from holdpoint.messages.state import KillState, PolicyState
from holdpoint.runtime.broker.provisioning import limits, load_tenant, provision
from holdpoint.runtime.broker.streams import plan
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import keys
from holdpoint.runtime.security.credentials import GATE, PROVISIONER
from holdpoint.runtime.security.keys import Keyset, Signer
from holdpoint.runtime.store.journal import Journal
from holdpoint.runtime.store.state import LEASE_S, OFF, States

pytestmark = pytest.mark.nats

KILL = "hp.acme.state.kill.current"
THROWN = KillState(stopped={"robot": "enough"}, by="ann", cause="ADMIN:1")
LIE = b'{"specversion":"1.0","id":"x","type":"holdpoint.v1.kill_state","source":"x","data":{}}'


class Counting(Keyset):
    """A keyset that knows how often it was asked, and looks at its file each time."""

    def __init__(self, folder: Path) -> None:
        self.asked = 0
        self.seconds = 0.0
        super().__init__(folder, self._later)

    def _later(self) -> float:
        self.seconds += 2 * keys.RECHECK_S
        return self.seconds

    def verify(self, body: bytes, header: str, role: str, now: datetime) -> str:
        self.asked += 1
        return super().verify(body, header, role, now)


@pytest.fixture
async def gate(own_world: World, connected: Connect) -> Client:
    return await connected(own_world.login(GATE))


def states(world: World, client: Client, keyset: Keyset) -> States:
    """As a gate has them that was just started."""
    signer = Signer(world.settings.keys_dir, keys.GATE, keyset)
    return States(Journal(client, world.login(GATE), "acme", "holdpoint/gate", signer))


async def test_a_new_gate_finds_what_stands_below_what_was_forged(
    own_world: World, gate: Client
) -> None:
    keyset = Keyset(own_world.settings.keys_dir)
    first = states(own_world, gate, keyset)
    await first.set_kills(THROWN, after=0)
    policy = PolicyState(version="1", digest="0" * 64, by="ann", cause="ADMIN:2")
    await first.adopt(policy, after=0)
    for _ in range(3):
        await gate.request(KILL, LIE, timeout=5)

    found = await states(own_world, gate, keyset).kills()

    assert found == await first.kills()
    assert (found.state.stopped, found.revision) == (THROWN.stopped, 5)
    await first.set_kills(OFF, after=found.revision)
    assert (await states(own_world, gate, keyset).kills()).state.stopped == {}


async def test_what_is_no_kill_switch_does_not_turn_it_off(own_world: World, gate: Client) -> None:
    """Not even with the gate's own signature for this very subject."""
    keyset = Keyset(own_world.settings.keys_dir)
    found = states(own_world, gate, keyset)
    await found.set_kills(THROWN, after=0)
    other = PolicyState(version="1", digest="0" * 64, by="ann", cause="ADMIN:2", after=1)
    body = encode_event(other, event_id="e", source="gate", subject=KILL, at=clock.now(), salt="00")
    header = Signer(own_world.settings.keys_dir, keys.GATE, keyset).sign(body)

    await gate.request(KILL, body, headers={keys.SIGNATURE_HEADER: header}, timeout=5)

    assert (await found.kills()).state.stopped == THROWN.stopped


async def test_where_only_lies_stand_nothing_was_ever_said(own_world: World, gate: Client) -> None:
    await gate.request(KILL, LIE, timeout=5)
    found = states(own_world, gate, Keyset(own_world.settings.keys_dir))

    kills = await found.kills()

    assert (kills.state, kills.revision) == (OFF, 1)
    await found.set_kills(THROWN, after=kills.revision)
    assert (await found.kills()).state.stopped == THROWN.stopped


async def test_each_lie_is_refused_once_however_many_gates_see_it(
    own_world: World, gate: Client
) -> None:
    keyset = Keyset(own_world.settings.keys_dir)
    await gate.request(KILL, LIE, timeout=5)
    for found in (states(own_world, gate, keyset), states(own_world, gate, keyset)):
        await found.kills()
        await found.kills()

    reply = await gate.request(
        "$JS.API.STREAM.MSG.GET.HP_HOLDS_acme",
        b'{"last_by_subj":"hp.acme.refusal.gate.STATE-1"}',
        timeout=5,
    )
    assert b'"seq":1' in reply.data


async def test_what_stands_is_verified_once(own_world: World, gate: Client) -> None:
    await states(own_world, gate, Keyset(own_world.settings.keys_dir)).set_kills(THROWN, after=0)
    keyset = Counting(own_world.settings.keys_dir)
    found = states(own_world, gate, keyset)

    for _ in range(20):
        assert (await found.kills()).state.stopped == THROWN.stopped
        assert (await found.in_force()).kills.stopped == THROWN.stopped

    assert keyset.asked == 1


async def test_a_key_that_did_not_count_then_takes_back_what_it_said(
    own_world: World, gate: Client
) -> None:
    folder = own_world.settings.keys_dir
    keyset = Counting(folder)
    found = states(own_world, gate, keyset)
    stolen_at = clock.now()
    stolen = keys.rotate(folder, keys.GATE, stolen_at)
    await found.set_kills(THROWN, after=0)
    assert (await found.kills()).state.stopped == THROWN.stopped
    assert (await found.in_force()).kills.stopped == THROWN.stopped

    keys.revoke(folder, stolen.key_id, stolen_at - timedelta(seconds=1))

    assert (await found.in_force()).kills.stopped == {}
    assert (await found.kills()).state.stopped == {}


async def test_a_state_that_cannot_be_read_is_not_off(
    own_world: World, gate: Client, connected: Connect
) -> None:
    found = states(own_world, gate, Keyset(own_world.settings.keys_dir))
    await found.set_kills(THROWN, after=0)
    provisioner = await connected(own_world.login(PROVISIONER))
    await provisioner.request("$JS.API.STREAM.DELETE.HP_STATE_acme", b"", timeout=5)

    for asking in (found.kills, found.adopted, found.in_force):
        with pytest.raises(UnavailableError, match="cannot be read"):
            await asking()


@pytest.mark.slow
async def test_while_state_cannot_be_read_nothing_passes(tmp_path: Path) -> None:
    """Not even what would run without asking anybody, once the lease on what was read is over: it
    waits, and is judged afterwards.
    """
    async with running(tmp_path, own={}) as road, AsyncExitStack() as stack:
        guests = Guests(road=road, stack=stack)
        robot, eyes = await guests.agent(), await guests.eyes()
        call = await robot.propose("list_directory", {"path": "."})
        await robot.hears(call, Status.DONE)

        await eyes.client.request("$JS.API.STREAM.DELETE.HP_STATE_acme", b"", timeout=5)
        over = clock.monotonic() + LEASE_S

        async def lease_is_over() -> bool:
            return clock.monotonic() > over

        await eventually(lease_is_over)
        call = await robot.propose("list_directory", {"path": "."})
        told = await robot.ask(call, wait_s=2.0)
        assert told.status is Status.WAITING

        await provision(
            eyes.client,
            plan(load_tenant(road.settings, road.supervisor.domains), limits(road.settings)),
            accept_lost="HP_STATE_acme",
        )
        assert (await robot.hears(call, Status.DONE)).status is Status.DONE
