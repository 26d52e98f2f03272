"""Everybody on the road, for tests: agents, people, and eyes that see every stream."""

from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError
from tests.running_system import LONG_S, TENANT, Road, fresh
from tests.waiting import eventually

from holdpoint.messages import subjects as s
from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.ask import AskAnswer, AskHold, AskOrder
from holdpoint.messages.base import Message
from holdpoint.messages.call import Intent, Propose, Withdraw
from holdpoint.messages.card import Card
from holdpoint.messages.codec import decode, decode_data, decode_event, encode, encode_event
from holdpoint.messages.envelope import TOO_MANY_QUESTIONS, Envelope, Status
from holdpoint.messages.state import Kill
from holdpoint.runtime.broker.connection import Login, connect, jetstream
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import credentials
from holdpoint.runtime.store.journal import Stored


@dataclass(frozen=True, kw_only=True)
class Call:
    """Something an agent said, and the sequence that the broker gave it."""

    seq: int
    key: str


@dataclass(frozen=True, kw_only=True)
class AgentVoice:
    """An agent on the raw bus."""

    name: str
    client: Client
    login: Login

    async def propose(self, tool: str, arguments: dict[str, Any], **more: Any) -> Call:
        """Ask to act; `key=` makes it a repeat."""
        key = more.pop("key", "") or fresh("key")
        call = Propose(tool=tool, arguments=arguments, **{"reasoning": "It is time.", **more})
        return await self.publish("propose", call, key)

    async def command(self, **more: Any) -> tuple[str, Call]:
        """Ask to run a command that leaves a line each time; the file that it leaves it in."""
        mark = fresh("mark")
        return mark, await self.propose("run_command", {"command": f"echo ran >> {mark}"}, **more)

    async def say(self, text: str, **more: Any) -> Call:
        """Announce something in a sentence."""
        key = more.pop("key", "") or fresh("key")
        return await self.publish("intent", Intent(text=text, **more), key)

    async def withdraw(self, hold_id: str, reason: str = "") -> Call:
        """Take it back."""
        return await self.publish(
            "withdraw", Withdraw(hold_id=hold_id, reason=reason), fresh("key")
        )

    async def publish(self, word: str, message: Message, key: str) -> Call:
        """Any message on one of the agent's lanes."""
        subject = s.call_subject(TENANT, self.name, word)
        return await self.publish_raw(word, _event(message, key, subject), key)

    async def publish_raw(self, word: str, body: bytes, key: str = "") -> Call:
        """Any bytes on one of the agent's lanes."""
        subject = s.call_subject(TENANT, self.name, word)
        ack = await jetstream(self.client, self.login).publish(subject, body, timeout=LONG_S)
        return Call(seq=ack.seq, key=key)

    async def ask(self, call: Call | None = None, **asked: Any) -> Envelope:
        """How it stands now, or within `wait_s`."""
        question = AskHold(seq=call.seq if call else 0, **asked)
        wait_s = asked.get("wait_s", 0.0) + 5
        subject = s.ask_hold_subject(TENANT, self.name)
        reply = await self.client.request(subject, encode(question), timeout=wait_s)
        return decode(reply.data, Envelope)

    async def hears(self, call: Call, *wanted: Status, within_s: float = LONG_S) -> Envelope:
        """The first of the wanted states that it comes to; asks again after every break."""

        async def told() -> Envelope:
            try:
                envelope = await self.ask(call)
            except (NatsError, TimeoutError) as error:
                raise AssertionError(f"nobody answers: {error!r}") from None
            assert envelope.code != TOO_MANY_QUESTIONS
            assert envelope.status in wanted, f"still {envelope.status}: {envelope.reason}"
            return envelope

        return await eventually(told, within_s)

    async def pending(self, call: Call) -> Envelope:
        """Wait until people are asked."""
        return await self.hears(call, Status.PENDING_CONFIRMATION)


