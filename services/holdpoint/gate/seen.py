"""What was stored lately, as the server repeats it to every gate: it wakes who waits, and tells.

Each copy carries the sequence and the signature it was stored with. Who tells an agent how its
hold stands may go by it; who decides about a hold never does. After a break of the connection
copies may be missing, so all of them are forgotten, and what is not here is read from the store.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg

from holdpoint.messages.subjects import (
    HOLDS,
    NO_DOMAIN,
    hold_place,
    kind_of,
    refused_cause,
    run_place,
)
from holdpoint.runtime.keys import SIGNATURE_HEADER
from holdpoint.runtime.reading import Stored
from holdpoint.runtime.recent import Recent

PASSED = "passed"
FIRST_FACTS = frozenset({PASSED, "witnessed", "denied", "halted"})


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
    """The copies of one gate, and the bells of those who wait."""

    client: Client
    _holds: Recent[Lately] = field(default_factory=Recent)
    _opened: Recent[str] = field(default_factory=Recent)
    _refused: Recent[Stored] = field(default_factory=Recent)
    _bells: defaultdict[str, set[asyncio.Event]] = field(default_factory=lambda: defaultdict(set))
    _connection: int = 0

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

    async def on_seen(self, msg: Msg) -> None:
        """Keep the copy and ring."""
        self._check_connection()
        headers = msg.headers or {}
        copy = Stored(
            subject=headers["Nats-Subject"],
            data=msg.data,
            signature=headers.get(SIGNATURE_HEADER, ""),
            seq=int(headers["Nats-Sequence"]),
            at=datetime.fromisoformat(headers["Nats-Time-Stamp"]),
        )
        if kind_of(headers["Nats-Stream"]) != HOLDS:
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
            self._holds.clear()
            self._opened.clear()
            self._refused.clear()
