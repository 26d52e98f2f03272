"""The tools that each agent may use (R_AT of seed 001), in the catalog's canonical names."""

from collections.abc import Iterable

from msgspec.structs import replace

from holdpoint.core.catalog import Catalog
from holdpoint.core.next_steps import is_next_step
from holdpoint.messages.catalog import Agent
from holdpoint.messages.envelope import AvailableAction


def with_tools(agents: Iterable[Agent], catalog: Catalog) -> tuple[Agent, ...]:
    """Return them with the canonical names of all that each may use.

    An agent of domains may use their tools, or those of them that it lists; an agent without
    domains the tools that it lists. A name that no tool has stays as it is written.
    """
    return tuple(replace(agent, tools=_tools(agent, catalog)) for agent in agents)


def takeable(
    actions: Iterable[AvailableAction], agent: Agent | None, catalog: Catalog
) -> tuple[AvailableAction, ...]:
    """Return the next steps that the agent may take: its own tools, and what pending calls have."""
    own = agent.tools if agent else ()
    return tuple(it for it in actions if _may_take(it.tool, own, catalog))


def _may_take(name: str, own: tuple[str, ...], catalog: Catalog) -> bool:
    tool = catalog.find(name)
    return is_next_step(name) if tool is None else tool.name in own


def _tools(agent: Agent, catalog: Catalog) -> tuple[str, ...]:
    listed = catalog.canonical_names(agent.tools)
    if not agent.domains:
        return listed
    offered = {it.name for name in agent.domains for it in catalog.get_tools_for_domain(name)}
    return tuple(it for it in listed if it in offered) if agent.narrowed else tuple(sorted(offered))
