"""Commands to a hold: imperative, each with the broker-given id of what asked."""

from datetime import datetime
from typing import TypeAlias

import msgspec

from holdpoint.messages.card import ConfirmationUI
from holdpoint.messages.hold import Hold, PasskeyEvidence, Reason, Reserved
from holdpoint.messages.policy import Method, VerdictKind


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """Something is asked of a hold."""

    cause: str
    """`<stream>:<seq>` of the message that asks."""


class Begin(Asked, frozen=True, kw_only=True):
    """A judged proposal; `hold` is complete but for its stage."""

    hold: Hold
    verdict: VerdictKind
    nonce: str
    at: datetime


class Render(Asked, frozen=True, kw_only=True):
    """Show it to people."""

    ui: ConfirmationUI
    title: str
    render_digest: str
    asked_from: datetime | None = None
    """Of a hold that was queued: when its people have their hours next; None: now."""


class Proceed(Asked, frozen=True, kw_only=True):
    """A person says yes to exactly this."""

    by: str
    on_behalf_of: str = ""
    """The approver in whose place, which the gate has verified."""

    method: Method
    digest: str
    render_digest: str
    reason: str = ""
    channel: str = ""
    """Through what they said it."""

    methods: tuple[Method, ...] = ()
    """Every proof that was verified, where there were several; `method` is the strongest."""

    linked: bool = False
    evidence_digest: str = ""
    passkey: PasskeyEvidence | None = None


class Cancel(Asked, frozen=True, kw_only=True):
    """A person says no. One no is enough."""

    by: str
    on_behalf_of: str = ""
    digest: str
    render_digest: str
    reason: str = ""


class Kill(Asked, frozen=True, kw_only=True):
    """The kill switch stops it."""

    by: str
    reason: str


class Expire(Asked, frozen=True, kw_only=True):
    """The alarm rings."""


class Remind(Asked, frozen=True, kw_only=True):
    """A reminder's alarm rings, or that of a notice in a cooling-off."""


class Escalate(Asked, frozen=True, kw_only=True):
    """The alarm rings at which the backup group may answer too."""


class Extend(Asked, frozen=True, kw_only=True):
    """A person gives people more time for exactly this."""

    by: str
    on_behalf_of: str = ""
    digest: str
    render_digest: str
    seconds: int
    reason: str


class Withdraw(Asked, frozen=True, kw_only=True):
    """The proposer takes it back."""

    by: str
    reason: str = ""


class Supersede(Asked, frozen=True, kw_only=True):
    """The proposer makes the call that its open sentence announced: people are asked about that."""

    by: str
    hold_id: str
    """The call's."""


class Modify(Asked, frozen=True, kw_only=True):
    """A person changes the arguments: people are asked about that call instead."""

    by: str
    on_behalf_of: str = ""
    digest: str
    render_digest: str
    reason: str = ""
    hold_id: str
    """The changed call's."""


class Spend(Asked, frozen=True, kw_only=True):
    """The proposer makes the call that its confirmed sentence announced, which uses up the yes."""

    by: str
    hold_id: str
    """The call's."""


class Take(Asked, frozen=True, kw_only=True):
    """The proposer makes the next call of its confirmed plan."""

    by: str
    hold_id: str
    """The call's."""

    step: int
    """From 0."""


class Confirm(Asked, frozen=True, kw_only=True):
    """The yes that the call's sentence got stands for the call."""


class Resume(Asked, frozen=True, kw_only=True):
    """The resolved hold goes on: the boolean, and the grant of a confirmed action."""

    nonce: str
    at: datetime
    """When the grant is minted; it may be later than what it follows from."""

    reserved: tuple[Reserved, ...] = ()
    """Where a yes counts from now on; without any it counts where it did."""


class Mint(Asked, frozen=True, kw_only=True):
    """A worker read a grant that is too old; make a fresh one for the same hold."""

    nonce: str
    at: datetime


class Objected(msgspec.Struct, frozen=True, kw_only=True):
    """The command does not count, and why."""

    reason: Reason


Command: TypeAlias = (
    Render
    | Proceed
    | Cancel
    | Kill
    | Expire
    | Remind
    | Escalate
    | Extend
    | Withdraw
    | Supersede
    | Modify
    | Spend
    | Take
    | Confirm
    | Resume
    | Mint
)
