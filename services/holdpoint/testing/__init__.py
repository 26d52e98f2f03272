"""The pytest plugin: a real broker with every service, an agent, and a person who does as told.

    def test_a_no_leaves_the_table_alone(agent, person):
        person.cancels("not today")
        assert agent.call("execute_sql", {...}).status == "cancelled"

Fixtures: `holdpoint_config_dir` (override it to test your own agents and policy),
`holdpoint_world`, `agent` (a `SyncHoldpoint`), `person`. They run beside the test, so tests may
be plain functions or run on any event loop; there, `holdpoint_world.connect()` gives a client.

Every pytest of this environment loads this module: what is heavy is imported at first use.
"""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def holdpoint_config_dir() -> Path:
    """Return where agents.yaml, people.yaml, domains.yaml and the policy are read from."""
    config: Path = import_module("holdpoint.runtime.config.settings").Settings().config_dir
    return config


@pytest.fixture(scope="session")
def holdpoint_world(
    tmp_path_factory: pytest.TempPathFactory, holdpoint_config_dir: Path
) -> Iterator[Any]:
    """A `holdpoint.testing.world.World`: broker and services, on free ports, in a private folder.

    One for the whole run. Its services may be killed; anyone who kills one starts it again.
    """
    folder = tmp_path_factory.mktemp("holdpoint")
    world = import_module("holdpoint.testing.world")
    with world.started(folder, holdpoint_config_dir) as running:
        yield running


@pytest.fixture
def agent(holdpoint_world: Any) -> Iterator[Any]:
    """A `SyncHoldpoint` of the first agent in agents.yaml."""
    with holdpoint_world.connect_sync() as client:
        yield client


@pytest.fixture
def person(holdpoint_world: Any) -> Iterator[Any]:
    """A `holdpoint.testing.person.Someone`: silent until the test says what they do."""
    with holdpoint_world.somebody() as present:
        yield present
