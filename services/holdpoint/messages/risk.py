"""Findings of the gate about a danger: level, heuristics, signals, and the seed's metadata."""

from enum import Enum, StrEnum
from functools import total_ordering

import msgspec

from holdpoint.messages.base import JsonObject, Value


@total_ordering
class RiskLevel(Enum):
    """LOW < MEDIUM < HIGH < CRITICAL: ordered inside, a lower-case word on the wire (seed 002)."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    rank: int
    """0 for LOW to 3 for CRITICAL."""

    def __init__(self, _word: str) -> None:
        self.rank = len(type(self).__members__)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, RiskLevel):
            return NotImplemented
        return self.rank < other.rank

    def raised(self) -> "RiskLevel":
        """One level up; CRITICAL stays."""
        return _ORDER[min(self.rank + 1, len(_ORDER) - 1)]

    def lowered(self) -> "RiskLevel":
        """One level down; LOW stays."""
        return _ORDER[max(self.rank - 1, 0)]


_ORDER = tuple(RiskLevel)


class Heuristic(StrEnum):
    """Why something is risky: the four of seed 002 and two more."""

    IRREVERSIBILITY = "irreversibility"
    MAGNITUDE = "magnitude"
    CRITICALITY = "criticality"
    UNCERTAINTY = "uncertainty"
    TALLY = "tally"
    TAINT = "taint"
    AGENT = "agent"
    """What the agent itself said: it may raise a level, never lower it."""


class Environment(StrEnum):
    """Environment that an action lands in. What configuration does not list is production."""

    PRODUCTION = "production"
    SANDBOX = "sandbox"


class Signal(Value, frozen=True, kw_only=True):
    """One reason to worry, in words that a person understands, with its evidence."""

    rule: str
    heuristic: Heuristic
    level: RiskLevel
    reason: str
    span: tuple[int, int] | None = None
    """Where in the assessed (NFKC) text it fired: start and end in characters."""

    evidence: str = ""
    """The text that fired, at most 200 characters."""


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """Extent of an intent, in the seed's two fields."""

    records: int
    type: str


class IntentMetadata(msgspec.Struct, frozen=True, kw_only=True):
    """The seed's intent metadata, exactly its fields; `scope` is left out when unknown."""

    confirmation_required: bool
    risk_level: RiskLevel
    action_type: str
    scope: Scope | msgspec.UnsetType = msgspec.UNSET


class IntentClaim(Value, frozen=True, kw_only=True):
    """An agent's own statement about its intent: it may raise the risk, and never lowers it."""

    confirmation_required: bool = False
    risk_level: RiskLevel = RiskLevel.LOW
    action_type: str = ""
    scope: Scope | None = None


class Assessment(Value, frozen=True, kw_only=True):
    """The risk level, the signals it came from, and what the risk engine read off the action."""

    level: RiskLevel
    signals: tuple[Signal, ...] = ()
    action_type: str = ""
    """A word for what happens: `batch_delete`, `payment`, `shell` …"""

    affected: int | None = None
    """Number of records, files or rows; None when unknown."""

    resource: str = ""
    """What kind of thing: `user_accounts`, `rows` …"""

    amount: JsonObject | None = None
    """Money as `{value, currency}`, the value a decimal string."""

    environment: Environment = Environment.PRODUCTION
    target: str = ""
    """The thing acted on: a table, a path, a host, an account."""

    verb: str = ""
    reversible: bool = True
    reads_only: bool = False
    """Proven of what a tool runs: all of it was parsed, and none of it changes anything."""

    changes_little: bool = False
    """Proven of what a tool runs: it changes only what the working folder can make again, what git
    keeps, or adds to it.
    """
