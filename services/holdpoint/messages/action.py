"""The action: a named tool call with exact arguments, and what a dry run said about it."""

from datetime import datetime

import msgspec

from holdpoint.messages.base import JsonObject, Value
from holdpoint.messages.envelope import AvailableAction

DESCRIBING = ("targets", "sample", "at", "pending", "summary", "undo")
"""What a plan adds to the preconditions for people to read; the rest is compared at the effect."""


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """Exactly what will run. Its digest (RFC 8785, SHA-256) is what people say yes to."""

    tenant: str
    agent: str
    on_behalf_of: str
    domain: str
    tool: str
    tool_schema_sha256: str
    arguments: JsonObject
    preconditions: JsonObject = {}
    """What must still be true in the transaction of the effect: `{"affected": 214}`."""

    @property
    def conditions(self) -> JsonObject:
        """The preconditions that the effect compares; one that its domain does not know fails."""
        return {name: it for name, it in self.preconditions.items() if name not in DESCRIBING}


class Pending(Value, frozen=True, kw_only=True):
    """A confirmation in its tool's own words, from the arguments and what the dry run found."""

    operation: str
    summary: str
    """The card's one line."""

    details: JsonObject
    message_for_user: str
    confirmation_tool: str
    """Asks how it stands: its name begins with `confirm_`."""

    id_name: str
    """The name under which that tool takes the hold's id: `transfer_id`."""

    available_actions: tuple[AvailableAction, ...] = ()


class Plan(Value, frozen=True, kw_only=True):
    """Result of a dry run; it is without effect, and frozen into the action."""

    affected: int | None = None
    unit: str = ""
    """Noun for what `affected` counts, in the plural: `rows`, `files`."""

    targets: tuple[str, ...] = ()
    sample: tuple[str, ...] = ()
    files: dict[str, str] = {}
    """Files whose text would run, each with the digest of what it holds now."""

    conditions: JsonObject = {}
    """What else must still be true in the transaction of the effect, in the domain's own terms."""

    pending: Pending | None = None
    """The confirmation, where the tool has one of its own."""

    summary: str = ""
    """The card's one line, where it says more than the tool's template: `create index i on a`."""

    verb: str = ""
    environment_keys: tuple[str, ...] = ()
    """What `environments.yaml` may know the target by: `database:crm`, `path:/srv/x` …"""

    reversible: bool | None = None
    undo: str = ""
    at: datetime | None = None
    error: str = ""
    """Why no plan could be made; then the action counts as one level riskier."""

    impossible: str = ""
    """Why it cannot run at all: then nobody is asked."""
