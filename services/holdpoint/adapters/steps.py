"""What a program does next about a call of its own: run it, wait for people, or tell its end."""

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import msgspec

from holdpoint.client import Outcome, RefusedError, UnavailableError
from holdpoint.messages.base import Value

OTHER_ARGUMENTS = "It was not run: {text}"
PENDING = (
    "This waits for a person, as hold {hold_id}, and nothing has run. {text} Once it is approved, "
    "make exactly this call again: that uses the approval, once."
)


class Next(StrEnum):
    """What the program does next."""

    RUN = "run"
    WAIT = "wait"
    OVER = "over"


class Step(Value, frozen=True, kw_only=True):
    """The next step about one call."""

    next: Next
    hold_id: str = ""
    ok: bool = False
    """Of an end: whether a worker ran it, so that `text` is its result."""

    text: str = ""
    """Words for the agent."""

    status: str = ""
    """The gate's word: `pending_confirmation`, `cancelled`, `expired` …"""

    was_asked: bool = False
    """Whether people were asked about it, so that a yes of theirs lets it run."""


def step_of(outcome: Outcome, *, was_asked: bool = False) -> Step:
    """Return what is to be done about a call that stands so; unknown is never a leave to run."""
    words = outcome.message_for_user or outcome.reason or outcome.formatted
    if outcome.may_run:
        kind, text = Next.RUN, ""
    elif outcome.is_pending:
        kind, text = Next.WAIT, PENDING.format(hold_id=outcome.hold_id, text=words)
    else:
        kind, text = Next.OVER, words if outcome.ok else _not_run(outcome, words)
    return Step(
        next=kind,
        hold_id=outcome.hold_id,
        ok=outcome.ok,
        text=text,
        status=outcome.status.value,
        was_asked=was_asked,
    )


def step_of_error(error: RefusedError | UnavailableError) -> Step:
    """Return the end of a call that did not count, or that nobody answered."""
    text = f"Nothing ran ({error.code}): {error.text}"
    return Step(next=Next.OVER, hold_id=error.hold_id, text=text, status=error.code)


def key_of(*parts: str) -> str:
    """The idempotency key of a call that a framework knows by these names, on every try."""
    return hashlib.sha256("\x00".join(parts).encode()).hexdigest()[:40]


def name_of(tool: str, arguments: Mapping[str, Any], *around: str) -> str:
    """A name for exactly this call, the same on every retry."""
    body = msgspec.json.encode([tool, arguments, list(around)], order="deterministic")
    return hashlib.sha256(body).hexdigest()[:40]


def _not_run(outcome: Outcome, words: str) -> str:
    why = f" Reason: {outcome.reason}" if outcome.reason and outcome.reason not in words else ""
    return f"Nothing ran: {outcome.status.value} (hold {outcome.hold_id}). {words}{why}"
