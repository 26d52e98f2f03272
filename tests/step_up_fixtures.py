"""A road on which a yes takes a code, as a pytest plugin: each test takes people of its own."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
from tests.running_system import MORE_PEOPLE, Road
from tests.step_up import by_code, shared

_unused = iter(MORE_PEOPLE)


@pytest.fixture(scope="session")
def code_road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """Each yes takes a one-time code; nobody kills a part of it."""
    yield from shared(tmp_path_factory.mktemp("codes"), by_code, console=False)


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    """Whatever one test opens."""
    async with AsyncExitStack() as stack:
        yield stack


@pytest.fixture
def somebody() -> str:
    """An operator and admin who has set up nothing yet."""
    return next(_unused)


@pytest.fixture
def another() -> str:
    """One more of them."""
    return next(_unused)
