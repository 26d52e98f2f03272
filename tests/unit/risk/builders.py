"""Values for the risk engine's tests."""

from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from holdpoint.core.risk import assess
from holdpoint.core.risk.assessment import by_rules
from holdpoint.core.risk.context import Context, Sentence
from holdpoint.messages.action import Action
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Tool
from holdpoint.messages.policy import Intents, Pattern, Policy
from holdpoint.messages.risk import Assessment, Heuristic, IntentClaim, RiskLevel
from holdpoint.runtime.config.policy import load_policy

CONFIG = Path(__file__).parents[3] / "deploy" / "config"
GROUPS = {"operators": ("olivia", "omar")}


@cache
def the_policy() -> Policy:
    """The shipped one, by rules alone: what the learned reader adds has tests of its own."""
    return replace(load_policy(CONFIG, GROUPS), intents=Intents(reader=False))


@cache
def policy_with_reader() -> Policy:
    """The shipped one."""
    return load_policy(CONFIG, GROUPS)


def a_pattern(**fields: Any) -> Pattern:
    given: dict[str, Any] = {
        "id": "test",
        "pattern": "boom",
        "heuristic": Heuristic.IRREVERSIBILITY,
        "level": RiskLevel.HIGH,
        "reason": "it explodes",
        "must_fire": ("boom",),
    }
    return Pattern(**(given | fields))


def a_tool(**fields: Any) -> Tool:
    given: dict[str, Any] = {
        "name": "things.touch",
        "domain": "things",
        "level": 2,
        "description": "",
        "schema": {},
        "schema_sha256": "",
        "template": "",
    }
    return Tool(**(given | fields))


def an_action(tool: str = "things.touch", **arguments: Any) -> Action:
    return Action(
        tenant="acme",
        agent="bot",
        on_behalf_of="olivia",
        domain=tool.split(".", maxsplit=1)[0],
        tool=tool,
        tool_schema_sha256="",
        arguments=arguments,
    )


def judged(action: Action, **context: Any) -> Assessment:
    known = {"tool": a_tool(name=action.tool)} | context
    return assess(action, Context(**known), the_policy())


def said(
    text: str,
    *,
    claim: IntentClaim | None = None,
    detail: JsonObject | None = None,
    **context: Any,
) -> Assessment:
    """Return a sentence as judged by rules alone."""
    sentence = Sentence(text=text, claim=claim or IntentClaim(), action_detail=detail or {})
    return by_rules(sentence, Context(**context), the_policy())


def heuristics(found: Assessment) -> set[Heuristic]:
    return {signal.heuristic for signal in found.signals}


def rules(found: Assessment) -> set[str]:
    return {signal.rule for signal in found.signals}
