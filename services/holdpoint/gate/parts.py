"""What the gate's handlers work with, wired once in `app.py`; and the one way to move a hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NoReturn

from nats.aio.client import Client
from nats.js import JetStreamContext

from holdpoint.core.catalog import Catalog
from holdpoint.core.commands import Command, Objected
from holdpoint.core.hold import decide
from holdpoint.core.texts import text_of
from holdpoint.messages.catalog import Agent, Person, Tool
from holdpoint.messages.codec import decode_event
from holdpoint.messages.hold import Hold, Reason, Refused
from holdpoint.messages.policy import Policy, PolicyRef
from holdpoint.messages.subjects import HOLDS, hold_facts
from holdpoint.runtime.errors import ConflictError, SignatureError, UnavailableError
from holdpoint.runtime.history import Holds, LoadedHold, Runs, hold_fact
from holdpoint.runtime.journal import Journal, Stored
from holdpoint.runtime.keys import GATE, Keyset, Unsealer
from holdpoint.runtime.lanes import Delivery
from holdpoint.runtime.state import States
from holdpoint.runtime.timers import Timers

LONGEST_TEXT = 1000
"""Characters of a refusal's text: what was sent is quoted in it, and may be longer than itself."""

LONGEST_REASON_BYTES = 2 * 1024
"""Of a person's or agent's reason: every later fact of the hold carries it, and has its limit."""


@dataclass(frozen=True, kw_only=True)
class Gate:
    """Everything a handler of the gate needs. It holds no state of its own."""

    tenant: str
    policy: Policy
    policy_ref: PolicyRef
    catalog: Catalog
    agents: Mapping[str, Agent]
    people: Mapping[str, Person]
    client: Client
    jetstream: JetStreamContext
    journal: Journal
    holds: Holds
    runs: Runs
    states: States
    timers: Timers
    keyset: Keyset
    unsealer: Unsealer

    def tool_of(self, hold: Hold) -> Tool | None:
        """The catalog's entry of the hold's action."""
        return self.catalog.find(hold.action.tool) if hold.action else None


async def load_hold(gate: Gate, agent: str, hold_id: str) -> LoadedHold | None:
    """A hold as it stands, to decide on; SignatureError when no gate signed its last fact."""
    stored = await gate.journal.last(HOLDS, hold_facts(gate.tenant, agent, hold_id))
    if stored is None:
        return None
    check_signed(gate, stored, GATE)
    return LoadedHold(fact=hold_fact(stored.message), seq=stored.seq)


def check_signed(gate: Gate, stored: Stored, role: str) -> None:
    """Raise SignatureError unless this role signed it, for this very subject."""
    gate.keyset.verify(stored.data, stored.signature, role, stored.at)
    if decode_event(stored.data).subject != stored.subject:
        raise SignatureError(f"{stored.subject} carries a fact that was signed for elsewhere.")


class RefusedError(Exception):
    """What was delivered does not count; its sender is told, and the queue moves on."""

    def __init__(self, code: str, text: str, hold_id: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.hold_id = hold_id


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
    )
    await gate.holds.refuse(refused)


def check_reason(reason: str, hold_id: str = "") -> None:
    """Refuse a reason that would make the hold's next fact too large to be stored."""
    if len(reason.encode()) > LONGEST_REASON_BYTES:
        raise RefusedError("reason_too_large", "A reason has at most 2 KiB.", hold_id)


async def advance(gate: Gate, loaded: LoadedHold, command: Command, now: datetime) -> None:
    """Decide and append; when somebody was first, load and decide again.

    Raises RefusedError with the objection when the command does not count.
    """
    hold_id, agent = loaded.hold.hold_id, loaded.hold.agent
    while command.cause not in loaded.hold.causes:
        fact = decide(loaded.hold, command, now)
        if isinstance(fact, Objected):
            raise objection(fact.reason, hold_id)
        try:
            await gate.holds.append(fact, after=loaded.seq)
        except ConflictError:
            loaded = await load_hold(gate, agent, hold_id) or _gone(hold_id)
        else:
            return


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"


def _gone(hold_id: str) -> NoReturn:
    raise UnavailableError(f"The facts of {hold_id} cannot be found.")
