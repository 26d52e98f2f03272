"""Who may not come in hears so at once; who comes before the broker waits for it, for a while."""

import asyncio
import gc
from dataclasses import replace
from pathlib import Path

import pytest
import structlog
from nats.aio.client import Client
from tests.conftest import Connect
from tests.waiting import eventually
from tests.world import World, settings_in, start_world

from holdpoint.runtime.broker import connection
from holdpoint.runtime.broker.faststream_broker import subscribe
from holdpoint.runtime.broker.lanes import Delivery, Lane
from holdpoint.runtime.broker.wire import wire_of
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import clock, service
from holdpoint.runtime.security import credentials, permissions

pytestmark = pytest.mark.nats


async def test_nobody_comes_in_with_a_strangers_key_and_hears_so_at_once(world: World) -> None:
    credentials.make_credential(world.settings.credentials_dir, "stranger")
    since = clock.monotonic()

    with pytest.raises(SetupError, match=r"does not know stranger\. Tell it: holdpoint provision"):
        await connection.connect(world.login("stranger"))

    assert clock.monotonic() - since < connection.FIRST_CONNECT_S / 5


async def test_an_authority_that_cannot_be_read_is_named(world: World) -> None:
    missing = world.settings.state_dir / "no-authority.pem"

    with pytest.raises(SetupError, match=r"no-authority\.pem, the broker's authority, cannot be"):
        await connection.connect(replace(world.login(credentials.GATE), ca=missing))


async def test_whoever_comes_before_the_broker_waits_for_it(own_world: World) -> None:
    own_world.server.kill()
    connecting = asyncio.create_task(connection.connect(own_world.login(credentials.GATE)))
    done, _ = await asyncio.wait([connecting], timeout=0.5)
    assert not done

    await own_world.server.start()

    client = await connecting
    assert client.is_connected
    await client.close()


async def test_an_agent_that_leaves_connections_open_keeps_no_person_out(
    tmp_path: Path, connected: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(permissions, "AGENTS_CONNECTIONS", 2)
    world = await start_world(settings_in(tmp_path))
    try:
        open_ones = [await connected(world.login("agent_robot")) for _ in range(2)]
        one_more = asyncio.create_task(connection.connect(world.login("agent_robot")))
        assert (await connected(world.login("person_ann"))).is_connected
        done, _ = await asyncio.wait([one_more], timeout=0.5)
        assert not done
        await open_ones[0].close()
        await (await one_more).close()
    finally:
        await world.stop()


@pytest.mark.slow
@pytest.mark.parametrize("batch", [1, 8])
async def test_a_service_whose_broker_dies_while_it_starts_starts_later(
    own_world: World, batch: int
) -> None:
    who = own_world.login(credentials.GATE)
    broker, client = await service.connected(who)
    heard = asyncio.Event()

    async def hear(delivery: Delivery) -> None:
        heard.set()
        await delivery.ack()

    lane = Lane(stream="HP_ADMIN_acme", durable="gates", batch=batch)
    subscribe(broker, wire_of(client), lane, hear)
    own_world.server.kill()

    async def is_lost() -> bool:
        return not client.is_connected

    await eventually(is_lost)
    starting = asyncio.create_task(broker.start())
    done, _ = await asyncio.wait([starting], timeout=0.5)
    assert not done
    await own_world.server.start()
    await starting
    ann = await own_world.client(credentials.person_user("ann"))
    await ann.publish("hp.acme.admin.ann.kill", b"{}")
    async with asyncio.timeout(10):
        await heard.wait()
    await ann.close()
    await broker.stop()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_who_is_taken_off_the_list_later_is_not_told_so_by_a_crash(
    own_world: World, connected: Connect
) -> None:
    """Only a first connection ends by being refused: later ones are tried again for ever."""
    login = own_world.login(credentials.agent_user("robot"))
    robot = await connected(login)
    everybody = own_world.server.config.read_text()
    robots = credentials.public_key(login.seed)
    stranger = credentials.make_credential(own_world.settings.credentials_dir, "stranger")

    await _restarted(own_world, everybody.replace(robots, stranger))
    await eventually(lambda: _is_refused(robot))
    await _restarted(own_world, everybody)

    await eventually(lambda: _is_in(robot))
    gc.collect()  # nats-py leaves the socket of a refused reconnection to the collector


async def _restarted(world: World, config: str) -> None:
    world.server.kill()
    world.server.config.write_text(config)
    await world.server.start()


async def _is_refused(client: Client) -> bool:
    return "Authorization Violation" in str(client.last_error)


async def _is_in(client: Client) -> bool:
    return client.is_connected


async def test_who_leaves_does_not_call_it_a_loss(
    own_world: World, connected: Connect, capsys: pytest.CaptureFixture[str]
) -> None:
    structlog.reset_defaults()  # whatever tests before this one left behind
    leaving = await connection.connect(own_world.login(credentials.GATE))
    staying = await connected(own_world.login(credentials.PROVISIONER))
    capsys.readouterr()

    await leaving.close()
    assert "broker_disconnected" not in capsys.readouterr().out

    own_world.server.kill()

    async def noticed() -> bool:
        return "broker_disconnected" in capsys.readouterr().out

    assert await eventually(noticed)
    assert not staying.is_closed
    await own_world.server.start()
