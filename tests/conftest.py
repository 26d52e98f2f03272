"""A broker for the whole run, one that a test may kill, and connections that close themselves."""

import asyncio
import gc
import os
import re
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import pytest
from hypothesis import settings
from nats.aio.client import Client
from tests.forking import STATE
from tests.world import World, settings_in, start_world

from holdpoint.runtime.broker.connection import Login, connect

settings.register_profile("project", deadline=None)
settings.load_profile("project")
"""How long something takes is measured by benchmarks, as a ratio, and never by a test."""

_NO_STATE = TemporaryDirectory(prefix="no-state")
os.environ[STATE] = str(Path(_NO_STATE.name, "var"))
"""Nothing is there: no test reads what `make run` left in this folder, unless it says so itself."""

signal.signal(signal.SIGINT, signal.default_int_handler)
"""A run in the background ignores Ctrl-C, and its children would inherit that."""

gc.disable()
"""While tests are collected: all that comes of it stays until the end, see below."""

SLOW_FILE = re.compile(r"^pytestmark = [^\n]*\bmark\.slow\b", re.MULTILINE)

Connect: TypeAlias = Callable[[Login], Awaitable[Client]]
Become: TypeAlias = Callable[[str], Awaitable[Client]]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out a file of slow tests alone: what it imports would cost each worker seconds."""
    if config.option.markexpr != "not slow" or collection_path.suffix != ".py":
        return None
    return bool(SLOW_FILE.search(collection_path.read_text("utf-8"))) or None


def pytest_collection_finish() -> None:
    """Never look again for garbage among the modules and tests that were collected."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Shared by all tests that keep apart by agent and hold id; nobody kills it."""
    folder = tmp_path_factory.mktemp("world")
    with asyncio.Runner() as runner:
        shared = runner.run(start_world(settings_in(folder)))
        yield shared
        runner.run(shared.stop())


@pytest.fixture
async def own_world(tmp_path: Path) -> AsyncIterator[World]:
    """A world of this test's own: it may kill it, reload it, fill it."""
    own = await start_world(settings_in(tmp_path))
    yield own
    await own.stop()


@pytest.fixture
async def connected() -> AsyncIterator[Connect]:
    """Connects logins, and closes what it connected."""
    async with AsyncExitStack() as stack:

        async def connect_and_close_later(login: Login) -> Client:
            client = await connect(login)
            stack.push_async_callback(client.close)
            return client

        yield connect_and_close_later


@pytest.fixture
async def become(world: World, connected: Connect) -> Become:
    """Connects as a user of the shared world."""

    async def connect_as(user: str) -> Client:
        return await connected(world.login(user))

    return connect_as
