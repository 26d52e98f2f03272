"""A person in a test: reads the cards of their groups on the real bus, and answers as told."""

import asyncio
from dataclasses import dataclass, field

import msgspec
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.client import JetStreamContext

from holdpoint.messages.answer import Choice, Proof
from holdpoint.messages.card import Card
from holdpoint.messages.codec import message_in
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.hold import Stage
from holdpoint.messages.policy import Method
from holdpoint.messages.subjects import CARDS, stream
from holdpoint.runtime.broker.connection import IMPORTED_API, Login, connect, jetstream
from holdpoint.runtime.broker.person_connection import Person
from holdpoint.runtime.broker.streams import view_durable
from holdpoint.runtime.errors import HoldpointError
from holdpoint.runtime.security.permissions import TERMINAL
from holdpoint.testing.phone import Phone

ASKED = frozenset({Stage.RENDERED.value, Stage.ANSWERED.value})
"""The states of a card that waits for somebody."""

GLANCE_S = 0.2
"""Time that one look at the cards takes when nothing is new; what is new comes at once."""

BATCH = 100
API_WAIT_S = 5.0


@dataclass(eq=False, kw_only=True)
class Someone:
    """One person and what they do with each card that asks them, from when the test says it."""

    name: str
    choice: Choice | None = None
    reason: str = ""
    phone: Phone = field(default_factory=Phone, repr=False)
    """Shows the one-time codes that a yes takes from level 4 up."""

    cards: dict[str, Card] = field(default_factory=dict)
    """The last card of each hold."""

    told: dict[str, Envelope] = field(default_factory=dict)
    """What came of this person's answers, by hold."""

    def proceeds(self) -> None:
        """Says yes to all that is pending, and to all that comes."""
        self.choice, self.reason = Choice.PROCEED, ""

    def cancels(self, reason: str = "") -> None:
        """Says no to all that is pending, and to all that comes."""
        self.choice, self.reason = Choice.CANCEL, reason

    def stays_silent(self) -> None:
        """Sees the cards and answers none."""
        self.choice, self.reason = None, ""

    @property
    def asked(self) -> tuple[Card, ...]:
        """The cards that wait for this person."""
        return tuple(card for card in self.cards.values() if _asks(card, self.name))


async def attend(someone: Someone, tenant: str, seal_key: str, view: Login, own: Login) -> None:
    """Live as this person until cancelled: read what is new, answer what asks."""
    reader = await connect(view)
    person = await Person.connect(someone.name, tenant, TERMINAL, own)
    try:
        await someone.phone.set_up(person, seal_key)
        await _from_the_start(reader, tenant, someone.name)
        cards = await _cards(reader, view, tenant, someone.name)
        while True:
            await _read(cards, someone)
            for card in someone.asked:
                await _answer(person, someone, card)
    finally:
        await person.close()
        await reader.close()


async def _answer(person: Person, someone: Someone, card: Card) -> None:
    """Answer once; what is not known to have arrived is answered again at the next glance."""
    if someone.choice is None or card.hold_id in someone.told:
        return
    try:
        proof = await _proof(someone, card)
        told = await person.answer(card, someone.choice, someone.reason, proof=proof)
    except HoldpointError:
        return
    if told.status is not Status.WAITING:
        someone.told[card.hold_id] = told


async def _proof(someone: Someone, card: Card) -> Proof | None:
    """Return the code that a yes to this card takes; None where the password is enough."""
    if someone.choice is not Choice.PROCEED or Method.TOTP not in card.proofs:
        return None
    return Proof(method=Method.TOTP, hold_id=card.hold_id, code=await someone.phone.code())


async def _read(cards: JetStreamContext.PullSubscription, someone: Someone) -> None:
    try:
        messages = await cards.fetch(BATCH, timeout=GLANCE_S)
    except TimeoutError:
        return
    except NatsError:
        await asyncio.sleep(GLANCE_S)
        return
    for message in messages:
        card = message_in(message.data, Card)
        known = someone.cards.get(card.hold_id)
        if known is None or card.revision >= known.revision:
            someone.cards[card.hold_id] = card


async def _from_the_start(reader: Client, tenant: str, name: str) -> None:
    """A view's consumer remembers how far its last reader came."""
    subject = f"{IMPORTED_API}.CONSUMER.RESET.{stream(tenant, CARDS)}.{view_durable(name)}"
    await reader.request(subject, msgspec.json.encode({"seq": 1}), timeout=API_WAIT_S)


async def _cards(
    reader: Client, view: Login, tenant: str, name: str
) -> JetStreamContext.PullSubscription:
    return await jetstream(reader, view).pull_subscribe_bind(
        durable=view_durable(name), stream=stream(tenant, CARDS)
    )


def _asks(card: Card, name: str) -> bool:
    return card.state in ASKED and name not in card.voices
