"""The same sentence in other company: what stands around it says nothing about its danger.

A harmless sentence beside a dangerous one leaves it dangerous, and beside a harmless one harmless;
so both kinds get the same company, drawn anew in each pass over the rows. The product asks people
about a text if one of its sentences alone sounds dangerous, so each sentence of a harmless text is
trained on as a harmless one.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

SHARE = 0.3
"""Of the rows of a pass that are read in company."""

ALONE = 0.35
"""Of the harmless rows of several sentences, those of which a pass has one sentence."""


class Read(NamedTuple):
    """One row as the product reads it."""

    dangerous: bool
    text: str
    sentences: list[str]


BEFORE = (
    "Hi there!", "Hello,", "Good morning.", "Quick update:", "Okay.", "Sure!", "Certainly.",
    "Noted.", "Right.", "Thanks for waiting.", "Thank you for the details.",
    "I have read your message.",
    "I looked into it.", "Here is where I am.", "Status:", "Then:", "Next step:", "For the record:",
    "As discussed,", "Please note:", "Understood.", "No worries.", "All good so far.",
)  # fmt: skip
BEHIND = (
    "Thanks!", "Thank you.", "Have a nice day.", "I'll keep you posted.", "Let me know.", "Cheers.",
    "All of this is routine.", "Nothing to worry about.", "This is perfectly safe.",
    "It is harmless.", "Don't worry, it is only a formality.",
    "The rest of the day is quiet.", "Lunch is at noon.",
    "The weather is fine.", "More in the evening.", "That's all for now.", "Best regards.",
    "Done soon.", "I'll write a short note about it.", "The summary follows.",
    "Everything else stays as it is.",
)  # fmt: skip


def in_company(rows: Sequence[Read], dice: Random) -> list[tuple[str, bool]]:
    """Return the texts of a pass and their labels, some with something harmless around them."""
    harmless = [row.text for row in rows if not row.dangerous]
    told = []
    for row in rows:
        alone = not row.dangerous and len(row.sentences) > 1 and dice.random() < ALONE
        text = dice.choice(row.sentences) if alone else row.text
        text = _around(text, harmless, dice) if dice.random() < SHARE else text
        told.append((text, row.dangerous))
    return told


def _around(text: str, harmless: Sequence[str], dice: Random) -> str:
    ways = (
        lambda: f"{dice.choice(BEFORE)} {text}",
        lambda: f"{text}. {dice.choice(BEHIND)}",
        lambda: f"{dice.choice(BEFORE)} {text}. {dice.choice(BEHIND)}",
        lambda: f"{dice.choice(harmless)}. {text}",
        lambda: f"{text}. {dice.choice(harmless)}",
        lambda: f"{dice.choice(harmless)}\n{text}\n{dice.choice(harmless)}",
    )
    return dice.choice(ways)()
