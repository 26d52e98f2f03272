"""Labels for the state of a hold: one place for all of them."""

from collections.abc import Mapping
from datetime import UTC
from enum import StrEnum

from msgspec.structs import replace

from holdpoint.core.card_facts import in_place_of, named_voices
from holdpoint.messages.answer import Choice
from holdpoint.messages.base import Value
from holdpoint.messages.card import HANDED_BACK, Card
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import EndedBy, Outcome, Stage
from holdpoint.messages.risk import RiskLevel
from holdpoint.messages.run import RunStatus

OPEN = frozenset({Stage.HALTED.value, Stage.RENDERED.value, Stage.ANSWERED.value})
RUNNING = "running"
"""The state of a card whose action a worker has in hand."""


class Tone(StrEnum):
    """Colour of a label; the word beside it says the same."""

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


COOLS_OFF = Standing(
    word="Cooling off",
    tone=Tone.BUSY,
    text="{approved}; nothing has run yet, and anybody who was asked can stop it.",
)
WAITS = Standing(word="Waiting", tone=Tone.OPEN, text="Waiting for a person; nothing has run.")
LET_GO = Standing(word="Approved", tone=Tone.GOOD, text="{approved}; about to run.")
GO_ON = Standing(word="Approved", tone=Tone.GOOD, text="{approved}; the agent may go on.")
STOPPED = Standing(
    word="Cancelled", tone=Tone.QUIET, text="Stopped by the kill switch; nothing ran."
)
UNKNOWN = Standing(word="Ended", tone=Tone.QUIET, text="It has ended.")

_WORDS: Mapping[str, Standing] = {
    RUNNING: Standing(word="Running", tone=Tone.BUSY, text="{approved}; a worker is running it."),
    RunStatus.DONE.value: Standing(word="Done", tone=Tone.GOOD, text="{approved}, and it ran."),
    RunStatus.FAILED.value: Standing(
        word="Failed", tone=Tone.BAD, text="{approved}; it ran and failed."
    ),
    RunStatus.PRECONDITION_FAILED.value: Standing(
        word="Not run",
        tone=Tone.BAD,
        text="{approved}, but the data had changed since the card was shown. Nothing was changed.",
    ),
    RunStatus.IN_DOUBT.value: Standing(
        word="In doubt",
        tone=Tone.BAD,
        text="It started, and nobody knows whether it took effect. Look, and say what you found.",
    ),
    Choice.HAPPENED.value: Standing(
        word="It happened", tone=Tone.GOOD, text="It was in doubt; a person looked: it happened."
    ),
    Choice.DID_NOT_HAPPEN.value: Standing(
        word="It did not happen",
        tone=Tone.QUIET,
        text="It was in doubt; a person looked: it did not happen. The agent may ask again.",
    ),
    Status.BARRED.value: Standing(
        word="Barred", tone=Tone.BAD, text="Stopped before it started; nothing ran."
    ),
    Status.LAPSED.value: Standing(
        word="Lapsed", tone=Tone.BAD, text="{approved}, but not started in time; nothing ran."
    ),
    Outcome.CANCELLED.value: Standing(
        word="Cancelled", tone=Tone.QUIET, text="{cancelled}; nothing ran."
    ),
    Outcome.EXPIRED.value: Standing(
        word="Expired",
        tone=Tone.QUIET,
        text="Nobody answered in time; nothing ran, and the agent was told so.",
    ),
    Outcome.WITHDRAWN.value: Standing(
        word="Withdrawn", tone=Tone.QUIET, text="Withdrawn by the agent; nothing ran."
    ),
    Outcome.SUPERSEDED.value: Standing(
        word="Superseded", tone=Tone.QUIET, text="Replaced by another action; nothing ran."
    ),
    Stage.WITNESSED.value: Standing(
        word="Ran",
        tone=Tone.QUIET,
        text="It ran without asking: the policy lets it run, and has you told.",
    ),
    HANDED_BACK: Standing(
        word="Handed back",
        tone=Tone.QUIET,
        text="You answer it in nobody's place any more; others are still asked.",
    ),
    Status.DENIED.value: Standing(
        word="Denied", tone=Tone.QUIET, text="Refused by the policy; nobody was asked."
    ),
}
"""`{approved}` and `{cancelled}` stand for who did it: `Approved by ann and ben`."""

ALL = (COOLS_OFF, WAITS, LET_GO, GO_ON, STOPPED, UNKNOWN, *_WORDS.values())


def is_open(card: Card) -> bool:
    """Return whether people may still answer it, as far as the card knows."""
    return card.state in OPEN and not card.outcome


def cools_off(card: Card) -> bool:
    """Return whether people may still stop what was confirmed, as far as the card knows."""
    return card.cools_off_until is not None


def is_in_doubt(card: Card) -> bool:
    """Return whether a person is to look what became of it."""
    return card.state == RunStatus.IN_DOUBT.value


def is_answerable(card: Card) -> bool:
    """Return whether a person's answer, their stop, or what they found may still count."""
    return is_open(card) or cools_off(card) or is_in_doubt(card)


def is_witnessed(card: Card) -> bool:
    """Return whether it ran without asking, and people are told."""
    return card.state == Stage.WITNESSED.value


def has_ended(card: Card) -> bool:
    """Return whether people were asked about it, and no answer counts any more."""
    return not is_answerable(card) and not is_witnessed(card)


def place(card: Card) -> str:
    """Its place among those that wait, as text: the worst first, then what has waited longest."""
    since = card.halted_at.astimezone(UTC).isoformat(timespec="microseconds")
    return f"{len(RiskLevel) - card.ui.risk_level.rank} {since} {card.hold_id}"


def standing(card: Card) -> Standing:
    """Return how the card's hold stands."""
    approved = f"Approved by {' and '.join(named_voices(card))}" if card.voices else "Approved"
    closed_by = in_place_of(card.closed_by, card.closed_for)
    cancelled = f"Cancelled by {closed_by}" if card.closed_by else "Cancelled"
    return _with_names(_standing(card), approved, cancelled)


def ending(outcome: str) -> Standing:
    """Return how the outcome of a hold or its run reads to who was not asked."""
    found = GO_ON if outcome == Outcome.CONFIRMED.value else _WORDS.get(outcome, UNKNOWN)
    return _with_names(found, "Approved", "Cancelled")


def _standing(card: Card) -> Standing:
    if is_open(card):
        return WAITS
    if cools_off(card):
        return COOLS_OFF
    if card.state in _WORDS:
        return _WORDS[card.state]
    if card.ended_by == EndedBy.KILL_SWITCH:
        return STOPPED
    if card.outcome != Outcome.CONFIRMED.value:
        return _WORDS.get(card.outcome, UNKNOWN)
    return LET_GO if card.ui.action.tool else GO_ON


def _with_names(found: Standing, approved: str, cancelled: str) -> Standing:
    text = found.text.replace("{approved}", approved).replace("{cancelled}", cancelled)
    return replace(found, text=text)
