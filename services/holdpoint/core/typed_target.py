"""The word that a person types before they approve what is hardest to undo (level 5)."""

from holdpoint.core.card_facts import target_of
from holdpoint.core.telling_argument import telling_argument
from holdpoint.messages.card import Card

FROM_LEVEL = 5
LONGEST = 60
"""Characters: nobody types more by hand."""


def to_type(card: Card) -> str:
    """Return what the call acts on, as its card shows it, else the title; empty below level 5."""
    action = card.ui.action
    if card.level < FROM_LEVEL or not action.tool:
        return ""
    names = [it.name for it in card.form]
    required = [it.name for it in card.form if it.required]
    named = telling_argument(action.arguments, names, required)
    texts = (target_of(card), named, card.title)
    return next(filter(_is_easy, texts), action.tool)


def is_typed(card: Card, said: str) -> bool:
    """Return whether a person typed it, if it is asked for; blanks around it do not count."""
    return said.strip() == to_type(card) or not to_type(card)


def _is_easy(target: str) -> bool:
    plain = target.isascii() and target.isprintable() and target == target.strip()
    return plain and 0 < len(target) <= LONGEST
