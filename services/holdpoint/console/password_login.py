"""The login: a password opens a person's own key, slowly, and tells nothing when it does not.

One guess at a time for each name, each wrong one slower than the last. Each costs a quarter of a
GiB, so one password of a person is tried at a time, and beside it one for a name that nobody has:
such guesses take just as long, and however many there are, no person waits for them.
"""

import asyncio
import hashlib
from dataclasses import dataclass, field
from functools import partial

from holdpoint.console.people import People
from holdpoint.messages.base import is_id
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import HoldpointError, SetupError
from holdpoint.runtime.process.metrics import LOGINS
from holdpoint.runtime.security import credentials
from holdpoint.runtime.security.credentials import PersonKey

LANES = 256
"""Made-up names share them by hash, so that they fill no memory."""

MOST_WAITING = 3
"""Guesses for one name; one more is refused at once."""

MOST_STRANGERS = 8
"""Guesses for made-up names, of all of them together."""

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
            "Somebody is trying many passwords right now. Wait a moment and try again; "
            "the terminal works meanwhile: holdpoint pending"
        )


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A key that a password opened."""

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
    _named: dict[str, _Lane] = field(default_factory=dict)
    _made_up: tuple[_Lane, ...] = field(
        default_factory=lambda: tuple(_Lane() for _ in range(LANES))
    )
    _hashing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _hashing_made_up: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def open(self, name: str, password: str) -> Opened:
        """The person's key, opened."""
        is_known = self._is_known(name)
        lane = self._lane(name, is_known=is_known)
        strangers = 0 if is_known else sum(it.waiting for it in self._made_up)
        if lane.waiting >= MOST_WAITING or strangers >= MOST_STRANGERS:
            LOGINS.labels("too_many").inc()
            raise TooManyError
        lane.waiting += 1
        hashing = self._hashing if is_known else self._hashing_made_up
        try:
            async with lane.one_at_a_time:
                return await self._guess(lane, hashing, name, password)
        finally:
            lane.waiting -= 1

    def _is_known(self, name: str) -> bool:
        return is_id(name) and self.people.find(name) is not None

    def _lane(self, name: str, *, is_known: bool) -> _Lane:
        if is_known:
            return self._named.setdefault(name, _Lane())
        return self._made_up[hashlib.sha256(name.encode()).digest()[0]]

    def must_change(self, name: str) -> bool:
        """Return whether somebody else chose this person's password."""
        key = credentials.read_person_key(self.settings.people_dir, name)
        return key is not None and key.must_change

    async def change(self, name: str, old: str, new: str) -> PersonKey:
        """Seal the person's key with another password; SetupError when it is too short."""
        folder, work = self.settings.people_dir, credentials.INTERACTIVE
        async with self._hashing:
            return await asyncio.to_thread(
                credentials.change_password, folder, name, old, new, work
            )

    async def enrol(self, name: str, password: str) -> None:
        """Give a person who has none a key with this password; SetupError when they have one."""
        folder, work = self.settings.people_dir, credentials.INTERACTIVE
        make = partial(credentials.create_person_key, folder, name, password, work)
        async with self._hashing_made_up:  # nobody who has a key waits for it
            await asyncio.to_thread(make, must_change=False)

    async def _guess(self, lane: _Lane, hashing: asyncio.Lock, name: str, password: str) -> Opened:
        try:
            async with hashing:
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
        is_known = self._is_known(name)
        key = credentials.read_person_key(self.settings.people_dir, name) if is_known else None
        if key is None:
            credentials.waste(credentials.INTERACTIVE)
            raise SetupError("There is no such person.")
        seed = credentials.unlock_person_key(self.settings.people_dir, name, password)
        return Opened(seed=seed, key=key)
