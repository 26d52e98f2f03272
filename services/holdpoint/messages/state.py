"""ADMIN, what a person orders; STATE, what then holds; TIMERS, what rings."""

from datetime import datetime
from enum import StrEnum

from holdpoint.messages.answer import Limit
from holdpoint.messages.base import Id, JsonObject, MaybeId, Message, Value
from holdpoint.messages.catalog import Delegation
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import RiskLevel

EVERYONE = "_"
"""The kill switch's key for the whole tenant; otherwise it is an agent's name."""

CURRENT = "current"
"""The key of state of which there is one."""


class Kill(Message, frozen=True, kw_only=True, omit_defaults=True):
    """A person throws the kill switch, or takes it back."""

    on: bool
    agent: str = EVERYONE
    reason: str = ""


class AdoptPolicy(Message, frozen=True, kw_only=True, omit_defaults=True):
    """A person names the policy that is to be judged by."""

    version: str
    digest: str
    reason: str = ""
    diff: str = ""
    policy: Policy | None = None
    """The policy itself, so that every gate can follow; an order without it is refused."""


class EnrolTotp(Message, frozen=True, kw_only=True, omit_defaults=True):
    """A person sets up one-time codes for themselves, or sets them up again."""

    sealed: str
    """A `TotpSecret` sealed to the gate's public key, in base64."""


class TotpSecret(Message, frozen=True, kw_only=True, omit_defaults=True):
    """Secret shared by a person's authenticator app and the gate; always sealed."""

    person: str
    """The only person whose secret it is."""

    secret: str
    """At least 160 bits, in base32."""

    code: str = ""
    """Of this secret: the app has it. Not kept."""

    old_code: str = ""
    """Of the secret in whose place it comes, where there is one. Not kept."""


class EnrolPasskey(Message, frozen=True, kw_only=True, omit_defaults=True):
    """A person adds a passkey to their one-time codes."""

    sealed: str
    """A `NewPasskey` sealed to the gate's public key, in base64."""


class NewPasskey(Message, frozen=True, kw_only=True, omit_defaults=True):
    """A passkey as a browser made it, and a one-time code that says whose it is."""

    person: str
    registration: JsonObject
    nonce: str
    """What the registration's challenge was made with: see `enrolment_challenge`."""

    code: str


class Passkey(Value, frozen=True, kw_only=True):
    """A passkey that counts."""

    credential_id: str
    """As a browser names it, base64url."""

    public_key: str
    """COSE, base64url."""

    sign_count: int
    at: datetime
    used: str = ""
    """The cause that it was used by last."""


class RemoveStepUp(Message, frozen=True, kw_only=True, omit_defaults=True):
    """An admin takes away a person's step-up, so that they can set it up again."""

    person: str
    reason: str = ""


class Delegate(Message, frozen=True, kw_only=True, omit_defaults=True):
    """A person has somebody answer in their place for a time."""

    to: MaybeId = ""
    """Empty ends every delegation that the person made."""

    since: datetime | None = None
    """The broker's time of the order, if none is given."""

    until: datetime | None = None
    away: bool = False
    """True for out of office."""

    reason: str = ""


class DelegationState(Message, frozen=True, kw_only=True, omit_defaults=True):
    """The delegations that one person made; ended ones stay for as long as holds may be open."""

    delegations: tuple[Delegation, ...] = ()
    by: str
    cause: str
    after: int = 0
    """As of `KillState`."""


class Denial(Value, frozen=True, kw_only=True):
    """A cancelled action, described well enough to be recognized in other words."""

    hold_id: str
    tree: str
    """The agent at the root of the tree whose agent asked."""

    by: str
    seat: str = ""
    """The approver in whose place."""

    at: datetime
    call_digest: str
    target: str = ""
    """A digest, as `things`."""

    things: tuple[str, ...] = ()
    """Digests of the files, tables and numbers that it named."""

    taken: tuple[str, ...] = ()
    """Digests of what it takes away: moves, deletes or renames."""


class DenialState(Message, frozen=True, kw_only=True, omit_defaults=True):
    """Recent cancellations of every agent's actions."""

    denials: tuple[Denial, ...] = ()
    by: str
    cause: str
    after: int = 0
    """As of `KillState`."""


class Flag(StrEnum):
    """Switch of a way of working; each but `legacy_ask` is on until an admin switches it off."""

    DELEGATION = "delegation"
    """The coordinator has other agents answer."""

    KEYWORD_ROUTING = "keyword_routing"
    """Keywords decide where no rule of the coordinator does; off: it asks back."""

    LEGACY_ALIASES = "legacy_aliases"
    """Old names of tools count; off: the refusal names the new one."""

    LEGACY_ASK = "legacy_ask"
    """Tools that only ask a person may be called; off: the refusal says what confirms instead."""

    WORKFLOW_FIRST = "workflow_first"
    """The coordinator's workflows come before its agent; off: the agent does everything."""


OFF_AT_FIRST = frozenset({Flag.LEGACY_ASK})


class SetFlag(Message, frozen=True, kw_only=True, omit_defaults=True):
    """An admin switches a flag."""

    flag: Flag
    on: bool
    reason: str = ""


class FlagState(Message, frozen=True, kw_only=True, omit_defaults=True):
    """Flags that do not stand as they did at first."""

    off: tuple[Flag, ...] = ()
    on: tuple[Flag, ...] = ()
    """Those that are on, of the ones that are off at first."""

    by: str
    cause: str
    after: int = 0
    """As of `KillState`."""


def flags_off(state: FlagState | None) -> tuple[Flag, ...]:
    """Return the flags that are off now; nobody has switched any where there is no state."""
    off, on = (frozenset(state.off), frozenset(state.on)) if state else (frozenset(), frozenset())
    return tuple(sorted(off | (OFF_AT_FIRST - on)))


