"""An overlapped pull: a request is always open, and each message is handled as it arrives.

A request asks for as many messages as there are hands free. What the broker says about a request
(served in part, run out, not possible now) ends it, and the next one asks for the rest. A lane that
is asked for every so often takes what there is, until there is nothing, and waits.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Protocol, TypeAlias

import msgspec
import structlog
from nats.aio.client import Client
from nats.errors import Error as NatsError

from holdpoint.runtime.broker.connection import Login
from holdpoint.runtime.broker.lanes import (
    NANOSECONDS,
    Delivery,
    Handler,
    Lane,
    count_done,
    delivery_of,
    guarded,
)
from holdpoint.runtime.broker.wire import Headers, wire_of
from holdpoint.runtime.process import clock

log = structlog.get_logger(__name__)

BRIEF_S = 0.01
"""Time that a request for what has gathered stays open."""

HEARTBEATS = 2.5
"""The broker says so many times that a request is still open: without a word for as long as it
stays open, the open requests are taken for lost."""

FIRST_OPEN_S = 2.0
"""Time that a request stays open at most on a connection on which nothing came yet: a broker that
is still starting loses requests, and that is to be missed soon."""

LOOK_S = 0.5
"""How often a lane looks whether the connection is a new one: its requests died with the old."""

BROKER_AWAY_S = 0.25
"""Before asking again after the broker could not serve a request."""

FINISH_S = 10.0
"""Time that a service that stops waits for the handlers it has begun."""

CAREFUL_AT_FIRST = 8
"""Nobody knows yet whether empty bodies lie there."""

HANDFUL = 64
HANDFUL_BYTES = 32 * 1024
"""What is handed over together at most: all else waits as long as that takes."""

HEARTBEAT = "100"
RAN_OUT = frozenset({"404", "408"})
"""No message, or none in time: the request is over, and that is no fault."""


class _Request(msgspec.Struct, frozen=True):
    """The JetStream API's words for a pull."""

    batch: int
    expires: int
    idle_heartbeat: int


class HandsBack(Protocol):
    """Messages in hand that do not count, because their handlers take long."""

    @property
    def hands(self) -> int:
        """Return how many there are."""

    def listen(self, on_change: Callable[[], None]) -> None:
        """Call this whenever there is one more of them."""


async def pull(
    client: Client,
    login: Login,
    lane: Lane,
    handler: Handler,
    together: "Together | None" = None,
    back: HandsBack | None = None,
) -> None:
    """Keep up to `lane.batch` messages in hand, each with a handler of its own, for ever.

    Where `together` is given, messages that came together are first handed to it. Those that
    `back` tells of do not count.
    """
    drawing = Drawing(
        client=client,
        login=login,
        lane=lane,
        handler=handler,
        together=together,
        back=back,
        inbox=client.new_inbox(),
    )
    if back is not None:
        back.listen(drawing.look_again)
    subscription = wire_of(client).subscribe(drawing.inbox, drawing.on_message)
    try:
        await drawing.keep_asking()
    finally:
        subscription.close()
        await drawing.finish()


