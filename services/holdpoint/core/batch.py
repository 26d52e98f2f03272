"""Holds that may be answered together: the same action, with a password alone, not critical."""

from collections.abc import Sequence
from hashlib import sha256

from holdpoint.messages.card import Card
from holdpoint.messages.policy import Method
from holdpoint.messages.risk import RiskLevel

MOST_LEVEL = 3
"""The highest operation level whose holds are answered together."""


def separately(cards: Sequence[Card]) -> str:
    """Why these cards are answered one by one, as a sentence; empty where they may be together."""
    for card in cards:
        if card.level > MOST_LEVEL or card.ui.risk_level is RiskLevel.CRITICAL:
            return f"{card.hold_id} is critical, or above level {MOST_LEVEL}: answer it by itself."
        if Method.CHAT not in card.proofs or card.every_proof or card.cools_off_until is not None:
            return f"{card.hold_id} takes more than a password: answer it by itself."
        if _acts(card) != _acts(cards[0]):
            return f"{card.hold_id} is another action than {cards[0].hold_id}: answer it by itself."
    return ""


def likeness(card: Card) -> str:
    """A key that only cards share which may be answered together; empty where this one may not."""
    return sha256(repr(_acts(card)).encode()).hexdigest() if not separately([card]) else ""


def _acts(card: Card) -> tuple[object, ...]:
    """Return what would run, for whom, by whose word, and how risky it is."""
    ui, signals = card.ui, tuple(sorted(it.rule for it in card.signals))
    whose = (card.agent, card.on_behalf_of, card.group, card.delegators)
    return (*whose, ui.action, ui.risk_level, card.level, card.title, signals, card.warnings)
