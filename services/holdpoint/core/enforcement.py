"""Words for what keeps an action from running without its yes; the tool's domain decides which."""

from collections.abc import Mapping

from holdpoint.messages.card import Card
from holdpoint.messages.catalog import Enforcement

ENFORCED: Mapping[Enforcement, str] = {
    Enforcement.STRUCTURAL: "the agent cannot run it itself: Holdpoint runs it, after the yes",
    Enforcement.NETWORK: "only the gateway can reach it",
    Enforcement.COOPERATIVE: "not by Holdpoint: the agent acts itself, and only hears the answer",
}


def enforced(card: Card) -> str:
    """Return in words what keeps it from running without a yes; empty of older cards."""
    return ENFORCED[card.enforcement] if card.enforcement else ""
