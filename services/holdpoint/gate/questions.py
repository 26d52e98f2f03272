"""Questions to the gate: how a hold stands, what became of an answer or order, a fresh grant.

A waiting question registers first, then looks, then waits: nothing is missed in between. The
server repeats each stored fact to every gate (`seen.py`), which wakes whoever waits for it.
"""

import asyncio
from dataclasses import dataclass
from typing import Self

from nats.errors import Error as NatsError

from holdpoint.core.commands import Mint
from holdpoint.core.report import carried_out, is_final, refusal, report, unknown_hold, waiting
from holdpoint.core.verdict import killed_by
from holdpoint.gate.intents import who_and_hold
from holdpoint.gate.opening import REPEATED
from holdpoint.gate.parts import Gate, RefusedError, advance, load_hold
from holdpoint.gate.proposals import hold_of
from holdpoint.gate.runs import bar, believed_run, is_let_go, lapse, load_run
from holdpoint.messages.ask import (
    JUDGED_BY_S,
    AskAnswer,
    AskGrant,
    AskHold,
    AskOrder,
    GrantAnswer,
    GrantReply,
)
from holdpoint.messages.base import is_id
from holdpoint.messages.call import Intent, Propose, Withdraw
from holdpoint.messages.codec import UnreadableError, decode, decode_data, decode_event
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.hold import AnyHoldFact, Reason, Refused
from holdpoint.messages.run import AnyRunFact
from holdpoint.messages.subjects import (
    ADMIN,
    ANSWERS,
    CALLS,
    HOLDS,
    command_id,
    refusal_subject,
    stream,
)
from holdpoint.runtime import clock
from holdpoint.runtime.asks import LONGEST_WAIT_S
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.history import hold_fact
from holdpoint.runtime.reading import Stored
from holdpoint.runtime.streams import GATE

JUDGED_WITHIN_S = 1.0
"""How long a new call may take to be judged before the store is searched for what became of it."""
LOOK_AGAIN_S = 0.1
"""For what rings no bell: an order that was carried out, perhaps by another gate."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """The last facts of a hold, from wherever they came."""

    fact: AnyHoldFact
    run: AnyRunFact | None


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How long a question may still wait."""

    ends_at: float

    @classmethod
    def until(cls, wait_s: float) -> Self:
        """From now on, and never longer than a client can wait."""
        return cls(ends_at=clock.monotonic() + min(wait_s, LONGEST_WAIT_S))

    @property
    def is_over(self) -> bool:
        """Whether the answer is due, whatever it is."""
        return clock.monotonic() >= self.ends_at

    async def rings(self, bell: asyncio.Event, at_most_s: float = LONGEST_WAIT_S) -> None:
        """Wait for the bell, or for the end of the wait."""
        left = min(self.ends_at - clock.monotonic(), at_most_s)
        alarm = asyncio.get_running_loop().call_later(left, bell.set)
        try:
            await bell.wait()
        finally:
            alarm.cancel()


