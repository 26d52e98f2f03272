"""A hold as it stands, and the facts that can happen to it.

Each fact carries the hold afterwards: the last message on a hold's subjects is its state.
"""

from datetime import datetime
from enum import StrEnum

from holdpoint.messages.action import Action
from holdpoint.messages.base import JsonObject, Message, Value
from holdpoint.messages.call import Lineage
from holdpoint.messages.card import ConfirmationUI
from holdpoint.messages.catalog import Enforcement
from holdpoint.messages.policy import Escalate, Method, OnSilence, PolicyRef, Voices
from holdpoint.messages.risk import Assessment, IntentMetadata, RiskLevel


class Stage(StrEnum):
    """Stage of a hold: the fact that happened last."""

    PASSED = "passed"  # a stage, not a password
    WITNESSED = "witnessed"
    DENIED = "denied"
    HALTED = "halted"
    RENDERED = "rendered"
    ANSWERED = "answered"
    RESOLVED = "resolved"
    RESUMED = "resumed"


class Outcome(StrEnum):
    """Outcome of a hold. The five are never confused with each other."""

    CONFIRMED = "confirmed"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    SUPERSEDED = "superseded"


class EndedBy(StrEnum):
    """Cause of a hold's end."""

    PERSON = "person"
    KILL_SWITCH = "kill_switch"
    TIMEOUT = "timeout"
    AGENT = "agent"


class Reason(StrEnum):
    """Why an attempt on a hold did not count, or why it ended as it did."""

    ALREADY_CLOSED = "already_closed"
    NOT_YET_SHOWN = "not_yet_shown"
    OWN_ACTION = "own_action"
    NOT_AN_APPROVER = "not_an_approver"
    OTHER_DIGEST = "other_digest"
    OTHER_RENDER = "other_render"
    SECOND_VOICE = "second_voice"
    PROOF_MISSING = "proof_missing"
    CODE_WRONG = "code_wrong"
    CODE_USED = "code_used"
    NO_CODES = "no_codes"
    TRIES_OVER = "tries_over"
    LOCKED = "locked"
    PASSKEY_WRONG = "passkey_wrong"
    NOT_THE_PROPOSER = "not_the_proposer"
    NOT_YET_DUE = "not_yet_due"
    TOO_LATE = "too_late"
    ALREADY_STARTED = "already_started"
    NOTHING_TO_RUN = "nothing_to_run"
    NOT_ANNOUNCED = "not_announced"
    NOT_EXTENDABLE = "not_extendable"
    NOT_MODIFIABLE = "not_modifiable"
    NOT_THE_NEXT_STEP = "not_the_next_step"


class Requirement(Value, frozen=True, kw_only=True):
    """Requirement of a hold: frozen when it is halted."""

    level: int
    all_of: tuple[Voices, ...] = ()
    proofs: tuple[Method, ...] = ()
    every_proof: bool = False
    """Whether a yes takes all of `proofs` instead of one."""

    four_eyes: bool = False
    client_may_answer: bool = False
    cooling_off_s: int = 0
    on_silence: OnSilence = OnSilence.EXPIRE
    approvers: dict[str, tuple[str, ...]] = {}
    """The people of each group in `all_of`, as they were when it was halted; after an escalation
    with the `backup` in each of them."""

    deadline_s: int = 0
    remind_after_s: tuple[int, ...] = ()
    escalate: Escalate | None = None
    backup: tuple[str, ...] = ()
    """The people of the group that it escalates to, as they were when it was halted."""

    extend_up_to_s: int = 0
    notice_before_s: tuple[int, ...] = ()
    most_open: int = 0


class PasskeyEvidence(Value, frozen=True, kw_only=True):
    """Evidence, verifiable offline, that this person's passkey signed exactly this answer."""

    assertion: JsonObject
    nonce: str
    public_key: str
    """COSE, base64url."""

    origin: str
    """The address of the console that it was signed in."""


class Voice(Value, frozen=True, kw_only=True):
    """One answer that counted."""

    person: str
    """The person who gave it, whose proofs these are."""

    on_behalf_of: str = ""
    """The approver in whose place they gave it; empty for themselves."""

    method: Method
    """The strongest proof."""

    methods: tuple[Method, ...] = ()
    """Every proof, where there were several."""

    at: datetime
    linked: bool = False
    """True if the proof is bound to this very action."""

    evidence_digest: str = ""
    passkey: PasskeyEvidence | None = None


class Reserved(Value, frozen=True, kw_only=True):
    """Amount that a hold adds to one counter, so that exactly this can be moved or taken back."""

    subject: str
    amount: int
    """A number of records, or hundredths of the policy's currency."""

    bucket_s: int
    """How much time one counter of the tally covers."""

    counted: bool = True
    """False when nobody knows whether the counter took it: then it is never taken back."""


