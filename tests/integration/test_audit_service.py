"""The audit on a real broker: what is published is entered, and only then acknowledged."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing

import pytest
from nats.js import JetStreamContext
from nats.js.api import ConsumerInfo
from tests.conftest import Connect
from tests.integration.ledger_files import asked
from tests.integration.ledger_stories import a_proposal
from tests.waiting import eventually
from tests.world import TENANT, World

from holdpoint.audit import app
from holdpoint.audit.verify import verify
from holdpoint.messages import subjects
from holdpoint.messages.codec import encode_event
from holdpoint.runtime import clock
from holdpoint.runtime.connection import jetstream
from holdpoint.runtime.credentials import AUDIT, PROVISIONER, agent_user
from holdpoint.runtime.ledger import engines
from holdpoint.runtime.ledger.engines import file_of
from holdpoint.runtime.ledger.questions import Found, Search, events_found

pytestmark = pytest.mark.nats

MANY = 700
WHILE_S = 30.0


@asynccontextmanager
async def auditing(world: World) -> AsyncIterator[None]:
    """The service, without a process of its own."""
    built = await app.build(world.settings)
    for job in built.at_start:
        await job()
    await built.broker.start()
    running = [asyncio.create_task(job()) for job in built.jobs]
    yield
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    await built.broker.stop()
    for job in built.at_end:
        await job()


async def test_what_is_published_is_entered_and_then_acknowledged(
    own_world: World, connected: Connect
) -> None:
    world = own_world
    js = await _as_agent(world, connected)
    async with auditing(world):
        await _propose(js, MANY)
        found = await eventually(lambda: _all_of(world, MANY))
        await eventually(lambda: _nothing_unacknowledged(world, connected))

    assert [event.src_seq for event in found] == list(range(1, MANY + 1))
    assert {event.principal for event in found} == {"robot"}
    assert verify(world.settings.ledger_url).problems == ()


async def test_a_locked_ledger_loses_and_doubles_nothing(
    own_world: World, connected: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "BUSY_MS", 50)
    world = own_world
    js = await _as_agent(world, connected)
    async with auditing(world):
        path = file_of(world.settings.ledger_url)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            await _propose(js, MANY)
            await eventually(lambda: _tried_again(world, connected))
            assert await _all_of(world, 0) == []
            other.execute("ROLLBACK")
        await eventually(lambda: _all_of(world, MANY), WHILE_S)

    assert verify(world.settings.ledger_url).problems == ()


async def _as_agent(world: World, connected: Connect) -> JetStreamContext:
    who = world.login(agent_user("robot"))
    return jetstream(await connected(who), who)


async def _propose(js: JetStreamContext, times: int) -> None:
    subject = subjects.call_subject(TENANT, "robot", "propose")
    for number in range(times):
        body = encode_event(
            a_proposal(f"k{number}"),
            event_id=clock.new_id(),
            source="robot",
            subject=subject,
            at=clock.now(),
            salt=clock.new_nonce(),
        )
        await js.publish(subject, body, stream=subjects.stream(TENANT, subjects.CALLS))


async def _all_of(world: World, times: int) -> list[Found]:
    search = Search(agent="robot", limit=times + 1)
    found = asked(world.settings.ledger_url, lambda c: events_found(c, search))
    assert len(found) == times
    return sorted(found, key=lambda event: event.src_seq)


async def _nothing_unacknowledged(world: World, connected: Connect) -> bool:
    info = await _consumer(world, connected)
    return (info.num_pending, info.num_ack_pending) == (0, 0)


async def _tried_again(world: World, connected: Connect) -> bool:
    return bool((await _consumer(world, connected)).num_redelivered)


async def _consumer(world: World, connected: Connect) -> ConsumerInfo:
    who = world.login(PROVISIONER)
    js = jetstream(await connected(who), who)
    info: ConsumerInfo = await js.consumer_info(subjects.stream(TENANT, subjects.CALLS), AUDIT)
    return info