@dataclass(eq=False, kw_only=True)
class Drawing:
    """One lane being drawn from: what is in hand, and what was asked for."""

    client: Client
    login: Login
    lane: Lane
    handler: Handler
    together: "Together | None"
    back: HandsBack | None
    inbox: str
    _fresh: list[Delivery] = field(default_factory=list)
    _handed: set[Delivery] = field(default_factory=set)
    _begun: set[asyncio.Task[None]] = field(default_factory=set)
    _asked: int = 0
    _open_s: float = FIRST_OPEN_S
    _brought: int = 0
    """Messages that came since the last request was sent."""

    _heard_at: float = 0.0
    _pause_s: float = 0.0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _careful: int = CAREFUL_AT_FIRST
    """So many messages more are asked for one by one: none behind an empty one must be lost."""

    async def keep_asking(self) -> None:
        """Ask whenever half of the hands are free and nothing is on its way to them."""
        connection = self._connection
        while True:
            self._changed.clear()
            if connection != self._connection or self._is_silent():
                connection, self._asked = self._connection, 0
                self._open_s = min(FIRST_OPEN_S, self.lane.open_s)
            if self._pause_s:
                await asyncio.sleep(self._pause_s)
                self._pause_s = 0.0
            if self._may_ask:
                self._ask(await self._next_request())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._changed.wait()

    def on_message(self, subject: str, reply: str, headers: bytes, body: bytes) -> None:
        """A message, or what the broker says about a request."""
        self._heard_at, self._open_s = clock.monotonic(), self.lane.open_s
        status = Headers(headers).status if headers and not body else ""
        if not status:
            self._asked = max(0, self._asked - 1)
            self._brought += 1
            if body:
                self._careful = max(0, self._careful - 1)
            else:
                self._cut_off()
            self._begin(delivery_of(wire_of(self.client), subject, reply, headers, body))
        elif status != HEARTBEAT:
            self._ended(status, Headers(headers).get("Nats-Pending-Messages", ""))

    def done(self, delivery: Delivery) -> None:
        """A message that was handed over together with others was dealt with."""
        self._handed.discard(delivery)
        count_done(delivery)
        self.look_again()

    def alone(self, delivery: Delivery) -> None:
        """Begin the handler of a message that is not dealt with together."""
        self.begin(delivery, self.handler)

    def begin(self, delivery: Delivery, handler: Handler) -> None:
        """Begin a handler; the message is in hand until that ends."""
        self._handed.discard(delivery)
        task = asyncio.create_task(guarded(handler, delivery))
        self._begun.add(task)
        task.add_done_callback(self._done)
        self.look_again()

    async def finish(self) -> None:
        """Wait for the handlers that were begun."""
        if self._begun:
            await asyncio.wait(self._begun, timeout=FINISH_S)

    @property
    def _free(self) -> int:
        in_hand = len(self._begun) + len(self._handed) + len(self._fresh)
        back = self.back.hands if self.back else 0
        return self.lane.batch + back - in_hand - self._asked

    @property
    def _may_ask(self) -> bool:
        waits = self._careful or self.lane.every_s
        is_worth_it = not waits and self._free * 2 >= self.lane.batch
        return self._free > 0 and (is_worth_it or not self._asked)

    async def _next_request(self) -> _Request:
        batch = 1 if self._careful else self._free
        if not self.lane.every_s:
            open_ns = int(self._open_s * NANOSECONDS)
            return _Request(batch, open_ns, int(open_ns / HEARTBEATS))
        if not self._brought:
            await asyncio.sleep(self.lane.every_s)
        return _Request(batch, int(BRIEF_S * NANOSECONDS), 0)

    @property
    def _connection(self) -> int:
        return int(self.client.stats["reconnects"])

    def _is_silent(self) -> bool:
        return bool(self._asked) and clock.monotonic() - self._heard_at > self._open_s

    def _ask(self, request: _Request) -> None:
        lane = self.lane
        subject = f"{self.login.api_prefix}.CONSUMER.MSG.NEXT.{lane.stream}.{lane.durable}"
        self._asked += request.batch
        self._brought = 0
        self._heard_at = clock.monotonic()
        try:
            wire_of(self.client).publish(subject, msgspec.json.encode(request), self.inbox)
        except NatsError as error:
            log.info("pull_failed", stream=lane.stream, error=repr(error))
            self._asked -= request.batch
            self._pause_s = BROKER_AWAY_S

    def _cut_off(self) -> None:
        """Between accounts an empty body ends a request's road back: what it still brings is lost
        on the way, and comes again after the acknowledgement's time. Others may follow it.
        """
        self._asked = 0
        self._careful = self.lane.batch

    def _begin(self, delivery: Delivery) -> None:
        if self.together is None:
            self.alone(delivery)
            return
        if not self._fresh:
            asyncio.get_running_loop().call_soon(self._hand_over, self.together)
        self._fresh.append(delivery)

    def _hand_over(self, together: "Together") -> None:
        sizes = accumulate(len(it.data) for it in self._fresh)
        most = max(1, sum(size <= HANDFUL_BYTES for size in sizes))
        handful, self._fresh = self._fresh[: min(most, HANDFUL)], self._fresh[min(most, HANDFUL) :]
        if self._fresh:
            asyncio.get_running_loop().call_soon(self._hand_over, together)
        self._handed.update(handful)
        self.hand_over(handful, together)

    def hand_over(self, handful: Sequence[Delivery], together: "Together") -> None:
        """Have these dealt with together."""
        try:
            together(handful, self)
        except Exception as error:  # noqa: BLE001  # the boundary: each gets its own handler
            log.warning("handful_failed", stream=self.lane.stream, error=repr(error))
            for delivery in self._handed.intersection(handful):
                self.alone(delivery)
        self.look_again()

    def _done(self, task: asyncio.Task[None]) -> None:
        self._begun.discard(task)
        self.look_again()

    def look_again(self) -> None:
        """Ask for more, if there are hands for it."""
        if self._may_ask:
            self._changed.set()

    def _ended(self, status: str, owed: str) -> None:
        """A request is over; what was still owed on it is asked for again."""
        self._asked = max(0, self._asked - int(owed)) if owed else 0
        if status not in RAN_OUT:
            log.info("pull_refused", stream=self.lane.stream, status=status)
            self._pause_s = BROKER_AWAY_S
        self._changed.set()


Together: TypeAlias = Callable[[Sequence[Delivery], Drawing], None]
"""Takes messages that came together; tells the drawing of each that it is `done`, or is to be
handled `alone`."""
