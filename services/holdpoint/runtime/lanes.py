"""The seam between the broker and the handlers: a lane delivers raw messages, one handler each.

Human-paced lanes are FastStream's (`listen`); hot or slow ones pull for themselves (`pull`), so
that no handler waits for the slowest of a batch. The handlers do not know which. Acknowledging is
their business; a handler that fails gets its message again.
"""

import asyncio
import contextlib
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

import structlog
from faststream import AckPolicy
from faststream.nats import JStream, NatsBroker, PullSub
from faststream.nats.message import NatsMessage
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.errors import APIError

from holdpoint.messages.subjects import command_id, kind_of
from holdpoint.runtime.metrics import DELIVERIES, HANDLING

log = structlog.get_logger(__name__)

FETCH_WAIT_S = 1.0
"""How long one pull request stays open. A request that was half served keeps its next message
back until then, so it bounds a stall."""

FIRST_RETRY_S = 0.2
LONGEST_RETRY_S = 10.0
MOST_DOUBLINGS = 6
BROKER_AWAY_S = 0.25
"""Before a pull is tried again that could not be sent."""

FINISH_S = 10.0
"""How long a service that stops waits for the handlers it has begun."""


@dataclass(frozen=True, kw_only=True)
class Lane:
    """A durable consumer that `holdpoint provision` made."""

    stream: str
    durable: str
    batch: int = 64
    """How many messages are handled side by side."""


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """One stored message, as the broker hands it over."""

    subject: str
    data: bytes
    headers: Mapping[str, str]
    stream: str
    seq: int
    at: datetime
    """The broker's timestamp: the time that counts."""

    deliveries: int
    _msg: Msg = field(repr=False)

    @property
    def id(self) -> str:
        """`<stream>:<seq>`, given by the broker."""
        return command_id(self.stream, self.seq)

    @property
    def sha256(self) -> str:
        """Of the bytes as they are stored."""
        return hashlib.sha256(self.data).hexdigest()

    async def ack(self) -> None:
        """Done: it never comes again."""
        await self._msg.ack()

    async def nack(self, delay_s: float) -> None:
        """Not now: it comes again after the delay."""
        await self._msg.nak(delay=delay_s)

    async def working(self) -> None:
        """Still at it: the broker waits on."""
        await self._msg.in_progress()


Handler: TypeAlias = Callable[[Delivery], Awaitable[None]]


def listen(broker: NatsBroker, lane: Lane, handler: Handler, inbox_prefix: str) -> None:
    """Hand each message of the lane to the handler; what fails comes again, ever later."""

    @broker.subscriber(
        ">",
        stream=JStream(lane.stream, declare=False),
        durable=lane.durable,
        pull_sub=PullSub(batch_size=lane.batch, timeout=FETCH_WAIT_S),
        ack_policy=AckPolicy.MANUAL,
        decoder=_undecoded,
        inbox_prefix=f"{inbox_prefix}.".encode(),
    )
    async def on_message(message: NatsMessage) -> None:
        await _guarded(handler, delivery_of(message.raw_message))


async def pull(jetstream: JetStreamContext, lane: Lane, handler: Handler) -> None:
    """Keep up to `lane.batch` messages in hand, each with a handler of its own, for ever."""
    subscription = await jetstream.pull_subscribe_bind(lane.durable, lane.stream)
    begun: set[asyncio.Task[None]] = set()
    freed = asyncio.Event()

    def ended(task: asyncio.Task[None]) -> None:
        begun.discard(task)
        freed.set()

    try:
        while True:
            freed.clear()
            if room := lane.batch - len(begun):
                for msg in await _fetched(subscription, room):
                    task = asyncio.create_task(_guarded(handler, delivery_of(msg)))
                    begun.add(task)
                    task.add_done_callback(ended)
            else:
                await freed.wait()
    finally:
        if begun:
            await asyncio.wait(begun, timeout=FINISH_S)
        with contextlib.suppress(NatsError):
            await subscription.unsubscribe()


async def _fetched(subscription: JetStreamContext.PullSubscription, room: int) -> Sequence[Msg]:
    try:
        return await subscription.fetch(room, timeout=FETCH_WAIT_S)
    except TimeoutError:
        return ()
    except (NatsError, APIError) as error:
        log.info("pull_failed", error=repr(error))
        await asyncio.sleep(BROKER_AWAY_S)
        return ()


def delivery_of(msg: Msg) -> Delivery:
    """A stored message with its broker-given id and time."""
    meta = msg.metadata
    return Delivery(
        subject=msg.subject,
        data=msg.data,
        headers=msg.headers or {},
        stream=meta.stream,
        seq=meta.sequence.stream,
        at=meta.timestamp,
        deliveries=meta.num_delivered,
        _msg=msg,
    )


async def _undecoded(message: NatsMessage) -> NatsMessage:
    return message


async def _guarded(handler: Handler, delivery: Delivery) -> None:
    """The one boundary: whatever a handler throws, its message comes again."""
    kind = kind_of(delivery.stream)
    with HANDLING.labels(kind).time():
        try:
            await handler(delivery)
        except Exception as error:  # noqa: BLE001  # the boundary: nothing is lost, it comes again
            doublings = min(delivery.deliveries - 1, MOST_DOUBLINGS)
            delay_s = min(FIRST_RETRY_S * 2**doublings, LONGEST_RETRY_S)
            log.warning("handler_failed", id=delivery.id, error=repr(error), retry_s=delay_s)
            DELIVERIES.labels(kind, "failed").inc()
            await delivery.nack(delay_s)
        else:
            DELIVERIES.labels(kind, "done").inc()
