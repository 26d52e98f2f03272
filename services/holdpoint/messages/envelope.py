"""The response envelope of seed 000: what an agent is told, in several forms, with next steps."""

from datetime import datetime
from enum import StrEnum

import msgspec

from holdpoint.messages.base import JsonObject, Message, Value


class Status(StrEnum):
    """State of a call, in one stable word."""

    WAITING = "waiting"
    """Not judged yet."""

    PENDING_CONFIRMATION = "pending_confirmation"
    APPROVED = "approved"
    """Approved (or passed) and not finished yet."""

    DONE = "done"
    CONFIRMED = "confirmed"
    """A sentence was answered with yes."""

    ALREADY_PROCESSED = "already_processed"
    DENIED = "denied"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    SUPERSEDED = "superseded"
    FAILED = "failed"
    PRECONDITION_FAILED = "precondition_failed"
    BARRED = "barred"
    LAPSED = "lapsed"
    IN_DOUBT = "in_doubt"
    REFUSED = "refused"


CANCEL_TOOL = "cancel_pending_operation"
DID_NOT_HAPPEN = "did_not_happen"
"""The code of a failure that a person reconciled: the call may be made again, with a new key."""

UNKNOWN_HOLD = "unknown_hold"
NO_SUCH_HOLD = "You have no hold of this id."
UNKNOWN_CALL = "unknown_call"
NO_SUCH_CALL = "No call of yours is stored under this sequence."
"""Of another agent's hold as well: nobody learns that there is one."""

REPEATED = "repeated"
"""The code of a refusal that stands for a harmless repeat."""

TOO_MANY_CALLS = "too_many_calls"
ASKED_ALREADY = "asked_already"
"""The code where people are asked about the very same call already, as the hold that it names."""

TOO_MANY_HOLDS = "too_many_holds"
TOO_MANY_QUESTIONS = "too_many_questions"

CONFIRM_PREFIX = "confirm_"
"""The two next steps of what is pending; neither ever confirms anything."""

FINAL = frozenset(Status) - {Status.WAITING, Status.PENDING_CONFIRMATION, Status.APPROVED}


def _no_data() -> JsonObject:
    return {}


class AvailableAction(Value, frozen=True, kw_only=True):
    """A tool that makes sense as the next step, valid now and callable as it stands.

    Its four fields always stand in it.
    """

    tool: str
    params: JsonObject = msgspec.field(default_factory=_no_data)
    label: str
    description: str = msgspec.field(default_factory=str)


class MethodCall(Value, frozen=True, kw_only=True):
    """Next step about a pending confirmation."""

    tool: str
    params: JsonObject = {}


class Confirmation(Value, frozen=True, kw_only=True):
    """A pending confirmation, as the agent may present it."""

    operation: str
    summary: str
    details: JsonObject
    confirmation_method: MethodCall
    cancel_method: MethodCall
    expires_at: datetime | None = None


def _no_actions() -> tuple[AvailableAction, ...]:
    return ()


class Changed(Value, frozen=True, kw_only=True):
    """A person's change of the agent's call into this one."""

    hold_id: str
    """Of the call as the agent made it."""

    arguments: JsonObject = {}
    """The changed arguments, with their new values; secrets are covered."""

    removed: tuple[str, ...] = ()
    """The arguments that it no longer has."""


class Envelope(Message, frozen=True, kw_only=True, omit_defaults=True):
    """Response to an agent about its call. It learns no answers and no proofs.

    The five fields of seed 000 always stand in it: a default made by a factory is never left out.
    """

    status: Status
    hold_id: str = ""
    data: JsonObject = msgspec.field(default_factory=_no_data)
    """The result for programs."""

    formatted: str = msgspec.field(default_factory=str)
    """The result as text."""

    formatted_spoken: str = msgspec.field(default_factory=str)
    """The result for voices: letters, spaces and `.,'-` only."""

    message_for_user: str = msgspec.field(default_factory=str)
    """The words that the agent may use."""

    available_actions: tuple[AvailableAction, ...] = msgspec.field(default_factory=_no_actions)
    """Next steps that are valid now."""

    idempotency_key: str = ""
    confirmation: Confirmation | None = None
    code: str = ""
    """The stable code of a refusal or failure."""

    retry_after_s: float = 0.0
    """Seconds after which the same may be tried again; 0 where that would not help."""

    reason: str = ""
    retry_allowed: bool | None = None
    """Of an ending: whether the same may be proposed again, with a new key. Never a yes."""

    parked: bool = False
    """Whether nobody answered in time and people still may; the agent need not wait for it."""

    asked: bool = False
    """Whether people are or were asked about it."""

    superseded_by: str = ""
    """The hold of the call that took its place: what the sentence announced, or a changed call."""

    changed: Changed | None = None
    """Of a call that took the place of the agent's own: what a person changed."""

    call_digest: str = ""
    cause: str = ""
    """`<stream>:<seq>` of the first proposal; any other one repeats it."""

    domain: str = ""
    """Whose workers run it; empty for a sentence."""
