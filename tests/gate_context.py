"""A gate's parts on a test's broker, without its lanes."""

from tests.conftest import Connect
from tests.world import World

from holdpoint.gate.app import wired
from holdpoint.gate.context import Gate
from holdpoint.gate.policy import OnDisk
from holdpoint.gate.tool_catalog import ToolCatalog
from holdpoint.messages.catalog import Tool
from holdpoint.messages.policy import Policy
from holdpoint.runtime.config.registry import load_registry


async def a_gate(world: World, connected: Connect, *tools: Tool) -> Gate:
    """It knows these tools, and its policy no level."""
    login, settings = world.login("gate"), world.settings
    people = load_registry(settings.config_dir)
    policy = Policy(version="1", levels={}, risk_levels={})
    draft = OnDisk(policy=policy)
    catalog = ToolCatalog(tools, settings.config_dir / "catalog")
    return wired(settings, catalog, people, draft, await connected(login), login)