class Announced(Value, frozen=True, kw_only=True):
    """The sentence that announced a call; with voices where its yes stands for this call too."""

    hold_id: str
    says: str
    digest: str
    voices: tuple[Voice, ...] = ()
    answers: tuple[str, ...] = ()
    """`<stream>:<seq>` of each answer, in the order of the voices."""

    resolved_at: datetime | None = None
    """The broker's timestamp of its yes, from which on that is good."""


class Permitted(Value, frozen=True, kw_only=True):
    """The remembered permission that a call passed by, and which use of it this was."""

    permission_id: str
    by: str
    """The person who gave it."""

    answer: str
    """`<stream>:<seq>` of the answer that it was given with."""

    hold_id: str
    """The hold that was answered."""

    use: int
    """1 for the first."""

    uses: int
    expires_at: datetime


class Extension(Value, frozen=True, kw_only=True):
    """A later deadline, and who gave the hold more time."""

    by: str
    on_behalf_of: str = ""
    """The approver in whose place they did."""

    at: datetime
    until: datetime
    reason: str
    answer: str
    """`<stream>:<seq>` of what asked for it."""


class Modified(Value, frozen=True, kw_only=True):
    """The call that a person changed into this one."""

    hold_id: str
    """Its hold, which this one took the place of."""

    by: str
    answer: str
    """`<stream>:<seq>` of the answer that changed it."""

    reason: str = ""
    before: JsonObject = {}
    """The arguments that were changed or left out, as they were."""

    added: tuple[str, ...] = ()
    """The arguments that were not given before."""

    authors: tuple[str, ...] = ()
    """Everybody who changed it so far, and those in whose place they did."""


class PlanStep(Value, frozen=True, kw_only=True):
    """One call of a plan, as it was judged when people saw it."""

    action: Action
    level: int
    risk_level: RiskLevel
    rules: tuple[str, ...] = ()
    """The rules of HIGH risk that people saw; any other one asks again."""

    title: str = ""
    """Its title as on a card of its own, secrets covered; empty in older holds."""

    secret: tuple[str, ...] = ()
    """JSON pointers of arguments that no card shows."""


class Hold(Value, frozen=True, kw_only=True):
    """One action, or one sentence, and how it stands."""

    hold_id: str
    tenant: str
    agent: str
    on_behalf_of: str
    stage: Stage
    level: int
    digest: str
    """Of the action; of the sentence when there is no action."""

    call_digest: str
    """The digest before any plan was frozen in: what a repeat is compared with."""

    idempotency_key: str = ""
    """The key of the call that opened it; the call's id where its agent gave none."""

    policy: PolicyRef
    assessment: Assessment
    metadata: IntentMetadata
    proposed_at: datetime
    """The broker's timestamp of the proposal."""

    action: Action | None = None
    says: str = ""
    """The agent's own words: the sentence, or the reasoning of its call."""

    claim: JsonObject = {}
    """The agent's own account of its sentence; nothing of it is executed."""

    steps: tuple[PlanStep, ...] = ()
    """Of a plan: its calls, in the order in which they may run."""

    taken: tuple[str, ...] = ()
    """Of a confirmed plan: the holds of the calls that were its steps so far."""

    announced: Announced | None = None
    """The sentence that announced this action, if the agent named one of its own."""

    permitted: Permitted | None = None
    """The remembered permission that it passed by, where people would be asked otherwise."""

    modified: Modified | None = None
    """The call that a person changed into this one."""

    used_by: str = ""
    """Of a confirmed sentence: the hold of the one call that its yes stands for."""

    superseded_by: str = ""
    """The hold of the call that people are asked about instead."""

    requirement: Requirement | None = None
    witnesses: tuple[str, ...] = ()
    """The groups that are told of what runs without asking."""

    expires_at: datetime | None = None
    """When it ends unanswered: its deadline, or the end of its parking."""

    queued: bool = False
    """Whether it waits for its turn: its agent has as many open holds as it may. Nobody sees it."""

    asked_from: datetime | None = None
    """From when on its deadline, its reminders and its escalation count, where that is later than
    its proposal: people are asked in their hours, and what was queued is asked in its turn."""

    escalates_at: datetime | None = None
    escalated_at: datetime | None = None
    """When the backup group came to be asked too."""

    reminded: int = 0
    """The number of reminders and notices that people got."""

    reminded_at: datetime | None = None
    extensions: tuple[Extension, ...] = ()
    parked_at: datetime | None = None
    """When its deadline passed and it was parked; it can be answered until `expires_at`."""

    valid_for_s: int = 0
    grant_s: int = 0
    ui: ConfirmationUI | None = None
    title: str = ""
    """The card's one line, frozen with the UI and under the same digest."""

    render_digest: str = ""
    voices: tuple[Voice, ...] = ()
    outcome: Outcome | None = None
    ended_by: EndedBy | None = None
    """The cause of its end; None while it is open, and on holds stored before the field existed."""

    closed_by: str = ""
    """The person or the agent that ended it; empty where time did."""

    closed_for: str = ""
    """The approver in whose place that person ended it."""

    reason: str = ""
    """In a person's words: why it was denied, cancelled, expired …"""

    resolved_at: datetime | None = None
    """The broker's timestamp of what resolved it."""

    reserved: tuple[Reserved, ...] = ()
    """The amounts that it adds to the policy's tallies."""

    chain: tuple[str, ...] = ()
    """The agents from the one that a user faces down to this one; empty where that is itself."""

    dispatched_by: str = ""
    """The hold of the dispatch under which the agent acts."""

    lineage: Lineage = Lineage()
    """The call's place in its agent's call tree, as the agent said it."""
    enforcement: Enforcement | None = None
    """None on holds stored before the field existed."""

    causes: tuple[str, ...] = ()
    """`<stream>:<seq>` of each command counted: a repeat finds its own id here."""


