"""Questions to the gate: how a hold stands, what became of an answer or order, a fresh grant.

A waiting question listens first, then looks, then waits: nothing is missed in between. The server
repeats what is stored of the hold to the gate that was asked (`fact_cache.py`): the question wakes.
A look goes by what is stored, and by what was repeated since then.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from msgspec.structs import replace

from holdpoint.core.agent_tools import takeable
from holdpoint.core.commands import Mint
from holdpoint.core.digest import HOLD_ID_LENGTH, may_be_hold_id
from holdpoint.core.responses import (
    carried_out,
    is_final,
    refusal,
    report,
    unknown_call,
    unknown_hold,
    waiting,
)
from holdpoint.core.sentences import killed
from holdpoint.core.verdict import killed_by
from holdpoint.gate.acknowledged import acknowledged, is_all_dealt_with
from holdpoint.gate.context import Gate, RefusedError
from holdpoint.gate.fact_cache import Copies, registered
from holdpoint.gate.intents import who_and_hold
from holdpoint.gate.lifecycle import advance
from holdpoint.gate.next_steps import asks_for_next_step, next_step_of
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
from holdpoint.messages.base import Message, is_id
from holdpoint.messages.call import Intent, Propose, Trace, Withdraw
from holdpoint.messages.catalog import HOST_DOMAIN
from holdpoint.messages.codec import UnreadableError, decode, decode_data, decode_event
from holdpoint.messages.envelope import REPEATED, Envelope, Status
from holdpoint.messages.hold import Reason, Refused
from holdpoint.messages.subjects import (
    ADMIN,
    ANSWERS,
    HOLDS,
    call_place,
    calls_of,
    command_id,
    hold_seen,
    refusal_seen,
    stream,
    thousand_of,
)
from holdpoint.runtime.broker.request_reply import LONGEST_WAIT_S
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.history import LoadedHold, LoadedRun, hold_fact
from holdpoint.runtime.store.journal import Stored

HANDLED_WITHIN_S = 0.05
"""Most answers are in hand where their person asks about them; else another gate has it."""

LOOK_AGAIN_S = 0.1
"""For what rings no bell: an order that was carried out, perhaps by another gate."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """The last fact of a hold, and of its run."""

    hold: LoadedHold
    run: LoadedRun | None


@dataclass(eq=False, kw_only=True)
class Lookup:
    """State of a hold, and of the message that a question is about."""

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
        """Return what became of the very call that is asked about; else how that hold stands."""
        found = await self.found() if self.hold_id else None
        if found is not None and (not self.cause or _counted_in(found, self.cause)):
            return self._told(found, "")
        refused = await self.refused() if self.cause else None
        if refused is None and self.cause and (over := await self._over_budget()):
            return refusal(over)
        if refused is None or refused.code == REPEATED:
            if refused is not None and found is not None:
                return self._told(found, self.cause)
            call = await call_said(self.gate, self.agent, seq) if seq else None
            if found is not None and asks_how_it_stands(self.gate, call):
                return self._told(found, "")
            is_said, is_trace = found or not seq or call, isinstance(call, Trace)
            told = waiting(self.hold_id, is_trace=is_trace)
            return told if is_said else unknown_call(self.hold_id)
        return refusal(refused)

    async def counted(self) -> Envelope:
        """Return whether this answer of a person's is among those that the hold counted."""
        found = await self.found()
        if found is not None and self.cause in found.hold.hold.causes:
            return answer_counted(self.gate, found.hold)
        if found is not None and _counted_in(found, self.cause):
            return self._told(found, "")
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

    async def never_was(self) -> bool:
        """Return whether it is not there, and nothing is underway that could still open it."""
        if await self.found() is not None or not await is_all_dealt_with(self.gate, self.agent):
            return False
        return await self._stored() is None  # read again: it may have been opened in between

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
        told = report(fact, run, self.gate.tool_of(fact.hold), repeats)
        agent = self.gate.agents.get(self.agent)
        actions = takeable(told.available_actions, agent, self.gate.catalog)
        return replace(told, available_actions=actions)

    async def _stored(self) -> Found | None:
        loaded = await self.gate.holds.load(self.agent, self.hold_id)
        if loaded is None:
            return None
        run = await load_run(self.gate, loaded.hold) if is_let_go(loaded.fact) else None
        return Found(hold=loaded, run=run)

    def _counts(self, copy: Stored) -> bool:
        return self.gate.journal.reader.counts(copy)