@dataclass(frozen=True, kw_only=True)
class PersonVoice:
    """A person at a terminal, or in the console."""

    name: str
    client: Client
    login: Login
    channel: str = "terminal"

    async def card(self, hold_id: str, *states: str, group: str = "operators") -> Card:
        """The card as it stands on the screen, once it is in one of these states."""
        js = jetstream(self.client, self.login)
        subject = s.card_subject(TENANT, group, hold_id)

        async def shown() -> Card:
            try:
                found = await js.get_last_msg(s.stream(TENANT, s.CARDS), subject, direct=True)
            except (NotFoundError, NatsError) as error:
                raise AssertionError(f"no card: {error!r}") from None
            card = decode_data(decode_event(found.data or b""))
            assert isinstance(card, Card)
            assert card.state in (states or ("rendered",)), f"the card says {card.state}"
            return card

        return await eventually(shown, LONG_S)

    async def answer(self, card: Card, choice: Choice, **more: Any) -> int:
        """Press a button; the sequence that the broker gave it."""
        answer = Answer(
            hold_id=card.hold_id,
            digest=card.digest,
            render_digest=card.render_digest,
            answer=choice,
            **more,
        )
        subject = s.answer_subject(TENANT, self.channel, self.name, card.agent, card.hold_id)
        return await self.publish(subject, answer)

    async def proceed(self, card: Card) -> Envelope:
        """Say yes, and hear whether it counted."""
        return await self.heard(card, await self.answer(card, Choice.PROCEED))

    async def cancel(self, card: Card, reason: str = "") -> Envelope:
        """Say no, and hear whether it counted."""
        return await self.heard(card, await self.answer(card, Choice.CANCEL, reason=reason))

    async def heard(self, card: Card, seq: int) -> Envelope:
        """What became of an answer."""
        question = AskAnswer(agent=card.agent, hold_id=card.hold_id, seq=seq)

        async def told() -> Envelope:
            subject = s.ask_answer_subject(TENANT, self.name)
            try:
                reply = await self.client.request(subject, encode(question), timeout=5)
            except (NatsError, TimeoutError) as error:
                raise AssertionError(f"nobody answers: {error!r}") from None
            envelope = decode(reply.data, Envelope)
            assert envelope.status is not Status.WAITING, f"answer {seq} is not counted yet"
            assert envelope.code != TOO_MANY_QUESTIONS
            return envelope

        return await eventually(told, LONG_S)

    async def told(self, seq: int, wait_s: float = LONG_S) -> Envelope:
        """What became of an order, once it is known."""
        question = encode(AskOrder(seq=seq, wait_s=wait_s))
        where = s.ask_order_subject(TENANT, self.name)
        return decode(
            (await self.client.request(where, question, timeout=wait_s + 5)).data, Envelope
        )

    async def kill(self, agent: str, reason: str = "enough") -> int:
        """Throw the kill switch."""
        return await self.order(Kill(on=True, agent=agent, reason=reason))

    async def revive(self, agent: str) -> int:
        """Take it back."""
        return await self.order(Kill(on=False, agent=agent))

    async def order(self, order: Message, word: str = "kill") -> int:
        """Order something as an admin."""
        return await self.publish(s.admin_subject(TENANT, self.name, word), order)

    async def publish(self, subject: str, message: Message) -> int:
        """Any message wherever this person may speak."""
        body = _event(message, fresh("said"), subject)
        ack = await jetstream(self.client, self.login).publish(subject, body, timeout=LONG_S)
        return ack.seq


@dataclass(frozen=True, kw_only=True)
class StreamEyes:
    """Reads what the streams hold, with the provisioner's right."""

    client: Client
    login: Login

    async def on(self, kind: str, subject: str) -> list[Stored]:
        """Every message on these subjects, in order; asks again after every break."""
        js, seq, found = jetstream(self.client, self.login), 1, list[Stored]()

        async def read() -> bool:
            nonlocal seq
            try:
                while True:
                    it = await js.get_msg(
                        s.stream(TENANT, kind), seq=seq, subject=subject, next=True
                    )
                    found.append(_stored(it))
                    seq = found[-1].seq + 1
            except NotFoundError:
                return True
            except (NatsError, TimeoutError) as error:
                raise AssertionError(f"nobody answers: {error!r}") from None

        await eventually(read, LONG_S)
        return found

    async def facts(self, hold_id: str) -> list[Any]:
        """A hold's facts, in order."""
        stored = await self.on(s.HOLDS, s.hold_facts(TENANT, "*", hold_id))
        return [it.message for it in stored]

    async def runs(self, hold_id: str) -> list[Any]:
        """A run's facts, in order."""
        stored = await self.on(s.RUNS, s.run_facts(TENANT, "*", "*", hold_id))
        return [it.message for it in stored]

    async def refusals(self, principal: str, cause: str) -> list[Any]:
        """Every refusal of one message: one, however often it was delivered."""
        stored = await self.on(s.HOLDS, s.refusal_subject(TENANT, principal, cause))
        return [it.message for it in stored]


@dataclass(frozen=True, kw_only=True)
class Guests:
    """Lets everybody in, and out again when the test is over."""

    road: Road
    stack: AsyncExitStack

    async def client(self, user: str) -> Client:
        """A connection of its own."""
        client = await connect(self.road.login(user))
        self.stack.push_async_callback(client.close)
        return client

    async def agent(self, name: str = "robot") -> AgentVoice:
        """An agent."""
        user = credentials.agent_user(name)
        return AgentVoice(name=name, client=await self.client(user), login=self.road.login(user))

    async def person(self, name: str = "ann") -> PersonVoice:
        """A person."""
        user = credentials.person_user(name)
        return PersonVoice(name=name, client=await self.client(user), login=self.road.login(user))

    async def eyes(self) -> StreamEyes:
        """Whoever may read everything."""
        user = credentials.PROVISIONER
        return StreamEyes(client=await self.client(user), login=self.road.login(user))


def _event(message: Message, key: str, subject: str) -> bytes:
    return encode_event(
        message, event_id=key, source="test", subject=subject, at=clock.now(), salt=""
    )


def _stored(it: Any) -> Stored:
    return Stored(
        subject=it.subject,
        data=it.data or b"",
        signature=(it.headers or {}).get("Holdpoint-Signature", ""),
        seq=it.seq,
        at=it.time,
    )
