"""A drawn lane: whatever comes is in hand at once, and a slow or a failing one stops no other."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from nats.aio.client import Client
from tests.conftest import Connect
from tests.waiting import eventually
from tests.world import TENANT, World, provision

from holdpoint.messages.subjects import HOLDS, stream
from holdpoint.runtime.broker.lanes import Delivery, Handler, Lane
from holdpoint.runtime.broker.pulls import pull
from holdpoint.runtime.security.credentials import GATE

pytestmark = [pytest.mark.nats, pytest.mark.slow]

IN_HAND = 8
AT_ONCE_S = 0.9
"""Well under what a request that was served in part would keep the next message back."""


@pytest.fixture(params=[0.0, 0.05], ids=["awaited", "polled"])
def every_s(request: pytest.FixtureRequest) -> float:
    """A lane that is asked for now and then keeps the same promises."""
    return float(request.param)


@asynccontextmanager
async def drawn(
    world: World, connected: Connect, handler: Handler, every_s: float
) -> AsyncIterator[Client]:
    """The lane of the shell's worker in this handler's hands."""
    login = world.login("worker_shell")
    client = await connected(login)
    lane = Lane(
        stream=stream(TENANT, HOLDS), durable="worker_shell", batch=IN_HAND, every_s=every_s
    )
    drawing = asyncio.create_task(pull(client, login, lane, handler))
    try:
        yield client
    finally:
        drawing.cancel()
        await asyncio.gather(drawing, return_exceptions=True)
        assert list(login.denials) == []


def keeping(heard: asyncio.Queue[str]) -> Handler:
    async def keep(delivery: Delivery) -> None:
        await delivery.ack()
        heard.put_nowait(delivery.subject.split(".")[4])

    return keep


async def grants(gate: Client, *names: str) -> None:
    for name in names:
        await gate.request(f"hp.acme.hold.robot.{name}.passed.shell", b"{}", timeout=5)


async def in_order(heard: asyncio.Queue[str], count: int, within_s: float = 10) -> list[str]:
    async with asyncio.timeout(within_s):
        return [await heard.get() for _ in range(count)]


async def test_a_message_after_a_part_of_a_batch_is_in_hand_at_once(
    own_world: World, connected: Connect, every_s: float
) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()
    gate = await connected(own_world.login(GATE))
    async with drawn(own_world, connected, keeping(heard), every_s):
        await grants(gate, "h1", "h2", "h3")
        assert await in_order(heard, 3) == ["h1", "h2", "h3"]

        for name in ("h4", "h5", "h6", "h7"):
            await grants(gate, name)
            assert await in_order(heard, 1, AT_ONCE_S) == [name]


async def test_empty_messages_keep_none_behind_them_waiting(
    own_world: World, connected: Connect, every_s: float
) -> None:
    """Between accounts each of them ends its request: what else it brings is lost on the way."""
    heard: asyncio.Queue[str] = asyncio.Queue()
    gate = await connected(own_world.login(GATE))
    names = [f"h{number}" for number in range(3 * IN_HAND)]
    for name in names:
        await gate.request(f"hp.acme.hold.robot.{name}.passed.shell", b"", timeout=5)
        await grants(gate, f"full-{name}")

    async with drawn(own_world, connected, keeping(heard), every_s):
        assert len(set(await in_order(heard, 2 * len(names)))) == 2 * len(names)


async def test_a_slow_handler_keeps_nothing_else_waiting_and_hands_are_never_too_many(
    own_world: World, connected: Connect, every_s: float
) -> None:
    go_on, held, most, heard = asyncio.Event(), set[str](), 0, asyncio.Queue[str]()
    gate = await connected(own_world.login(GATE))

    async def hold_the_slow_ones(delivery: Delivery) -> None:
        nonlocal most
        name = delivery.subject.split(".")[4]
        held.add(name)
        most = max(most, len(held))
        if name.startswith("slow"):
            await go_on.wait()
        held.discard(name)
        await delivery.ack()
        heard.put_nowait(name)

    async with drawn(own_world, connected, hold_the_slow_ones, every_s):
        await grants(gate, "slow1", "slow2", *(f"h{n}" for n in range(40)))
        first = await in_order(heard, 40)
        await grants(gate, *(f"slow{n}" for n in range(3, 20)))

        async def all_hands_are_full() -> bool:
            return len(held) == IN_HAND

        await eventually(all_hands_are_full)
        go_on.set()
        last = await in_order(heard, 19)

    assert sorted(first) == sorted(f"h{n}" for n in range(40))
    assert sorted(last) == sorted(f"slow{n}" for n in range(1, 20))
    assert most == IN_HAND


async def test_a_handler_that_fails_gets_its_message_again(
    own_world: World, connected: Connect, every_s: float
) -> None:
    tries: asyncio.Queue[int] = asyncio.Queue()
    gate = await connected(own_world.login(GATE))

    async def fail_twice(delivery: Delivery) -> None:
        tries.put_nowait(delivery.deliveries)
        if delivery.deliveries < 3:
            raise ValueError("not yet")
        await delivery.ack()

    async with drawn(own_world, connected, fail_twice, every_s):
        await grants(gate, "h1")
        async with asyncio.timeout(10):
            assert [await tries.get() for _ in range(3)] == [1, 2, 3]


@pytest.mark.parametrize("stop", ["restart", "deleted"])
async def test_a_lane_is_drawn_from_again_when_its_requests_were_lost(
    stop: str, own_world: World, connected: Connect, every_s: float
) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()
    gate = await connected(own_world.login(GATE))
    async with drawn(own_world, connected, keeping(heard), every_s) as worker:
        await grants(gate, "h1")
        assert await in_order(heard, 1) == ["h1"]

        await LOSSES[stop](own_world, worker)

        async def sent() -> bool:
            return gate.is_connected

        await eventually(sent)
        await grants(gate, "h2")
        async with asyncio.timeout(10):
            while await heard.get() != "h2":  # an acknowledgement may have been lost as well
                continue


async def _restart(world: World, worker: Client) -> None:
    await world.restart()

    async def is_back() -> bool:
        return worker.is_connected

    await eventually(is_back)


async def _delete_and_make_again(world: World, _: Client) -> None:
    provisioner = await world.client("provisioner")
    name = f"{stream(TENANT, HOLDS)}.worker_shell"
    try:
        await provisioner.request(f"$JS.API.CONSUMER.DELETE.{name}", b"", timeout=5)
    finally:
        await provisioner.close()
    await provision(world)


LOSSES: dict[str, Callable[[World, Client], Awaitable[None]]] = {
    "restart": _restart,
    "deleted": _delete_and_make_again,
}
