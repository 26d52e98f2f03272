"""Questions to the gate: how a hold stands, whether an answer counted, a fresh grant.

A waiting question registers first, then loads, then waits: nothing is missed in between. The
server repeats each stored fact to every gate, which wakes whoever waits for that hold.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from nats.aio.msg import Msg

from holdpoint.core.commands import Mint
from holdpoint.core.report import is_final, refusal, report, waiting
from holdpoint.core.verdict import killed_by
from holdpoint.gate.intents import who_and_hold
from holdpoint.gate.opening import REPEATED
from holdpoint.gate.parts import Gate, RefusedError, advance, load_hold
from holdpoint.gate.proposals import hold_of
from holdpoint.gate.runs import bar, is_let_go, lapse, load_run
from holdpoint.messages.ask import AskAnswer, AskGrant, AskHold, GrantAnswer, GrantReply
from holdpoint.messages.base import is_id
from holdpoint.messages.call import Intent, Propose, Withdraw
from holdpoint.messages.codec import UnreadableError, decode, decode_data, decode_event
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.hold import Reason
from holdpoint.messages.subjects import ANSWERS, CALLS, HOLDS, command_id, stream
from holdpoint.runtime import clock
from holdpoint.runtime.asks import LONGEST_WAIT_S


@dataclass(eq=False)
class Waiters:
    """Who waits for what: by hold, and by principal for refusals."""

    _bells: defaultdict[str, set[asyncio.Event]] = field(default_factory=lambda: defaultdict(set))

    @contextmanager
    def registered(self, *keys: str) -> Iterator[asyncio.Event]:
        """A bell that rings when something happens to one of the keys."""
        bell = asyncio.Event()
        for key in keys:
            self._bells[key].add(bell)
        try:
            yield bell
        finally:
            for key in keys:
                self._bells[key].discard(bell)
                if not self._bells[key]:
                    del self._bells[key]

    async def on_seen(self, msg: Msg) -> None:
        """Something was stored: ring the bells of its hold, run or principal."""
        for token in msg.subject.split(".")[3:7]:
            for bell in self._bells.get(token, ()):
                bell.set()


@dataclass(frozen=True, kw_only=True)
class Questions:
    """The gate's answers; each is computed from what is stored, never remembered."""

    gate: Gate
    waiters: Waiters

    async def on_hold(self, subject: str, body: bytes) -> Envelope:
        """How a hold of this agent stands, as soon as it is news or the wait is over."""
        agent = subject.split(".")[3]
        asked = decode(body, AskHold)
        if asked.hold_id and not is_id(asked.hold_id):
            raise UnreadableError("bad_id", "This is no hold id.")
        deadline = clock.monotonic() + min(asked.wait_s, LONGEST_WAIT_S)
        with self.waiters.registered(asked.hold_id, agent) as bell:
            while True:
                bell.clear()
                told = await self._stands(agent, asked)
                left = deadline - clock.monotonic()
                news = is_final(told.status) or told.status not in {Status.WAITING, asked.known}
                if news or left <= 0 or not await _rings(bell, left):
                    return told

    async def on_answer(self, subject: str, body: bytes) -> Envelope:
        """Whether a person's answer counted."""
        person = subject.split(".")[3]
        asked = decode(body, AskAnswer)
        if not (is_id(asked.agent) and is_id(asked.hold_id)):
            raise UnreadableError("bad_id", "This is no hold id.")
        cause = command_id(stream(self.gate.tenant, ANSWERS), asked.seq)
        deadline = clock.monotonic() + min(asked.wait_s, LONGEST_WAIT_S)
        with self.waiters.registered(asked.hold_id, person) as bell:
            while True:
                bell.clear()
                told = await self._counted(person, asked, cause)
                left = deadline - clock.monotonic()
                if told.status is not Status.WAITING or left <= 0 or not await _rings(bell, left):
                    return told

    async def on_grant(self, subject: str, body: bytes) -> GrantAnswer:
        """A worker read a grant that is too old: mint a fresh one, or let it lapse."""
        domain = subject.split(".")[3]
        asked = decode(body, AskGrant)
        if not (is_id(asked.agent) and is_id(asked.hold_id)):
            raise UnreadableError("bad_id", "This is no hold id.")
        return GrantAnswer(reply=await self._fresh(domain, asked))

    async def _stands(self, agent: str, asked: AskHold) -> Envelope:
        """What became of the very call that is asked about; else how the hold of that id stands."""
        cause = command_id(stream(self.gate.tenant, CALLS), asked.seq) if asked.seq else ""
        refused = await self.gate.holds.refusal(agent, cause) if cause else None
        if refused is not None and refused.code != REPEATED:
            return refusal(refused)
        hold_id = asked.hold_id or (
            refused.hold_id if refused else await self._opened(agent, asked)
        )
        loaded = await self.gate.holds.load(agent, hold_id) if hold_id else None
        if loaded is None:
            return waiting(hold_id)
        run = await load_run(self.gate, loaded.hold)
        counted = {*loaded.hold.causes, *([run.fact.cause] if run else [])}
        if cause and refused is None and cause not in counted:
            return waiting(hold_id)
        tool = self.gate.tool_of(loaded.hold)
        repeats = cause if refused else ""
        return report(loaded.fact, run.fact if run else None, tool, repeats)

    async def _opened(self, agent: str, asked: AskHold) -> str:
        """The id of the hold that a call is about; empty when it cannot be told (yet)."""
        stored = await self.gate.journal.at(CALLS, asked.seq) if asked.seq else None
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
        refused = await self.gate.holds.refusal(person, cause)
        if refused is not None:
            return refusal(refused)
        loaded = await self.gate.holds.load(asked.agent, asked.hold_id)
        if loaded is None or cause not in loaded.hold.causes:
            return waiting(asked.hold_id)
        return report(loaded.fact, None, self.gate.tool_of(loaded.hold), "")

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


async def _rings(bell: asyncio.Event, within_s: float) -> bool:
    try:
        async with asyncio.timeout(within_s):
            await bell.wait()
    except TimeoutError:
        return False
    return True
