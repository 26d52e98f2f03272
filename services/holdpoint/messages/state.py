"""ADMIN, what a person orders; STATE, what then holds; TIMERS, what rings."""

from datetime import datetime
from enum import StrEnum

from holdpoint.messages.base import Message
from holdpoint.messages.policy import Policy

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


AnyState = KillState | PolicyState | PolicyBody


class TimerKind(StrEnum):
    """Purpose of an alarm."""

    EXPIRE = "expire"
    RESUME = "resume"


class Alarm(Message, frozen=True, kw_only=True, omit_defaults=True):
    """A timer rings: a hint; `decide` checks the time."""

    agent: str
    hold_id: str
    kind: TimerKind
    at: datetime
