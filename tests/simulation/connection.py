"""Connections to the broker's double: what each says and hears is late, and sometimes lost.

A connection keeps its order, as TCP does, and loses what is under way when it breaks. Between two
connections nothing has an order. Beyond that, any single message may get lost on the way back, as
core NATS allows: replies, copies, pushed and pulled messages.
"""

import asyncio
import contextvars
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from math import log
from random import Random  # noqa: TID251  # seeded: a run can be repeated
from typing import Any

from nats.aio.msg import Msg
from nats.errors import ConnectionClosedError, NoRespondersError, OutboundBufferLimitError
from nats.errors import TimeoutError as NatsTimeoutError
from tests.simulation.jetstream import Broker, Listener, block_of, headers_in
from tests.simulation.loop import Loop, Process

from holdpoint.runtime.broker.connection import Login
from holdpoint.runtime.broker.wire import Headers, OnMessage, WireClient

BROKER = contextvars.Context()
"""Whose callbacks are called whatever becomes of the processes."""

TICK_S = 1e-6
"""Between two messages on one connection: those of one moment would have no order."""

AWAY_S = 0.5
"""Until a connection that broke is made anew."""


@dataclass(kw_only=True)
class Weather:
    """How bad the road to the broker is."""

    latency_s: float = 0.001
    lost: float = 0.0
    """Of what the broker sends, by chance."""


@dataclass(eq=False, frozen=True, kw_only=True)
class SimSubscription:
    """A subject that a callback listens on."""

    wire: "SimWire"
    listener: Listener

    def close(self) -> None:
        """Listen no longer."""
        self.wire.forget(self.listener)


class SimWire:
    """Takes the place of `Wire`: whole messages to callbacks, with delay and loss."""

    def __init__(self, client: "SimClient") -> None:
        self._client = client
        self._listeners: list[Listener] = []
        self._out_at = self._in_at = 0.0
        self.life = 0
        """Grows with each break: what belongs to an earlier life never arrives."""

    def subscribe(self, subject: str, on_message: OnMessage, queue: str = "") -> SimSubscription:
        listener = Listener(pattern=subject, queue=queue, deliver=self._delivering(on_message))
        self._listeners.append(listener)
        if self._client.is_connected:
            self._out(partial(self._listen, listener))
        return SimSubscription(wire=self, listener=listener)

    def publish(self, subject: str, body: bytes, reply: str = "", headers: bytes = b"") -> None:
        if not self._client.is_connected:
            raise ConnectionClosedError if self._client.is_closed else OutboundBufferLimitError
        broker = self._client.broker
        self._out(lambda: broker.take(subject, reply, headers, body))

    def publish_later(self, subject: str, body: bytes = b"") -> None:
        self.publish(subject, body)

    def flush(self) -> None:
        """Everything leaves as it is published."""

    def forget(self, listener: Listener) -> None:
        """Listen no longer."""
        if listener in self._listeners:
            self._listeners.remove(listener)
            self._client.broker.ignore(listener)

    def cut(self) -> None:
        """End all that is under way."""
        self.life += 1
        for listener in self._listeners:
            self._client.broker.ignore(listener)

    def restore(self) -> None:
        """Listen again, on a connection made anew."""
        for listener in self._listeners:
            self._out(partial(self._listen, listener))

    def _listen(self, listener: Listener) -> None:
        if listener in self._listeners and self._client.is_connected:
            self._client.broker.listen(listener)

    def _out(self, act: Callable[[], object]) -> None:
        """To the broker, in order: it arrives whatever becomes of its sender."""
        loop, life = self._client.loop, self.life
        self._out_at = max(self._out_at + TICK_S, loop.time() + self._latency())
        loop.call_at(self._out_at, lambda: life == self.life and act(), context=BROKER)

    def _delivering(self, on_message: OnMessage) -> Callable[[str, str, bytes, bytes], None]:
        def deliver(subject: str, reply: str, block: bytes, body: bytes) -> None:
            client, life = self._client, self.life
            if client.dice.random() < client.weather.lost:
                return

            def arrive() -> None:
                if life == self.life:
                    on_message(subject, reply, block, body)

            self._in_at = max(self._in_at + TICK_S, client.loop.time() + self._latency())
            client.loop.call_at(
                self._in_at,
                arrive,
                context=client.process.context,
            )

        return deliver

    def _latency(self) -> float:
        return -log(1.0 - self._client.dice.random()) * self._client.weather.latency_s


