"""View of a card in a terminal: what is rendered from the action, and the agent's words apart."""

from collections.abc import Iterator
from datetime import datetime

import msgspec
from rich.text import Text

from holdpoint.cli.cards import is_over
from holdpoint.cli.output import NARROWEST, closed_up, field, folded, word
from holdpoint.console.status_labels import cools_off, is_in_doubt, is_open, is_witnessed
from holdpoint.core.card_facts import (
    amount_of,
    changes_of,
    counted,
    on_cancel,
    on_proceed,
    place_of,
    starts_in,
    target_apart,
    told_so_far,
    undo_of,
    voices_of,
)
from holdpoint.core.card_reasons import in_words, ranked
from holdpoint.core.enforcement import enforced
from holdpoint.core.enrolment import not_set_up, step_up_of
from holdpoint.messages.card import Card
from holdpoint.messages.risk import RiskLevel, Signal

MINUTE_S, HOUR_S, DAY_S = 60, 60 * 60, 24 * 60 * 60
INDENT = "    "
BAR = "┃ "
ROW_LINES = 3
"""Of a title in a list."""

SETTLE = "Look what became of it, then: holdpoint reconcile {} --happened (or --did-not-happen)"

STYLES = {
    RiskLevel.LOW: "green",
    RiskLevel.MEDIUM: "yellow",
    RiskLevel.HIGH: "bold red",
    RiskLevel.CRITICAL: "bold white on red",
}


def row(card: Card, now: datetime, columns: int) -> Iterator[Text]:
    """A card in a list: one line of ours, then what it is about."""
    risk = card.ui.risk_level
    yield (
        Text(f"{word(card.hold_id)}  ", style="bold")
        + Text(f"{risk.value.upper():<8}", style=STYLES[risk])
        + Text(f"  {standing(card, now)}  {word(card.agent)}")
    )
    pieces = list(closed_up(folded(card.title, columns - len(INDENT))))
    for piece in pieces[:ROW_LINES]:
        yield Text(INDENT + piece)
    if more := len(pieces[ROW_LINES:]):
        lines = "1 more line" if more == 1 else f"{more} more lines"
        yield Text(f"{INDENT}… {lines}. All of it: holdpoint show {word(card.hold_id)}", "dim")


def question(card: Card, now: datetime, columns: int) -> Iterator[Text]:
    """Yield what a person reads before they prove who they are: all that their yes lets run."""
    yield from field("Hold", card.hold_id, columns)
    yield from _asked(card, columns)
    yield from _facts(_choices(card), columns)
    yield from field("No answer", _silence(card, now), columns)


def whole(card: Card, now: datetime, columns: int) -> Iterator[Text]:
    """Everything on the card."""
    yield from field("Hold", f"{card.hold_id} ({standing(card, now)})", columns)
    yield from _asked(card, columns)
    yield from _facts(_choices(card), columns)
    if is_open(card) or cools_off(card):
        yield from field("No answer", _silence(card, now), columns)
    yield from _ending(card, columns)
    if is_in_doubt(card):
        yield from field("Next", SETTLE.format(word(card.hold_id)), columns)
    yield from field("Digest", card.digest, columns)


def standing(card: Card, now: datetime) -> str:
    """Return its state in a few words: `expires in 14 min`, `goes on in 3 h`, `cancelled`."""
    if card.cools_off_until is not None:
        return f"goes on in {duration(max(0.0, (card.cools_off_until - now).total_seconds()))}"
    if is_witnessed(card):
        return f"ran at {card.halted_at:%Y-%m-%d %H:%M %Z}"
    if not is_open(card):
        state = card.outcome if card.state in _BETWEEN and card.outcome else card.state
        return word(state).replace("_", " ")
    if card.expires_at is None:
        return "open"
    if is_over(card, now):
        return "its time is over"
    return f"expires in {duration((card.expires_at - now).total_seconds())}"


_BETWEEN = frozenset({"resolved", "resumed"})
"""Stages that say less than the outcome does."""


def duration(seconds: float) -> str:
    """Roughly how long: `45 s`, `14 min`, `3 h`, `2 days`."""
    if seconds < MINUTE_S:
        return f"{seconds:.0f} s"
    if seconds < HOUR_S:
        return f"{seconds / MINUTE_S:.0f} min"
    if seconds < 2 * DAY_S:
        return f"{seconds / HOUR_S:.0f} h"
    return f"{seconds / DAY_S:.0f} days"


