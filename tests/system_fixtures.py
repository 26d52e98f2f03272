"""The running road as a pytest plugin: `pytest_plugins = ("tests.system_fixtures",)`."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.actors import AgentVoice, Guests, PersonVoice, StreamEyes
from tests.running_system import ForkingSupervisor, Road, running, signal_all

from holdpoint.testing import world


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Have the services stand still during unit tests: a gate looks at open holds for ever."""
    unit = "unit" in item.path.parts
    signal_all(signal.SIGSTOP if unit else signal.SIGCONT)


@pytest.fixture(scope="session")
def road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """Shared by every test that keeps to its own keys; nobody kills a part of it."""
    with asyncio.Runner() as runner:
        begun = running(tmp_path_factory.mktemp("road"), console=True)
        yield runner.run(begun.__aenter__())
        runner.run(begun.__aexit__(None, None, None))


@pytest.fixture(scope="session")
def forked_worlds() -> Iterator[None]:
    """Worlds of `holdpoint.testing` fork their services, as `running` does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(world, "Supervisor", ForkingSupervisor)
        yield


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


@pytest.fixture
async def own(tmp_path: Path) -> AsyncIterator[Road]:
    """A road that one test may change, and parts of which it may kill."""
    async with running(tmp_path, own={}) as road:
        yield road


@pytest.fixture
async def visitors(own: Road) -> AsyncIterator[Guests]:
    """Everybody who visits a test's own road."""
    async with AsyncExitStack() as stack:
        yield Guests(road=own, stack=stack)
