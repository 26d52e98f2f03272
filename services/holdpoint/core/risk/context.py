"""What is judged besides an action: an agent's sentence, and what is known around either."""

import msgspec

from holdpoint.messages.action import Action, Plan
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Agent, Tool
from holdpoint.messages.policy import TallyRule
from holdpoint.messages.risk import IntentClaim


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent says it is about to do, and what it claims about that."""

    text: str
    claim: IntentClaim = IntentClaim()
    action_detail: JsonObject = {}
    confidence: float | None = None


class Tallied(msgspec.Struct, frozen=True, kw_only=True):
    """A rolling sum with this action in it."""

    rule: TallyRule
    total: int | None
    """Records, or hundredths of the policy's currency; None when nobody can tell."""

    person: str
    """For whom the action is; empty where its agent acts for nobody."""


class Brought(msgspec.Struct, frozen=True, kw_only=True):
    """How often content of one kind came in to a tree of agents before this action."""

    source: str
    """In a person's words, as the policy has it: `a web page`."""

    within_s: int
    times: int | None
    """None when nobody can tell."""


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """What is known around an action or sentence; whatever is missing is assumed to be risky."""

    tool: Tool | None = None
    """The catalog's entry; an action whose tool is unknown is judged as level 5."""

    plan: Plan | None = None
    reasoning: str = ""
    """The agent's words beside a call: doubts in them count, nothing else."""

    confidence: float | None = None
    facts: JsonObject = {}
    """Where this happens, as the caller knows it: `production`, `database`, `host`, `env` …"""

    taint: tuple[str, ...] = ()
    """JSON pointers of the arguments that came from untrusted content, by the agent's own word."""

    taint_source: str = ""
    """What that content was, by the agent's own word."""

    brought: tuple[Brought, ...] = ()
    """Untrusted content that came in lately; what only reads is not asked about."""

    trees: tuple[str, ...] = ()
    """Whose tree of agents it counts in (`core.risk.context`); a sentence counts in none."""

    tallies: tuple[Tallied, ...] = ()
    """What it comes to together with what went before; reads and sentences have none."""

    environment_keys: tuple[str, ...] = ()
    """Targets as `environments.yaml` may know them, besides those the plan and arguments name."""


def trees_of(agent: Agent, group_id: str) -> tuple[str, ...]:
    """The root of its tree, then the group that it says it belongs to; no name is both."""
    root = agent.tree or agent.name
    return (root, f"group {group_id}") if group_id else (root,)


def trees_in(action: Action, context: Context) -> tuple[str, ...]:
    """The trees that an action counts in; where none is known, its agent is one."""
    return context.trees or (action.agent,)
