"""FastStream's broker, connected in the same one way, and its subscribers for what people pace.

Their consumers have a deliver group, so that each message is pushed to one of the processes that
listen, and the handler acknowledges it. Push saves a request for each message, and asks nothing
while there is none.
"""

import asyncio
from functools import partial

import structlog
from faststream import AckPolicy
from faststream.nats import JStream, NatsBroker
from faststream.nats.message import NatsMessage
from nats.aio.client import Client
from nats.errors import ConnectionClosedError, OutboundBufferLimitError
from nats.errors import TimeoutError as NatsTimeoutError

from holdpoint.runtime.broker.connection import (
    API_TIMEOUT_S,
    DRAIN_TIMEOUT_S,
    Login,
    enter,
    remember,
)
from holdpoint.runtime.broker.lanes import Delivery, Handler, Lane, delivery_of, guarded
from holdpoint.runtime.broker.wire import Wire, WireClient, header_block

log = structlog.get_logger(__name__)

AWAY_S = 0.5
"""Before another try to start where the broker went away."""

LOST = (OutboundBufferLimitError, NatsTimeoutError, ConnectionClosedError)


class PatientBroker(NatsBroker):
    """FastStream's broker on our wire, which goes on when the connection breaks at its start.

    It logs nothing itself (its lines carry payloads) and hands messages over undecoded.
    """

    def __init__(self, login: Login) -> None:
        super().__init__(
            login.url,
            js_options={"prefix": login.api_prefix, "timeout": API_TIMEOUT_S},
            graceful_timeout=float(DRAIN_TIMEOUT_S),
            apply_types=False,
            logger=None,
        )
        self._login = login

    async def _connect(self) -> Client:
        client = WireClient(needs_tls=self._login.ca is not None)
        await enter(client, self._login, partial(remember, self._login))
        self.config.connect(client)
        return client

    async def start(self) -> None:
        """Start the lanes, as soon as the broker is there for them."""
        while True:
            try:
                await super().start()
            except LOST as error:
                log.warning("broker_away_at_start", error=repr(error))
                for subscriber in self.subscribers:
                    await subscriber.stop()
                await asyncio.sleep(AWAY_S)
            else:
                return


def subscribe(broker: NatsBroker, wire: Wire, lane: Lane, handler: Handler) -> None:
    """Hand each message to the handler, `lane.batch` side by side; what fails comes again, later.

    `wire` is the broker's own connection, on which messages are acknowledged.
    """

    async def decoded(message: NatsMessage) -> Delivery:
        raw = message.raw_message
        return delivery_of(wire, raw.subject, raw.reply, header_block(raw.headers or {}), raw.data)

    @broker.subscriber(
        ">",
        queue=lane.durable,
        stream=JStream(lane.stream, declare=False),
        max_workers=lane.batch,
        ack_policy=AckPolicy.MANUAL,
        no_reply=True,
        decoder=decoded,
    )
    async def on_delivery(delivery: Delivery) -> None:
        await guarded(handler, delivery)
