"""Reads CARDS from the beginning, and again from where it was after every break.

The consumer acknowledges nothing and has one place. After each (re)connection it is set to the
first message that was not read yet; a gap in what it counts means that one got lost on the way.
"""

import asyncio
import contextlib
from dataclasses import dataclass

import msgspec
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from nats.errors import TimeoutError as NatsTimeoutError

from holdpoint.console.card_store import Board
from holdpoint.messages.card import Card
from holdpoint.messages.codec import UnreadableError, message_in
from holdpoint.messages.subjects import CARDS, stream
from holdpoint.runtime.broker.connection import Login
from holdpoint.runtime.broker.streams import CONSOLE
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.process import clock

log = structlog.get_logger(__name__)

BATCH = 500
EXPIRES_S = 2.0
"""Time that one request stays open; its end is the broker's word that there is nothing newer."""

ANSWER_S = 5.0
SILENCE_S = EXPIRES_S + 1.0
"""Without a word for so long, the request is taken for lost."""

LOOK_S = 0.25
"""Interval at which a reader that waits looks whether the connection still stands."""

AGAIN_S = 0.2
NANOSECONDS = 10**9


@dataclass(eq=False, kw_only=True)
class CardReader:
    """Fills a board for as long as it runs."""

    client: Client
    login: Login
    tenant: str
    board: Board
    durable: str = CONSOLE
    """The consumer that it reads with."""

    _read: int = 0
    """The stream's sequence that was read last."""

    _counted: int = 0
    """What the consumer counted it as."""

    async def run(self) -> None:
        """Read until cancelled; whatever breaks, the board is not live until all is read again."""
        while True:
            try:
                await self._follow()
            except (NatsError, UnavailableError) as error:
                log.info("cards_unread", error=repr(error))
            self.board.set_live(live=False)
            await asyncio.sleep(AGAIN_S)

    async def _follow(self) -> None:
        """Go to the first card that was not read, and on from there until the connection breaks."""
        connection = self.client.stats["reconnects"]
        await self._reset()
        inbox = self.client.new_inbox()
        replies = await self.client.subscribe(inbox)
        try:
            while self.client.is_connected and connection == self.client.stats["reconnects"]:
                await self._ask(inbox)
                if not await self._take(replies):
                    return
        finally:
            if self.client.is_connected:
                await replies.unsubscribe()

    async def _reset(self) -> None:
        subject = f"{self.login.api_prefix}.CONSUMER.RESET.{self._place}"
        body = msgspec.json.encode({"seq": self._read + 1})
        reply = await self.client.request(subject, body, timeout=ANSWER_S)
        error = msgspec.json.decode(reply.data).get("error")
        if error is not None:
            raise UnavailableError(f"The cards cannot be read: {error.get('description')}")
        self._counted = 0

    async def _ask(self, inbox: str) -> None:
        request = {"batch": BATCH, "expires": int(EXPIRES_S * NANOSECONDS)}
        subject = f"{self.login.api_prefix}.CONSUMER.MSG.NEXT.{self._place}"
        await self.client.publish(subject, msgspec.json.encode(request), reply=inbox)

    async def _take(self, replies: Subscription) -> bool:
        """Put what comes on the board until the request ends; false when something got lost."""
        for _ in range(BATCH):
            msg = await self._next(replies)
            if (msg.headers or {}).get("Status"):
                self.board.set_live(live=True)
                break
            if not self._put(msg):
                return False
        self.board.tidy()
        return True

    async def _next(self, replies: Subscription) -> Msg:
        """The next message; a connection that breaks meanwhile is noticed at once."""
        deadline = clock.monotonic() + SILENCE_S
        while self.client.is_connected and clock.monotonic() < deadline:
            with contextlib.suppress(NatsTimeoutError):
                return await replies.next_msg(timeout=LOOK_S)
        raise UnavailableError("The broker says nothing.")

    def _put(self, msg: Msg) -> bool:
        meta = msg.metadata
        if meta.sequence.consumer != self._counted + 1:
            return False
        self._counted, self._read = meta.sequence.consumer, meta.sequence.stream
        self.board.last_seq = self._read
        try:
            self.board.put(message_in(msg.data, Card))
        except UnreadableError as error:
            log.warning("card_unreadable", seq=self._read, why=error.text)
        if not meta.num_pending:
            self.board.set_live(live=True)
        return True

    @property
    def _place(self) -> str:
        return f"{stream(self.tenant, CARDS)}.{self.durable}"
