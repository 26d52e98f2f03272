"""Questions to the gate: how a hold stands, what became of an answer or order, a fresh grant.

A waiting question registers first, then looks, then waits: nothing is missed in between. The
server repeats each stored fact to every gate (`seen.py`), which wakes whoever waits for it.
"""

import asyncio
from dataclasses import dataclass
from typing import Self

from nats.errors import Error as NatsError

from holdpoint.core.commands import Mint
from holdpoint.core.digest import HOLD_ID_LENGTH, may_be_hold_id
from holdpoint.core.report import carried_out, is_final, refusal, unknown_hold, waiting
from holdpoint.core.verdict import killed_by
from holdpoint.gate.lookups import Lookup
from holdpoint.gate.parts import Gate, RefusedError, advance, load_hold
from holdpoint.gate.runs import bar, is_let_go, lapse, load_run
from holdpoint.gate.seen import Copies
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
    answers_seen,
    calls_of,
    command_id,
    holds_seen,
    orders_seen,
    stream,
)
from holdpoint.runtime import clock
from holdpoint.runtime.asks import LONGEST_WAIT_S
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.streams import GATE

JUDGED_WITHIN_S = 1.0
"""How long a new call may take to be judged before the store is searched for what became of it."""
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
        agent = subject.split(".")[3]
        asked = decode(body, AskHold)
        _check_names_one(asked)
        cause = (
            command_id(stream(self.gate.tenant, calls_of(agent)), asked.seq) if asked.seq else ""
        )
        patience = Patience.until(asked.wait_s)
        async with self.gate.seen.of(*holds_seen(self.gate.tenant, agent)) as copies:
            if not asked.hold_id:
                await _judged(copies, cause, patience)
            lookup = Lookup(gate=self.gate, copies=copies)
            return await _news(lookup, agent, asked, cause, patience)

    async def on_answer(self, subject: str, body: bytes) -> Envelope:
        """Whether a person's answer counted."""
        person = subject.split(".")[3]
        asked = decode(body, AskAnswer)
        if not (is_id(asked.agent) and is_id(asked.hold_id)):
            raise UnreadableError("bad_id", "This is no hold id.")
        cause = command_id(stream(self.gate.tenant, ANSWERS), asked.seq)
        patience = Patience.until(asked.wait_s)
        where = answers_seen(self.gate.tenant, person, asked.agent, asked.hold_id)
        async with self.gate.seen.of(*where) as copies:
            lookup = Lookup(gate=self.gate, copies=copies)
            while True:
                with copies.registered(asked.hold_id, cause) as bell:
                    told = await lookup.counted(person, asked, cause)
                    if told.status is not Status.WAITING or patience.is_over:
                        return told
                    await patience.rings(bell)

    async def on_order(self, subject: str, body: bytes) -> Envelope:
        """Whether a person's order was carried out."""
        person = subject.split(".")[3]
        asked = decode(body, AskOrder)
        cause = command_id(stream(self.gate.tenant, ADMIN), asked.seq)
        patience = Patience.until(asked.wait_s)
        async with self.gate.seen.of(*orders_seen(self.gate.tenant, person)) as copies:
            lookup = Lookup(gate=self.gate, copies=copies)
            while True:
                with copies.registered(cause) as bell:
                    told = await self._carried_out(lookup, person, asked.seq, cause)
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

    async def _carried_out(self, lookup: Lookup, person: str, seq: int, cause: str) -> Envelope:
        """Orders are dealt with one by one: what lies behind, and was not refused, was done."""
        name = stream(self.gate.tenant, ADMIN)
        try:
            info = await self.gate.jetstream.consumer_info(name, GATE)
        except NatsError as error:
            raise UnavailableError(f"How far orders have come cannot be read: {error!r}") from error
        refused = await lookup.refused(person, cause)
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


async def _judged(copies: Copies, cause: str, patience: Patience) -> None:
    """Give a call that was just made the time to be judged, before the store is searched."""
    with copies.registered(cause) as bell:
        is_news = cause and not copies.opened(cause) and copies.refused(cause) is None
        if is_news and copies.is_settled:
            await patience.rings(bell, JUDGED_WITHIN_S)


async def _news(
    lookup: Lookup, agent: str, asked: AskHold, cause: str, patience: Patience
) -> Envelope:
    """How it stands, as soon as that is news or the wait is over."""
    copies, hold_id = lookup.copies, asked.hold_id
    while True:
        hold_id = hold_id or copies.opened(cause)
        with copies.registered(cause, hold_id) as bell:
            if asked.known is Status.APPROVED and copies.is_let_go(agent, hold_id):
                await patience.rings(bell)
                if not patience.is_over:
                    continue
            told = await lookup.stands(agent, asked, cause)
            if _is_news(told, asked) or patience.is_over:
                return _at_last(told, asked)
            if told.hold_id in {"", hold_id}:
                await patience.rings(bell)
        hold_id = told.hold_id or hold_id


def _is_news(told: Envelope, asked: AskHold) -> bool:
    return is_final(told.status) or told.status not in {Status.WAITING, asked.known}


def _at_last(told: Envelope, asked: AskHold) -> Envelope:
    """A hold that is asked about by its id alone, long enough, and is not there, never was."""
    by_id_alone = bool(asked.hold_id) and not asked.seq
    if told.status is not Status.WAITING or not by_id_alone or asked.wait_s < JUDGED_BY_S:
        return told
    return unknown_hold(asked.hold_id)
