"""The bus of a test: the shared broker, or one that it may kill."""

import pytest
from tests.conftest import Connect
from tests.integration.client.bus import Bus
from tests.world import World

from holdpoint.client import call_tracker
from holdpoint.runtime.broker import connection


@pytest.fixture
async def bus(world: World, connected: Connect) -> Bus:
    """The shared broker, from its last call on."""
    shared = Bus(world, connected)
    shared.begins = await shared.last()
    return shared


@pytest.fixture
def own_bus(own_world: World, connected: Connect) -> Bus:
    """A broker that the test may kill."""
    return Bus(own_world, connected)


@pytest.fixture
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions and publishes that nobody answers end soon."""
    monkeypatch.setattr(call_tracker, "ASK_WAIT_S", 0.2)
    monkeypatch.setattr(call_tracker, "ANSWER_MARGIN_S", 0.2)
    monkeypatch.setattr(connection, "PUBLISH_TIMEOUT_S", 0.4)
