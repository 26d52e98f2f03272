"""Copies of stored facts, as the server repeats them: they wake those who wait, and tell them.

A gate listens to one hold, or to what becomes of one message, while somebody asks about it and a
moment longer. Each copy carries the sequence and the signature it was stored with. What tells an
agent how its hold stands may go by it; what decides about a hold never does. After a break of
the connection copies may be missing: all of them are forgotten, and the store is read.
"""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field

from nats.aio.client import Client

from holdpoint.runtime.broker.wire import Headers, Subscription, wire_of
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.store.journal import Revision, Stored, copy_of

MOST_AHEAD = 1000
"""Messages dealt with here that this process remembers while one before them was not."""

LINGERS_S = 2.0
"""Time that a gate listens on after a question: the next one is often about the same hold."""


@dataclass(eq=False, kw_only=True)
class Copies:
    """The newest copy of each kind on some subjects: `hold`, `run` and `refusal`."""

    client: Client
    users: int = 0
    bells: set[asyncio.Event] = field(default_factory=set)
    _connection: int = -1
    _newest: dict[str, Stored] = field(default_factory=dict)
    _subscriptions: tuple[Subscription, ...] = ()

    def listen(self, subjects: tuple[str, ...]) -> None:
        """Hear everything that is stored from now on."""
        wire = wire_of(self.client)
        self._subscriptions = tuple(wire.subscribe(it, self._on_copy) for it in subjects)

    def close(self) -> None:
        """Listen no longer."""
        for subscription in self._subscriptions:
            subscription.close()

    @property
    def connection(self) -> int:
        """Grows with each connection: copies are complete since it began, or since `listen`."""
        if (now := self.client.stats["reconnects"]) != self._connection:
            self._connection = now
            self._newest.clear()
        return self._connection

    def newest(self, kind: str) -> Stored | None:
        """The newest copy of this kind."""
        return self._newest.get(kind) if self.connection >= 0 else None

    def _on_copy(self, _subject: str, _reply: str, headers: bytes, body: bytes) -> None:
        """Keep the copy and ring."""
        copy = copy_of(Headers(headers), body)
        kind = copy.subject.split(".")[2]
        known = self.newest(kind)
        if known is None or copy.seq > known.seq:
            self._newest[kind] = copy
        for bell in self.bells:
            bell.set()


@dataclass(eq=False, kw_only=True)
class Seen:
    """Subscriptions of a gate to new facts."""

    client: Client
    _heard: dict[tuple[str, ...], Copies] = field(default_factory=dict)

    @contextmanager
    def of(self, *groups: tuple[str, ...]) -> Iterator[tuple[Copies, ...]]:
        """The copies that come on these groups of subjects, complete from now on."""
        if not self.client.is_connected:
            raise UnavailableError("The broker is away.")
        with ExitStack() as stack:
            yield tuple(stack.enter_context(self._used(group)) for group in groups)

    @contextmanager
    def _used(self, subjects: tuple[str, ...]) -> Iterator[Copies]:
        copies = self._heard.get(subjects)
        if copies is None:
            copies = self._heard[subjects] = Copies(client=self.client)
            copies.listen(subjects)
        copies.users += 1
        try:
            yield copies
        finally:
            copies.users -= 1
            if not copies.users:
                asyncio.get_running_loop().call_later(LINGERS_S, self._let_go, subjects, copies)

    def _let_go(self, subjects: tuple[str, ...], copies: Copies) -> None:
        if not copies.users and self._heard.get(subjects) is copies:
            del self._heard[subjects]
            copies.close()


@dataclass(eq=False)
class InHand:
    """Messages that this process deals with: a question about one waits a moment for it."""

    up_to: Revision = 0
    """Every message of the stream up to here was dealt with, by this process or another."""

    _bells: dict[str, asyncio.Event] = field(default_factory=dict)
    _ahead: set[Revision] = field(default_factory=set)

    async def settled(self, cause: str, within_s: float) -> None:
        """Wait until the message was dealt with here, or for so long."""
        bell = self._bells.setdefault(cause, asyncio.Event())
        with suppress(TimeoutError):
            await asyncio.wait_for(bell.wait(), within_s)
        self._bells.pop(cause, None)

    def settle(self, cause: str, seq: Revision) -> None:
        """It was dealt with."""
        if cause in self._bells:
            self._bells[cause].set()
        self._ahead.add(seq)
        if self.up_to + 1 in self._ahead or len(self._ahead) > MOST_AHEAD:
            self.reach(self.up_to)

    def reach(self, up_to: Revision) -> None:
        """Every message up to this one was dealt with, and what this process did next to it."""
        self.up_to = max(self.up_to, up_to)
        while self.up_to + 1 in self._ahead:
            self.up_to += 1
        rest = {seq for seq in self._ahead if seq > self.up_to}
        self._ahead = rest if len(rest) <= MOST_AHEAD else set()


@contextmanager
def registered(*copies: Copies) -> Iterator[asyncio.Event]:
    """A bell that rings when another copy comes."""
    bell = asyncio.Event()
    for each in copies:
        each.bells.add(bell)
    try:
        yield bell
    finally:
        for each in copies:
            each.bells.discard(bell)
