"""A grant that is being worked on is handed to nobody else, however long it takes."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from tests.conftest import Connect
from tests.waiting import eventually
from tests.world import TENANT, settings_in, start_world

from holdpoint.messages.subjects import HOLDS, stream
from holdpoint.runtime.broker import streams
from holdpoint.runtime.broker.lanes import Delivery, Lane
from holdpoint.runtime.broker.pulls import pull
from holdpoint.runtime.security.credentials import GATE
from holdpoint.workers import effects

pytestmark = [pytest.mark.nats, pytest.mark.slow]


async def test_who_says_that_it_works_on_a_grant_keeps_it(
    tmp_path: Path, connected: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "ACK_WAIT_S", 1)
    monkeypatch.setattr(effects, "HEARTBEAT_S", 0.3)
    world = await start_world(settings_in(tmp_path))
    came, over = Counter[str](), asyncio.Event()

    async def work(delivery: Delivery) -> None:
        name = delivery.subject.split(".")[4]
        came[name] += 1
        if name == "silent":
            return
        with effects.heartbeat(delivery):
            await over.wait()
        await delivery.ack()

    login = world.login("worker_shell")
    lane = Lane(stream=stream(TENANT, HOLDS), durable="worker_shell")
    drawing = asyncio.create_task(pull(await connected(login), login, lane, work))
    gate = await connected(world.login(GATE))
    for name in ("telling", "silent"):
        await gate.request(f"hp.acme.hold.robot.{name}.passed.shell", b"{}", timeout=5)

    async def silent_came_again_and_again() -> bool:
        return came["silent"] > 3

    await eventually(silent_came_again_and_again)
    assert came["telling"] == 1
    over.set()
    drawing.cancel()
    await asyncio.gather(drawing, return_exceptions=True)
    await world.stop()
