"""The seam between the broker and the handlers: a lane delivers raw messages, one handler each.

Lanes at a person's pace are pushed to FastStream (`broker/faststream_broker.py`), the others are
drawn from (`pulls.py`). The handlers do not know which. Acknowledging is their business; a handler
that fails gets its message again.
"""

import contextlib
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TypeAlias

import msgspec
import structlog
from nats.errors import Error as NatsError
from prometheus_client import Counter, Histogram

from holdpoint.messages.subjects import command_id, kind_of
from holdpoint.runtime.broker.wire import Headers, Wire
from holdpoint.runtime.process import clock, crash
from holdpoint.runtime.process.metrics import DELIVERIES, HANDLING

log = structlog.get_logger(__name__)

NANOSECONDS = 10**9
SHORT_REPLY = 9
"""Tokens of `$JS.ACK.<stream>.<consumer>.<deliveries>.<seq>.<seq>.<time>.<pending>`; a longer one
has its domain and account before them (NATS ADR-15).
"""

FIRST_RETRY_S = 0.2
LONGEST_RETRY_S = 10.0
MOST_DOUBLINGS = 6


@dataclass(frozen=True, kw_only=True)
class Lane:
    """A durable consumer that `holdpoint provision` made."""

    stream: str
    durable: str
    batch: int = 64
    """Number of messages that are handled side by side."""

    open_s: float = 5.0
    """Time that a request stays open when nothing comes; one that is lost is missed as late."""

    every_s: float = 0.0
    """Where nobody waits and little comes: how often what there is is asked for; 0 is always."""


class Delivery(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One stored message, as the broker hands it over."""

    subject: str
    data: bytes
    headers: Headers
    stream: str
    seq: int
    at: datetime
    """The broker's timestamp: the time that counts."""

    deliveries: int
    reply: str
    wire: Wire
    came: float = msgspec.field(default_factory=clock.monotonic)
    """When this process had it in hand, by the monotonic clock."""

    @property
    def id(self) -> str:
        """`<stream>:<seq>`, given by the broker."""
        return command_id(self.stream, self.seq)

    @property
    def sha256(self) -> str:
        """Of the bytes as they are stored."""
        return hashlib.sha256(self.data).hexdigest()

    def acknowledge(self) -> None:
        """Done: it never comes again. An acknowledgement that is lost only has it come again."""
        kind = kind_of(self.stream)
        crash.passing("ack", kind, "before")
        self.wire.publish_later(self.reply)
        crash.passing("ack", kind, "after")

    async def ack(self) -> None:
        """Done: it never comes again."""
        self.acknowledge()

    async def nack(self, delay_s: float) -> None:
        """Not now: it comes again after the delay."""
        delay = b' {"delay": %d}' % int(delay_s * NANOSECONDS) if delay_s else b""
        self.wire.publish_later(self.reply, b"-NAK" + delay)

    async def working(self) -> None:
        """Still at it: the broker waits on."""
        self.wire.publish_later(self.reply, b"+WPI")


Handler: TypeAlias = Callable[[Delivery], Awaitable[None]]


def delivery_of(wire: Wire, subject: str, reply: str, headers: bytes, body: bytes) -> Delivery:
    """A stored message with its broker-given id and time, which stand in its reply subject."""
    tokens = reply.split(".")
    stream, _, deliveries, seq, _, at, *_ = tokens[2 if len(tokens) == SHORT_REPLY else 4 :]
    return Delivery(
        subject=subject,
        data=body,
        headers=Headers(headers),
        stream=stream,
        seq=int(seq),
        at=clock.of_nanoseconds(int(at)),
        deliveries=int(deliveries),
        reply=reply,
        wire=wire,
    )


async def guarded(handler: Handler, delivery: Delivery) -> None:
    """The one boundary: whatever a handler throws, its message comes again."""
    try:
        await handler(delivery)
    except Exception as error:  # noqa: BLE001  # the boundary: nothing is lost, it comes again
        doublings = min(delivery.deliveries - 1, MOST_DOUBLINGS)
        delay_s = min(FIRST_RETRY_S * 2**doublings, LONGEST_RETRY_S)
        log.warning("handler_failed", id=delivery.id, error=repr(error), retry_s=delay_s)
        counts = _counts(kind_of(delivery.stream))
        counts.failed.inc()
        counts.took.observe(clock.monotonic() - delivery.came)
        with contextlib.suppress(NatsError):  # without a broker it comes again by itself
            await delivery.nack(delay_s)
    else:
        count_done(delivery)


def count_done(delivery: Delivery) -> None:
    """Count a message that was dealt with, and how long it took."""
    counts = _counts(kind_of(delivery.stream))
    counts.done.inc()
    counts.took.observe(clock.monotonic() - delivery.came)


@dataclass(frozen=True)
class _Counts:
    """The metrics of one kind of stream: to look them up by label takes longer than to count."""

    done: Counter
    failed: Counter
    took: Histogram


@cache
def _counts(kind: str) -> _Counts:
    done, failed = (DELIVERIES.labels(kind, result) for result in ("done", "failed"))
    return _Counts(done, failed, HANDLING.labels(kind))
