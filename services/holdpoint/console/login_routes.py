"""Log in, choose a password, log out."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from holdpoint.console.context import Console, Visitor, fields_of, is_same, local_path
from holdpoint.console.languages import COOKIE, NAMES
from holdpoint.console.openid import ATTEMPT_S, OpenId, OpenIdError
from holdpoint.console.password_login import Opened, TooManyError, WrongPasswordError
from holdpoint.console.sessions import LIVES, LoggedIn
from holdpoint.messages.base import Value
from holdpoint.runtime.errors import SetupError, UnavailableError
from holdpoint.runtime.process.metrics import LOGINS
from holdpoint.runtime.security.credentials import SHORTEST_PASSWORD, read_seed, sso_user

YEAR_S = 365 * 24 * 60 * 60
_STALE = "This page was too old. Try again."
_NOT_HERE = "This browser did not log in here. Log in again, then log out."
_NO_PROVIDER = "No identity provider is set up here: log in with your password."
_STRANGER = "The identity provider knows you, and people.yaml does not."
_AWAY = "The broker does not answer, so nobody can log in right now. Try again in a moment."
_UNKNOWN = "The broker does not know your key yet. Tell it with: holdpoint provision"


class _Asked(Value, frozen=True, kw_only=True):
    """State of the login form, and why it is shown again."""

    name: str = ""
    next: str = "/"
    problem: str = ""
    status: int = 200


@dataclass(frozen=True, kw_only=True)
class Logins:
    """The pages in front of everything else."""

    console: Console
    openid: OpenId

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [
            Route("/login", self.ask, methods=["GET"]),
            Route("/login", self.log_in, methods=["POST"]),
            Route("/login/openid", self.leave, methods=["GET"]),
            Route("/login/callback", self.come_back, methods=["GET"]),
            Route("/language", self.choose_language, methods=["GET"]),
            Route("/password", self.change, methods=["POST"]),
            Route("/logout", self.console.for_visitors(self.log_out), methods=["POST"]),
        ]

    async def ask(self, request: Request) -> Response:
        """The form."""
        next_page = local_path(request.query_params.get("next", "/"))
        return self._form(request, _Asked(next=next_page))

    async def log_in(self, request: Request) -> Response:
        """A name and a password."""
        form = await fields_of(request)
        asked = _Asked(name=form.get("name", ""), next=local_path(form.get("next", "/")))
        opened = await self._opened(request, form, asked)
        if isinstance(opened, Response):
            return opened
        if self.console.door.must_change(asked.name):
            return self._password_form(request, asked)
        return await self._enter(request, asked, opened)

    async def leave(self, request: Request) -> Response:
        """To the identity provider."""
        asked = _Asked(next=local_path(request.query_params.get("next", "/")))
        if not self.openid.is_on:
            return self._form(request, _again(asked, _NO_PROVIDER, 404))
        try:
            where, browser = await self.openid.begin(_back_at(request), asked.next)
        except OpenIdError as error:
            return self._form(request, _again(asked, str(error), 503))
        response = RedirectResponse(where, 303)
        seconds = int(ATTEMPT_S)
        response.set_cookie(  # lax: it has to come along from the provider's page
            self._openid_cookie, browser, max_age=seconds, path="/login", httponly=True,
            samesite="lax",
        )  # fmt: skip
        return response

    async def come_back(self, request: Request) -> Response:
        """From the identity provider: in, if they are in people.yaml."""
        browser = request.cookies.get(self._openid_cookie, "")
        try:
            who, wanted = await self.openid.finish(request.query_params, browser, _back_at(request))
        except OpenIdError as error:
            LOGINS.labels("wrong").inc()
            return self._form(request, _again(_Asked(), str(error), 401))
        person = self.console.people.known_as(who.subject, who.email)
        if person is None:
            LOGINS.labels("wrong").inc()
            return self._form(request, _again(_Asked(), _STRANGER, 403))
        return await self._enter_sso(request, person.name, wanted)

    async def _enter_sso(self, request: Request, name: str, wanted: str) -> Response:
        """With the key that the console has of this person; the broker has the last word."""
        user, asked = sso_user(name), _Asked(next=wanted)
        try:
            seed = read_seed(self.openid.settings.credentials_dir, user)
            person = await self.console.answering.connect(name, seed, user)
        except (SetupError, UnavailableError) as error:
            text = _UNKNOWN if isinstance(error, SetupError) else _AWAY
            return self._form(request, _again(asked, text, 503))
        await person.close()
        LOGINS.labels("in").inc()
        return self._welcome(asked, self.console.sessions.begin_sso(name, seed))

    async def change(self, request: Request) -> Response:
        """A password that somebody else made gives way to the person's own, then they are in."""
        form = await fields_of(request)
        asked = _Asked(name=form.get("name", ""), next=local_path(form.get("next", "/")))
        old, new = form.get("password", ""), form.get("new", "")
        if problem := _unfit(old, new, form.get("again", "")):
            return self._password_form(request, _again(asked, problem, 400))
        opened = await self._opened(request, form, asked)
        if isinstance(opened, Response):
            return opened
        try:
            key = await self.console.door.change(asked.name, old, new)
        except SetupError as error:
            return self._password_form(request, _again(asked, str(error), 400))
        return await self._enter(request, asked, Opened(seed=opened.seed, key=key))

    async def choose_language(self, request: Request) -> Response:
        """Remember in this browser which language the console's own words are in."""
        language = request.query_params.get("to", "")
        response = RedirectResponse("/you" if self.console.visitor(request) else "/login", 303)
        if language in NAMES:
            response.set_cookie(COOKIE, language, max_age=YEAR_S, path="/", samesite="strict")
        return response

    async def log_out(self, request: Request, visitor: Visitor) -> Response:
        """The session is gone, here and on disk."""
        form = await fields_of(request)
        if not visitor.session.is_own_form(form.get("csrf", "")):
            return Response(_NOT_HERE, 403)
        self.console.sessions.end(visitor.session)
        response = RedirectResponse("/login", 303)
        response.delete_cookie(self.console.cookie, path="/", httponly=True, samesite="strict")
        return response

    async def _opened(
        self, request: Request, form: Mapping[str, str], asked: _Asked
    ) -> Opened | Response:
        """The person's key, or the page that says why not."""
        if not is_same(form.get("csrf", ""), request.cookies.get(self._form_cookie, "")):
            return self._form(request, _again(asked, _STALE, 403))
        try:
            return await self.console.door.open(asked.name, form.get("password", ""))
        except WrongPasswordError as error:
            return self._form(request, _again(asked, str(error), 401))
        except TooManyError as error:
            return self._form(request, _again(asked, str(error), 429))

    async def _enter(self, request: Request, asked: _Asked, opened: Opened) -> Response:
        """The broker has the last word on who somebody is; then the browser gets both halves."""
        if not self.console.client.is_connected:
            return self._form(request, _again(asked, _AWAY, 503))
        try:
            person = await self.console.answering.connect(asked.name, opened.seed)
        except (SetupError, UnavailableError) as error:
            text = _UNKNOWN if isinstance(error, SetupError) else _AWAY
            return self._form(request, _again(asked, text, 503))
        await person.close()
        given = self.console.sessions.begin(asked.name, opened.seed, opened.key)
        return self._welcome(asked, given)

    def _welcome(self, asked: _Asked, given: LoggedIn) -> Response:
        response = self.console.pages.page("welcome", {"given": given, "next": asked.next})
        self._set(response, self.console.cookie, given.cookie)
        response.delete_cookie(self._form_cookie, path="/", httponly=True, samesite="strict")
        response.delete_cookie(self._openid_cookie, path="/login", httponly=True, samesite="lax")
        return response

    def _form(self, request: Request, asked: _Asked) -> Response:
        return self._with_token(request, "login", asked)

    def _password_form(self, request: Request, asked: _Asked) -> Response:
        return self._with_token(request, "password", asked)

    def _with_token(self, request: Request, page: str, asked: _Asked) -> Response:
        """A form before anybody is logged in: its token lies in a cookie of the same browser."""
        token = request.cookies.get(self._form_cookie) or secrets.token_hex(32)
        values = {
            "csrf": token,
            "asked": asked,
            "shortest": SHORTEST_PASSWORD,
            "openid": self.openid.is_on,
        }
        response = self.console.pages.page(page, values, asked.status)
        self._set(response, self._form_cookie, token)
        return response

    def _set(self, response: Response, name: str, value: str) -> None:
        seconds = int(LIVES.total_seconds())
        response.set_cookie(
            name, value, max_age=seconds, path="/", httponly=True, samesite="strict"
        )

    @property
    def _form_cookie(self) -> str:
        return f"{self.console.cookie}_form"

    @property
    def _openid_cookie(self) -> str:
        return f"{self.console.cookie}_openid"


def _back_at(request: Request) -> str:
    """Return the address that the provider sends the browser to: the one it came from."""
    return f"http://{request.headers['host']}/login/callback"


def _again(asked: _Asked, problem: str, status: int) -> _Asked:
    return replace(asked, problem=problem, status=status)


def _unfit(old: str, new: str, again: str) -> str:
    """Return what is wrong with a new password; empty when nothing is."""
    if len(new) < SHORTEST_PASSWORD:
        return f"That is too short: at least {SHORTEST_PASSWORD} characters."
    if new == old:
        return "That is the old one. Choose another."
    return "" if new == again else "The two passwords differ."
