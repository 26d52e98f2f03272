"""Seed 002 to the letter: `assess_risk`, and the commands that it calls critical."""

from collections.abc import Mapping
from typing import Any

import msgspec

from holdpoint.core.risk.knowledge import phrases
from holdpoint.messages.risk import Assessment, Heuristic, IntentMetadata, RiskLevel, Scope

HIGH_RISK_COMMANDS = phrases("words/actions:seed.high_risk_commands")
"""Fragments of commands that nobody takes back; policies add their own."""

SEED_PACK = "seed-002."
"""How the ids of the specification's own patterns begin; nothing makes those milder."""

SEED_REMOVAL = r"(?:rm|remove).*-r.*"
"""The second confirmation pattern: `assess` may disprove it, and only it, in a sentence."""

SEED_LOSSES = frozenset({"seed-002.delete-counted", "seed-002.drop", "seed-002.announces-loss"})
"""Those that name a loss: where all was parsed and nothing is lost, they only stand in a text."""


def assess_risk(command: str, context: Mapping[str, Any]) -> RiskLevel:
    """The seed's answer: CRITICAL for a high-risk command, HIGH in production, else LOW."""
    folded = command.casefold()
    if any(fragment in folded for fragment in HIGH_RISK_COMMANDS):
        return RiskLevel.CRITICAL
    if context.get("production", False):
        return RiskLevel.HIGH
    return RiskLevel.LOW


ASKS = "agent.asks"
"""The rule of an agent that says itself that it wants a confirmation."""


def metadata_of(assessment: Assessment) -> IntentMetadata:
    """Return what the system detects in a sentence, in the seed's words."""
    scope = Scope(records=assessment.affected or 0, type=assessment.resource or "records")
    return IntentMetadata(
        confirmation_required=asks_people(assessment),
        risk_level=assessment.level,
        action_type=assessment.action_type,
        scope=msgspec.UNSET if assessment.affected is None else scope,
    )


def asks_people(assessment: Assessment) -> bool:
    """Return whether a sentence halts: it is risky, it is unsure, or it asks itself."""
    return assessment.level >= RiskLevel.HIGH or any(
        signal.heuristic is Heuristic.UNCERTAINTY or signal.rule == ASKS
        for signal in assessment.signals
    )
