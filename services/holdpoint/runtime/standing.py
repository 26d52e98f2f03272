"""One piece of STATE: the last fact on its subject that a gate wrote there is what holds.

What a gate did not sign, or signed for another place or moment, has no effect: what stood before
it stands. Read from the leader, or not at all: what cannot be read is not off.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from holdpoint.messages.state import AnyState
from holdpoint.messages.subjects import STATE
from holdpoint.runtime.errors import SignatureError, UnavailableError
from holdpoint.runtime.reading import Reader, Revision, Stored

S = TypeVar("S", bound=AnyState)

Tell: TypeAlias = Callable[[Stored, str], Awaitable[None]]
"""Told of each message that does not count, and why."""


@dataclass(frozen=True, kw_only=True)
class Stands(Generic[S]):
    """A piece of state, if there is one, and the revision to write after."""

    state: S | None
    revision: Revision


class Standing(Generic[S]):
    """One subject; as long as nothing new was put there, nothing is verified again."""

    def __init__(self, reader: Reader, subject: str, kind: type[S], tell: Tell) -> None:
        self._reader = reader
        self._subject = subject
        self._kind = kind
        self._tell = tell
        self._known: Stands[S] = Stands(state=None, revision=0)
        self._for: tuple[object, ...] = ()
        self._one_at_a_time = asyncio.Lock()

    async def now(self) -> Stands[S]:
        """As it stands; UnavailableError when nobody can tell."""
        last = await self._reader.last(STATE, self._subject)
        if last is None:
            return Stands(state=None, revision=0)
        async with self._one_at_a_time:
            looked_at = (self._reader.edition, last.seen)
            if looked_at != self._for:
                state = await self._newest(last, self._floor(last))
                self._known = Stands(state=state, revision=last.seq)
                self._for = looked_at
            return self._known

    def _floor(self, last: Stored) -> Stands[S]:
        """Up to where everything was looked at, by the keys that count now."""
        is_newer = self._for[:1] == (self._reader.edition,) and last.seq > self._known.revision
        return self._known if is_newer else Stands(state=None, revision=0)

    async def _newest(self, last: Stored, floor: Stands[S]) -> S | None:
        """The last one that counts, from this one backwards."""
        it = last
        while it.seq > floor.revision:
            if it.subject == self._subject:
                try:
                    return await self._counted(it)
                except SignatureError as why:
                    await self._tell(it, str(why))
            if it.seq == 1:
                break
            before = await self._reader.at(STATE, it.seq - 1)
            if before is None:
                raise UnavailableError(f"{STATE} has a gap before {it.seq}: holdpoint doctor")
            it = before
        return floor.state

    async def _counted(self, it: Stored) -> S:
        """What it says; a copy of an older fact stands where it was not written."""
        self._reader.check(it)
        state = it.message
        if not isinstance(state, self._kind):
            raise SignatureError(f"{it.subject} carries a {type(state).__name__}.")
        first = await self._reader.next(STATE, it.subject, state.after + 1)
        if first is None or first.seq != it.seq:
            raise SignatureError(f"{it.subject} carries a copy of what stood there before.")
        return state
