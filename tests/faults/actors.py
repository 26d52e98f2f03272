"""Agents that ask again, and people who answer as their part says, whatever breaks meanwhile."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any, TypeVar

from nats.errors import Error as NatsError
from tests.actors import AgentVoice, Guests, PersonVoice, _event
from tests.running_system import TENANT, Road, fresh
from tests.waiting import eventually

from holdpoint.core.responses import is_final
from holdpoint.messages import subjects as s
from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.ask import AskHold
from holdpoint.messages.base import Message
from holdpoint.messages.call import Propose, Withdraw
from holdpoint.messages.card import Card
from holdpoint.messages.codec import decode, decode_data, decode_event, encode
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.runtime.broker.connection import jetstream
from holdpoint.runtime.process import clock

T = TypeVar("T")

TROUBLE = (NatsError, TimeoutError, OSError)
PATIENCE_S = 60.0
"""Longer than anything takes: what is too slow is judged by L1, not by whom it kept waiting."""

SHORTLY_S = 2.0
ASK_S = 1.0
BACK_S = 10.0
"""How long one who came back asks: of a hold that has ended it is told at once, or never."""

AT_ONCE = 20
"""Questions of those who came back."""


class Part(StrEnum):
    """What people, and the agent itself, do about a call that waits."""

    PROCEED = "proceed"
    CANCEL = "cancel"
    SILENCE = "silence"
    RACE = "race"
    WITHDRAW = "withdraw"
    TAKE_BACK = "take_back"


@dataclass(frozen=True, kw_only=True)
class Plot:
    """One call, and what everybody does about it."""

    agent: str
    tool: str
    part: Part = Part.PROCEED
    key: str = ""
    takes_ms: int = 0
    times: int = 1
    """How often the same call is made."""

    reused: bool = False
    """Whether its key comes once more, with other arguments."""

    voices: tuple[str, ...] = ("ann",)


@dataclass(frozen=True, kw_only=True)
class Told:
    """What an agent was told in the end."""

    plot: Plot
    envelope: Envelope


async def surely(say: Callable[[], Awaitable[T]]) -> T:
    """Say it until the broker has it; each time in the same words."""

    async def tried() -> tuple[T]:
        try:
            return (await say(),)
        except TROUBLE as error:
            raise AssertionError(f"the broker does not take it: {error!r}") from None

    (said,) = await eventually(tried, PATIENCE_S)
    return said


@dataclass(frozen=True, kw_only=True)
class Agent:
    """An agent that does not give up."""

    voice: AgentVoice

    async def says(self, word: str, message: Message, key: str) -> int:
        """One message; the sequence under which it was acknowledged."""
        subject = s.call_subject(TENANT, self.voice.name, word)
        body = _event(message, key, subject)
        js = jetstream(self.voice.client, self.voice.login)
        ack = await surely(lambda: js.publish(subject, body, timeout=SHORTLY_S))
        return ack.seq

    async def proposes(self, plot: Plot, key: str) -> int:
        """The call, as often as the plot says."""
        arguments: dict[str, Any] = {"mark": key, "takes_ms": plot.takes_ms}
        deadline = clock.now() + timedelta(seconds=SHORTLY_S)
        call = Propose(
            tool=plot.tool,
            arguments=arguments,
            reasoning="It is time.",
            deadline=deadline if plot.part is Part.SILENCE else None,
        )
        seqs = [await self.says("propose", call, key) for _ in range(plot.times)]
        if plot.reused:
            other = Propose(tool=plot.tool, arguments={**arguments, "mark": f"{key}/other"})
            await self.says("propose", other, key)
        return seqs[0]

    async def hears(self, ready: Callable[[Envelope], bool], **asked: Any) -> Envelope:
        """How it stands, as soon as it is so."""

        async def told() -> Envelope:
            try:
                envelope = await self.asks(**asked)
            except TROUBLE as error:
                raise AssertionError(f"nobody answers: {error!r}") from None
            asked["known"] = envelope.status
            assert ready(envelope), f"{asked}: still {envelope.status}: {envelope.reason}"
            return envelope

        return await eventually(told, PATIENCE_S)

    async def learns(self, hold_id: str) -> Status | None:
        """How a hold stands, for one who knows its id alone; None when nobody answers."""
        told: Status | None = None

        async def tried() -> bool:
            nonlocal told
            try:
                told = (await self.asks(hold_id=hold_id)).status
            except TROUBLE as error:
                raise AssertionError(f"nobody answers: {error!r}") from None
            return told is not Status.WAITING

        with contextlib.suppress(AssertionError):
            await eventually(tried, BACK_S)
        return told

    async def asks(self, **asked: Any) -> Envelope:
        """One question, answered or not."""
        subject = s.ask_hold_subject(TENANT, self.voice.name)
        body = encode(AskHold(wait_s=ASK_S, **asked))
        reply = await self.voice.client.request(subject, body, timeout=ASK_S + SHORTLY_S)
        return decode(reply.data, Envelope)


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody with a screen."""

    voice: PersonVoice

    async def sees(self, hold_id: str) -> Card:
        """The card, once anything of it is on the screen."""
        js = jetstream(self.voice.client, self.voice.login)
        name, subject = s.stream(TENANT, s.CARDS), s.card_subject(TENANT, "operators", hold_id)
        found = await surely(lambda: js.get_last_msg(name, subject, direct=True))
        card = decode_data(decode_event(found.data or b""))
        assert isinstance(card, Card)
        return card

    async def answers(self, card: Card, choice: Choice) -> None:
        """Press a button; again, if nothing tells that it was heard."""
        answer = Answer(
            hold_id=card.hold_id,
            digest=card.digest,
            render_digest=card.render_digest,
            answer=choice,
        )
        place = s.answer_subject(TENANT, "terminal", self.voice.name, card.agent, card.hold_id)
        await self.says(place, answer)

    async def says(self, subject: str, message: Message) -> None:
        """Anything wherever this person may speak."""
        body = _event(message, fresh("said"), subject)
        js = jetstream(self.voice.client, self.voice.login)
        await surely(lambda: js.publish(subject, body, timeout=SHORTLY_S))


