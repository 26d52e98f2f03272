"""Seed 001's four cycles through the real bus: h, h' and h'' come out exactly."""

from collections.abc import AsyncIterator

import pytest
from tests.integration.ledger_files import asked
from tests.running_system import Road, fresh
from tests.waiting import eventually

from holdpoint.client.holdpoint import Holdpoint
from holdpoint.client.outcome import Outcome, RefusedError
from holdpoint.core.digest import hold_id
from holdpoint.core.graph_picture import svg
from holdpoint.ledger.cycle_pictures import cycle_picture, mermaid
from holdpoint.ledger.history import Node, cycles_of, derivative, history

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)


@pytest.fixture
async def a(road: Road) -> AsyncIterator[Holdpoint]:
    async with Holdpoint.connect(
        "planner", road.settings, url=road.login("agent_planner").url
    ) as hp:
        yield hp


@pytest.fixture
async def b(road: Road) -> AsyncIterator[Holdpoint]:
    async with Holdpoint.connect(
        "refund-agent", road.settings, url=road.login("agent_refund-agent").url
    ) as hp:
        yield hp


async def four_cycles(
    a: Holdpoint, b: Holdpoint, q: dict[str, str], read: dict[str, str], asks: dict[str, str]
) -> list[Outcome]:
    """Have them; what came of each call of A's, in order."""
    key = fresh("key")
    async with a.cycle("u1") as cycle:
        await cycle.answer("v1")
    async with a.cycle("u2") as cycle:
        listed = await a.call("list_directory", q)
        await cycle.answer("v2")
    async with a.cycle("u3") as cycle:
        await a.call("dispatch", asks, idempotency_key=key, timeout=0.5)
        above = hold_id(a.tenant, "planner", "ann", "dispatch", key)
        async with b.cycle("u'", dispatched_by=above) as below:
            await below.answer("v'")
        answered = await a.resume(above)
        await cycle.answer("v3")
    async with a.cycle("u4") as cycle:
        again = await a.call("list_directory", q)
        note = await a.call("read_file", read)
        await cycle.answer("v4")
    return [listed, answered, again, note]


async def test_the_seeds_four_cycles_come_out_exactly(
    road: Road, a: Holdpoint, b: Holdpoint
) -> None:
    (road.scratch / (folder := fresh("folder"))).mkdir()
    q, read = {"path": folder}, {"path": f"{folder}/note.txt"}
    (road.scratch / read["path"]).write_text("hello")
    asks = {"target_agent": "refund-agent", "query": "u'"}
    listed, answered, again, note = await four_cycles(a, b, q, read, asks)

    async def told() -> tuple[Node, ...]:
        assert history(cycles_in(road, "refund-agent", "u'")) == [("u'", "v'")]
        found = cycles_in(road, "planner", "u1", "u2", "u3", "u4")
        assert [len(cycle.children) for cycle in found] == [0, 1, 1, 2]
        assert all(it.output for cycle in found for it in (cycle, *cycle.children))
        return found

    cycles = await eventually(told, 30)

    assert history(cycles) == [("u1", "v1"), ("u2", "v2"), ("u3", "v3"), ("u4", "v4")]
    assert derivative(cycles) == [
        ("u1", "v1"),
        ("u2", q, listed.data, "v2"),
        ("u3", asks, answered.data, "v3"),
        ("u4", q, again.data, read, note.data, "v4"),
    ]
    assert [cycle.shape for cycle in cycles] == [
        "planner",
        "planner→list_directory",
        "planner→dispatch→refund-agent",
        "planner→(list_directory,read_file)",
    ]
    assert mermaid(cycles).count("subgraph") == 4
    drawn = svg(cycle_picture(cycles))
    assert [drawn.count(it) for it in ("<rect", "<path", ">Cycle ", ">done<")] == [9, 10, 4, 9]


async def test_a_refused_call_that_escapes_leaves_its_dispatch_open(
    a: Holdpoint, b: Holdpoint
) -> None:
    key, asks = fresh("key"), {"target_agent": "refund-agent", "query": "u"}
    await a.call("dispatch", asks, idempotency_key=key, timeout=0.5)
    above = hold_id(a.tenant, "planner", "ann", "dispatch", key)
    with pytest.raises(RefusedError):
        async with b.cycle("u", dispatched_by=above):
            await b.call("no_such_tool", {})

    async with b.cycle("u", dispatched_by=above) as again:
        await again.answer("v")

    assert (await a.resume(above)).data == {"text": "v"}


def cycles_in(road: Road, agent: str, *inputs: str) -> tuple[Node, ...]:
    """Those with one of these inputs: other tests of this road call the same agents."""
    settings = road.settings
    found = asked(settings.ledger_url, lambda it: cycles_of(it, settings.tenant, agent))
    return tuple(it for it in found if history((it,))[0][0] in inputs)
