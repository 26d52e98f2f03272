"""Two facts in one round trip: the second is stored directly behind the first, or not at all."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace
from tests.builders import UI, a_halted_hold
from tests.conftest import Connect
from tests.gate_context import a_gate
from tests.world import World

from holdpoint.core.commands import Render
from holdpoint.core.hold import decide
from holdpoint.gate.context import Gate
from holdpoint.messages.hold import AnyHoldFact, Halted, Hold, Rendered
from holdpoint.messages.subjects import at_hold
from holdpoint.runtime.errors import ConflictError
from holdpoint.runtime.process import clock

pytestmark = pytest.mark.nats

CAUSE = "CALLS@robot:1"


def _both(hold: Hold) -> tuple[Halted, AnyHoldFact]:
    halted = Halted(hold=replace(hold, causes=(CAUSE,)), cause=CAUSE, metadata=hold.metadata)
    command = Render(cause=CAUSE, ui=UI, title="A file", render_digest="d")
    rendered = decide(halted.hold, command, clock.now())
    assert isinstance(rendered, Rendered)
    return halted, rendered


async def test_two_facts_are_stored_next_to_each_other_with_one_cause(
    own_world: World, connected: Connect
) -> None:
    gate = await a_gate(own_world, connected)
    halted, rendered = _both(a_halted_hold(tenant="acme", agent="robot"))
    stands = await gate.holds.append_both(halted, 0, rendered)
    assert stands.fact == rendered
    assert stands.hold.causes == (CAUSE,)
    assert await gate.holds.load("robot", stands.hold.hold_id) == stands
    before = await gate.journal.reader.at("HOLDS", stands.seq - 1)
    assert before is not None
    assert before.message == halted
    assert gate.journal.reader.counts(before)


async def test_where_somebody_was_first_neither_is_stored(
    own_world: World, connected: Connect
) -> None:
    gate = await a_gate(own_world, connected)
    halted, rendered = _both(a_halted_hold(tenant="acme", agent="robot"))
    first = await gate.holds.append(halted, after=0)
    with pytest.raises(ConflictError):
        await gate.holds.append_both(halted, 0, rendered)
    assert await gate.holds.load("robot", first.hold.hold_id) == first


async def test_where_something_came_between_only_the_first_is_stored(
    own_world: World, connected: Connect
) -> None:
    gate = await a_gate(own_world, connected)
    halted, rendered = _both(a_halted_hold(tenant="acme", agent="robot"))
    other, _ = _both(a_halted_hold(tenant="acme", agent="robot", hold_id="another"))
    assert isinstance(await _written(gate, halted, named="first"), int)
    await gate.holds.append(other, after=0)
    assert isinstance(await _written(gate, rendered, behind="first"), ConflictError)


async def _written(gate: Gate, fact: AnyHoldFact, **places: Any) -> object:
    """What became of one fact that was sent with this name, or behind that one."""
    stored = asyncio.get_running_loop().create_future()
    fact_to_write = gate.journal.prepare(fact, at_hold(fact), 0, 0, stored.set_result)
    gate.journal.begin((replace(fact_to_write, **places),))
    return await stored
