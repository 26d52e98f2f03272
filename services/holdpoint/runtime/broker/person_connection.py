"""A person's own line to the bus: reads the cards of their groups, answers one, hears what came.

Every channel speaks through it; the broker lets a person answer in their own name only.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.errors import NoRespondersError
from nats.js import JetStreamContext
from nats.js.errors import APIError, NoStreamResponseError, NotFoundError

from holdpoint.messages import subjects
from holdpoint.messages.answer import Answer, Change, Choice, Proof, Remember
from holdpoint.messages.ask import AskAnswer, AskOrder
from holdpoint.messages.base import Message
from holdpoint.messages.card import Card
from holdpoint.messages.codec import encode, encode_event, message_in
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.policy import Method
from holdpoint.messages.request import AgentRequest, AgentResponse
from holdpoint.messages.subjects import CARDS, stream
from holdpoint.runtime.broker.connection import Login, connect, jetstream
from holdpoint.runtime.broker.nats_errors import in_words
from holdpoint.runtime.broker.request_reply import ask
from holdpoint.runtime.broker.streams import view_durable
from holdpoint.runtime.errors import UnavailableError, UnknownOutcomeError
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.logs import quiet_by_default
from holdpoint.runtime.security.keys import seal

REPLY_S = 5.0
ORDER_S = 10.0
"""Longer: the kill switch goes through everything that waits."""

PUBLISH_S = 5.0
ELECTION_PAUSE_S = 0.1
REQUEST_S = 65.0
"""A request may take several calls, of up to half a minute each."""

AGAIN_S = 15.0
"""Silence after which a request goes out again: the coordinator that had it may be gone."""

RESTART_PAUSE_S = 1.0

NOT_NOW = "The coordinator does not answer now. Send the same again: nothing is done twice."
"""Said where a request that is sent again keeps its id."""

BATCH = 100
GLANCE_S = 5.0
"""Time that one request for cards stays open; what is new comes at once."""

SLACK_S = 2.0
"""How much longer than the gate the asker waits."""


@dataclass(frozen=True, kw_only=True)
class Person:
    """One person, logged in."""

    name: str
    tenant: str
    channel: str
    client: Client
    jetstream: JetStreamContext

    @classmethod
    async def connect(cls, name: str, tenant: str, channel: str, login: Login) -> "Person":
        """Log in as this person; the login's seed is theirs."""
        quiet_by_default()
        client = await connect(login)
        return cls(
            name=name,
            tenant=tenant,
            channel=channel,
            client=client,
            jetstream=jetstream(client, login),
        )

    async def close(self) -> None:
        """Leave."""
        await self.client.close()

    async def card(self, group: str, hold_id: str) -> Card | None:
        """The card of one hold as this group may see it; None when there is none (yet)."""
        subject = subjects.card_subject(self.tenant, group, hold_id)
        name = subjects.stream(self.tenant, subjects.CARDS)
        try:
            found = await self.jetstream.get_last_msg(name, subject, direct=True)
        except NotFoundError:
            return None
        except (NatsError, APIError) as error:
            raise UnavailableError(f"The cards cannot be read: {in_words(error)}") from error
        return message_in(found.data or b"", Card)

    async def answer(
        self,
        card: Card,
        choice: Choice,
        reason: str = "",
        seconds_shown: float = 0.0,
        proof: Proof | None = None,
        beside: Remember | Change | None = None,
    ) -> Envelope:
        """Answer exactly this card; returns once it was counted or refused.

        `beside`: what a yes is to be remembered for, or what a changed call has instead.

        An answer that is stored while no gate can say more is `waiting`; UnavailableError means
        that the broker may not have stored it.
        """
        answer = Answer(
            hold_id=card.hold_id,
            digest=card.digest,
            render_digest=card.render_digest,
            answer=choice,
            reason=reason,
            seconds_shown=seconds_shown,
            on_behalf_of=next(iter(card.delegators), ""),
            remember=beside if isinstance(beside, Remember) else None,
            change=beside if isinstance(beside, Change) else None,
            proof=seal(card.seal_key, encode(proof or Proof(method=Method.CHAT))),
        )
        return await self._counted(card, answer)

    async def extend(self, card: Card, seconds: int, why: str) -> Envelope:
        """Ask for a later deadline of exactly this card; returns as `answer` does."""
        answer = Answer(
            hold_id=card.hold_id,
            digest=card.digest,
            render_digest=card.render_digest,
            answer=Choice.EXTEND,
            reason=why,
            on_behalf_of=next(iter(card.delegators), ""),
            extend_s=seconds,
        )
        return await self._counted(card, answer)

    async def _counted(self, card: Card, answer: Answer) -> Envelope:
        to = (self.tenant, self.channel, self.name, card.agent, card.hold_id)
        seq = await self._publish(answer, subjects.answer_subject(*to), subjects.ANSWERS)
        question = AskAnswer(agent=card.agent, hold_id=card.hold_id, seq=seq, wait_s=REPLY_S)
        where = subjects.ask_answer_subject(self.tenant, self.name)
        try:
            return await ask(self.client, where, question, Envelope, REPLY_S + SLACK_S)
        except UnavailableError:
            return Envelope(status=Status.WAITING, hold_id=card.hold_id)

    async def order(self, order: Message, word: str) -> int:
        """Order something on ADMIN; returns its sequence there."""
        subject = subjects.admin_subject(self.tenant, self.name, word)
        return await self._publish(order, subject, subjects.ADMIN)

    async def heard(self, seq: int) -> Envelope:
        """Return an order's state: done or refused; waiting if no gate has dealt with it in time.

        UnavailableError when no gate answers at all: the order stands, and is dealt with later.
        """
        question = AskOrder(seq=seq, wait_s=ORDER_S)
        where = subjects.ask_order_subject(self.tenant, self.name)
        return await ask(self.client, where, question, Envelope, ORDER_S + SLACK_S)

    async def request(self, request: AgentRequest) -> AgentResponse:
        """Ask the coordinator in plain words; UnavailableError when none answers.

        The same request_id again is the same request: nothing is done twice.
        """
        where = subjects.ask_coordinator_subject(self.tenant, self.name)
        until, was_taken = clock.monotonic() + REQUEST_S, False
        while True:
            left_s = min(AGAIN_S, until - clock.monotonic())
            try:
                return await ask(self.client, where, request, AgentResponse, left_s)
            except UnavailableError as error:
                is_silent = not isinstance(error.__cause__, NoRespondersError)
                was_taken = was_taken or is_silent
                if not was_taken or clock.monotonic() >= until:
                    raise
            if not is_silent:  # it is being started again
                await asyncio.sleep(RESTART_PAUSE_S)

    async def _publish(self, message: Message, subject: str, kind: str) -> int:
        body = encode_event(
            message,
            event_id=clock.new_id(),
            source=f"holdpoint/{self.channel}/{self.name}",
            subject=subject,
            at=clock.now(),
            salt=clock.new_nonce(),
        )
        name, until = subjects.stream(self.tenant, kind), clock.monotonic() + PUBLISH_S
        while True:
            try:
                stored = await self.jetstream.publish(subject, body, timeout=PUBLISH_S, stream=name)
            except NoStreamResponseError as error:  # three brokers elect who leads: nothing stored
                if clock.monotonic() > until:
                    raise UnavailableError(f"Nobody stores {kind}: {in_words(error)}") from error
            except (NatsError, APIError) as error:
                raise UnknownOutcomeError(
                    f"{kind} did not acknowledge: {in_words(error)}"
                ) from error
            else:
                return stored.seq
            await asyncio.sleep(ELECTION_PAUSE_S)


async def cards(tenant: str, person: str, view: Login) -> AsyncIterator[Card]:
    """The last card of each hold that the person may see, and then every change.

    The login is the person's view: it reads cards and can do nothing else. One reader at a time.
    """
    client = await connect(view)
    try:
        name, durable = stream(tenant, CARDS), view_durable(person)
        reset = f"{view.api_prefix}.CONSUMER.RESET.{name}.{durable}"
        await client.request(reset, msgspec.json.encode({"seq": 1}), timeout=REPLY_S)
        shown = await jetstream(client, view).pull_subscribe_bind(durable=durable, stream=name)
        until_now: dict[str, Card] = {}
        async for message in _endless(shown):
            card = message_in(message.data, Card)
            until_now[card.hold_id] = card
            if not message.metadata.num_pending:
                for each in until_now.values():
                    yield each
                until_now.clear()
    except NatsError as error:
        raise UnavailableError(f"The cards stopped coming: {in_words(error)}") from error
    finally:
        await client.close()


async def _endless(shown: JetStreamContext.PullSubscription) -> AsyncIterator[Msg]:
    while True:
        try:
            for message in await shown.fetch(BATCH, timeout=GLANCE_S):
                yield message
        except TimeoutError:
            continue
