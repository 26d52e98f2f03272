"""The gate's sweep over the grants of each domain."""

from datetime import datetime

import pytest
from tests.builders import T0, a_pass, a_tool, an_action
from tests.conftest import Connect
from tests.gate_context import a_gate
from tests.world import World

from holdpoint.core.digest import action_digest
from holdpoint.gate import runs
from holdpoint.gate.admin_orders import on_order
from holdpoint.gate.context import Gate
from holdpoint.gate.runs import sweep
from holdpoint.messages.catalog import HOST_DOMAIN
from holdpoint.messages.codec import encode_event
from holdpoint.messages.run import Barred, Lapsed
from holdpoint.messages.state import Kill
from holdpoint.runtime.broker.lanes import delivery_of
from holdpoint.runtime.broker.wire import wire_of
from holdpoint.runtime.process import clock

pytestmark = pytest.mark.nats

GRANTS = 5
AT_ONCE = 2


async def test_the_kill_switch_bars_every_grant_however_many_wait_for_a_worker(
    own_world: World, connected: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "MOST_AT_ONCE", AT_ONCE)
    """Nor what the asking program would run: another gate may stand still before its claim."""
    gate = await a_gate(own_world, connected, a_tool())
    await granted(gate, clock.now())
    await granted(gate, clock.now(), HOST_DOMAIN)
    order, subject = Kill(on=True, agent="robot"), "hp.acme.admin.ann.kill"
    body = encode_event(
        order, event_id="o", source="test", subject=subject, at=clock.now(), salt=""
    )
    reply = f"$JS.ACK.HP_ADMIN_acme.gates.1.1.1.{clock.now():%s}000000000.0"

    await on_order(gate, delivery_of(wire_of(gate.client), subject, reply, b"", body))

    assert await ends(gate) == [Barred] * GRANTS
    assert await ends(gate, HOST_DOMAIN) == [Barred] * GRANTS


async def test_sweep_after_sweep_everything_lapses_that_no_worker_ran(
    own_world: World, connected: Connect
) -> None:
    gate = await a_gate(own_world, connected, a_tool())
    await granted(gate, T0)
    for _ in range(GRANTS // AT_ONCE + 1):
        await sweep(gate, AT_ONCE)

    assert await ends(gate) == [Lapsed] * GRANTS


async def granted(gate: Gate, at: datetime, domain: str = "database") -> None:
    """Let go of so many calls, which nobody runs."""
    for number in range(GRANTS):
        action = an_action(agent="robot", domain=domain)
        passed = a_pass(
            agent="robot",
            hold_id=f"{domain}{number}",
            proposed_at=at,
            action=action,
            digest=action_digest(action),
        )
        await gate.holds.append(passed, after=0)


async def ends(gate: Gate, domain: str = "database") -> list[type]:
    found = [await gate.runs.load(domain, "robot", f"{domain}{it}") for it in range(GRANTS)]
    return [type(it.fact) if it else type(None) for it in found]


@pytest.mark.slow
async def test_a_domain_that_was_not_provisioned_stops_no_sweep(
    world: World, connected: Connect
) -> None:
    """Somebody added a domain to domains.yaml, and did not run `holdpoint provision`."""
    gate = await a_gate(world, connected, a_tool(domain="accounts"))

    await sweep(gate, AT_ONCE)

    assert gate.lanes.problem() == (
        "The broker has no consumer for the workers of accounts: run holdpoint provision."
    )
