"""Events on the bus, as they happen: for the demo's screen."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from nats.aio.msg import Msg
from nats.js.api import ConsumerConfig, DeliverPolicy

from holdpoint.messages import subjects
from holdpoint.messages.base import Message
from holdpoint.messages.codec import UnreadableError, decode_data, decode_event
from holdpoint.runtime.broker.connection import connect, jetstream, login
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.security.credentials import PROVISIONER


@asynccontextmanager
async def watching(settings: Settings, show: Callable[[Message], None]) -> AsyncIterator[None]:
    """Show each fact of holds and runs while the context is open. Needs the provisioner's right."""
    who = login(settings, PROVISIONER)
    client = await connect(who)

    async def on_fact(msg: Msg) -> None:
        try:
            show(decode_data(decode_event(msg.data)))
        except UnreadableError:
            return

    try:
        for kind in (subjects.HOLDS, subjects.RUNS):
            await jetstream(client, who).subscribe(
                "",
                stream=subjects.stream(settings.tenant, kind),
                ordered_consumer=True,
                config=ConsumerConfig(deliver_policy=DeliverPolicy.NEW),
                cb=on_fact,
            )
        yield
    finally:
        await client.close()