@dataclass(frozen=True, kw_only=True)
class Questions:
    """The gate's answers; each is computed from what is stored, never remembered."""

    gate: Gate

    async def on_hold(self, subject: str, body: bytes) -> Envelope:
        """Return how a hold of this agent stands, as soon as it is news or the wait is over."""
        gate, agent = self.gate, subject.split(".")[3]
        asked = decode(body, AskHold)
        _check_names_one(asked)
        cause = command_id(stream(gate.tenant, calls_of(agent)), asked.seq) if asked.seq else ""
        ends_at = _end_of(asked.wait_s)
        hold_id = asked.hold_id or gate.holds.opened(cause)
        if not hold_id:
            hold_id = hold_meant(gate, agent, await call_said(gate, agent, asked.seq))
        with self._listening((agent, hold_id), (agent, cause)) as lookup:
            if _may_be_unknown(asked) and await lookup.never_was():
                return unknown_hold(asked.hold_id)
            look, is_enough = partial(lookup.stands, asked.seq), partial(_is_news, asked)
            return _at_last(await _answered(lookup, look, is_enough, ends_at), asked)

    async def on_answer(self, subject: str, body: bytes) -> Envelope:
        """Return whether a person's answer counted."""
        gate, person = self.gate, subject.split(".")[3]
        asked = decode(body, AskAnswer)
        if not (is_id(asked.agent) and is_id(asked.hold_id)):
            raise UnreadableError("bad_id", "This is no hold id.")
        cause = command_id(stream(gate.tenant, ANSWERS), asked.seq)
        ends_at = _end_of(asked.wait_s)
        if not self._counted_here(asked, cause):
            await gate.answers.settled(cause, HANDLED_WITHIN_S)
        if counted := self._counted_here(asked, cause):
            return answer_counted(gate, counted)
        with self._listening((asked.agent, asked.hold_id), (person, cause)) as lookup:
            return await _answered(lookup, lookup.counted, _is_told, ends_at)

    async def on_order(self, subject: str, body: bytes) -> Envelope:
        """Return whether a person's order was carried out."""
        person = subject.split(".")[3]
        asked = decode(body, AskOrder)
        cause = command_id(stream(self.gate.tenant, ADMIN), asked.seq)
        ends_at = _end_of(asked.wait_s)
        while True:
            told = await self._carried_out(person, asked.seq, cause)
            if _is_told(told) or clock.monotonic() >= ends_at:
                return told
            await asyncio.sleep(LOOK_AGAIN_S)

    async def on_grant(self, subject: str, body: bytes) -> GrantAnswer:
        """A worker read a grant that is too old: mint a fresh one, or let it lapse."""
        domain = subject.split(".")[3]
        asked = decode(body, AskGrant)
        if not (is_id(asked.agent) and is_id(asked.hold_id)):
            raise UnreadableError("bad_id", "This is no hold id.")
        return GrantAnswer(reply=await self._fresh(domain, asked))

    def _counted_here(self, asked: AskAnswer, cause: str) -> LoadedHold | None:
        """The hold as this gate wrote it last, if this answer was counted in it by then."""
        written = self.gate.holds.written(asked.hold_id)
        if written is None or written.hold.agent != asked.agent:
            return None
        return written if cause in written.hold.causes else None

    @contextmanager
    def _listening(self, hold: tuple[str, str], message: tuple[str, str]) -> Iterator[Lookup]:
        """Listen to a hold, by its agent and id, and to a message, by who said it and its id."""
        gate, (agent, hold_id), (principal, cause) = self.gate, hold, message
        of_hold = hold_seen(gate.tenant, agent, hold_id) if hold_id else ()
        of_message = refusal_seen(gate.tenant, principal, cause) if cause else ()
        together = thousand_of(cause) if cause and call_place(cause) else ""
        of_many = refusal_seen(gate.tenant, principal, together) if together else ()
        with gate.seen.of(of_hold, of_message, of_many) as (copies, refusals, budget):
            yield Lookup(
                gate=gate,
                copies=copies,
                refusals=refusals,
                budget=budget,
                agent=agent,
                hold_id=hold_id,
                principal=principal,
                cause=cause,
            )

    async def _carried_out(self, person: str, seq: int, cause: str) -> Envelope:
        """Orders are dealt with one by one: what lies behind, and was not refused, was done."""
        if not await acknowledged(self.gate, ADMIN) >= seq > 0:
            return waiting("")
        refused = await self.gate.holds.refusal(person, cause)
        return refusal(refused) if refused is not None else carried_out()

    async def _fresh(self, domain: str, asked: AskGrant) -> GrantReply:
        loaded = await self.gate.holds.load(asked.agent, asked.hold_id)
        if loaded is None or not is_let_go(loaded.fact):
            return GrantReply.SETTLED
        action = loaded.hold.action
        if action is None or action.domain != domain or await load_run(self.gate, loaded.hold):
            return GrantReply.SETTLED
        cause = command_id(stream(self.gate.tenant, HOLDS), loaded.seq)
        kills = await self.gate.states.kills()
        if stopped := killed_by(kills.state.stopped, asked.agent):
            await bar(self.gate, loaded.hold, killed(stopped), cause)
            return GrantReply.SETTLED
        command = Mint(cause=cause, nonce=clock.new_nonce(), at=clock.now())
        try:
            await advance(self.gate, loaded, command, clock.now())
        except RefusedError as why:
            if why.code == Reason.TOO_LATE.value and await lapse(self.gate, loaded.hold, cause):
                return GrantReply.LAPSED
            return GrantReply.SETTLED
        return GrantReply.MINTED


