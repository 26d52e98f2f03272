"""The broker as a child: it comes back after a kill, guards its store, and syncs each write."""

import asyncio
from functools import partial
from pathlib import Path

import msgspec
import pytest
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError
from tests.conftest import Connect
from tests.waiting import eventually
from tests.world import TENANT, World, provision, settings_in, start_world

from holdpoint.messages.subjects import ANSWERS, HOLDS, stream
from holdpoint.runtime.broker import provisioning
from holdpoint.runtime.broker.connection import jetstream
from holdpoint.runtime.broker.faststream_broker import PatientBroker, subscribe
from holdpoint.runtime.broker.lanes import Delivery, Lane
from holdpoint.runtime.broker.nodes import free_port
from holdpoint.runtime.broker.server import NatsServer, check_durability, running_pid
from holdpoint.runtime.broker.streams import ACK_WAIT_S, GATES
from holdpoint.runtime.broker.wire import wire_of
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.security import credentials

pytestmark = pytest.mark.nats


async def test_what_was_acknowledged_survives_a_kill(own_world: World, connected: Connect) -> None:
    robot = await connected(own_world.login("agent_robot"))
    before = await robot.request("hp.acme.call.robot.propose", b"{}", timeout=5)

    await own_world.restart()

    async def works_again() -> bool:
        return robot.is_connected

    await eventually(works_again)
    after = await robot.request("hp.acme.call.robot.propose", b"{}", timeout=5)
    assert msgspec.json.decode(before.data)["seq"] == 1
    assert msgspec.json.decode(after.data)["seq"] == 2
    assert await provision(own_world) == provisioning.Report()


@pytest.mark.slow
async def test_who_stands_still_is_gone_before_its_messages_are_delivered_again(
    own_world: World, connected: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    login, gone = own_world.login("agent_robot"), asyncio.Event()
    login.lost.append(gone.set)
    robot = await connected(login)

    async def stand_still(*_: object) -> None:
        """It answers no ping, and sends none."""

    for name in ("_process_ping", "_send_ping"):
        monkeypatch.setattr(robot, name, stand_still)
    async with asyncio.timeout(ACK_WAIT_S):
        await gone.wait()
    monkeypatch.undo()


async def test_two_servers_never_share_a_store(own_world: World) -> None:
    second = NatsServer(
        config=own_world.settings.nats_conf,
        run_dir=own_world.settings.run_dir,
        port=own_world.server.port,
    )

    with pytest.raises(SetupError, match="already runs"):
        await second.start()
    assert running_pid(own_world.settings.run_dir) == own_world.server.pid


async def test_a_configuration_that_is_wrong_says_so(tmp_path: Path) -> None:
    config = tmp_path / "nats.conf"
    config.write_text("jetstream: {sync_interval: sometimes}\n")
    server = NatsServer(config=config, run_dir=tmp_path / "run", port=free_port(20_000))

    with pytest.raises(SetupError, match="sync_interval"):
        await server.start()
    assert running_pid(tmp_path / "run") is None


async def test_a_taken_port_is_passed_over(world: World) -> None:
    assert free_port(world.server.port) > world.server.port


async def test_the_server_syncs_each_write(world: World, connected: Connect) -> None:
    system = await connected(world.login(credentials.SYSTEM))

    await check_durability(system, "always")


async def test_a_server_that_syncs_later_is_found_out(tmp_path: Path, connected: Connect) -> None:
    settings = settings_in(tmp_path).model_copy(update={"sync_interval": "100ms"})
    world = await start_world(settings)
    try:
        system = await connected(world.login(credentials.SYSTEM))
        await check_durability(system, "100ms")
        with pytest.raises(SetupError, match="does not sync each write"):
            await check_durability(system, "always")
    finally:
        await world.stop()


async def test_a_stream_exempt_from_syncing_is_found_out(
    own_world: World, connected: Connect
) -> None:
    provisioner = await connected(own_world.login(credentials.PROVISIONER))
    lax = {"name": "LAX", "subjects": ["lax"], "storage": "file", "persist_mode": "async"}
    reply = await provisioner.request(
        "$JS.API.STREAM.CREATE.LAX", msgspec.json.encode(lax), timeout=5
    )
    assert "error" not in msgspec.json.decode(reply.data)
    system = await connected(own_world.login(credentials.SYSTEM))

    with pytest.raises(SetupError, match="LAX"):
        await check_durability(system, "always")


@pytest.mark.slow
@pytest.mark.parametrize("batch", [1, 8])
async def test_what_is_pushed_to_faststream_goes_on_after_the_broker_was_killed(
    own_world: World, connected: Connect, batch: int
) -> None:
    login = own_world.login(credentials.GATE)
    broker = PatientBroker(login)
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def keep(delivery: Delivery) -> None:
        await delivery.ack()
        heard.put_nowait(delivery.id)

    client = await broker.connect()
    lane = Lane(stream=stream(TENANT, ANSWERS), durable=GATES, batch=batch)
    subscribe(broker, wire_of(client), lane, keep)
    ann = await connected(own_world.login(credentials.person_user("ann")))
    async with broker:
        await broker.start()
        for seq in (1, 2):
            await ann.request("hp.acme.answer.terminal.ann.robot.h1", b"{}", timeout=5)
            async with asyncio.timeout(10):  # one that it forgot is acknowledged comes again
                while (told := await heard.get()) != f"ANSWERS:{seq}":
                    assert told == f"ANSWERS:{seq - 1}"
            await eventually(partial(_all_acknowledged, jetstream(client, login), lane))
            await own_world.restart()
            await eventually(partial(_all_connected, ann, client))
    assert list(login.denials) == []


async def test_what_nobody_waits_for_leaves_a_stream_that_denies_deletion(
    own_world: World, connected: Connect
) -> None:
    gate = await connected(own_world.login(credentials.GATE))
    js = jetstream(gate, own_world.login(credentials.GATE))
    kept, gone = (f"hp.acme.hold.robot.{name}.passed.shell" for name in ("h1", "h2"))
    await gate.request(kept, b"{}", timeout=5)
    await gate.request(gone, b"{}", timeout=5, headers={"Nats-TTL": "1s"})

    async def only_the_other_is_left() -> bool:
        try:
            await js.get_last_msg(stream(TENANT, HOLDS), gone)
        except NotFoundError:
            return True
        return False

    await eventually(only_the_other_is_left)
    assert (await js.get_last_msg(stream(TENANT, HOLDS), kept)).seq == 1


async def _all_acknowledged(js: JetStreamContext, lane: Lane) -> bool:
    return not (await js.consumer_info(lane.stream, lane.durable)).num_ack_pending


async def _all_connected(*clients: Client) -> bool:
    return all(it.is_connected for it in clients)


async def test_jetstream_is_reached_under_each_accounts_own_name(
    world: World, connected: Connect
) -> None:
    login = world.login("worker_shell")
    worker = await connected(login)

    info = await jetstream(worker, login).consumer_info("HP_HOLDS_acme", "worker_shell")

    assert info.config.filter_subjects == [
        f"hp.acme.hold.*.*.{word}.shell" for word in ("passed", "witnessed", "resumed")
    ]
