"""Tool 0 of seed 001: one agent calls another, within the access matrix.

A dispatch is a tool call like any other, judged by the gate. While it is open, the agent that it
is to may act; the chain of agents from a user down to the one that acts is kept in each hold.
"""

import hashlib
from collections.abc import Mapping
from itertools import pairwise

import msgspec

from holdpoint.core.digest import canonical
from holdpoint.core.tool import json_schema
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import AGENTS_DOMAIN, DISPATCH, Agent, Repeat, Tool
from holdpoint.messages.hold import Hold, Outcome, Stage

USER = "user"
"""Begins a chain where nobody is named on whose behalf it is."""


class AgentDelegation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of a dispatch: seed 004's request to delegate to another agent."""

    target_agent: str
    query: str
    context: JsonObject = {}
    return_to: str = ""
    """The calling agent; left out, it is that too."""


_SCHEMA = json_schema(AgentDelegation)

DISPATCH_TOOL = Tool(
    name=DISPATCH,
    domain=AGENTS_DOMAIN,
    level=2,
    description="Call another agent with a query; it answers when its cycle ends.",
    schema=_SCHEMA,
    schema_sha256=hashlib.sha256(canonical(_SCHEMA)).hexdigest(),
    template="Ask {target_agent}: {query}",
    repeat=Repeat.MANUAL,
)


def is_dispatch(hold: Hold) -> bool:
    """Return whether the hold is of a dispatch."""
    return hold.action is not None and hold.action.tool == DISPATCH


def opens_for(hold: Hold, agent: str) -> bool:
    """Return whether this is a dispatch to the agent that was let go."""
    if hold.action is None or not is_dispatch(hold):
        return False
    let_go = hold.stage in {Stage.PASSED, Stage.WITNESSED, Stage.RESUMED}
    confirmed = hold.outcome is None or hold.outcome is Outcome.CONFIRMED
    return let_go and confirmed and hold.action.arguments.get("target_agent") == agent


def chain_below(hold: Hold, agent: str) -> tuple[str, ...]:
    """Return the agents from the one that a user faces down to this one."""
    return (*(hold.chain or (hold.agent,)), agent)


def why_outside(
    chain: tuple[str, ...], arguments: JsonObject | None, agents: Mapping[str, Agent], bound: int
) -> str:
    """Return why the access matrix lets the last agent of the chain not act; empty where it does.

    `arguments` are those of its own dispatch, which is one call more.
    """
    if arguments is not None:
        if arguments.get("return_to") not in {None, "", chain[-1]}:
            return f"`return_to` names {arguments['return_to']}; {chain[-1]} is who calls."
        chain = (*chain, str(arguments.get("target_agent")))
    first = agents.get(chain[0])
    if first is None or not first.user_facing:
        return (
            f"{chain[0]} is not user-facing: it acts only while a dispatch to it is open. "
            "Name that in `dispatched_by`."
        )
    for caller, called in pairwise(chain):
        known = agents.get(caller)
        if known is None or called not in known.may_call or called not in agents:
            return f"{caller} may not call {called}: agents.yaml has no such `may_call`."
        if DISPATCH not in known.tools:
            return f"{caller} may not call other agents: `{DISPATCH}` is not among its tools."
    if len(chain) - 1 > bound:
        return f"This is {len(chain) - 1} calls deep; the access matrix has at most {bound}."
    return ""
