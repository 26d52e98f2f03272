"""Answers of people, on ANSWERS: proceed or cancel, with proof of who and of what they saw."""

from enum import StrEnum
from typing import Annotated

import msgspec

from holdpoint.messages.base import Id, JsonObject, MaybeId, Message, Value
from holdpoint.messages.policy import Method


class Choice(StrEnum):
    """The two buttons; a changed call; more time; and the two of a run in doubt, after a look."""

    PROCEED = "proceed"
    CANCEL = "cancel"
    MODIFY = "modify"
    EXTEND = "extend"
    HAPPENED = "happened"
    DID_NOT_HAPPEN = "did_not_happen"


ANSWERING = frozenset({Choice.PROCEED, Choice.CANCEL})
"""Answers to what waits."""

RECONCILING = frozenset({Choice.HAPPENED, Choice.DID_NOT_HAPPEN})
"""Answers to a run in doubt."""


CLIENT_FORM = "mcp"
"""Channel of the person at an MCP client, who answers in its form."""


class Limit(Value, frozen=True, kw_only=True):
    """Allowed values of one argument of later calls; without a limit, exactly the value shown."""

    prefix: str = ""
    """A text that begins so and goes on as one plain word, without spaces or `..`."""

    at_most: str = ""
    """A number from 0 to this decimal."""


MOST_USES = 100
LONGEST_S = 30 * 24 * 3600


class Remember(Value, frozen=True, kw_only=True):
    """With a yes: later calls of this agent that need not ask again. It always ends."""

    limits: dict[str, Limit] = {}
    """By argument. Without any, only this exact action is allowed."""

    uses: Annotated[int, msgspec.Meta(ge=1, le=MOST_USES)] = 10
    amount: str = ""
    """The most that all uses add up to, as a decimal of the policy's currency; empty: no limit."""

    lasts_s: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_S)] = 8 * 3600


class Change(Value, frozen=True, kw_only=True):
    """Changes to the arguments of a call; all other arguments stay as they are."""

    arguments: JsonObject = {}
    """By name, each with its whole new value."""

    removed: tuple[str, ...] = ()
    """Arguments that the changed call leaves out."""


class Answer(Message, frozen=True, kw_only=True, omit_defaults=True):
    """One person's answer to exactly what was on the screen. Who it is stands in the subject."""

    hold_id: Id
    digest: str
    render_digest: str
    answer: Choice
    reason: str = ""
    seconds_shown: float = 0.0
    on_behalf_of: MaybeId = ""
    """The approver in whose place the person answers; empty for themselves."""
    extend_s: int = 0
    """With `extend`: by how much the deadline moves; `reason` then says why."""

    remember: Remember | None = None
    """With a yes at level 3: allow later calls like this one."""

    change: Change | None = None
    """With `modify`: what the changed call has instead."""

    proof: str = ""
    """A `Proof` sealed to the gate's public key, in base64; empty means chat."""


class Proof(Message, frozen=True, kw_only=True, omit_defaults=True):
    """Proof of the person: travels sealed, so that no code stands in a stream."""

    method: Method
    """The strongest of them."""

    hold_id: str = ""
    """The only hold that a code in it counts for."""

    code: str = ""
    """A one-time code."""

    assertion: JsonObject = {}
    """Of a passkey, as a browser makes it, over this very answer: see `passkey_challenge`."""

    nonce: str = ""
    """What the assertion's challenge was made with."""