def switched(state: FlagState | None, order: SetFlag) -> tuple[tuple[Flag, ...], tuple[Flag, ...]]:
    """Return the flags that are off and on, against how they stood at first, after an order."""
    off, on = (set(state.off), set(state.on)) if state else (set(), set())
    changed = on if order.flag in OFF_AT_FIRST else off
    changed.discard(order.flag)
    if order.on is (order.flag in OFF_AT_FIRST):
        changed.add(order.flag)
    return tuple(sorted(off)), tuple(sorted(on))


class RevokePermission(Message, frozen=True, kw_only=True, omit_defaults=True):
    """Order to take a remembered permission back, by its giver or an admin."""

    agent: Id
    permission_id: Id
    reason: str = ""


class Permission(Value, frozen=True, kw_only=True):
    """Actions of level 3 that one agent may take without asking again, and how many are left."""

    permission_id: str
    tool: str
    on_behalf_of: str
    tool_schema_sha256: str
    exact: str = ""
    """The digest of the only action that it allows, without what a dry run tells of its moment;
    empty where arguments have limits.
    """

    rest: str = ""
    """SHA-256 of what stays as it was: the arguments without a limit, and what a dry run found of
    files.
    """

    limits: dict[str, Limit] = {}
    affected: int | None = None
    """The most that a dry run may count, where arguments have limits."""

    risk_level: RiskLevel
    """The risk that the person saw; a higher one asks again."""

    rules: tuple[str, ...] = ()
    """The rules of HIGH risk that the person saw; any other one asks again."""

    uses: int
    used: int = 0
    amount: int | None = None
    """The most that all uses add up to, in hundredths of `currency`; None: no limit."""

    spent: int = 0
    currency: str = ""
    expires_at: datetime
    by: str
    hold_id: str
    cause: str
    """`<stream>:<seq>` of the answer that it was given with."""

    title: str = ""
    """The line of the card that was answered, masked."""


class UsedPermission(Value, frozen=True, kw_only=True):
    """A call that was counted; who handles it again finds it here."""

    cause: str
    permission_id: str
    use: int


class PermissionState(Message, frozen=True, kw_only=True, omit_defaults=True):
    """The remembered permissions of one agent."""

    permissions: tuple[Permission, ...] = ()
    recent: tuple[UsedPermission, ...] = ()
    """The last uses, the newest at the end."""

    settled: tuple[str, ...] = ()
    """The last answers and orders that were carried out, the newest at the end."""

    by: str
    cause: str
    after: int = 0
    """As of `KillState`."""


class UsedCode(Value, frozen=True, kw_only=True):
    """A one-time code that counted, once."""

    step: int
    """Half minutes since 1970."""

    cause: str
    """`<stream>:<seq>` of the message that it came in."""


class WrongCode(Value, frozen=True, kw_only=True):
    """A one-time code that was wrong."""

    cause: str
    hold_id: str
    """The hold it was for; empty where codes were to be set up again."""

    at: datetime
    until: datetime
    """Until when it counts: the hold can be answered until then."""


class StepUpState(Message, frozen=True, kw_only=True, omit_defaults=True):
    """A person's proofs beyond their password, and the attempts with them."""

    sealed: str = ""
    """Their `TotpSecret`, sealed to the gate's public key; empty where there is none."""

    passkeys: tuple[Passkey, ...] = ()
    used: tuple[UsedCode, ...] = ()
    """The last codes that counted, the newest at the end."""

    wrong: tuple[WrongCode, ...] = ()
    """Wrong codes that still count, the newest at the end."""

    by: str
    """The person who set it up or took it away last."""

    cause: str
    after: int = 0
    """As of `KillState`."""


class KillState(Message, frozen=True, kw_only=True, omit_defaults=True):
    """State of the kill switch."""

    stopped: dict[str, str]
    """Why, by agent; `_` stops everyone."""

    by: str
    cause: str
    after: int = 0
    """The sequence of what stood there before: a copy further on counts for nothing."""


class PolicyState(Message, frozen=True, kw_only=True, omit_defaults=True):
    """Policy that gates judge by."""

    version: str
    digest: str
    by: str
    cause: str
    after: int = 0
    """As of `KillState`."""


class PolicyBody(Message, frozen=True, kw_only=True, omit_defaults=True):
    """A policy itself, under its digest: which one is in force, `PolicyState` says."""

    policy: Policy
    cause: str
    after: int = 0
    """As of `KillState`."""


class OpenHold(Value, frozen=True, kw_only=True):
    """One open hold of an agent: people are asked about it, or it waits for its turn."""

    hold_id: str
    call_digest: str
    groups: tuple[str, ...]
    at: datetime
    asked: bool = False


class AttentionState(Message, frozen=True, kw_only=True, omit_defaults=True):
    """The holds of one agent that take people's attention, oldest first."""

    holds: tuple[OpenHold, ...] = ()
    by: str
    cause: str
    after: int = 0
    """As of `KillState`."""


AnyState = (
    KillState
    | PolicyState
    | PolicyBody
    | StepUpState
    | DelegationState
    | DenialState
    | PermissionState
    | AttentionState
    | FlagState
)


class TimerKind(StrEnum):
    """Purpose of an alarm."""

    EXPIRE = "expire"
    RESUME = "resume"
    REMIND = "remind"
    ESCALATE = "escalate"


class Alarm(Message, frozen=True, kw_only=True, omit_defaults=True):
    """A timer rings: a hint; `decide` checks the time."""

    agent: str
    hold_id: str
    kind: TimerKind
    at: datetime
