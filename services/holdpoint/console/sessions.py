"""Sessions, and the cards that each was shown.

What lies on disk opens only with what a browser keeps, in two halves. The cookie's half opens who
it is, and so shows cards and ledger; it goes to every port of this host, so it is not enough to
post anything. The page's half, which only this address can read, opens together with it the seed
that the person answers with, and what every form of the session carries is derived from it.

A session lasts no longer than the key file that it was opened from: anyone who changes a password
ends what was begun with the old one.
"""

import contextlib
import hashlib
import hmac
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
from nacl.exceptions import CryptoError
from nacl.secret import SecretBox

from holdpoint.console.view_tracking import Shown
from holdpoint.messages.base import Value
from holdpoint.runtime.config import files
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import (
    PersonKey,
    person_user,
    read_person_key,
    read_seed,
    sso_user,
)

LIVES = timedelta(hours=12)
"""From the login on, whatever happens."""

ID_BYTES = 16
_IS_COOKIE = re.compile(rf"(?P<id>[0-9a-f]{{{ID_BYTES * 2}}})\.(?P<half>[0-9a-f]{{64}})").fullmatch
_IS_HALF = re.compile(r"[0-9a-f]{64}").fullmatch


class _Who(Value, frozen=True, kw_only=True):
    """The part of a session that the cookie opens."""

    person: str
    since: datetime
    key_mark: str
    csrf_mark: str
    user: str = ""
    """Who they are to the broker, where no password of theirs opened their key."""


class _Stored(Value, frozen=True, kw_only=True):
    """A session as it lies on disk."""

    who: bytes
    seed: bytes


@dataclass(frozen=True, kw_only=True)
class Session:
    """One person in one browser."""

    id: str
    person: str
    user: str
    """Who they are to the broker."""

    since: datetime
    key_mark: str = field(repr=False)
    """Which key file, sealed with which password."""

    cookie_half: str = field(repr=False)
    csrf_mark: str = field(repr=False)
    stored_seed: bytes = field(repr=False)
    shown: Shown = field(default_factory=Shown, repr=False)

    def is_own_form(self, csrf: str) -> bool:
        """Return whether a form carries what only a page of this session can know."""
        return hmac.compare_digest(_digest(csrf), self.csrf_mark)

    @property
    def until(self) -> datetime:
        """When it ends."""
        return self.since + LIVES

    def seed(self, page_half: str) -> str:
        """Return what the person answers with; SetupError when this is not their browser's page."""
        if _IS_HALF(page_half) is None:
            raise SetupError("This page was not logged in here.")
        try:
            return _box(self.cookie_half, page_half).decrypt(self.stored_seed).decode()
        except CryptoError:
            raise SetupError("This page was not logged in here.") from None


class LoggedIn(Value, frozen=True, kw_only=True):
    """Values that the browser is given once, and nobody keeps."""

    cookie: str
    page_half: str

    @property
    def csrf(self) -> str:
        """Return what every form of this session carries; the cookie says nothing about it."""
        return hmac.digest(self.page_half.encode(), b"csrf", "sha256").hex()


class Sessions:
    """Every session, in one private folder."""

    def __init__(self, folder: Path, people_dir: Path, credentials_dir: Path) -> None:
        self._folder = files.private_folder(folder)
        self._folder.chmod(files.PRIVATE_FOLDER)
        self._people_dir = people_dir
        self._credentials_dir = credentials_dir
        self._known: dict[str, Session] = {}

    def begin(self, person: str, seed: str, key: PersonKey) -> LoggedIn:
        """Keep the seed, sealed with two halves that only the browser has, while the key stays."""
        return self._begin(person, seed, _mark(key), "")

    def begin_sso(self, person: str, seed: str) -> LoggedIn:
        """The same for whom an identity provider let in: while the console has their key."""
        return self._begin(person, seed, _digest(seed), sso_user(person))

    def _begin(self, person: str, seed: str, mark: str, user: str) -> LoggedIn:
        self._forget_old()
        session_id, cookie_half = secrets.token_hex(ID_BYTES), secrets.token_hex(32)
        page_half = secrets.token_hex(32)
        given = LoggedIn(cookie=f"{session_id}.{cookie_half}", page_half=page_half)
        who = _Who(
            person=person,
            since=clock.now(),
            key_mark=mark,
            csrf_mark=_digest(given.csrf),
            user=user,
        )
        stored = _Stored(
            who=bytes(_box(cookie_half).encrypt(msgspec.json.encode(who))),
            seed=bytes(_box(cookie_half, page_half).encrypt(seed.encode())),
        )
        files.create(self._path(session_id), msgspec.json.encode(stored), files.PRIVATE)
        return given

    def find(self, cookie: str) -> Session | None:
        """The session that this cookie opens, if there is one and its time is not over."""
        match = _IS_COOKIE(cookie)
        if match is None:
            return None
        session = self._known.get(match["id"]) or self._load(match["id"], match["half"])
        if session is None or not hmac.compare_digest(session.cookie_half, match["half"]):
            return None
        if not self.is_good(session):
            self.end(session)
            return None
        self._known[session.id] = session
        return session

    def is_good(self, session: Session) -> bool:
        """Whether its time is not over, nobody logged it out, and its password still is one."""
        if session.until <= clock.now() or not self._path(session.id).exists():
            return False
        with contextlib.suppress(SetupError, OSError):
            return hmac.compare_digest(self._mark_of(session), session.key_mark)
        return False

    def _mark_of(self, session: Session) -> str:
        """Return what the person's key looks like now."""
        if session.user == sso_user(session.person):
            return _digest(read_seed(self._credentials_dir, session.user))
        key = read_person_key(self._people_dir, session.person)
        return _mark(key) if key is not None else ""

    def end(self, session: Session) -> None:
        """Log out."""
        self._known.pop(session.id, None)
        self._path(session.id).unlink(missing_ok=True)

    def _load(self, session_id: str, cookie_half: str) -> Session | None:
        with contextlib.suppress(SetupError, msgspec.DecodeError, CryptoError, ValueError):
            raw = files.read_secret(self._path(session_id))
            stored = msgspec.json.decode(raw, type=_Stored)
            opened = _box(cookie_half).decrypt(stored.who)
            who = msgspec.json.decode(opened, type=_Who)
            return Session(
                id=session_id,
                person=who.person,
                user=who.user or person_user(who.person),
                since=who.since,
                key_mark=who.key_mark,
                cookie_half=cookie_half,
                csrf_mark=who.csrf_mark,
                stored_seed=stored.seed,
            )
        return None

    def _forget_old(self) -> None:
        """What nobody can open any more is thrown away."""
        oldest = (clock.now() - LIVES).timestamp()
        for path in self._old(oldest):
            self._known.pop(path.stem, None)
            path.unlink(missing_ok=True)

    def _old(self, oldest: float) -> Iterator[Path]:
        for path in self._folder.glob("*.session"):
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_mtime < oldest:
                    yield path

    def _path(self, session_id: str) -> Path:
        return self._folder / f"{session_id}.session"


def _mark(key: PersonKey) -> str:
    """Another one for every password: its salt is new each time."""
    return hashlib.sha256(msgspec.json.encode(key)).hexdigest()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _box(*halves: str) -> SecretBox:
    """Random halves need no slow hash."""
    return SecretBox(hashlib.sha256("/".join(("holdpoint/console", *halves)).encode()).digest())
