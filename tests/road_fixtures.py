"""The running road as a pytest plugin: `pytest_plugins = ("tests.road_fixtures",)`."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
from tests.road import AgentVoice, Guests, PersonVoice, StreamEyes
from tests.running import Road, running


def patient(policy: str) -> str:
    """One robot does here in an hour what many do in a week: its records are not summed up."""
    assert policy.count('limit: "500"') == 1
    return policy.replace('limit: "500"', 'limit: "500000"')


@pytest.fixture(scope="session")
def road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """Shared by every test that keeps to its own keys; nobody kills a part of it."""
    with asyncio.Runner() as runner:
        world = running(tmp_path_factory.mktemp("road"), patient, console=True)
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@pytest.fixture
async def guests(road: Road) -> AsyncIterator[Guests]:
    """Everybody who visits the shared road during one test."""
    async with AsyncExitStack() as stack:
        yield Guests(road=road, stack=stack)


@pytest.fixture
async def robot(guests: Guests) -> AgentVoice:
    """The agent that most tests are about."""
    return await guests.agent("robot")


@pytest.fixture
async def ann(guests: Guests) -> PersonVoice:
    """An operator, who is also an admin."""
    return await guests.person("ann")


@pytest.fixture
async def ben(guests: Guests) -> PersonVoice:
    """An operator."""
    return await guests.person("ben")


@pytest.fixture
async def eyes(guests: Guests) -> StreamEyes:
    """Whoever may read every stream."""
    return await guests.eyes()
