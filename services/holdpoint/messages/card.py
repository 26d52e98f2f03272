"""Cards, as a person sees a hold. `ConfirmationUI` has exactly the fields of seed 002."""

from datetime import datetime
from typing import Literal

import msgspec

from holdpoint.messages.base import JsonObject, Message, Value
from holdpoint.messages.catalog import Enforcement
from holdpoint.messages.policy import Method
from holdpoint.messages.risk import Environment, IntentMetadata, RiskLevel, Signal

Buttons = tuple[Literal["Proceed"], Literal["Cancel"]]
BUTTONS: Buttons = ("Proceed", "Cancel")


HANDED_BACK = "handed_back"
"""State of a delegate's card once they may answer it in nobody's place; others are still asked."""


class ActionDetail(Value, frozen=True, kw_only=True):
    """The action, rendered by the gate from what will really run, masked and sanitised."""

    type: str
    tool: str = ""
    verb: str = ""
    target: str = ""
    arguments: JsonObject = {}
    affected: int | None = None
    amount: JsonObject | None = None
    environment: Environment = Environment.PRODUCTION
    reversible: bool = False
    undo: str = ""


class ConfirmationUI(msgspec.Struct, frozen=True, kw_only=True):
    """Seed 002's UI: the agent's words, the action, and a binary choice."""

    message: str
    """The agent's words: plain text, visibly sanitised, never cut."""

    action: ActionDetail
    risk_level: RiskLevel
    show_details: bool
    """True if the viewer may open the masked payload."""

    buttons: Buttons = BUTTONS


class FormField(Value, frozen=True, kw_only=True):
    """One argument that a person may change, from the tool's schema."""

    name: str
    kind: Literal["text", "number", "boolean", "choice", "json"]
    choices: tuple[str, ...] = ()
    required: bool = False
    description: str = ""
    parts: tuple["FormField", ...] = ()
    """Of an object: a field for each of its members."""


class Card(Message, frozen=True, kw_only=True, omit_defaults=True):
    """The card as one group may see it; the last one on its subject is what the screen shows."""

    hold_id: str
    group: str
    tenant: str
    agent: str
    on_behalf_of: str
    ui: ConfirmationUI
    title: str
    """One line: `Delete 412 rows in prod.users`."""

    labels: dict[str, str]
    """The two buttons' texts, beginning with the seed's words; none where nobody is asked."""

    state: str
    """The hold's stage, or `running`, `finished` … once it was resumed; `handed_back` to a
    delegate who may answer it no more."""

    digest: str
    render_digest: str
    metadata: IntentMetadata
    level: int
    signals: tuple[Signal, ...] = ()
    sample: tuple[str, ...] = ()
    """A few of the things a dry run found."""

    chain: tuple[str, ...] = ()
    """`user`, the agents that called each other, the tool; empty where nobody dispatched."""

    voices_needed: int = 1
    voices: tuple[str, ...] = ()
    """People who said yes so far."""

    voices_for: dict[str, str] = {}
    """Of those who said it in another's place: that approver."""

    delegators: tuple[str, ...] = ()
    """On a delegate's card: the approvers in whose place they may answer."""

    proofs: tuple[Method, ...] = ()
    """How a person may prove who they are: one of these is enough."""

    every_proof: bool = False
    """Whether a yes takes all of `proofs` instead."""

    client_may_answer: bool = False
    """Whether the form of an MCP client may be a yes."""

    missing: dict[str, tuple[Method, ...]] = {}
    """People who were asked and lack proofs that a yes may take, each with which."""

    halted_at: datetime
    expires_at: datetime | None = None
    asked_from: datetime | None = None
    """From when on people are asked, where that is later than the proposal."""

    escalated_to: str = ""
    """The backup group, once it may answer too."""

    called_at: datetime | None = None
    """When people were called to it last: a screen that nobody looks at says so again."""

    reminded: int = 0
    """How often people were told again."""

    extendable_s: int = 0
    """By how much the deadline can still be moved."""

    extensions: tuple[str, ...] = ()
    """Who moved the deadline, until when, and why: a line each."""

    cools_off_until: datetime | None = None
    """While a yes cools off: when it goes on, unless somebody stops it."""

    form: tuple[FormField, ...] = ()
    """What a person who answers it may change instead, while it is open."""

    modified_from: str = ""
    """The hold of the call that a person changed into this one."""

    modified_by: str = ""
    before: JsonObject = {}
    """Of a changed call: the arguments that were changed or left out, as they were."""

    added: tuple[str, ...] = ()
    """Of a changed call: the arguments that were not given before."""

    superseded_by: str = ""
    """The hold that took its place."""

    on_yes: str = ""
    """In words: what follows a yes that does not let it run at once; empty where it does."""

    on_silence: str = ""
    """In words: what happens if nobody answers, or if nobody stops what cools off."""

    outcome: str = ""
    ended_by: str = ""
    """`person`, `kill_switch`, `timeout` or `agent`, once it has ended."""

    closed_by: str = ""
    """The one who ended it: a person, an agent, or nobody."""

    closed_for: str = ""
    """The approver in whose place that person ended it."""

    reason: str = ""
    result: str = ""
    """Result in words, once it ran."""

    warnings: tuple[str, ...] = ()
    """What a careful person should know: hidden characters were made visible, no plan …"""

    enforcement: Enforcement | None = None
    """What keeps it from running without a yes."""

    seal_key: str = ""
    """The gate's public key (base64, X25519): proofs are sealed to it."""

    revision: int = 0
    """The HOLDS or RUNS sequence it was drawn from; a lower one never replaces a higher one."""
