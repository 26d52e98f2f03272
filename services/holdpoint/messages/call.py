"""Messages of agents, on CALLS: propose, intent, withdraw, trace."""

from enum import StrEnum
from typing import Annotated

import msgspec

from holdpoint.messages.base import Id, JsonObject, MaybeId, Message, Moment, Value
from holdpoint.messages.risk import IntentClaim


class Lineage(Value, frozen=True, kw_only=True):
    """Node of the agent's call tree (seed 001)."""

    trace_id: str = ""
    parent: str = ""
    group_id: str = ""
    prompt_versions: dict[str, str] = {}
    app_version: str = ""


class Propose(Message, frozen=True, kw_only=True, omit_defaults=True):
    """An agent asks to act. On the raw bus the event's `id` is the key when none is given."""

    tool: str
    arguments: JsonObject
    idempotency_key: str = ""
    on_behalf_of: str = ""
    """Counts only within the agent's configured `acts_for`; empty means its first."""

    reasoning: str = ""
    intent: MaybeId = ""
    """The hold of the sentence that announced this call."""

    plan: MaybeId = ""
    """The hold of the confirmed plan whose next step this is."""

    confidence: float | None = None
    """0 to 1; low confidence counts as uncertainty."""

    taint: tuple[str, ...] = ()
    """JSON pointers of arguments that came from untrusted content; the empty one is all of them."""

    taint_source: str = ""
    """What that content was, in a person's words: `a web page`. Alone it means every argument."""

    deadline: Moment | None = None
    dispatched_by: MaybeId = ""
    """The hold of the open dispatch to this agent; empty where a user called it."""

    lineage: Lineage = Lineage()


class PlannedStep(Value, frozen=True, kw_only=True):
    """One call of a plan, exactly as it will be made."""

    tool: str
    arguments: JsonObject = {}


MOST_STEPS = 20
LONGEST_PLAN_S = 24 * 3600


class Intent(Message, frozen=True, kw_only=True, omit_defaults=True):
    """An agent's sentence about what it is about to do (seed 002)."""

    text: str
    metadata: IntentClaim = IntentClaim()
    action_detail: JsonObject = {}
    """The action in the agent's own terms; shown as its claim, never executed."""

    steps: Annotated[tuple[PlannedStep, ...], msgspec.Meta(max_length=MOST_STEPS)] = ()
    """A plan: the calls that the agent then makes, in this order. People are always asked."""

    lasts_s: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_PLAN_S)] = 3600
    """Of a plan: how long after the yes its steps may begin."""

    idempotency_key: str = ""
    on_behalf_of: str = ""
    reasoning: str = ""
    confidence: float | None = None
    deadline: Moment | None = None
    lineage: Lineage = Lineage()


class Withdraw(Message, frozen=True, kw_only=True, omit_defaults=True):
    """The proposer takes it back."""

    hold_id: Id
    reason: str = ""


class Phase(StrEnum):
    """A node of the call tree opens once and closes once."""

    OPENED = "opened"
    CLOSED = "closed"


RUN_NODE = "run-"
"""Before a hold's id: the name of the node that is the run of it in the agent's own process."""


class Trace(Message, frozen=True, kw_only=True, omit_defaults=True):
    """One node of an agent's call tree (seed 001). Audited, never judged."""

    trace_id: str
    group_id: str
    fn: str
    phase: Phase
    parent: str = ""
    input: JsonObject = {}
    output: JsonObject = {}
    exception: str = ""
    prompt_versions: dict[str, str] = {}
    app_version: str = ""
    dispatched_by: MaybeId = ""
    """The hold of the dispatch that this node answers: closing it ends the dispatch."""

    runs: MaybeId = ""
    """The hold of the call that this node is the run of, in the agent's own process: opening it
    takes the claim, closing it reports the end. `input.arguments` says what really runs."""


Call = Propose | Intent | Withdraw | Trace
