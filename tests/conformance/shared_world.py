"""The one world of the conformance suite: `pytest_plugins = ("tests.conformance.shared_world",)`.

Level 4 expires after a moment here, so that a call of it shows what silence is told as.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
from tests.actors import Guests, PersonVoice, StreamEyes
from tests.conformance.over_the_wire import configure
from tests.running_system import AMPLE, Road, running

from holdpoint.messages.mcp import MCP_DOMAIN
from holdpoint.runtime.security.credentials import API

CODERS = "shell_run, shop_host_order"
TOOLS = "code_host_shell, code_host_edit, code_host_read, code_host_other, run_command"
AGENTS_YAML = f"""\
agents:
  - {{name: coder, tools: [{TOOLS}, {CODERS}], acts_for: [ann], budget: {{{AMPLE}}}}}
  - {{name: rival, tools: [{TOOLS}], acts_for: [ben], budget: {{{AMPLE}}}}}
"""
CATALOG_YAML = """\
namespace: shop
tools:
  - domain: host
    action: order
    level: 3
    description: Order something.
    arguments:
      type: object
      required: [item]
      properties: {item: {type: string}}
tool_aliases:
  run_shell: code_host_shell
  order: shop_host_order
"""


def expiring(policy: str) -> str:
    """The shipped policy, but a password is enough at level 4, and silence ends it in a moment."""
    policy = policy.replace("  critical: 3\n", "  critical: 4\n")
    head, found, rest = policy.partition("\n  4:\n")
    assert found
    level, five, rest = rest.partition("\n  5:\n")
    level = level.replace("proofs: [totp, passkey]", "proofs: [chat]")
    return head + found + level.replace("deadline_s: 3600", "deadline_s: 3") + five + rest


@pytest.fixture(scope="session")
def host_road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """Shared by every adapter; it may be restarted, and comes back where it was."""
    with asyncio.Runner() as runner:
        world = running(
            tmp_path_factory.mktemp("hosts"),
            expiring,
            own={},
            agents_yaml=AGENTS_YAML,
            catalog_yaml=CATALOG_YAML,
            others=(f"worker-{MCP_DOMAIN}", API),
            configure=configure,
        )
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@pytest.fixture
async def host_guests(host_road: Road) -> AsyncIterator[Guests]:
    """Everybody who visits during one test."""
    async with AsyncExitStack() as stack:
        yield Guests(road=host_road, stack=stack)


@pytest.fixture
async def host_ann(host_guests: Guests) -> PersonVoice:
    """An operator."""
    return await host_guests.person("ann")


@pytest.fixture
async def host_eyes(host_guests: Guests) -> StreamEyes:
    """Whoever may read every stream."""
    return await host_guests.eyes()
