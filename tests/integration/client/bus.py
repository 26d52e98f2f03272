"""A real broker for the SDK, and a gate that says what the test wants it to say."""

from dataclasses import dataclass, field
from typing import TypeAlias

from nats.aio.msg import Msg
from tests.conftest import Connect
from tests.waiting import eventually
from tests.world import TENANT, World

from holdpoint.client import Holdpoint, Status
from holdpoint.client.options import Way
from holdpoint.messages.ask import AskHold
from holdpoint.messages.base import Message
from holdpoint.messages.codec import decode, decode_data, decode_event, encode
from holdpoint.messages.envelope import Envelope
from holdpoint.messages.subjects import ask_hold_subject, calls_of, stream
from holdpoint.runtime.broker.connection import jetstream
from holdpoint.runtime.security.credentials import GATE, PROVISIONER

AGENT = "robot"
HOLD = "abcdefghijklmnopqrstuvwxyz"
SAYS = {"path": "."}

Reply: TypeAlias = Status | Envelope | None
"""What the gate says; None leaves the question unanswered."""


@dataclass
class Gate:
    """Answers each question with the next word of its script; the last word is repeated."""

    script: list[Reply]
    asked: list[AskHold] = field(default_factory=list)

    async def on_question(self, msg: Msg) -> None:
        self.asked.append(decode(msg.data, AskHold))
        word = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if word is not None:
            told = Envelope(status=word, hold_id=HOLD) if isinstance(word, Status) else word
            await msg.respond(encode(told))

    async def was_asked(self, times: int) -> None:
        """Wait until it was asked this often."""

        async def enough() -> bool:
            return len(self.asked) >= times

        await eventually(enough)


@dataclass
class Stored:
    """A message of CALLS."""

    subject: str
    said: Message
    raw: bytes


@dataclass
class Bus:
    """One test's broker, and what was said on CALLS since the test began."""

    world: World
    connected: Connect
    begins: int = 0

    async def gate(self, *script: Reply) -> Gate:
        gate = Gate(list(script))
        client = await self.connected(self.world.login(GATE))
        await client.subscribe(ask_hold_subject(TENANT, "*"), cb=gate.on_question)
        await client.flush()
        return gate

    def agent(self, **way: object) -> Holdpoint:
        chosen = Way(**{"patience_s": 10.0, **way})  # type: ignore[typeddict-item]
        return Holdpoint.connect(AGENT, self.world.settings, **chosen)

    async def last(self) -> int:
        login = self.world.login(PROVISIONER)
        js = jetstream(await self.connected(login), login)
        return (await js.stream_info(stream(TENANT, calls_of(AGENT)))).state.last_seq

    async def said(self) -> list[Stored]:
        login = self.world.login(PROVISIONER)
        js = jetstream(await self.connected(login), login)
        name = stream(TENANT, calls_of(AGENT))
        seqs = range(self.begins + 1, await self.last() + 1)
        found = [await js.get_msg(name, seq) for seq in seqs]
        return [_stored(it.subject or "", it.data or b"") for it in found]


def refused(code: str) -> Envelope:
    return Envelope(status=Status.REFUSED, code=code, reason="because", hold_id=HOLD)


def _stored(subject: str, raw: bytes) -> Stored:
    return Stored(subject=subject, said=decode_data(decode_event(raw)), raw=raw)
