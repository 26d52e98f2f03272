"""FastStream subscribers for what people pace: pushed by the broker, acknowledged by the handler.

Their consumers have a deliver group, so that each message goes to one of the processes that listen.
Push saves a request for each message, and asks nothing while there is none.
"""

from faststream import AckPolicy
from faststream.nats import JStream, NatsBroker
from faststream.nats.message import NatsMessage

from holdpoint.runtime.broker.headers import header_block
from holdpoint.runtime.broker.wire import Wire
from holdpoint.runtime.lanes import Delivery, Handler, Lane, delivery_of, guarded


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