def _check_names_one(asked: AskHold) -> None:
    """Refuse at once what no answer can ever come to."""
    if not asked.hold_id and not asked.seq:
        raise UnreadableError(
            "bad_data", "Say what is asked about: `seq`, as it was acknowledged, or `hold_id`."
        )
    if asked.hold_id and not may_be_hold_id(asked.hold_id):
        raise UnreadableError(
            "bad_data", f"No hold has such an id: {HOLD_ID_LENGTH} of the signs a-z and 2-7."
        )


async def _answered(
    lookup: Lookup,
    look: Callable[[], Awaitable[Envelope]],
    is_enough: Callable[[Envelope], bool],
    ends_at: float,
) -> Envelope:
    """Return what a look says that is enough, or the last one when the wait is over."""
    with registered(lookup.copies, lookup.refusals, lookup.budget) as bell:
        while True:
            bell.clear()
            told = await look()
            if is_enough(told) or clock.monotonic() >= ends_at:
                return told
            alarm = asyncio.get_running_loop().call_later(ends_at - clock.monotonic(), bell.set)
            try:
                await bell.wait()
            finally:
                alarm.cancel()


def _end_of(wait_s: float) -> float:
    """Return when the answer is due: never later than a client can wait."""
    return clock.monotonic() + min(wait_s, LONGEST_WAIT_S)


def _is_told(told: Envelope) -> bool:
    return told.status is not Status.WAITING


def _is_news(asked: AskHold, told: Envelope) -> bool:
    """Return whether it is news to the asker: one who knows of a doubt waits for its end."""
    if told.status is asked.known is Status.IN_DOUBT:
        return False
    if told.status is Status.APPROVED and told.domain == HOST_DOMAIN:
        return True  # the worker that asks is to run it
    return is_final(told.status) or told.status not in {Status.WAITING, asked.known}


def _may_be_unknown(asked: AskHold) -> bool:
    """Return whether it is asked about by its id alone, and long enough."""
    return bool(asked.hold_id) and not asked.seq and asked.wait_s >= JUDGED_BY_S


def _at_last(told: Envelope, asked: AskHold) -> Envelope:
    """A hold that may be unknown, and is not there when the wait is over, never was."""
    if told.status is not Status.WAITING or not _may_be_unknown(asked):
        return told
    return unknown_hold(asked.hold_id)


def answer_counted(gate: Gate, loaded: LoadedHold) -> Envelope:
    """Return what a person is told whose answer counted."""
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
        if isinstance(call, Propose) and asks_for_next_step(gate, call):
            return next_step_of(call).hold_id
        if isinstance(call, Propose):
            return hold_of(gate, agent, event, call)
        if isinstance(call, Intent):
            return who_and_hold(gate, agent, event, call)[1]
        return _hold_named(call)
    except (UnreadableError, RefusedError):
        return ""


def _hold_named(call: Message) -> str:
    match call:
        case Withdraw():
            return call.hold_id
        case Trace():
            return call.runs
        case _:
            return ""


def asks_how_it_stands(gate: Gate, said: Stored | None) -> bool:
    """Return whether a call only asks about the hold that it names: nothing comes of it."""
    try:
        call = decode_data(decode_event(said.data)) if said else None
        if not isinstance(call, Propose) or not asks_for_next_step(gate, call):
            return False
        return not next_step_of(call).takes_back
    except (UnreadableError, RefusedError):
        return False


def _counted_in(found: Found, cause: str) -> bool:
    """Return whether this call opened the hold, moved it, or ended its run."""
    run = found.run.fact if found.run else None
    return cause in found.hold.hold.causes or (run is not None and run.cause == cause)
