"""The gate's sweep over the grants of each domain."""

import pytest
from tests.builders import a_tool
from tests.conftest import Connect
from tests.gate_context import a_gate
from tests.world import World

from holdpoint.gate.runs import sweep

pytestmark = pytest.mark.nats


@pytest.mark.slow
async def test_a_domain_that_was_not_provisioned_stops_no_sweep(
    world: World, connected: Connect
) -> None:
    """Somebody added a domain to domains.yaml, and did not run `holdpoint provision`."""
    gate = await a_gate(world, connected, a_tool(domain="accounts"))

    await sweep(gate)

    assert gate.lanes.problem() == (
        "The broker has no consumer for the workers of accounts: run holdpoint provision."
    )
