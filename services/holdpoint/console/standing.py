"""How a hold stands, in the words of the screen: one place for all of them."""

from collections.abc import Mapping
from datetime import UTC
from enum import StrEnum

from holdpoint.messages.base import Value
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Outcome, Stage
from holdpoint.messages.risk import RiskLevel
from holdpoint.messages.run import RunStatus

OPEN = frozenset({Stage.HALTED.value, Stage.RENDERED.value, Stage.ANSWERED.value})
KILLED = "Kill switch: "
"""How the gate begins the reason of what the kill switch stopped."""

RUNNING = "running"
"""The state of a card whose action a worker has in hand."""


class Tone(StrEnum):
    """How it should look; the word beside it says the same."""

    OPEN = "open"
    GOOD = "good"
    QUIET = "quiet"
    BAD = "bad"
    BUSY = "busy"


class Standing(Value, frozen=True, kw_only=True):
    """A word, how it looks, and what it means."""

    word: str
    tone: Tone
    text: str


WAITS = Standing(word="Waiting", tone=Tone.OPEN, text="It waits for people; nothing has run.")
LET_GO = Standing(word="Confirmed", tone=Tone.BUSY, text="People said yes; it is about to run.")
GO_ON = Standing(word="Confirmed", tone=Tone.GOOD, text="People said yes; the agent may go on.")
STOPPED = Standing(
    word="Cancelled", tone=Tone.QUIET, text="The kill switch stopped it; nothing ran."
)
UNKNOWN = Standing(word="Ended", tone=Tone.QUIET, text="It is over.")

_WORDS: Mapping[str, Standing] = {
    RUNNING: Standing(word="Running", tone=Tone.BUSY, text="A worker runs it right now."),
    RunStatus.DONE.value: Standing(
        word="Done", tone=Tone.GOOD, text="People said yes, and it ran."
    ),
    RunStatus.FAILED.value: Standing(
        word="Failed", tone=Tone.BAD, text="People said yes; it was tried and failed."
    ),
    RunStatus.PRECONDITION_FAILED.value: Standing(
        word="Not run",
        tone=Tone.BAD,
        text="People said yes, but what they had seen was no longer so. Nothing was changed.",
    ),
    RunStatus.IN_DOUBT.value: Standing(
        word="In doubt",
        tone=Tone.BAD,
        text="It was started, and nobody knows whether it took effect. Look before you repeat it.",
    ),
    Status.BARRED.value: Standing(
        word="Barred", tone=Tone.BAD, text="It was stopped before it started; nothing ran."
    ),
    Status.LAPSED.value: Standing(
        word="Lapsed", tone=Tone.BAD, text="People said yes, but it was not started in time."
    ),
    Outcome.CANCELLED.value: Standing(
        word="Cancelled", tone=Tone.QUIET, text="A person said no; nothing ran."
    ),
    Outcome.EXPIRED.value: Standing(
        word="Expired",
        tone=Tone.QUIET,
        text="Nobody answered in time; nothing ran, and the agent heard just that.",
    ),
    Outcome.WITHDRAWN.value: Standing(
        word="Withdrawn", tone=Tone.QUIET, text="The agent took it back; nothing ran."
    ),
    Outcome.SUPERSEDED.value: Standing(
        word="Superseded", tone=Tone.QUIET, text="Something else took its place; nothing ran."
    ),
    Status.DENIED.value: Standing(
        word="Denied", tone=Tone.QUIET, text="The gate refused it at once; nobody was asked."
    ),
}


def is_open(card: Card) -> bool:
    """Whether people may still answer it, as far as the card knows."""
    return card.state in OPEN and not card.outcome


def place(card: Card) -> str:
    """Its place among those that wait, as text: the worst first, then what has waited longest."""
    since = card.halted_at.astimezone(UTC).isoformat(timespec="microseconds")
    return f"{len(RiskLevel) - card.ui.risk_level.rank} {since} {card.hold_id}"


def standing(card: Card) -> Standing:
    """How the card's hold stands."""
    if is_open(card):
        return WAITS
    if card.state in _WORDS:
        return _WORDS[card.state]
    if card.outcome == Outcome.CANCELLED.value and card.reason.startswith(KILLED):
        return STOPPED
    if card.outcome != Outcome.CONFIRMED.value:
        return _WORDS.get(card.outcome, UNKNOWN)
    return LET_GO if card.ui.action.tool else GO_ON


def ending(outcome: str) -> Standing:
    """How the ledger's outcome reads."""
    return GO_ON if outcome == Outcome.CONFIRMED.value else _WORDS.get(outcome, UNKNOWN)
