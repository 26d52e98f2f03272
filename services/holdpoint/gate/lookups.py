"""How a hold stands, looked up for one question: as it was stored, and as repeated since then.

The question listens before it reads, so nothing is missed in between.
"""

from dataclasses import dataclass, field

from holdpoint.core.report import refusal, report, unknown_call, waiting
from holdpoint.gate.intents import who_and_hold
from holdpoint.gate.opening import REPEATED
from holdpoint.gate.parts import Gate, RefusedError
from holdpoint.gate.proposals import hold_of
from holdpoint.gate.runs import believed_run, is_let_go, load_run
from holdpoint.gate.seen import Copies
from holdpoint.messages.call import Intent, Propose, Withdraw
from holdpoint.messages.codec import UnreadableError, decode_data, decode_event
from holdpoint.messages.envelope import Envelope
from holdpoint.messages.hold import Refused
from holdpoint.messages.subjects import call_place, calls_of, thousand_of
from holdpoint.runtime.history import LoadedHold, LoadedRun, hold_fact
from holdpoint.runtime.reading import Stored


@dataclass(frozen=True, kw_only=True)
class Found:
    """The last fact of a hold, and of its run."""

    hold: LoadedHold
    run: LoadedRun | None


@dataclass(eq=False, kw_only=True)
class Lookup:
    """What one question needs to know of a hold, and of the message that it asks about."""

    gate: Gate
    copies: Copies
    """Of the hold."""

    refusals: Copies
    """Of what becomes of the message."""

    agent: str
    hold_id: str
    principal: str
    cause: str
    """Who said the message, and its id; empty where a hold alone is asked about."""

    budget: Copies
    """Of refusals of calls over the budget, each of which speaks of many calls."""

    _read: dict[int, Found | None] = field(default_factory=dict)
    _refused: dict[tuple[int, str], Refused | None] = field(default_factory=dict)

    async def stands(self, seq: int) -> Envelope:
        """What became of the very call that is asked about; else how the hold of that id stands."""
        found = await self.found() if self.hold_id else None
        if found is not None and (not self.cause or _counted_in(found, self.cause)):
            return self._told(found, "")
        refused = await self.refused() if self.cause else None
        if refused is None and self.cause and (over := await self._over_budget()):
            return refusal(over)
        if refused is None or refused.code == REPEATED:
            if refused is not None and found is not None:
                return self._told(found, self.cause)
            is_said = found or not seq or await call_said(self.gate, self.agent, seq)
            return waiting(self.hold_id) if is_said else unknown_call(self.hold_id)
        return refusal(refused)

    async def counted(self) -> Envelope:
        """Whether this answer of a person's is among those that the hold counted."""
        found = await self.found()
        if found is not None and self.cause in found.hold.hold.causes:
            return answer_counted(self.gate, found.hold)
        refused = await self.refused()
        return refusal(refused) if refused is not None else waiting(self.hold_id)

    async def found(self) -> Found | None:
        """The hold as it stands."""
        connection = self.copies.connection
        if connection not in self._read:
            self._read = {connection: await self._stored()}
        read = self._read[connection]
        copy = self.copies.newest("hold")
        if copy is not None and (read is None or copy.seq > read.hold.seq) and self._counts(copy):
            hold = LoadedHold(fact=hold_fact(copy.message), seq=copy.seq)
            read = Found(hold=hold, run=read.run if read else None)
        if read is None:
            return None
        copy = self.copies.newest("run")
        if copy is not None and (read.run is None or copy.seq > read.run.seq):
            run = believed_run(self.gate, read.hold.hold, copy)
            read = Found(hold=read.hold, run=run or read.run)
        return read

    async def refused(self) -> Refused | None:
        """The refusal of the message, if it was refused by itself."""
        return await self._refusal(self.refusals, self.cause)

    async def _over_budget(self) -> Refused | None:
        """The refusal of this call together with others, if it was refused so."""
        place = call_place(self.cause)
        told = await self._refusal(self.budget, thousand_of(self.cause)) if place else None
        return told if told is not None and place and place[1] in told.sequences else None

    async def _refusal(self, copies: Copies, cause: str) -> Refused | None:
        copy = copies.newest("refusal")
        if copy is not None and self._counts(copy):
            return copy.message if isinstance(copy.message, Refused) else None
        key = (copies.connection, cause)
        if key not in self._refused:
            self._refused[key] = await self.gate.holds.refusal(self.principal, cause)
        return self._refused[key]

    def _told(self, found: Found, repeats: str) -> Envelope:
        fact, run = found.hold.fact, found.run.fact if found.run else None
        return report(fact, run, self.gate.tool_of(fact.hold), repeats)

    async def _stored(self) -> Found | None:
        loaded = await self.gate.holds.load(self.agent, self.hold_id)
        if loaded is None:
            return None
        run = await load_run(self.gate, loaded.hold) if is_let_go(loaded.fact) else None
        return Found(hold=loaded, run=run)

    def _counts(self, copy: Stored) -> bool:
        return self.gate.journal.reader.counts(copy)


def answer_counted(gate: Gate, loaded: LoadedHold) -> Envelope:
    """What a person is told whose answer counted."""
    return report(loaded.fact, None, gate.tool_of(loaded.hold), "")


async def call_said(gate: Gate, agent: str, seq: int) -> Stored | None:
    """The call of this agent that is stored under this sequence."""
    return await gate.journal.reader.at(calls_of(agent), seq)


def hold_meant(gate: Gate, agent: str, said: Stored | None) -> str:
    """The id of the hold that a call is about; empty when it cannot be told."""
    if said is None:
        return ""
    try:
        event = decode_event(said.data)
        call = decode_data(event)
        if isinstance(call, Propose):
            return hold_of(gate, agent, event, call)
        if isinstance(call, Intent):
            return who_and_hold(gate, agent, event, call)[1]
        return call.hold_id if isinstance(call, Withdraw) else ""
    except (UnreadableError, RefusedError):
        return ""


def _counted_in(found: Found, cause: str) -> bool:
    """Whether this call opened the hold, moved it, or ended its run."""
    run = found.run.fact if found.run else None
    return cause in found.hold.hold.causes or (run is not None and run.cause == cause)
