"""What a person's groups are shown: each card as it stands, then each change as it comes."""

from collections.abc import AsyncIterator

import msgspec
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js import JetStreamContext

from holdpoint.messages.card import Card
from holdpoint.messages.codec import message_in
from holdpoint.messages.subjects import CARDS, stream
from holdpoint.runtime.connection import Login, connect, jetstream
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.streams import view_durable

API_WAIT_S = 5.0
BATCH = 100
GLANCE_S = 5.0
"""How long one request for cards stays open; what is new comes at once."""


async def cards(tenant: str, person: str, view: Login) -> AsyncIterator[Card]:
    """The last card of each hold that the person may see, and then every change.

    The login is the person's view: it reads cards and can do nothing else. One reader at a time.
    """
    client = await connect(view)
    try:
        name, durable = stream(tenant, CARDS), view_durable(person)
        reset = f"{view.api_prefix}.CONSUMER.RESET.{name}.{durable}"
        await client.request(reset, msgspec.json.encode({"seq": 1}), timeout=API_WAIT_S)
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
        raise UnavailableError(f"The cards stopped coming: {error!r}") from error
    finally:
        await client.close()


async def _endless(shown: JetStreamContext.PullSubscription) -> AsyncIterator[Msg]:
    while True:
        try:
            for message in await shown.fetch(BATCH, timeout=GLANCE_S):
                yield message
        except TimeoutError:
            continue