@dataclass(frozen=True, kw_only=True)
class Questions:
    """The gate's answers; each is computed from what is stored, never remembered."""

    gate: Gate

    async def on_hold(self, subject: str, body: bytes) -> Envelope:
        """How a hold of this agent stands, as soon as it is news or the wait is over."""
        agent = subject.split(".")[3]
        asked = decode(body, AskHold)
        if asked.hold_id and not is_id(asked.hold_id):
            raise UnreadableError("bad_id", "This is no hold id.")
        cause = command_id(stream(self.gate.tenant, CALLS), asked.seq) if asked.seq else ""
        patience = Patience.until(asked.wait_s)
        await self._judged(cause, patience)
        hold_id = asked.hold_id
        while True:
            hold_id = hold_id or self.gate.seen.opened(cause)
            with self.gate.seen.registered(cause, hold_id) as bell:
                if asked.known is Status.APPROVED and self.gate.seen.is_let_go(agent, hold_id):
                    await patience.rings(bell)
                    if not patience.is_over:
                        continue
                told = await self._stands(agent, asked, cause)
                if _is_news(told, asked) or patience.is_over:
                    return _at_last(told, asked)
                if told.hold_id in {"", hold_id}:
                    await patience.rings(bell)
            hold_id = told.hold_id or hold_id

    async def on_answer(self, subject: str, body: bytes) -> Envelope:
        """Whether a person's answer counted."""
        person = subject.split(".")[3]
        asked = decode(body, AskAnswer)
        if not (is_id(asked.agent) and is_id(asked.hold_id)):
            raise UnreadableError("bad_id", "This is no hold id.")
        cause = command_id(stream(self.gate.tenant, ANSWERS), asked.seq)
        patience = Patience.until(asked.wait_s)
        while True:
            with self.gate.seen.registered(asked.hold_id, cause) as bell:
                told = await self._counted(person, asked, cause)
                if told.status is not Status.WAITING or patience.is_over:
                    return told
                await patience.rings(bell)

    async def on_order(self, subject: str, body: bytes) -> Envelope:
        """Whether a person's order was carried out."""
        person = subject.split(".")[3]
        asked = decode(body, AskOrder)
        cause = command_id(stream(self.gate.tenant, ADMIN), asked.seq)
        patience = Patience.until(asked.wait_s)
        while True:
            with self.gate.seen.registered(cause) as bell:
                told = await self._carried_out(person, asked.seq, cause)
                if told.status is not Status.WAITING or patience.is_over:
                    return told
                await patience.rings(bell, LOOK_AGAIN_S)

    async def on_grant(self, subject: str, body: bytes) -> GrantAnswer:
        """A worker read a grant that is too old: mint a fresh one, or let it lapse."""
        domain = subject.split(".")[3]
        asked = decode(body, AskGrant)
        if not (is_id(asked.agent) and is_id(asked.hold_id)):
            raise UnreadableError("bad_id", "This is no hold id.")
        return GrantAnswer(reply=await self._fresh(domain, asked))

    async def _judged(self, cause: str, patience: Patience) -> None:
        """Give a call that was just made the time to be judged, before the store is searched."""
        seen = self.gate.seen
        with seen.registered(cause) as bell:
            if cause and not seen.opened(cause) and seen.refused(cause) is None:
                await patience.rings(bell, JUDGED_WITHIN_S)

    async def _stands(self, agent: str, asked: AskHold, cause: str) -> Envelope:
        """What became of the very call that is asked about; else how the hold of that id stands."""
        if (hold_id := self.gate.seen.opened(cause)) and (lately := self._lately(agent, hold_id)):
            return self._told(lately, "")
        refused = await self._refused(agent, cause) if cause else None
        if refused is not None and refused.code != REPEATED:
            return refusal(refused)
        hold_id = asked.hold_id or (
            refused.hold_id if refused else await self._opened(agent, asked)
        )
        found = await self._found(agent, hold_id) if hold_id else None
        if found is None:
            return waiting(hold_id)
        if cause and refused is None and not _counted_in(found, cause):
            return waiting(hold_id)
        return self._told(found, cause if refused else "")

    def _told(self, found: Found, repeats: str) -> Envelope:
        tool = self.gate.tool_of(found.fact.hold)
        return report(found.fact, found.run, tool, repeats)

    async def _refused(self, principal: str, cause: str) -> Refused | None:
        copy = self.gate.seen.refused(cause)
        theirs = refusal_subject(self.gate.tenant, principal, cause)
        if copy is not None and copy.subject == theirs and self._counts(copy):
            return copy.message if isinstance(copy.message, Refused) else None
        return await self.gate.holds.refusal(principal, cause)

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
        copies = self.gate.seen.lately(hold_id)
        if copies is None or copies.fact is None or not self._counts(copies.fact):
            return None
        fact = hold_fact(copies.fact.message)
        if fact.hold.agent != agent:
            return None
        run = believed_run(self.gate, fact.hold, copies.run) if copies.run else None
        return Found(fact=fact, run=run.fact if run else None)

    def _counts(self, copy: Stored) -> bool:
        return self.gate.journal.reader.counts(copy)

    async def _opened(self, agent: str, asked: AskHold) -> str:
        """The id of the hold that a call is about; empty when it cannot be told (yet)."""
        stored = await self.gate.journal.reader.at(CALLS, asked.seq) if asked.seq else None
        if stored is None or stored.subject.split(".")[3] != agent:
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

    async def _counted(self, person: str, asked: AskAnswer, cause: str) -> Envelope:
        lately = self._lately(asked.agent, asked.hold_id)
        if lately is None or cause not in lately.fact.hold.causes:
            refused = await self._refused(person, cause)
            if refused is not None:
                return refusal(refused)
            lately = await self._found(asked.agent, asked.hold_id)
        if lately is None or cause not in lately.fact.hold.causes:
            return waiting(asked.hold_id)
        return report(lately.fact, None, self.gate.tool_of(lately.fact.hold), "")

    async def _carried_out(self, person: str, seq: int, cause: str) -> Envelope:
        """Orders are dealt with one by one: what lies behind, and was not refused, was done."""
        name = stream(self.gate.tenant, ADMIN)
        try:
            info = await self.gate.jetstream.consumer_info(name, GATE)
        except NatsError as error:
            raise UnavailableError(f"How far orders have come cannot be read: {error!r}") from error
        refused = await self._refused(person, cause)
        if refused is not None:
            return refusal(refused)
        lies_behind = info.ack_floor is not None and info.ack_floor.stream_seq >= seq > 0
        return carried_out() if lies_behind else waiting("")

    async def _fresh(self, domain: str, asked: AskGrant) -> GrantReply:
        loaded = await load_hold(self.gate, asked.agent, asked.hold_id)
        if loaded is None or not is_let_go(loaded.fact):
            return GrantReply.SETTLED
        action = loaded.hold.action
        if action is None or action.domain != domain or await load_run(self.gate, loaded.hold):
            return GrantReply.SETTLED
        cause = command_id(stream(self.gate.tenant, HOLDS), loaded.seq)
        kills = await self.gate.states.kills()
        if stopped := killed_by(kills.state.stopped, asked.agent):
            await bar(self.gate, loaded.hold, f"Kill switch: {stopped}", cause)
            return GrantReply.SETTLED
        command = Mint(cause=cause, nonce=clock.new_nonce(), at=clock.now())
        try:
            await advance(self.gate, loaded, command, clock.now())
        except RefusedError as why:
            if why.code == Reason.TOO_LATE.value and await lapse(self.gate, loaded.hold, cause):
                return GrantReply.LAPSED
            return GrantReply.SETTLED
        return GrantReply.MINTED


def _is_news(told: Envelope, asked: AskHold) -> bool:
    return is_final(told.status) or told.status not in {Status.WAITING, asked.known}


def _at_last(told: Envelope, asked: AskHold) -> Envelope:
    """A hold that is asked about by its id alone, long enough, and is not there, never was."""
    by_id_alone = bool(asked.hold_id) and not asked.seq
    if told.status is not Status.WAITING or not by_id_alone or asked.wait_s < JUDGED_BY_S:
        return told
    return unknown_hold(asked.hold_id)


def _counted_in(found: Found, cause: str) -> bool:
    """Whether this call opened the hold, moved it, or ended its run."""
    return cause in found.fact.hold.causes or (found.run is not None and found.run.cause == cause)
