"""Registration of domains' tools with agents (seed 000): flat, or one sub-agent for each domain.

agent = create_agent(tools=accounts_tools + transfers_tools)
agent = create_agent(subagents=[{"name": "accounts", "tools": accounts_tools}])
"""

from collections.abc import Iterable, Sequence
from typing import TypedDict

import msgspec

from holdpoint.client.outcome import SetupError
from holdpoint.core.catalog import Catalog
from holdpoint.core.tool import Run, spec_of
from holdpoint.messages.base import JsonObject, is_id
from holdpoint.messages.catalog import AGENTS_DOMAIN, Tool


class SubAgent(TypedDict):
    """A sub-agent: its name and a domain's `TOOLS`."""

    name: str
    tools: Iterable[Run]


class RegisteredAgent(msgspec.Struct, frozen=True, kw_only=True):
    """An agent with the tools that it may call itself, and its sub-agents."""

    name: str
    tools: tuple[Tool, ...] = ()
    subagents: tuple["RegisteredAgent", ...] = ()

    def definitions(self) -> list[JsonObject]:
        """Its own tools as model APIs take them: name, description, JSON Schema."""
        return [
            {"name": tool.name, "description": tool.description, "parameters": tool.schema}
            for tool in self.tools
        ]

    def entries(self) -> list[JsonObject]:
        """Lines for agents.yaml: the agent, then each sub-agent, which it starts."""
        own: JsonObject = {"name": self.name, "tools": [tool.name for tool in self.tools]}
        below = (entry for agent in self.subagents for entry in agent.entries())
        return [own, *({"started_by": self.name, **entry} for entry in below)]


def create_agent(
    tools: Iterable[Run] = (), subagents: Sequence[SubAgent] = (), name: str = "agent"
) -> RegisteredAgent:
    """Register tools flat with one agent, or each domain's with a sub-agent of its own.

    Raises SetupError where two tools share a name, a domain has more than ten tools, or a name
    cannot stand in agents.yaml.
    """
    below = tuple(create_agent(each["tools"], (), each["name"]) for each in subagents)
    names = [name, *(agent.name for agent in below)]
    if len(set(names)) < len(names) or not all(map(is_id, names)):
        raise SetupError(f"{', '.join(names)}: each agent has a name of its own, of one word.")
    try:
        known = Catalog(spec_of(run).tool for run in tools).entries
        own = tuple(it for it in known if it.domain != AGENTS_DOMAIN)
    except (TypeError, ValueError) as error:
        raise SetupError(f"{name}: {error}") from None
    return RegisteredAgent(name=name, tools=own, subagents=below)