async def come_back(road: Road, holds: Mapping[str, str]) -> Mapping[str, Status | None]:
    """What each hold's agent is told by its id, on a connection that knows nothing of before."""
    turns = asyncio.Semaphore(AT_ONCE)
    async with AsyncExitStack() as stack:
        guests = Guests(road=road, stack=stack)
        back = {name: Agent(voice=await guests.agent(name)) for name in sorted({*holds.values()})}

        async def asks(hold_id: str, name: str) -> tuple[str, Status | None]:
            async with turns:
                return hold_id, await back[name].learns(hold_id)

        return dict(await asyncio.gather(*(asks(*each) for each in holds.items())))


async def live(agent: Agent, people: dict[str, Person], plot: Plot) -> Told:
    """One call from its first word to its last."""
    key = plot.key or fresh("key")
    seq = await agent.proposes(plot, key)
    told = await agent.hears(_is_judged, seq=seq)
    if told.status is Status.PENDING_CONFIRMATION:
        await _play(agent, people, plot, told.hold_id)
        told = await agent.hears(
            lambda it: is_final(it.status),
            hold_id=told.hold_id,
            known=Status.PENDING_CONFIRMATION,
        )
    elif not is_final(told.status):
        told = await agent.hears(lambda it: is_final(it.status), seq=seq, known=told.status)
    return Told(plot=plot, envelope=told)


def _is_judged(told: Envelope) -> bool:
    return told.status is not Status.WAITING


async def _play(agent: Agent, people: dict[str, Person], plot: Plot, hold_id: str) -> None:
    if plot.part is Part.SILENCE:
        return
    if plot.part is Part.WITHDRAW:
        await agent.says("withdraw", Withdraw(hold_id=hold_id), fresh("key"))
        return
    voices = [people[name] for name in plot.voices]
    card = await voices[0].sees(hold_id)
    match plot.part:
        case Part.PROCEED:
            await asyncio.gather(*(it.answers(card, Choice.PROCEED) for it in voices))
        case Part.CANCEL:
            await voices[0].answers(card, Choice.CANCEL)
        case Part.TAKE_BACK:
            await asyncio.gather(*(it.answers(card, Choice.PROCEED) for it in voices))
            await voices[0].answers(card, Choice.CANCEL)
        case _:
            choices = [Choice.PROCEED, Choice.CANCEL] * len(voices)
            await asyncio.gather(
                *(it.answers(card, each) for it, each in zip(voices * 2, choices, strict=True))
            )
