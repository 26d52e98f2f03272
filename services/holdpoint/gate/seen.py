"""What was stored lately, as the server repeats it to who listens: it wakes who waits, and tells.

A gate listens to what concerns those whose questions it holds, and a moment longer. Each copy
carries the sequence and the signature it was stored with. Who tells an agent how its hold stands
may go by it; who decides about a hold never does. After a break of the connection copies may be
missing, so all of them are forgotten, and what is not here is read from the store.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError

from holdpoint.messages.places import hold_place, refused_cause, run_place
from holdpoint.messages.subjects import HOLDS, NO_DOMAIN, kind_of
from holdpoint.runtime import clock
from holdpoint.runtime.broker.headers import Headers, header_block
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.reading import Stored, copy_of
from holdpoint.runtime.recent import Recent

PASSED = "passed"
FIRST_FACTS = frozenset({PASSED, "witnessed", "denied", "halted"})

LINGERS_S = 2.0
"""How long a gate listens on after a question: the next one is often about the next call."""

SETTLED_S = 2.0
"""Who has listened for so long has heard of each call that is asked about when it is new."""

UNBOUNDED = -1
"""Copies may lag behind; none may be dropped."""


class _Data(msgspec.Struct):
    cause: str


class _Fact(msgspec.Struct):
    """All that is read of a fact nobody may ever ask for: the call that it came from."""

    data: _Data


_facts = msgspec.json.Decoder(_Fact)


@dataclass(eq=False, kw_only=True)
class Lately:
    """The last fact of a hold, and of its run."""

    fact: Stored | None = None
    run: Stored | None = None


@dataclass(eq=False, kw_only=True)
class Seen:
    """Whom a gate listens to."""

    client: Client
    _heard: dict[tuple[str, ...], "Copies"] = field(default_factory=dict)

    @asynccontextmanager
    async def of(self, *where: str) -> AsyncIterator["Copies"]:
        """The copies that come on these subjects, complete from now on."""
        if not self.client.is_connected:
            raise UnavailableError("The broker is away.")
        copies = self._heard.setdefault(where, Copies(client=self.client))
        copies.users += 1
        try:
            await copies.listen(where)
            yield copies
        finally:
            copies.users -= 1
            copies.used_at = clock.monotonic()

    async def keep_tidy(self) -> None:
        """Listen no longer where nobody asks, for ever."""
        while True:
            await asyncio.sleep(LINGERS_S)
            for where, copies in tuple(self._heard.items()):
                if copies.is_idle:
                    del self._heard[where]
                    await copies.close()


@dataclass(eq=False, kw_only=True)
class Copies:
    """What is heard on some subjects, and the bells of those who wait for it."""

    client: Client
    users: int = 0
    used_at: float = 0.0
    _subscribing: asyncio.Task[list[Subscription]] | None = None
    _since: float = 0.0
    _holds: Recent[Lately] = field(default_factory=Recent)
    _opened: Recent[str] = field(default_factory=Recent)
    _refused: Recent[Stored] = field(default_factory=Recent)
    _bells: defaultdict[str, set[asyncio.Event]] = field(default_factory=lambda: defaultdict(set))
    _connection: int = 0

    async def listen(self, where: tuple[str, ...]) -> None:
        """Return when everything that is stored from now on will be heard."""
        if self._subscribing is None:
            self._subscribing = asyncio.create_task(self._subscribe(where))
        await asyncio.shield(self._subscribing)

    async def close(self) -> None:
        """Listen no longer."""
        if self._subscribing is not None:
            for subscription in await self._subscribing:
                with suppress(NatsError):  # without a connection the server forgot it already
                    await subscription.unsubscribe()

    @property
    def is_idle(self) -> bool:
        """Whether nobody asks any more."""
        return not self.users and clock.monotonic() - self.used_at >= LINGERS_S

    @property
    def is_settled(self) -> bool:
        """Whether a call that is asked about now would have been heard of."""
        self._check_connection()
        return clock.monotonic() - self._since >= SETTLED_S

    @contextmanager
    def registered(self, *keys: str) -> Iterator[asyncio.Event]:
        """A bell that rings when something happens to one of the keys: holds' ids, calls' ids."""
        bell = asyncio.Event()
        for key in keys:
            self._bells[key].add(bell)
        try:
            yield bell
        finally:
            for key in keys:
                self._bells[key].discard(bell)
                if not self._bells[key]:
                    del self._bells[key]

    def opened(self, cause: str) -> str:
        """The id of the hold that this call opened, or empty."""
        self._check_connection()
        return self._opened.get(cause) or ""

    def refused(self, cause: str) -> Stored | None:
        """The refusal of this message."""
        self._check_connection()
        return self._refused.get(cause)

    def lately(self, hold_id: str) -> Lately | None:
        """The last facts of a hold; None when its last fact is not among the copies."""
        self._check_connection()
        found = self._holds.get(hold_id)
        return found if found is not None and found.fact is not None else None

    def is_let_go(self, agent: str, hold_id: str) -> bool:
        """Whether a worker has it and said nothing yet, as far as the copies' subjects tell."""
        found = self.lately(hold_id)
        if found is None or found.fact is None or found.run is not None:
            return False
        place = hold_place(found.fact.subject)
        return (place.agent, place.word) == (agent, PASSED) and place.domain != NO_DOMAIN

    async def _subscribe(self, where: tuple[str, ...]) -> list[Subscription]:
        self._connection = self.client.stats["reconnects"]
        made = [
            await self.client.subscribe(
                subject,
                cb=self._on_copy,
                pending_msgs_limit=UNBOUNDED,
                pending_bytes_limit=UNBOUNDED,
            )
            for subject in where
        ]
        self._since = clock.monotonic()
        return made

    async def _on_copy(self, msg: Msg) -> None:
        """Keep the copy and ring."""
        self._check_connection()
        headers = Headers(header_block(msg.headers or {}))
        copy = copy_of(headers, msg.data)
        if kind_of(headers.get("Nats-Stream", "")) != HOLDS:
            self._keep_run(copy, run_place(copy.subject).hold_id)
        elif cause := refused_cause(copy.subject):
            self._keep_refusal(copy, cause)
        else:
            place = hold_place(copy.subject)
            self._keep_fact(copy, place.hold_id, place.word)

    def _keep_fact(self, copy: Stored, hold_id: str, word: str) -> None:
        found = self._entry(hold_id)
        if found.fact is None or copy.seq > found.fact.seq:
            found.fact = copy
        if word in FIRST_FACTS:
            cause = _facts.decode(copy.data).data.cause
            self._opened.put(cause, hold_id)
            self._ring(cause)
        self._ring(hold_id)

    def _keep_run(self, copy: Stored, hold_id: str) -> None:
        found = self._entry(hold_id)
        if found.run is None or copy.seq > found.run.seq:
            found.run = copy
        self._ring(hold_id)

    def _keep_refusal(self, copy: Stored, cause: str) -> None:
        self._refused.put(cause, copy)
        self._ring(cause)
        if cause.endswith("k"):  # of several calls, any of which may be asked about
            for key in tuple(self._bells):
                self._ring(key)

    def _entry(self, hold_id: str) -> Lately:
        found = self._holds.get(hold_id)
        if found is None:
            found = Lately()
            self._holds.put(hold_id, found)
        return found

    def _ring(self, key: str) -> None:
        for bell in self._bells.get(key, ()):
            bell.set()

    def _check_connection(self) -> None:
        if (now := self.client.stats["reconnects"]) != self._connection:
            self._connection = now
            self._since = clock.monotonic()
            self._holds.clear()
            self._opened.clear()
            self._refused.clear()
