"""Questions to the gate: how a hold stands, what became of an answer or order, a fresh grant.

A waiting question listens first, then looks, then waits: nothing is missed in between. The server
repeats what is stored of the hold to the gate that was asked (`seen.py`), which wakes the question.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Self

from nats.errors import Error as NatsError

from holdpoint.core.commands import Mint
from holdpoint.core.digest import HOLD_ID_LENGTH, may_be_hold_id
from holdpoint.core.report import carried_out, is_final, refusal, unknown_hold, waiting
from holdpoint.core.texts import killed
from holdpoint.core.verdict import killed_by
from holdpoint.gate.lookups import Lookup, answer_counted, call_said, hold_meant
from holdpoint.gate.parts import Gate, RefusedError, advance, load_hold
from holdpoint.gate.runs import bar, is_let_go, lapse, load_run
from holdpoint.gate.seen import registered
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
from holdpoint.messages.codec import UnreadableError, decode
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.hold import Reason
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
from holdpoint.runtime import clock
from holdpoint.runtime.asks import LONGEST_WAIT_S
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.history import LoadedHold
from holdpoint.runtime.streams import GATES

HANDLED_WITHIN_S = 0.05
"""Most answers are in hand where their person asks about them; else another gate has it."""

LOOK_AGAIN_S = 0.1
"""For what rings no bell: an order that was carried out, perhaps by another gate."""


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
        gate, agent = self.gate, subject.split(".")[3]
        asked = decode(body, AskHold)
        _check_names_one(asked)
        cause = command_id(stream(gate.tenant, calls_of(agent)), asked.seq) if asked.seq else ""
        patience = Patience.until(asked.wait_s)
        hold_id = asked.hold_id or gate.holds.opened(cause)
        if not hold_id:
            hold_id = hold_meant(gate, agent, await call_said(gate, agent, asked.seq))
        with self._listening((agent, hold_id), (agent, cause)) as lookup:
            look, is_enough = partial(lookup.stands, asked.seq), partial(_is_news, asked)
            return _at_last(await _answered(lookup, look, is_enough, patience), asked)

    async def on_answer(self, subject: str, body: bytes) -> Envelope:
        """Whether a person's answer counted."""
        gate, person = self.gate, subject.split(".")[3]
        asked = decode(body, AskAnswer)
        if not (is_id(asked.agent) and is_id(asked.hold_id)):
            raise UnreadableError("bad_id", "This is no hold id.")
        cause = command_id(stream(gate.tenant, ANSWERS), asked.seq)
        patience = Patience.until(asked.wait_s)
        if not self._counted_here(asked, cause):
            await gate.answers.settled(cause, HANDLED_WITHIN_S)
        if counted := self._counted_here(asked, cause):
            return answer_counted(gate, counted)
        with self._listening((asked.agent, asked.hold_id), (person, cause)) as lookup:
            return await _answered(lookup, lookup.counted, _is_told, patience)

    async def on_order(self, subject: str, body: bytes) -> Envelope:
        """Whether a person's order was carried out."""
        person = subject.split(".")[3]
        asked = decode(body, AskOrder)
        cause = command_id(stream(self.gate.tenant, ADMIN), asked.seq)
        patience = Patience.until(asked.wait_s)
        while True:
            told = await self._carried_out(person, asked.seq, cause)
            if _is_told(told) or patience.is_over:
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
        name = stream(self.gate.tenant, ADMIN)
        try:
            info = await self.gate.jetstream.consumer_info(name, GATES)
        except NatsError as error:
            raise UnavailableError(f"How far orders have come cannot be read: {error!r}") from error
        if info.ack_floor is None or not info.ack_floor.stream_seq >= seq > 0:
            return waiting("")
        refused = await self.gate.holds.refusal(person, cause)
        return refusal(refused) if refused is not None else carried_out()

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
    patience: Patience,
) -> Envelope:
    """What a look says that is enough, or the last one when the wait is over."""
    with registered(lookup.copies, lookup.refusals, lookup.budget) as bell:
        while True:
            bell.clear()
            told = await look()
            if is_enough(told) or patience.is_over:
                return told
            await patience.rings(bell)


def _is_told(told: Envelope) -> bool:
    return told.status is not Status.WAITING


def _is_news(asked: AskHold, told: Envelope) -> bool:
    return is_final(told.status) or told.status not in {Status.WAITING, asked.known}


def _at_last(told: Envelope, asked: AskHold) -> Envelope:
    """A hold that is asked about by its id alone, long enough, and is not there, never was."""
    by_id_alone = bool(asked.hold_id) and not asked.seq
    if told.status is not Status.WAITING or not by_id_alone or asked.wait_s < JUDGED_BY_S:
        return told
    return unknown_hold(asked.hold_id)
