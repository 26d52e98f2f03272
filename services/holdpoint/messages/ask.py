"""Questions with an answer: how a hold stands, what a dry run says, a fresh grant."""

from enum import StrEnum
from typing import Annotated

import msgspec

from holdpoint.messages.action import Action, Plan
from holdpoint.messages.base import Id, MaybeId, Message, Sequence
from holdpoint.messages.catalog import ToolDefinition
from holdpoint.messages.envelope import Status

JUDGED_BY_S = 6.0
"""Even the slowest call is judged by then: a hold that nobody knows is unknown, not late."""


class AskHold(Message, frozen=True, kw_only=True, omit_defaults=True):
    """Question about the state of a hold. The gate answers when it ends or the wait does."""

    hold_id: MaybeId = ""
    seq: Sequence = 0
    """The CALLS sequence that was acknowledged: finds a refusal."""

    wait_s: float = 0.0
    """At most 55 seconds; 0 answers at once.

    Only a question that waits for JUDGED_BY_S is told that there is no such hold, and then at once
    where nothing is underway.
    """

    known: Status | None = None
    """What the asker knows already: anything else is answered at once."""


class AskTools(Message, frozen=True, kw_only=True, omit_defaults=True):
    """Search of the catalog, among the tools that the asking agent may call."""

    domain: str = ""
    """Only tools of this domain; an unknown one has none. Empty: of every domain."""

    text: str = ""
    """Words that name, alias or description hold, all of them."""

    max_tier: int = 3
    """The highest operation level."""

    limit: Annotated[int, msgspec.Meta(ge=0, le=100)] = 20


class ToolsAnswer(Message, frozen=True, kw_only=True):
    """The gate's answer to `AskTools`."""

    tools: tuple[ToolDefinition, ...]
    version: str
    """Of the whole catalog: it changes with any tool's name, level or schema."""


class AskAnswer(Message, frozen=True, kw_only=True, omit_defaults=True):
    """Did a person's answer count?"""

    agent: Id
    hold_id: Id
    seq: Sequence
    """The ANSWERS sequence that was acknowledged."""

    wait_s: float = 0.0


class AskOrder(Message, frozen=True, kw_only=True, omit_defaults=True):
    """Was a person's order carried out?"""

    seq: Sequence
    """The ADMIN sequence that was acknowledged."""

    wait_s: float = 0.0


class AskPlan(Message, frozen=True, kw_only=True, omit_defaults=True):
    """Request for a dry run. Provably without effect."""

    action: Action


class PlanAnswer(Message, frozen=True, kw_only=True, omit_defaults=True):
    """A domain's answer to `AskPlan`."""

    plan: Plan


class AskGrant(Message, frozen=True, kw_only=True, omit_defaults=True):
    """A worker read a grant that is too old: is there a fresh one?"""

    agent: Id
    hold_id: Id


class GrantReply(StrEnum):
    """Answer to a request for a fresh grant."""

    MINTED = "minted"
    SETTLED = "settled"
    """A run exists already, or the hold no longer allows one."""

    LAPSED = "lapsed"


class GrantAnswer(Message, frozen=True, kw_only=True, omit_defaults=True):
    """The gate's answer to `AskGrant`."""

    reply: GrantReply