def _asked(card: Card, columns: int) -> Iterator[Text]:
    """What would run, why it was stopped, who wants it and who agrees: nothing of it is cut."""
    yield from field("Action", card.title, columns, "bold")
    yield from _details(card, columns)
    for found in card.sample:
        yield from field("Sample", found, columns)
    yield from _reasons(card, columns)
    yield from _warnings(card, columns)
    yield from field("Agent", _who(card), columns)
    if card.chain:
        yield from field("Chain", " → ".join(card.chain), columns)
    yield from _words(card.ui.message, columns)
    yield from field("Approvals", voices_of(card), columns)
    yield from _facts(told_so_far(card), columns)


def _words(message: str, columns: int) -> Iterator[Text]:
    """The agent's words in a box whose left side nothing in them can break."""
    if not message:
        yield Text("┃ The agent said nothing about it.", style="dim")
        return
    yield Text("┏━ The agent's own words. Nobody has verified them.", style="yellow")
    for piece in closed_up(folded(message, max(columns - len(BAR), NARROWEST))):
        yield Text(BAR, style="yellow") + Text(piece)
    yield Text("┗━", style="yellow")


def _details(card: Card, columns: int) -> Iterator[Text]:
    action = card.ui.action
    yield from _facts((("Tool", action.tool), *_weight(card)), columns)
    for name, value in action.arguments.items():
        yield from field("Argument", f"{name} = {_plain(value)}", columns)
    for line in changes_of(card):
        yield from field(f"Changed by {card.modified_by}", line, columns)


def _weight(card: Card) -> tuple[tuple[str, str], ...]:
    """Return how much, where, and the way back."""
    return (
        ("Affected", counted(card)),
        ("Amount", amount_of(card.ui.action)),
        ("Where", place_of(card)),
        ("Target", target_apart(card)),
        ("Starts in", starts_in(card)),
        ("Undo", undo_of(card)),
        ("Enforced", enforced(card)),
    )


def _facts(facts: tuple[tuple[str, str], ...], columns: int) -> Iterator[Text]:
    for label, text in facts:
        if text:
            yield from field(label, text, columns)


def _plain(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _reasons(card: Card, columns: int) -> Iterator[Text]:
    risk = card.ui.risk_level
    yield from field("Risk", risk.value.upper(), columns, STYLES[risk])
    yield from field("Needs", _needed(card), columns)
    danger, others = ranked(card.signals)
    for signal in (danger, *others) if danger else others:
        yield from field("Why", _why(signal), columns)


def _needed(card: Card) -> str:
    """Say in words what the level asks for: `one person's yes, with a one-time code (level 4)`."""
    people = "one person's yes" if card.voices_needed == 1 else f"{card.voices_needed} people's yes"
    proof = f", with {step_up_of(card)}" if step_up_of(card) else ""
    return f"{people}{proof} (level {card.level} of 5)"


def _why(signal: Signal) -> str:
    return f"{signal.level.value}: {in_words(signal.reason, signal.evidence)}"


def _warnings(card: Card, columns: int) -> Iterator[Text]:
    for warning in card.warnings:
        yield from field("Careful", warning, columns, "yellow")


def _who(card: Card) -> str:
    behalf = f", on behalf of {card.on_behalf_of}" if card.on_behalf_of else ""
    return f"{card.agent}{behalf}; group {card.group}"


def _choices(card: Card) -> tuple[tuple[str, str], ...]:
    """Return what each of the two buttons does, while people are asked."""
    if not (card.labels and is_open(card)):
        return ()
    proof = f"asks you for {step_up_of(card)}; then " if step_up_of(card) else ""
    proceed = f"{proof}{on_proceed(card)}"
    return (
        ("Proceed", proceed),
        ("", card.on_yes),
        ("", not_set_up(card)),
        ("Cancel", on_cancel(card)),
    )


def _silence(card: Card, now: datetime) -> str:
    ends_at = card.cools_off_until or card.expires_at
    if ends_at is None:
        return card.on_silence
    left = (ends_at - now).total_seconds()
    when = f" In {duration(left)}, at" if left > 0 else " It ended at"
    return f"{card.on_silence}{when} {ends_at:%Y-%m-%d %H:%M:%S %Z}."


def _ending(card: Card, columns: int) -> Iterator[Text]:
    for label, text in (
        ("Outcome", card.outcome),
        ("Reason", card.reason),
        ("Result", card.result),
    ):
        if text:
            yield from field(label, text, columns)
