"""The next step of a program about its own call: run it, wait for people, or tell its end."""

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import msgspec

from holdpoint.client import Outcome, RefusedError, Status, UnavailableError
from holdpoint.messages.base import JsonObject, Value

PENDING = (
    "This waits for a person, as hold {hold_id}, and nothing has run. {text} Once it is approved, "
    "make exactly this call again: that uses the approval, once."
)
RUNS = (
    "This was approved, as hold {hold_id}, and has not ended. Make exactly this call again to get "
    "its result. {text}"
)
TRY_AGAIN = "Make exactly this call again: people are asked about it once."
NOT_JUDGED = (
    f"Nobody was asked yet, and nothing ran here: the gate did not answer in time. {TRY_AGAIN}"
)


class Next(StrEnum):
    """The program's next step."""

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
    """Whether people were asked about it: a leave to run is a yes of theirs then."""

    arguments: JsonObject = {}
    """What is to run: the call's own arguments, with what a person changed."""

    is_changed: bool = False


def step_of(outcome: Outcome, arguments: Mapping[str, Any]) -> Step:
    """Return what is to be done about a call that stands so; unknown is never a leave to run."""
    if not outcome.is_judged:
        return Step(next=Next.OVER, text=NOT_JUDGED, status=outcome.status.value)
    run = changed(outcome, arguments)
    words = outcome.message_for_user or outcome.reason or outcome.formatted
    if outcome.may_run:
        kind, text = Next.RUN, ""
    elif outcome.is_pending:
        pending = RUNS if outcome.status is Status.APPROVED else PENDING
        kind, text = Next.WAIT, pending.format(hold_id=outcome.hold_id, text=words)
    else:
        kind, text = Next.OVER, words if outcome.ok else _not_run(outcome, words)
    return Step(
        next=kind,
        hold_id=outcome.hold_id,
        ok=outcome.ok,
        text=text,
        status=outcome.status.value,
        was_asked=outcome.asked,
        arguments=run,
        is_changed=run != dict(arguments),
    )


def changed(outcome: Outcome, arguments: Mapping[str, Any]) -> JsonObject:
    """Return the arguments of the call that took the place of this one, where a person changed it.

    A secret among them is covered, and such a run cannot begin: nothing runs.
    """
    by = outcome.changed
    if by is None:
        return dict(arguments)
    kept = {name: it for name, it in arguments.items() if name not in by.removed}
    return {**kept, **by.arguments}


def step_of_error(error: RefusedError | UnavailableError) -> Step:
    """Return the end of a call that did not count, or that nobody answered."""
    text = f"Nothing ran ({error.code}): {error.text}"
    if isinstance(error, UnavailableError):
        text = f"{text} {TRY_AGAIN}"
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
