"""Context of every page of the console, and its visitor."""

import hmac
import re
from asyncio import timeout
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias
from urllib.parse import quote

from nats.aio.client import Client
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from holdpoint.console.answering import Answering
from holdpoint.console.card_store import Board
from holdpoint.console.card_view import Face, face_of
from holdpoint.console.inbox_view import EVERYTHING
from holdpoint.console.kill_switch import KillSwitch
from holdpoint.console.ledger_view import Archive
from holdpoint.console.password_login import Door
from holdpoint.console.people import People
from holdpoint.console.rendering import Pages
from holdpoint.console.sessions import Session, Sessions
from holdpoint.console.status_labels import cools_off, is_in_doubt, is_open
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import Person, audiences
from holdpoint.messages.reading import read_of
from holdpoint.messages.state import CURRENT, KillState
from holdpoint.runtime.broker.reads import Reads
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.process import clock

FORM_S = 10.0
"""Time that a browser may take to send a form."""

AUDITORS_ONLY = "Only auditors read the ledger: people.yaml says who is one."

_IS_LOCAL = re.compile(
    r"/(?:holds/[A-Za-z0-9_-]{1,64}/[A-Za-z0-9_-]{1,64}|(?:chat|ledger|actions|traces|figures|agents|policy|policy/replay|people|health|stop|you|you/permissions)?(?:\?[A-Za-z0-9_.~=&%+:-]{0,1000})?)"
).fullmatch


@dataclass(frozen=True, kw_only=True)
class Visitor:
    """A logged-in session and its person in people.yaml."""

    session: Session
    person: Person


Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]
ForVisitors: TypeAlias = Callable[[Request, Visitor], Awaitable[Response]]


@dataclass(frozen=True, kw_only=True)
class Console:
    """Everything that its pages are made from."""

    port: int
    client: Client
    board: Board
    people: People
    sessions: Sessions
    door: Door
    answering: Answering
    kill_switch: KillSwitch
    archive: Archive
    reads: Reads
    pages: Pages

    @property
    def cookie(self) -> str:
        """Cookies know no ports: two consoles on one machine must not share one."""
        return f"holdpoint_{self.port}"

    @property
    def is_live(self) -> bool:
        """Return whether what the pages show is all there is."""
        return self.board.is_live and bool(self.client.is_connected)

    def visitor(self, request: Request) -> Visitor | None:
        """Return who the browser's cookie says it is."""
        return self.known_by(request.cookies.get(self.cookie, ""))

    def known_by(self, cookie: str) -> Visitor | None:
        """Return who is logged in under this cookie, if they are still in people.yaml."""
        session = self.sessions.find(cookie)
        person = self.people.find(session.person) if session else None
        return Visitor(session=session, person=person) if session and person else None

    def for_visitors(self, handler: ForVisitors) -> Endpoint:
        """The handler, for who is logged in; everybody else logs in first."""

        async def endpoint(request: Request) -> Response:
            visitor = self.visitor(request)
            if visitor is None:
                return self._to_login(request)
            return await handler(request, visitor)

        return endpoint

    def show(self, visitor: Visitor, card: Card) -> Face:
        """Return what this visitor is sent of a card; that they were is remembered."""
        visitor.session.shown.note(card, clock.monotonic())
        return face_of(card, visitor.person)

    async def has_read(self, visitor: Visitor, what: str, **asked: str) -> None:
        """Note in the ledger that this visitor read it; a page is shown also where that fails."""
        await self.reads.note(visitor.person.name, read_of(what, asked))

    def frame(self, visitor: Visitor) -> Mapping[str, Any]:
        """Return what every page of a visitor shows around its own matter."""
        return {
            "person": visitor.person,
            "waiting": self.waiting(visitor.person),
            "view": EVERYTHING,
            "show": lambda card: self.show(visitor, card),
        }

    async def thrown(self) -> KillState | None:
        """Return the kill switch as the ledger has it; None where that cannot be read."""
        try:
            states = await self.archive.states(KillState)
        except UnavailableError:
            return None
        return states.get(CURRENT) or KillState(stopped={}, by="", cause="")

    def problem(self, visitor: Visitor, text: str, status: int) -> Response:
        """The page that says why there is none."""
        return self.pages.page("problem", {**self.frame(visitor), "text": text}, status)

    def waiting(self, person: Person) -> int:
        """Return how many cards wait for this person's groups."""
        cards = self.board.cards_for(audiences(person))
        now = clock.now()
        return sum(_is_asked(card, now) or is_in_doubt(card) for card in cards)

    def called(self, person: Person) -> int:
        """Return when this person was called to a card last, in milliseconds since 1970."""
        now = clock.now()
        cards = self.board.cards_for(audiences(person))
        times = (it.called_at for it in cards if is_open(it) or cools_off(it))
        last = max((at for at in times if at is not None and at <= now), default=None)
        return int(last.timestamp() * 1000) if last else 0

    def _to_login(self, request: Request) -> Response:
        """A link on another site sends no strict cookie: the page asks once more by itself."""
        if request.method != "GET":
            return JSONResponse({"text": "You are not logged in any more."}, 401)
        if request.headers.get("sec-fetch-site") == "cross-site":
            return self.pages.page("again", {})
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/login?next={quote(request.url.path + query, safe='')}", 303)


async def fields_of(request: Request) -> Mapping[str, str]:
    """The form's fields that are text."""
    async with timeout(FORM_S):
        form = await request.form(max_files=0, max_fields=20)
    return {name: value for name, value in form.items() if isinstance(value, str)}


def is_same(said: str, known: str) -> bool:
    """Return whether two tokens are the same, in a time that says nothing about either."""
    return bool(known) and hmac.compare_digest(said.encode(), known.encode())


def local_path(said: str) -> str:
    """One of our own pages, whatever was said."""
    return said if _IS_LOCAL(said) else "/"


def _is_asked(card: Card, now: datetime) -> bool:
    """Return whether it waits for people now, and not for their next hours."""
    return is_open(card) and (card.asked_from is None or card.asked_from <= now)
