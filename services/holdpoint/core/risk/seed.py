"""Seed 002 to the letter: `assess_risk`, and the commands that it calls critical."""

from collections.abc import Mapping
from typing import Any

from holdpoint.core.risk.knowledge import phrases
from holdpoint.messages.risk import RiskLevel

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
