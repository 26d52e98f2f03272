"""Context of the gate's handlers, wired once in `app.py`; and the one way to move a hold."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakValueDictionary

import structlog
from nats.aio.client import Client
from nats.js import JetStreamContext

from holdpoint.core.catalog import Catalog
from holdpoint.core.sentences import text_of
from holdpoint.gate.budgets import Budgets, Turns
from holdpoint.gate.fact_cache import InHand, Seen
from holdpoint.gate.tool_catalog import ToolCatalog
from holdpoint.gate.worker_lanes import WorkerLanes
from holdpoint.messages.catalog import Agent, Delegation, Person, Tool
from holdpoint.messages.hold import Hold, Reason, Refused, Reserved
from holdpoint.messages.policy import Method, Policy, PolicyRef
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.errors import SignatureError
from holdpoint.runtime.security.keys import SIGNATURE_HEADER, Unsealer
from holdpoint.runtime.store.compiled_patterns import CompiledFiles
from holdpoint.runtime.store.history import Holds, LoadedHold, Runs, Tallies, Timers
from holdpoint.runtime.store.journal import Journal, Revision, Stored
from holdpoint.runtime.store.lru_cache import Recent
from holdpoint.runtime.store.state import States

log = structlog.get_logger(__name__)

LONGEST_TEXT = 1000
"""Characters of a refusal's text: what was sent is quoted in it, and may be longer than itself."""

LONGEST_REASON_BYTES = 2 * 1024
"""Of a person's or agent's reason: every later fact of the hold carries it, and has its limit."""


@dataclass(frozen=True, kw_only=True)
class Shown:
    """The last card on a subject, as far as this process knows: a hint."""

    seq: Revision = 0
    revision: int = -1
    missing: Mapping[str, tuple[Method, ...]] = field(default_factory=dict)
    delegators: tuple[str, ...] = ()


@dataclass(kw_only=True)
class CallsUnder:
    """Holds of the calls under one dispatch, as far as HOLDS was read."""

    read_to: Revision
    hold_ids: list[str] = field(default_factory=list)
    is_complete: bool = False
    """True if the last look came to the end of the stream."""


@dataclass(frozen=True, kw_only=True)
class Gate:
    """Everything a handler of the gate needs. It holds no state but copies of what is stored."""

    tenant: str
    policy: Policy | None
    """As it lies on this gate's disk: in force only if `policy.basis_since` says so. None where it
    has a fault."""

    policy_ref: PolicyRef | None
    tool_catalog: ToolCatalog
    agents: Mapping[str, Agent]
    people: Mapping[str, Person]
    client: Client
    jetstream: JetStreamContext
    journal: Journal
    holds: Holds
    runs: Runs
    states: States
    tallies: Tallies
    timers: Timers
    seen: Seen
    unsealer: Unsealer
    keys_dir: Path
    """Where passkeys are pinned, for workers to believe."""

    console_url: Callable[[], str]
    """Where people answer in a browser: what their passkeys sign is signed there."""

    compiled: CompiledFiles
    """Automata of the policies that gates on this machine have judged by."""

    budgets: Budgets
    lanes: WorkerLanes
    passkey_from_level: int
    """The operation level from which on workers take a yes for its passkey's signature alone."""

    depth_bound: int = 0
    """The most calls between agents that can follow each other in the access matrix."""

    turns: Turns = field(default_factory=Turns)
    done: Recent[Revision] = field(default_factory=Recent)
    """Closed holds about which this process has left nothing to do."""

    ran: Recent[Revision] = field(default_factory=Recent)
    """The last fact of each hold's run that came here."""

    shown: Recent[Shown] = field(default_factory=Recent)
    """By the card's subject."""

    answers: InHand = field(default_factory=InHand)
    """Answers of people."""

    enrolled: dict[str, frozenset[Method]] = field(default_factory=dict)
    """Who has which step-up, as this gate knows it: see `step_up_orders.keep_knowing`."""

    delegations: dict[str, tuple[Delegation, ...]] = field(default_factory=dict)
    """Who delegated to whom, as this gate knows it: see `delegations.keep_knowing`."""

    swept: dict[str, Revision] = field(default_factory=dict)
    """Sequence up to which this gate has left nothing to do about the grants of each lane."""

    called_under: dict[str, CallsUnder] = field(default_factory=dict)
    """Calls under each dispatch that is past its time, as far as they were read."""

    drawing: set[asyncio.Task[None]] = field(default_factory=set)
    """Cards that are drawn in a moment."""

    patient: Counter[str] = field(default_factory=Counter)
    """Number of calls that wait for a worker that is away, by its domain."""

    _turns: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    @property
    def catalog(self) -> Catalog:
        """The catalog that counts now."""
        return self.tool_catalog.current

    def turn(self, hold_id: str) -> asyncio.Lock:
        """Return a hold's lock, so that handlers of one process need not race for it."""
        return self._turns.setdefault(hold_id, asyncio.Lock())

    def tool_of(self, hold: Hold) -> Tool | None:
        """The catalog's entry of the hold's action."""
        return self.catalog.find(hold.action.tool) if hold.action else None


async def believed(gate: Gate, agent: str, hold_id: str) -> LoadedHold | None:
    """A hold as it stands; one that somebody forged a fact of must not keep others waiting."""
    try:
        return await gate.holds.load(agent, hold_id)
    except SignatureError as error:
        log.warning("hold_not_signed", hold_id=hold_id, why=str(error))
        return None


def stored(delivery: Delivery) -> Stored:
    """A delivered fact as the leader keeps it."""
    return Stored(
        subject=delivery.subject,
        data=delivery.data,
        signature=delivery.headers.get(SIGNATURE_HEADER, ""),
        seq=delivery.seq,
        at=delivery.at,
    )


class RefusedError(Exception):
    """The message does not count; its sender is told, and the queue moves on."""

    def __init__(self, code: str, text: str, hold_id: str = "", retry_after_s: float = 0.0) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.hold_id = hold_id
        self.retry_after_s = retry_after_s
        self.reserved: tuple[Reserved, ...] = ()
        """What was reserved for it before: to be taken back once its sender is told."""


def objection(reason: Reason, hold_id: str) -> RefusedError:
    """A refusal for one of the core's reasons."""
    return RefusedError(code=reason.value, text=text_of(reason), hold_id=hold_id)


async def refuse(gate: Gate, delivery: Delivery, principal: str, why: RefusedError) -> None:
    """Keep the refusal where its sender and the auditor find it."""
    refused = Refused(
        principal=principal,
        cause=delivery.id,
        code=why.code,
        text=_short(why.text),
        hold_id=why.hold_id,
        body_sha256=delivery.sha256,
        retry_after_s=why.retry_after_s,
    )
    await gate.holds.refuse(refused)


def check_reason(reason: str, hold_id: str = "") -> None:
    """Refuse a reason that would make the hold's next fact too large to be stored."""
    if len(reason.encode()) > LONGEST_REASON_BYTES:
        raise RefusedError("reason_too_large", "A reason has at most 2 KiB.", hold_id)


def check_confidence(confidence: float | None) -> None:
    """Refuse a confidence that is none; a ledger may hold older ones."""
    if confidence is not None and not 0 <= confidence <= 1:
        raise RefusedError("bad_data", "`confidence` is a number from 0 to 1.")


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"
