"""Results as the broker repeats them to their agent: heard at once, believed when they verify.

The gate is asked about everything else, and about a result that takes longer than they usually do.
Whose workers a tool belongs to is learned from the gate's answers, so that no other domain's can
tell what became of it; before that, and without the keyset, nothing is believed and the gate asked.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg

from holdpoint.core.report import result
from holdpoint.messages.codec import UnreadableError
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.run import Finished
from holdpoint.messages.subjects import results_seen, run_place
from holdpoint.runtime import clock
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.reading import Reader, Stored, copy_of
from holdpoint.runtime.recent import Recent

SHORTEST_S = 0.02
LONGEST_S = 1.0
TIMES_THE_USUAL = 4
NEWEST_WEIGHT = 0.2
"""Of the newest result in the usual time."""

LARGEST_BYTES = 32 * 1024
"""Of a result that is kept before its call is known to be stored; a larger one is asked for."""

UNBOUNDED = -1


class _Data(msgspec.Struct):
    call: str = ""


class _Fact(msgspec.Struct):
    """All that is read of a result before it is believed: whose it may be."""

    data: _Data


_facts = msgspec.json.Decoder(_Fact)


@dataclass(eq=False, kw_only=True)
class Results:
    """What one connection hears of its agent's results."""

    reader: Reader
    agent: str
    _domains: dict[str, str] = field(default_factory=dict)
    _awaited: dict[str, asyncio.Future[Stored | None]] = field(default_factory=dict)
    _early: Recent[Stored] = field(default_factory=Recent)
    _late: Recent[float] = field(default_factory=Recent)
    _usual_s: float = SHORTEST_S
    _expected: int = 0

    async def listen(self, client: Client) -> None:
        """Hear the copies from now on."""
        await client.subscribe(
            results_seen(self.reader.tenant, self.agent),
            cb=self._on_copy,
            pending_msgs_limit=UNBOUNDED,
            pending_bytes_limit=UNBOUNDED,
        )

    @contextmanager
    def expected(self) -> Iterator[None]:
        """A call is being made: its result may come before its number is known."""
        self._expected += 1
        try:
            yield
        finally:
            self._expected -= 1
            if not self._expected:
                self._early.clear()

    async def of(self, call_id: str, tool: str) -> Envelope | None:
        """What came of a call; None when it takes long, or nobody here can tell."""
        domain = self._domains.get(tool)
        if domain is None:
            return None
        began = clock.monotonic()
        copy = self._early.take(call_id) or await self._comes(call_id)
        if copy is None:
            self._late.put(call_id, began)
            return None
        self._took(clock.monotonic() - began)
        return self._believed(copy, domain)

    def learn(self, tool: str, told: Envelope) -> None:
        """Whose tool it is, in the gate's own words."""
        if told.status is Status.DONE and told.domain:
            self._domains[tool] = told.domain

    async def _comes(self, call_id: str) -> Stored | None:
        loop = asyncio.get_running_loop()
        copy: asyncio.Future[Stored | None] = loop.create_future()
        self._awaited[call_id] = copy
        patience_s = min(max(TIMES_THE_USUAL * self._usual_s, SHORTEST_S), LONGEST_S)
        alarm = loop.call_later(patience_s, _settle, copy, None)
        try:
            return await copy
        finally:
            alarm.cancel()
            del self._awaited[call_id]

    def _took(self, seconds: float) -> None:
        self._usual_s += NEWEST_WEIGHT * (seconds - self._usual_s)

    def _believed(self, copy: Stored, domain: str) -> Envelope | None:
        place = run_place(copy.subject)
        try:
            theirs = (place.domain, place.agent) == (domain, self.agent)
            fact = copy.message if theirs and self.reader.counts(copy) else None
        except (UnreadableError, SetupError):  # newer than this SDK, or the keyset is gone
            return None
        return result(fact, domain) if isinstance(fact, Finished) else None

    async def _on_copy(self, msg: Msg) -> None:
        try:
            call_id = _facts.decode(msg.data).data.call
        except msgspec.MsgspecError:
            return
        if (waiting := self._awaited.get(call_id)) is not None:
            _settle(waiting, copy_of(msg))
        elif (began := self._late.take(call_id)) is not None:
            self._took(clock.monotonic() - began)
        elif self._expected and len(msg.data) <= LARGEST_BYTES:
            self._early.put(call_id, copy_of(msg))


def _settle(copy: asyncio.Future[Stored | None], found: Stored | None) -> None:
    if not copy.done():
        copy.set_result(found)
