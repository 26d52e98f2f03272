"""Invitations of new people: an admin makes a link, and who opens it chooses their first password.

A link is good once, for one person of people.yaml who has no key yet, for a day. On disk lies only
its digest. The broker takes the new key once somebody has run `holdpoint provision`.
"""

import contextlib
import hashlib
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from holdpoint.console.context import Console, Visitor, fields_of
from holdpoint.messages.base import Value, is_id
from holdpoint.runtime.config import files
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import SHORTEST_PASSWORD, read_person_key

LIVES = timedelta(days=1)
_IS_TOKEN = re.compile(r"[0-9a-f]{64}").fullmatch
_GONE = "This invitation is used, too old, or none. Ask an admin for a new one."
_ADMINS_ONLY = "Only admins invite people: people.yaml says who is one."
_NOT_NEW = "Only a person of people.yaml who has no password yet can be invited."


class Invite(Value, frozen=True, kw_only=True):
    """Whom it is for, and who made it."""

    person: str
    by: str
    until: datetime


class Invites:
    """Every invitation, in one private folder."""

    def __init__(self, folder: Path, people_dir: Path) -> None:
        self._folder = files.private_folder(folder / "invites")
        self._people_dir = people_dir

    def is_new(self, person: str) -> bool:
        """Return whether this person has no key yet."""
        return read_person_key(self._people_dir, person) is None

    def make(self, person: str, by: str) -> str:
        """Return a new token; an older one for this person is void."""
        self.drop(person)
        token = secrets.token_hex(32)
        invite = Invite(person=person, by=by, until=clock.now() + LIVES)
        files.create(self._path(token), msgspec.json.encode(invite), files.PRIVATE)
        return token

    def find(self, token: str) -> Invite | None:
        """Return the invitation, as long as it is good."""
        invite = _read(self._path(token)) if _IS_TOKEN(token) else None
        if invite is None or invite.until <= clock.now() or not self.is_new(invite.person):
            return None
        return invite

    def drop(self, person: str) -> None:
        """Make every invitation of this person void."""
        for path in self._folder.glob("*.invite"):
            invite = _read(path)
            if invite is None or invite.person == person:
                path.unlink(missing_ok=True)

    def _path(self, token: str) -> Path:
        return self._folder / f"{hashlib.sha256(token.encode()).hexdigest()}.invite"


def _read(path: Path) -> Invite | None:
    with contextlib.suppress(SetupError, msgspec.DecodeError):
        return msgspec.json.decode(files.read_secret(path), type=Invite)
    return None


@dataclass(frozen=True, kw_only=True)
class InviteScreens:
    """The button of the People page, and the page behind the link."""

    console: Console
    invites: Invites

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [
            Route("/people/invite", self.console.for_visitors(self.invite), methods=["POST"]),
            Route("/invite/{token}", self.ask, methods=["GET"]),
            Route("/invite/{token}", self.enrol, methods=["POST"]),
        ]

    async def invite(self, request: Request, visitor: Visitor) -> Response:
        """Make a link; only a page that an admin logged in on can."""
        if not visitor.session.is_own_form(request.headers.get("x-holdpoint-csrf", "")):
            return JSONResponse({"text": "This page is too old. Load it again."}, 403)
        if not visitor.person.admin:
            return JSONResponse({"text": _ADMINS_ONLY}, 403)
        try:
            visitor.session.seed(request.headers.get("x-holdpoint-page", ""))
        except SetupError as error:
            return JSONResponse({"text": str(error)}, 403)
        name = (await fields_of(request)).get("person", "")
        if not is_id(name) or self.console.people.find(name) is None:
            return JSONResponse({"text": _NOT_NEW}, 400)
        if not self.invites.is_new(name):
            return JSONResponse({"text": _NOT_NEW}, 400)
        token = self.invites.make(name, visitor.person.name)
        link = f"http://{request.headers['host']}/invite/{token}"
        text = f"Hand this link to {name}. It is good once, for a day:"
        return JSONResponse({"text": text, "link": link, "tone": "good"})

    async def ask(self, request: Request) -> Response:
        """The form for a first password."""
        return self._page(self._invite(request), {})

    async def enrol(self, request: Request) -> Response:
        """Seal a new key with the password; the link is used up."""
        invite, form = self._invite(request), await fields_of(request)
        if invite is None:
            return self._page(None, {})
        if problem := _unfit(form):
            return self._page(invite, {"problem": problem}, 400)
        self.invites.drop(invite.person)
        try:
            await self.console.door.enrol(invite.person, form["new"])
        except SetupError as error:
            return self._page(None, {"problem": str(error)}, 400)
        return self._page(invite, {"is_done": True})

    def _invite(self, request: Request) -> Invite | None:
        invite = self.invites.find(request.path_params["token"])
        return invite if invite and self.console.people.find(invite.person) else None

    def _page(
        self, invite: Invite | None, more: Mapping[str, object], status: int = 200
    ) -> Response:
        problem = "" if invite else _GONE
        values = {"invite": invite, "shortest": SHORTEST_PASSWORD, "is_done": False}
        code = status if invite else 404
        return self.console.pages.page("invite", {**values, "problem": problem, **more}, code)


def _unfit(form: Mapping[str, str]) -> str:
    """Return what is wrong with a first password; empty when nothing is."""
    new = form.get("new", "")
    if len(new) < SHORTEST_PASSWORD:
        return f"That is too short: at least {SHORTEST_PASSWORD} characters."
    return "" if new == form.get("again", "") else "The two passwords differ."
