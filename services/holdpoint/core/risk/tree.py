"""Whose tree of agents a call counts in: an agent and those that it starts.

Configuration alone says who belongs to whom. The group that an agent names is counted beside it:
so agents of one task are seen together, and naming another group leaves no sum behind.
"""

from holdpoint.core.risk.context import Context
from holdpoint.messages.action import Action
from holdpoint.messages.catalog import Agent


def trees_of(agent: Agent, group_id: str) -> tuple[str, ...]:
    """The root of its tree, then the group that it says it belongs to; no name is both."""
    root = agent.tree or agent.name
    return (root, f"group {group_id}") if group_id else (root,)


def trees_in(action: Action, context: Context) -> tuple[str, ...]:
    """The trees that an action counts in; where none is known, its agent is one."""
    return context.trees or (action.agent,)
