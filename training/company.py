"""The same sentence in other company: what stands around it says nothing about its danger.

A harmless sentence beside a dangerous one leaves it dangerous, and beside a harmless one harmless;
so both kinds get the same company, drawn anew in each pass over the rows.
"""

from collections.abc import Sequence
from random import Random

from rows import Row

SHARE = 0.5
"""Of the rows of a pass that are read in company."""

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
MARKS = (
    "- {}",
    "* {}",
    "1. {}",
    "3) {}",
    "> {}",
    "*{}*",
    '"{}"',
    "_{}_",
    "✅ {}",
    "{} 🙂",
    "{}!",
    "Agent: {}",
)


def in_company(rows: Sequence[Row], dice: Random) -> list[Row]:
    """Return the rows, about half of them with something harmless around them."""
    harmless = [row.text for row in rows if not row.dangerous]
    return [
        row._replace(text=_around(row.text, harmless, dice)) if dice.random() < SHARE else row
        for row in rows
    ]


def _around(text: str, harmless: Sequence[str], dice: Random) -> str:
    ways = (
        lambda: f"{dice.choice(BEFORE)} {text}",
        lambda: f"{text} {dice.choice(BEHIND)}",
        lambda: f"{dice.choice(BEFORE)} {text} {dice.choice(BEHIND)}",
        lambda: f"{dice.choice(harmless)} {text}",
        lambda: f"{text} {dice.choice(harmless)}",
        lambda: f"{dice.choice(harmless)}\n{text}\n{dice.choice(harmless)}",
        lambda: dice.choice(MARKS).format(text),
        lambda: text.replace(". ", ".\n").lower(),
    )
    return dice.choice(ways)()
