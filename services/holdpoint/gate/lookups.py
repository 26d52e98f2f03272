"""How a hold stands, looked up for who asks: from the copies lately heard, else from the store."""

from dataclasses import dataclass

from holdpoint.core.report import refusal, report, unknown_call, waiting
from holdpoint.gate.intents import who_and_hold
from holdpoint.gate.opening import REPEATED
from holdpoint.gate.parts import Gate, RefusedError
from holdpoint.gate.proposals import hold_of
from holdpoint.gate.runs import believed_run, load_run
from holdpoint.gate.seen import Copies
from holdpoint.messages.ask import AskAnswer, AskHold
from holdpoint.messages.call import Intent, Propose, Withdraw
from holdpoint.messages.codec import UnreadableError, decode_data, decode_event
from holdpoint.messages.envelope import Envelope
from holdpoint.messages.hold import AnyHoldFact, Refused
from holdpoint.messages.run import AnyRunFact
from holdpoint.messages.subjects import call_place, calls_of, refusal_subject, thousand_of
from holdpoint.runtime.history import hold_fact
from holdpoint.runtime.reading import Stored


@dataclass(frozen=True, kw_only=True)
class Found:
    """The last facts of a hold, from wherever they came."""

    fact: AnyHoldFact
    run: AnyRunFact | None


@dataclass(frozen=True, kw_only=True)
class Lookup:
    """What one question needs to know."""

    gate: Gate
    copies: Copies

    async def stands(self, agent: str, asked: AskHold, cause: str) -> Envelope:
        """What became of the very call that is asked about; else how the hold of that id stands."""
        if (hold_id := self.copies.opened(cause)) and (lately := self._lately(agent, hold_id)):
            return self._told(lately, "")
        refused = await self.refused(agent, cause) if cause else None
        if refused is not None and refused.code != REPEATED:
            return refusal(refused)
        hold_id = asked.hold_id or (
            refused.hold_id if refused else await self._opened(agent, asked)
        )
        found = await self._found(agent, hold_id) if hold_id else None
        if found is None and (over := await self._over_budget(agent, cause)):
            return refusal(over)
        if found is None:
            said = not asked.seq or await self._said(agent, asked.seq)
            return waiting(hold_id) if said else unknown_call(hold_id)
        if cause and refused is None and not _counted_in(found, cause):
            return waiting(hold_id)
        return self._told(found, cause if refused else "")

    async def counted(self, person: str, asked: AskAnswer, cause: str) -> Envelope:
        """Whether this answer of a person's is among those that the hold counted."""
        lately = self._lately(asked.agent, asked.hold_id)
        fact = lately.fact if lately else await self._fact(asked.agent, asked.hold_id)
        if fact is not None and cause in fact.hold.causes:
            return report(fact, None, self.gate.tool_of(fact.hold), "")
        refused = await self.refused(person, cause)
        return refusal(refused) if refused is not None else waiting(asked.hold_id)

    async def refused(self, principal: str, cause: str) -> Refused | None:
        """The refusal of this message, if it was refused."""
        copy = self.copies.refused(cause)
        theirs = refusal_subject(self.gate.tenant, principal, cause)
        if copy is not None and copy.subject == theirs and self._counts(copy):
            return copy.message if isinstance(copy.message, Refused) else None
        return await self.gate.holds.refusal(principal, cause)

    async def _over_budget(self, agent: str, cause: str) -> Refused | None:
        """The refusal of this call together with others, if it was refused so."""
        place = call_place(cause)
        told = await self.refused(agent, thousand_of(cause)) if place else None
        return told if told is not None and place and place[1] in told.sequences else None

    def _told(self, found: Found, repeats: str) -> Envelope:
        tool = self.gate.tool_of(found.fact.hold)
        return report(found.fact, found.run, tool, repeats)

    async def _fact(self, agent: str, hold_id: str) -> AnyHoldFact | None:
        loaded = await self.gate.holds.load(agent, hold_id)
        return loaded.fact if loaded else None

    async def _found(self, agent: str, hold_id: str) -> Found | None:
        """The last facts of this agent's hold: the copies, else what is stored."""
        if lately := self._lately(agent, hold_id):
            return lately
        loaded = await self.gate.holds.load(agent, hold_id)
        if loaded is None:
            return None
        run = await load_run(self.gate, loaded.hold)
        return Found(fact=loaded.fact, run=run.fact if run else None)

    def _lately(self, agent: str, hold_id: str) -> Found | None:
        copies = self.copies.lately(hold_id)
        if copies is None or copies.fact is None or not self._counts(copies.fact):
            return None
        fact = hold_fact(copies.fact.message)
        if fact.hold.agent != agent:
            return None
        run = believed_run(self.gate, fact.hold, copies.run) if copies.run else None
        return Found(fact=fact, run=run.fact if run else None)

    def _counts(self, copy: Stored) -> bool:
        return self.gate.journal.reader.counts(copy)

    async def _said(self, agent: str, seq: int) -> Stored | None:
        """The call of this agent that is stored under this sequence."""
        return await self.gate.journal.reader.at(calls_of(agent), seq)

    async def _opened(self, agent: str, asked: AskHold) -> str:
        """The id of the hold that a call is about; empty when it cannot be told (yet)."""
        stored = await self._said(agent, asked.seq) if asked.seq else None
        if stored is None:
            return ""
        try:
            event = decode_event(stored.data)
            call = decode_data(event)
            if isinstance(call, Propose):
                return hold_of(self.gate, agent, event, call)
            if isinstance(call, Intent):
                return who_and_hold(self.gate, agent, event, call)[1]
            if isinstance(call, Withdraw):
                return call.hold_id
        except (UnreadableError, RefusedError):
            return ""
        return ""


def _counted_in(found: Found, cause: str) -> bool:
    """Whether this call opened the hold, moved it, or ended its run."""
    return cause in found.fact.hold.causes or (found.run is not None and found.run.cause == cause)