class SimClient(WireClient):
    """Takes the place of nats-py's client: a connection of one process to the double."""

    def __init__(  # the parts of a connection, each once
        self, broker: Broker, process: Process, login: Login, weather: Weather, dice: Random
    ) -> None:
        self.broker, self.process, self.weather, self.dice = broker, process, weather, dice
        self.loop: Loop = broker.loop
        self._login = login
        self._up, self._closed = True, False
        self._inboxes = 0
        self.stats = {"reconnects": 0}
        self.wire: Any = SimWire(self)
        process.on_death = self.gone

    @property
    def is_connected(self) -> bool:
        """Return whether it can be spoken on."""
        return self._up and not self._closed

    @property
    def is_closed(self) -> bool:
        """Return whether it is closed for good."""
        return self._closed

    @property
    def is_in_cluster(self) -> bool:
        """One broker is modelled."""
        return False

    def gone(self) -> None:
        """Its process died: what it said last may still arrive, and nothing reaches it."""
        self._up = False
        for listener in self.wire._listeners:
            self.broker.ignore(listener)

    def break_off(self) -> None:
        """Lose the connection, and what is on its way; it is made anew a moment later."""
        if not self.is_connected or not self.process.is_alive:
            return
        self._up = False
        self.wire.cut()
        for tell in self._login.lost:
            self.loop.call_soon(tell, context=self.process.context)
        self.loop.call_later(AWAY_S, self._come_back, context=self.process.context)

    def _come_back(self) -> None:
        self._up = True
        self.stats["reconnects"] += 1
        self.wire.restore()

    def new_inbox(self) -> str:
        """Return a subject of its own."""
        self._inboxes += 1
        return f"{self._login.inbox_prefix}.{self.process.name}.{self._inboxes}"

    async def publish(
        self, subject: str, payload: bytes = b"", reply: str = "", headers: Any = None
    ) -> None:
        """Say something."""
        self.wire.publish(subject, payload, reply, block_of(headers) if headers else b"")

    async def request(  # as nats-py's
        self,
        subject: str,
        payload: bytes = b"",
        timeout: float = 0.5,  # noqa: ASYNC109  # nats-py's
        old_style: bool = False,  # nats-py's
        headers: Any = None,
    ) -> Msg:
        """Ask, and wait for one answer."""
        del old_style
        answer: asyncio.Future[Msg] = self.loop.create_future()
        inbox = self.new_inbox()

        def on_answer(place: str, reply: str, block: bytes, body: bytes) -> None:
            if not answer.done():
                answer.set_result(_msg(self, place, reply, block, body))

        subscription = self.wire.subscribe(inbox, on_answer)
        try:
            await self.publish(subject, payload, inbox, headers)
            async with asyncio.timeout(timeout):
                msg = await answer
        except TimeoutError:
            raise NatsTimeoutError from None
        finally:
            subscription.close()
        if not msg.data and (msg.headers or {}).get("Status") == "503":
            raise NoRespondersError
        return msg

    async def subscribe(  # type: ignore[override]  # what Responder uses of nats-py's
        self,
        subject: str,
        queue: str = "",
        cb: Callable[[Msg], Coroutine[Any, Any, None]] | None = None,
    ) -> SimSubscription:
        """Listen with a coroutine, one message after the other."""
        assert cb is not None

        def on_message(place: str, reply: str, block: bytes, body: bytes) -> None:
            self.loop.create_task(
                cb(_msg(self, place, reply, block, body)), context=self.process.context
            )

        subscription: SimSubscription = self.wire.subscribe(subject, on_message, queue)
        return subscription

    async def close(self) -> None:
        """Leave."""
        self._closed = True
        self.gone()


def _msg(client: SimClient, subject: str, reply: str, block: bytes, body: bytes) -> Msg:
    headers = headers_in(block) if block else None
    if block and (status := Headers(block).status):
        headers = {**(headers or {}), "Status": status}
    return Msg(_client=client, subject=subject, reply=reply, data=body, headers=headers)
