"""Results as the broker repeats them to their agent: heard at once, believed when they verify.

The gate is asked about everything else, and beside it about a result that takes longer than they
usually do. Whose workers a tool belongs to is learned from the gate's answers, so that no other
domain's can tell what became of it; before that, and without the keyset, nothing is believed.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import msgspec
from msgspec.structs import replace
from nats.aio.client import Client

from holdpoint.core.responses import result
from holdpoint.messages.codec import UnreadableError
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.run import Finished
from holdpoint.messages.subject_parts import run_place
from holdpoint.messages.subjects import results_seen
from holdpoint.runtime.broker.wire import Headers, wire_of
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.journal import Reader, Stored, copy_of
from holdpoint.runtime.store.lru_cache import Recent

SHORTEST_S = 0.02
"""Time that a result is listened for at least; who is not to go on hears so this much later."""

LONGEST_S = 0.2
EACH_S = 0.004
CROWDED_S = 1.0
"""The same for each of a crowd of calls, and for all of them at most: all of them take longer then,
and questions cost more."""

CROWD = 16

TIMES_THE_USUAL = 4
NEWEST_WEIGHT = 0.2
"""Of the newest result in a tool's usual time."""

LARGEST_BYTES = 32 * 1024
"""Of a result that is kept before its call is known to be stored; a larger one is asked for."""


class _Data(msgspec.Struct):
    call: str = ""
    held: bool = False


class _Fact(msgspec.Struct):
    """All that is read of a result before it is believed: whose it may be."""

    data: _Data


_facts = msgspec.json.Decoder(_Fact)


@dataclass(eq=False, kw_only=True)
class Results:
    """Results that one connection hears for its agent."""

    reader: Reader
    agent: str
    _domains: dict[str, str] = field(default_factory=dict)
    _hearings: dict[str, "Hearing"] = field(default_factory=dict)
    _early: Recent[Stored] = field(default_factory=Recent)
    _usual_s: dict[str, float] = field(default_factory=dict)
    _expected: int = 0
    _offers: dict[str, bool] = field(default_factory=dict)
    """The next steps that the gate offered this agent, or left out of a reply, by their tool."""

    _unsure: Recent[frozenset[str]] = field(default_factory=Recent)
    """Next steps of results, by their call: the gate has to say which of them may be taken."""

    def listen(self, client: Client) -> None:
        """Hear the copies from now on."""
        wire_of(client).subscribe(results_seen(self.reader.tenant, self.agent), self._on_copy)

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

    def hear(self, call_id: str, tool: str) -> "Hearing":
        """Listen for the result of a call, until that is closed."""
        copy: asyncio.Future[Stored] = asyncio.get_running_loop().create_future()
        hearing = Hearing(results=self, call_id=call_id, tool=tool, copy=copy)
        self._hearings[call_id] = hearing
        if (early := self._early.take(call_id)) is not None:
            copy.set_result(early)
        return hearing

    def forget(self, call_id: str) -> None:
        """Listen for it no longer."""
        self._hearings.pop(call_id, None)

    def learn(self, tool: str, told: Envelope) -> None:
        """Remember the tool's domain and the next steps that the gate offered."""
        if told.domain:
            self._domains[tool] = told.domain
        offered = {action.tool for action in told.available_actions}
        if told.status is Status.DONE:
            self._offers |= dict.fromkeys(self._unsure.take(told.cause) or (), False)
        self._offers |= dict.fromkeys(offered, True)

    def knows(self, tool: str) -> bool:
        """Return whether a result of this tool would be believed."""
        return tool in self._domains

    def patience_s(self, tool: str) -> float:
        """Return how long to wait for a result before the gate is asked beside."""
        calls = len(self._hearings)
        expected_s = TIMES_THE_USUAL * self._usual_s.get(tool, 0.0)
        if calls <= CROWD:
            return min(max(expected_s, SHORTEST_S), LONGEST_S)
        return min(max(expected_s, EACH_S * calls), CROWDED_S)

    def believed(self, copy: Stored, tool: str) -> Envelope | None:
        """Return what the copy tells of a call of this tool; None when it does not verify."""
        place, domain = run_place(copy.subject), self._domains.get(tool, "")
        try:
            theirs = (place.domain, place.agent) == (domain, self.agent)
            fact = copy.message if theirs and self.reader.counts(copy) else None
        except (UnreadableError, SetupError):  # newer than this SDK, or the keyset is gone
            return None
        return self._offering(result(fact, domain)) if isinstance(fact, Finished) else None

    def _offering(self, told: Envelope) -> Envelope | None:
        """The result with the next steps that this agent may take; None where the gate must say."""
        if not told.available_actions:
            return told
        offered = frozenset(action.tool for action in told.available_actions)
        if not offered <= self._offers.keys():
            self._unsure.put(told.cause, offered)
            return None
        steps = tuple(action for action in told.available_actions if self._offers[action.tool])
        return replace(told, available_actions=steps)

    def _on_copy(self, _subject: str, _reply: str, headers: bytes, body: bytes) -> None:
        try:
            said = _facts.decode(body).data
        except msgspec.MsgspecError:
            return
        hearing = self._hearings.get(said.call)
        if hearing is None:
            if self._expected and len(body) <= LARGEST_BYTES:
                self._early.put(said.call, copy_of(Headers(headers), body))
        elif not hearing.copy.done():
            if not said.held:
                self._took(hearing.tool, clock.monotonic() - hearing.began)
            hearing.copy.set_result(copy_of(Headers(headers), body))

    def _took(self, tool: str, seconds: float) -> None:
        usual_s = self._usual_s.get(tool, seconds)
        self._usual_s[tool] = usual_s + NEWEST_WEIGHT * (seconds - usual_s)


@dataclass(eq=False, kw_only=True)
class Hearing:
    """One call whose result is listened for."""

    results: Results
    call_id: str
    tool: str
    copy: asyncio.Future[Stored]
    began: float = field(default_factory=clock.monotonic)

    async def soon(self) -> Envelope | None:
        """The result, if it comes as soon as such results do."""
        if self.results.knows(self.tool) and not self.copy.done():
            await asyncio.wait({self.copy}, timeout=self.results.patience_s(self.tool))
        return self.told()

    def told(self) -> Envelope | None:
        """The result, if it came and is believed."""
        return self.results.believed(self.copy.result(), self.tool) if self.copy.done() else None

    def close(self) -> None:
        """Listen no longer."""
        self.results.forget(self.call_id)
