"""The page on which people set up their one-time codes: a QR code, and the app's first code."""

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from holdpoint.console.answering import ENDED, STRANGER, UNKNOWN, Told
from holdpoint.console.context import Console, Visitor, fields_of
from holdpoint.console.status_labels import Tone
from holdpoint.messages.codec import encode
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.state import EnrolTotp, TotpSecret
from holdpoint.runtime.broker.person_connection import Person
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError, UnavailableError, UnknownOutcomeError
from holdpoint.runtime.security import one_time_codes
from holdpoint.runtime.security.keys import load_seal_key, seal
from holdpoint.runtime.security.permissions import TOTP

GROUP = 4
"""Letters of a secret that stand together, for who types it."""

LONGEST_FIELD = 64
_TOO_OLD = "This page is too old. Load it again."
_DONE = Told(
    tone=Tone.GOOD,
    counted=True,
    text="Your one-time codes are set up. The one you typed counts for no hold: use the next.",
)
_STORED = Told(
    tone=Tone.BUSY,
    text="It is stored, and no gate has carried it out yet: the gate is away or busy. "
    "Your codes count as soon as one can.",
)


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
        ]

    async def show(self, request: Request, visitor: Visitor) -> Response:
        """A new secret: it counts only once its first code was typed here."""
        _ = request
        secret, name = one_time_codes.new_secret(), visitor.person.name
        address = one_time_codes.address_of(secret, name, self.settings.tenant)
        wide, path = one_time_codes.as_path(address)
        typed = " ".join(secret[at : at + GROUP] for at in range(0, len(secret), GROUP))
        values = {"secret": secret, "typed": typed, "wide": wide, "path": path}
        return self.console.pages.page("you", {**self.console.frame(visitor), **values})

    async def set_up(self, request: Request, visitor: Visitor) -> Response:
        """The app's first code was typed."""
        if not visitor.session.is_own_form(request.headers.get("x-holdpoint-csrf", "")):
            return JSONResponse({"text": _TOO_OLD}, 403)
        form = await fields_of(request)
        if any(len(value) > LONGEST_FIELD for value in form.values()):
            return JSONResponse({"text": _TOO_OLD}, 400)
        try:
            seed = visitor.session.seed(request.headers.get("x-holdpoint-page", ""))
        except SetupError:
            return JSONResponse({"text": _TOO_OLD}, 403)
        told = await self._ordered(visitor, seed, form)
        return JSONResponse(msgspec.to_builtins(msgspec.structs.asdict(told)))

    async def _ordered(self, visitor: Visitor, seed: str, form: Mapping[str, str]) -> Told:
        wanted = TotpSecret(
            person=visitor.person.name,
            secret=form.get("secret", ""),
            code="".join(form.get("code", "").split()),
            old_code="".join(form.get("old_code", "").split()),
        )
        try:
            order = EnrolTotp(sealed=seal(load_seal_key(self.settings.keys_dir), encode(wanted)))
            person = await self.console.answering.connect(visitor.person.name, seed)
        except SetupError:
            return STRANGER
        except UnavailableError:
            return UNKNOWN
        try:
            if not self.console.sessions.is_good(visitor.session):
                return ENDED
            return _told(await _heard(person, order))
        except UnknownOutcomeError:
            return UNKNOWN
        finally:
            await person.close()


async def _heard(person: Person, order: EnrolTotp) -> Envelope:
    seq = await person.order(order, TOTP)
    try:
        return await person.heard(seq)
    except UnavailableError:
        return Envelope(status=Status.WAITING)


def _told(envelope: Envelope) -> Told:
    if envelope.status is Status.DONE:
        return _DONE
    if envelope.status is Status.REFUSED:
        return Told(tone=Tone.BAD, text=envelope.reason, code=envelope.code)
    return _STORED
