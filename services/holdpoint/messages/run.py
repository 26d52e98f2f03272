"""Facts about grants, on RUNS: workers start and finish, the gate bars, lets lapse, reconciles."""

from datetime import datetime
from enum import StrEnum

from holdpoint.messages.base import JsonObject, Message
from holdpoint.messages.envelope import AvailableAction


class RunStatus(StrEnum):
    """Status of a run."""

    DONE = "done"
    FAILED = "failed"
    PRECONDITION_FAILED = "precondition_failed"
    IN_DOUBT = "in_doubt"


class RunFact(Message, frozen=True, kw_only=True, omit_defaults=True):
    """Something happened to a grant."""

    hold_id: str
    digest: str
    cause: str
    held: bool = False
    """True if people were asked, so that a card shows it."""


class Started(RunFact, frozen=True, kw_only=True, omit_defaults=True):
    """The claim: this worker runs it, and nobody else."""

    nonce: str
    owner: str
    lease_until: datetime
    extended: bool = False
    """True where its worker, still at work, makes the lease of its own claim longer."""


class Finished(RunFact, frozen=True, kw_only=True, omit_defaults=True):
    """The result, or that nobody knows."""

    nonce: str
    status: RunStatus
    data: JsonObject = {}
    formatted: str = ""
    formatted_spoken: str = ""
    message_for_user: str = ""
    available_actions: tuple[AvailableAction, ...] = ()
    error: str = ""
    executed: JsonObject | None = None
    """The call that really ran (tool and masked arguments); None when nothing did."""

    call: str = ""
    """`<stream>:<seq>` of the call that opened the hold: its agent knows the result by it."""

    call_digest: str = ""
    """Of that call, before any plan was frozen in."""


class Barred(RunFact, frozen=True, kw_only=True, omit_defaults=True):
    """The gate took the claim first: nothing runs."""

    reason: str


class Lapsed(RunFact, frozen=True, kw_only=True, omit_defaults=True):
    """Approved, and never started in time."""

    reason: str


class Reconciled(RunFact, frozen=True, kw_only=True, omit_defaults=True):
    """A person looked what became of a run in doubt."""

    happened: bool
    by: str
    note: str


AnyRunFact = Started | Finished | Barred | Lapsed | Reconciled
