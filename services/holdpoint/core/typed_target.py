"""The word that a person types before they approve what is hardest to undo (level 5)."""

from holdpoint.core.card_facts import target_of
from holdpoint.messages.card import Card

FROM_LEVEL = 5
LONGEST = 60
"""Characters: nobody types more by hand."""


def to_type(card: Card) -> str:
    """Return the target as the card shows it, else the tool; empty below level 5."""
    tool, target = card.ui.action.tool, target_of(card)
    if card.level < FROM_LEVEL or not tool:
        return ""
    return target if _is_easy(target) else tool


def is_typed(card: Card, said: str) -> bool:
    """Return whether a person typed it, if it is asked for; blanks around it do not count."""
    return said.strip() == to_type(card) or not to_type(card)


def _is_easy(target: str) -> bool:
    plain = target.isascii() and target.isprintable() and target == target.strip()
    return plain and 0 < len(target) <= LONGEST
