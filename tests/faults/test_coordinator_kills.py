"""The coordinator is killed at every step of a request: the same request_id finishes it, once."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
from tests.actors import Guests
from tests.coordinator_system import CLOUD, Asking, coordinated
from tests.running_system import COORDINATOR, TENANT, Road
from tests.waiting import eventually

from holdpoint.messages.request import AgentRequest, AgentResponse
from holdpoint.runtime.broker import person_connection
from holdpoint.runtime.broker.connection import jetstream
from holdpoint.runtime.broker.person_connection import Person
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.crash import VARIABLE

pytestmark = [pytest.mark.nats, pytest.mark.slow]

TRANSFER = "transfer $1 to savings"
CALLS = ("coordinator.call.before", "coordinator.call.after")
DISPATCHES = ("coordinator.dispatch.before", "coordinator.dispatch.after")
STEPS = [
    *((TRANSFER, f"{step}:{at}") for step in CALLS for at in (1, 2)),
    *(("remind me to buy {id}", f"{step}:1") for step in CALLS),
    *(("check database cost", f"{step}:{at}") for step in DISPATCHES for at in (1, 2)),
    *(("check database cost", f"{step}:{at}") for step in CALLS for at in (1, 2)),
    *(("check database cost", f"coordinator.answer.before:{at}") for at in (1, 2)),
    *(("list my accounts", f"{step}:1") for step in CALLS),  # the agent, without a workflow
    *(
        (said, f"coordinator.response.{at}:1")
        for said in (TRANSFER, "remind me to buy {id}", "check database cost")
        for at in ("before", "after")
    ),
]


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """Shared by the module: only the coordinator dies in it."""
    with asyncio.Runner() as runner:
        world = coordinated(tmp_path_factory.mktemp("kills"), own=CLOUD)
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@pytest.fixture
async def ann(town: Road) -> AsyncIterator[Asking]:
    async with AsyncExitStack() as stack:
        yield Asking(person=await Guests(road=town, stack=stack).person("ann"))


async def restarted(town: Road, crash: str) -> None:
    """The coordinator anew, which dies at this step; empty: it lives."""
    if COORDINATOR not in town.supervisor.dead():
        town.supervisor.kill(COORDINATOR)
    os.environ[VARIABLE] = crash
    try:
        town.supervisor.start(COORDINATOR)
    finally:
        del os.environ[VARIABLE]
    await town.supervisor.ready(COORDINATOR)


@pytest.mark.parametrize(("text", "step"), STEPS)
async def test_the_same_request_finishes_after_a_kill(
    town: Road, ann: Asking, text: str, step: str
) -> None:
    request_id = clock.new_id()
    said = text.format(id=request_id)
    await restarted(town, step)
    dying = asyncio.create_task(ann.ask(said, request_id))

    async def is_dead() -> bool:
        return COORDINATOR in town.supervisor.dead()

    await eventually(is_dead, 30.0)
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)
    await restarted(town, "")

    told = await ann.patiently(said, request_id)
    again = await ann.patiently(said, request_id)
    assert told.success, told
    assert told.message == again.message
    assert set(holds_of(again)) <= set(holds_of(told))  # an answered dispatch calls nothing again
    if text == TRANSFER:
        (hold_id,) = holds_of(told)[-1:]
        await ann.person.proceed(await ann.person.card(hold_id))
        await ann.person.card(hold_id, "done")
        assert "I transferred $1.00" in (await ann.patiently(said, request_id)).message
    elif "{id}" in text:
        listed = await ann.patiently("show my tasks", clock.new_id())
        assert listed.message.count(request_id) == 1


async def test_who_waits_is_answered_by_the_coordinator_that_comes_after(
    town: Road, ann: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(person_connection, "AGAIN_S", 1.0)
    request = AgentRequest(message=TRANSFER, conversation_history=(), request_id=clock.new_id())
    waiter = Person(
        name=ann.person.name,
        tenant=TENANT,
        channel="terminal",
        client=ann.person.client,
        jetstream=jetstream(ann.person.client, ann.person.login),
    )
    await restarted(town, "coordinator.call.after:2")
    asking = asyncio.create_task(waiter.request(request))

    async def is_dead() -> bool:
        return COORDINATOR in town.supervisor.dead()

    await eventually(is_dead, 30.0)
    await restarted(town, "")

    async with asyncio.timeout(20.0):
        told = await asking
    assert told.success, told
    assert len(holds_of(told)) == len(set(holds_of(told)))


def holds_of(response: AgentResponse) -> list[str]:
    """The holds that an answer tells of."""
    return [str(call.result.get("hold_id")) for call in response.tool_calls or ()]
