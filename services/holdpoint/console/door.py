"""The login: a password opens a person's own key, slowly, and tells nothing when it does not.

One guess at a time for each name, each wrong one slower than the last, and one at a time in all,
because each costs a quarter of a GiB. A name that nobody has takes just as long.
"""

import asyncio
import hashlib
from dataclasses import dataclass, field

from holdpoint.console.people import People
from holdpoint.messages.base import is_id
from holdpoint.runtime import credentials
from holdpoint.runtime.credentials import PersonKey
from holdpoint.runtime.errors import HoldpointError, SetupError
from holdpoint.runtime.metrics import LOGINS
from holdpoint.runtime.settings import Settings

LANES = 256
"""Names share them by hash, so that made-up names fill no memory."""

MOST_WAITING = 3
FIRST_DELAY_S = 0.25
LONGEST_DELAY_S = 8.0
MOST_DOUBLINGS = 5


class WrongPasswordError(HoldpointError):
    """No such person, or another password: nobody is told which."""

    def __init__(self) -> None:
        super().__init__("This name and this password do not belong together.")


class TooManyError(HoldpointError):
    """Too many guesses wait already."""

    def __init__(self) -> None:
        super().__init__(
            "Somebody tries many passwords for this name right now. Wait a moment and try again; "
            "the terminal works meanwhile: holdpoint pending"
        )


@dataclass(frozen=True, kw_only=True)
class Opened:
    """What a password opened."""

    seed: str = field(repr=False)
    """What the person proves themselves to the broker with."""

    key: PersonKey = field(repr=False)
    """The key file as it was then."""


@dataclass(eq=False)
class _Lane:
    one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0
    failures: int = 0


@dataclass(eq=False, kw_only=True)
class Door:
    """Opens people's keys."""

    settings: Settings
    people: People
    _lanes: tuple[_Lane, ...] = field(default_factory=lambda: tuple(_Lane() for _ in range(LANES)))
    _hashing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def open(self, name: str, password: str) -> Opened:
        """The person's key, opened."""
        lane = self._lanes[hashlib.sha256(name.encode()).digest()[0]]
        if lane.waiting >= MOST_WAITING:
            LOGINS.labels("too_many").inc()
            raise TooManyError
        lane.waiting += 1
        try:
            async with lane.one_at_a_time:
                return await self._guess(lane, name, password)
        finally:
            lane.waiting -= 1

    def must_change(self, name: str) -> bool:
        """Whether somebody else chose this person's password."""
        key = credentials.read_person_key(self.settings.people_dir, name)
        return key is not None and key.must_change

    async def change(self, name: str, old: str, new: str) -> PersonKey:
        """Seal the person's key with another password; SetupError when it is too short."""
        folder, work = self.settings.people_dir, credentials.INTERACTIVE
        async with self._hashing:
            return await asyncio.to_thread(
                credentials.change_password, folder, name, old, new, work
            )

    async def _guess(self, lane: _Lane, name: str, password: str) -> Opened:
        try:
            async with self._hashing:
                opened = await asyncio.to_thread(self._unlock, name, password)
        except SetupError:
            LOGINS.labels("wrong").inc()
            lane.failures += 1
            doublings = min(lane.failures - 1, MOST_DOUBLINGS)
            await asyncio.sleep(min(FIRST_DELAY_S * 2**doublings, LONGEST_DELAY_S))
            raise WrongPasswordError from None
        LOGINS.labels("in").inc()
        lane.failures = 0
        return opened

    def _unlock(self, name: str, password: str) -> Opened:
        """The file is read before it is tried: if it changes meanwhile, the session does not last.

        So nobody stays in with a password that was changed while it was being tried.
        """
        known = is_id(name) and self.people.find(name) is not None
        key = credentials.read_person_key(self.settings.people_dir, name) if known else None
        if key is None:
            credentials.waste(credentials.INTERACTIVE)
            raise SetupError("There is no such person.")
        seed = credentials.unlock_person_key(self.settings.people_dir, name, password)
        return Opened(seed=seed, key=key)