class Grant(Value, frozen=True, kw_only=True):
    """Permission to run a hold's action: signed with it, single-use, expiring."""

    aud: str
    """`domain:<d>`: the only workers it is for."""

    iat: datetime
    nbf: datetime
    exp: datetime
    nonce: str


class HoldFact(Message, frozen=True, kw_only=True, omit_defaults=True):
    """Something happened to a hold; `hold` is how it stands afterwards."""

    hold: Hold
    cause: str
    """`<stream>:<seq>` of the command or fact that led here."""


class Passed(HoldFact, frozen=True, kw_only=True, omit_defaults=True):
    """Harmless enough: it runs. A sentence passes without a grant."""

    grant: Grant | None = None


class Witnessed(HoldFact, frozen=True, kw_only=True, omit_defaults=True):
    """It runs, and people are told. A sentence goes on without a grant."""

    grant: Grant | None = None


class Denied(HoldFact, frozen=True, kw_only=True, omit_defaults=True):
    """It never runs; `hold.reason` says why."""


class Halted(HoldFact, frozen=True, kw_only=True, omit_defaults=True):
    """HALT: the agent waits for people."""

    metadata: IntentMetadata


class Rendered(HoldFact, frozen=True, kw_only=True, omit_defaults=True):
    """RENDER: the card stands; `hold.ui` is what people see."""


class Answered(HoldFact, frozen=True, kw_only=True, omit_defaults=True):
    """One more yes; others are still needed."""

    by: str


class Parked(HoldFact, frozen=True, kw_only=True, omit_defaults=True):
    """No answer came in time; it can still be answered, until its new `expires_at`."""


class Reminded(HoldFact, frozen=True, kw_only=True, omit_defaults=True):
    """People are told again: it still waits for them, or what cools off is about to run."""


class Escalated(HoldFact, frozen=True, kw_only=True, omit_defaults=True):
    """The backup group may answer too."""


class Extended(HoldFact, frozen=True, kw_only=True, omit_defaults=True):
    """A person moved the deadline; the last of `hold.extensions` says who, until when and why."""

    by: str


class Resolved(HoldFact, frozen=True, kw_only=True, omit_defaults=True):
    """RESOLVE: one binary answer, and how it came about."""

    outcome: Outcome
    by: str = ""


class Resumed(HoldFact, frozen=True, kw_only=True, omit_defaults=True):
    """RESUME: the deterministic boolean. True on an action carries the grant."""

    confirmed: bool
    grant: Grant | None = None


class Refused(Message, frozen=True, kw_only=True, omit_defaults=True):
    """Something that did not count, told to its sender and kept for the auditor."""

    principal: str
    cause: str
    code: str
    """Stable: `unknown_tool`, `bad_json`, `already_closed` …"""

    text: str
    """The event and the next step, in a person's words."""

    hold_id: str = ""
    body_sha256: str = ""
    """Of the refused bytes, which stand in the ledger under their own sequence."""

    retry_after_s: float = 0.0
    """Seconds after which the same may be sent again; 0 where that would not help."""

    sequences: tuple[int, ...] = ()
    """Of several calls that are refused together: `cause` is then the thousand that they are of."""


AnyHoldFact = (
    Passed
    | Witnessed
    | Denied
    | Halted
    | Rendered
    | Answered
    | Parked
    | Reminded
    | Escalated
    | Extended
    | Resolved
    | Resumed
)
