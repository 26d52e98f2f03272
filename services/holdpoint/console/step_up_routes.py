"""The page on which people set up their step-up: one-time codes and passkeys."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeAlias

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from holdpoint.console.answering import ENDED, STRANGER, UNKNOWN, Told
from holdpoint.console.context import Console, Visitor, fields_of
from holdpoint.console.delegation_routes import DONE, delegation_order
from holdpoint.console.permission_routes import TAKEN_BACK, revoke_order, rows_for
from holdpoint.console.status_labels import Tone
from holdpoint.core.digest import enrolment_challenge
from holdpoint.messages.base import JsonObject, Message
from holdpoint.messages.codec import encode
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.state import EnrolPasskey, EnrolTotp, NewPasskey, TotpSecret
from holdpoint.runtime.broker.person_connection import Person
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError, UnavailableError, UnknownOutcomeError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import one_time_codes
from holdpoint.runtime.security.keys import load_seal_key, seal
from holdpoint.runtime.security.permissions import PASSKEY, TOTP

GROUP = 4
"""Letters of a secret that stand together, for who types it."""

_TOO_OLD = "This page is too old. Load it again."
_CODES_SET_UP = (
    "Your one-time codes are set up. The one you typed counts for no hold: use the next."
)
_PASSKEY_ADDED = "Your passkey is added."
_STORED = Told(
    tone=Tone.BUSY,
    text="It is stored, and no gate has carried it out yet: the gate is away or busy. "
    "It counts as soon as one can.",
)

OrderOf: TypeAlias = Callable[[Mapping[str, str], str], tuple[Message, str]]
"""An order and its word, from a form's fields and the gate's public key."""


@dataclass(frozen=True, kw_only=True)
class StepUpScreens:
    """How a person proves themselves beyond their password."""

    console: Console
    settings: Settings

    def routes(self) -> list[Route]:
        """Where they are."""
        known = self.console.for_visitors
        return [
            Route("/you", known(self.show), methods=["GET"]),
            Route("/you/codes", known(self.set_up), methods=["POST"]),
            Route("/you/delegate", known(self.delegate), methods=["POST"]),
            Route("/you/passkeys", known(self.add_passkey), methods=["POST"]),
            Route("/you/permissions", known(self.permissions), methods=["GET"]),
            Route("/you/permissions", known(self.revoke), methods=["POST"]),
        ]

    async def show(self, request: Request, visitor: Visitor) -> Response:
        """A new secret: it counts only once its first code was typed here."""
        _ = request
        secret, name = one_time_codes.new_secret(), visitor.person.name
        address = one_time_codes.address_of(secret, name, self.settings.tenant)
        wide, path = one_time_codes.as_path(address)
        typed = " ".join(secret[at : at + GROUP] for at in range(0, len(secret), GROUP))
        nonce = clock.new_nonce()
        values = {
            "secret": secret,
            "typed": typed,
            "wide": wide,
            "path": path,
            "nonce": nonce,
            "others": self.console.people.delegates_of(name),
            "challenge": enrolment_challenge(self.settings.tenant, name, nonce).hex(),
            "user_id": sha256(f"{self.settings.tenant}/{name}".encode()).hexdigest(),
        }
        return self.console.pages.page("you", {**self.console.frame(visitor), **values})

    async def set_up(self, request: Request, visitor: Visitor) -> Response:
        """The app's first code was typed."""

        def order(form: Mapping[str, str], seal_key: str) -> tuple[Message, str]:
            wanted = TotpSecret(
                person=visitor.person.name,
                secret=form.get("secret", ""),
                code=_code(form, "code"),
                old_code=_code(form, "old_code"),
            )
            return EnrolTotp(sealed=seal(seal_key, encode(wanted))), TOTP

        return await self._answered(request, visitor, order, _CODES_SET_UP)

    async def add_passkey(self, request: Request, visitor: Visitor) -> Response:
        """A device made a passkey."""

        def order(form: Mapping[str, str], seal_key: str) -> tuple[Message, str]:
            wanted = NewPasskey(
                person=visitor.person.name,
                registration=msgspec.json.decode(form.get("registration", ""), type=JsonObject),
                nonce=form.get("nonce", ""),
                code=_code(form, "code"),
            )
            return EnrolPasskey(sealed=seal(seal_key, encode(wanted))), PASSKEY

        return await self._answered(request, visitor, order, _PASSKEY_ADDED)

    async def delegate(self, request: Request, visitor: Visitor) -> Response:
        """Somebody is to answer in this person's place."""
        return await self._answered(request, visitor, delegation_order, DONE)

    async def permissions(self, request: Request, visitor: Visitor) -> Response:
        """List what agents may do without asking."""
        _ = request
        try:
            found = await self.console.archive.permissions()
        except UnavailableError as error:
            return self.console.problem(visitor, str(error), 503)
        rows = rows_for(visitor.person, found, clock.now())
        return self.console.pages.page("permissions", {**self.console.frame(visitor), "rows": rows})

    async def revoke(self, request: Request, visitor: Visitor) -> Response:
        """A permission is taken back."""
        return await self._answered(request, visitor, revoke_order, TAKEN_BACK)

    async def _answered(
        self, request: Request, visitor: Visitor, order_of: OrderOf, done: str
    ) -> Response:
        """Give the order that a form of this very session makes, and say what came of it."""
        if not visitor.session.is_own_form(request.headers.get("x-holdpoint-csrf", "")):
            return JSONResponse({"text": _TOO_OLD}, 403)
        form = await fields_of(request)
        try:
            seed = visitor.session.seed(request.headers.get("x-holdpoint-page", ""))
        except SetupError:
            return JSONResponse({"text": _TOO_OLD}, 403)
        try:
            order = order_of(form, load_seal_key(self.settings.keys_dir))
        except SetupError as error:
            return JSONResponse({"text": str(error)}, 400)
        except msgspec.DecodeError:
            return JSONResponse({"text": _TOO_OLD}, 400)
        told = await self._ordered(visitor, seed, order, done)
        return JSONResponse(msgspec.to_builtins(msgspec.structs.asdict(told)))

    async def _ordered(
        self, visitor: Visitor, seed: str, order: tuple[Message, str], done: str
    ) -> Told:
        try:
            person = await self.console.answering.connect(
                visitor.person.name, seed, visitor.session.user
            )
        except SetupError:
            return STRANGER
        except UnavailableError:
            return UNKNOWN
        try:
            if not self.console.sessions.is_good(visitor.session):
                return ENDED
            return _told(await _heard(person, *order), done)
        except UnknownOutcomeError:
            return UNKNOWN
        finally:
            await person.close()


async def _heard(person: Person, order: Message, word: str) -> Envelope:
    seq = await person.order(order, word)
    try:
        return await person.heard(seq)
    except UnavailableError:
        return Envelope(status=Status.WAITING)


def _told(envelope: Envelope, done: str) -> Told:
    if envelope.status is Status.DONE:
        return Told(tone=Tone.GOOD, counted=True, text=done)
    if envelope.status is Status.REFUSED:
        return Told(tone=Tone.BAD, text=envelope.reason, code=envelope.code)
    return _STORED


def _code(form: Mapping[str, str], name: str) -> str:
    """A code without the gaps that an app shows in it."""
    return "".join(form.get(name, "").split())
