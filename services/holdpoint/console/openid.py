"""OpenID Connect: a code with PKCE becomes an ID token, and a verified token names a person.

Nothing that a browser brings is believed: its state opens one attempt, once, in that browser; the
token comes from the provider itself, is signed with one of its keys, and carries the nonce.
"""

import asyncio
import hashlib
import hmac
import json
import secrets
import urllib.request
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

import structlog
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from holdpoint.runtime.config import files
from holdpoint.runtime.config.setting_values import is_safe
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import HoldpointError, SetupError
from holdpoint.runtime.process import clock, http_posts

log = structlog.get_logger(__name__)

ALGORITHMS = ["RS256", "PS256", "ES256"]
"""Never `none`, and never a shared secret in a public key's place."""

ATTEMPT_S = 600.0
MOST_ATTEMPTS = 1_000
ANSWER_S = 10.0
LARGEST_BYTES = 1024 * 1024
LEEWAY_S = 30
_ASKERS = ThreadPoolExecutor(4, "openid")
"""A provider that is silent keeps these busy, and none in which passwords and ledger are read."""


class OpenIdError(HoldpointError):
    """The provider, or who came from it, is not believed."""


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """A login that was begun in one browser."""

    next: str
    browser: str = field(repr=False)
    """A secret that lies in that browser's cookie."""

    nonce: str = field(repr=False)
    verifier: str = field(repr=False)
    ends_at: float


@dataclass(frozen=True, kw_only=True)
class Identity:
    """Identity of somebody at the provider."""

    subject: str
    email: str
    """Empty unless the provider has verified it."""


@dataclass(eq=False, kw_only=True)
class OpenId:
    """One provider, as the settings name it."""

    settings: Settings
    _attempts: dict[str, Attempt] = field(default_factory=dict)

    @property
    def is_on(self) -> bool:
        """Return whether people may log in through a provider."""
        return bool(self.settings.oidc_issuer and self.settings.oidc_client_id)

    async def begin(self, redirect_uri: str, next_page: str) -> tuple[str, str]:
        """Return where the browser goes, and the secret that it keeps meanwhile."""
        about = await self._discovered()
        state, attempt = secrets.token_urlsafe(32), _attempt(next_page)
        self._forget_old()
        self._attempts[state] = attempt
        challenge = hashlib.sha256(attempt.verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": self.settings.oidc_client_id,
            "redirect_uri": redirect_uri,
            "scope": "openid email",
            "state": state,
            "nonce": attempt.nonce,
            "code_challenge": urlsafe_b64encode(challenge).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        return f"{_safe(about, 'authorization_endpoint')}?{urlencode(asked)}", attempt.browser

    async def finish(
        self, said: Mapping[str, str], browser: str, redirect_uri: str
    ) -> tuple[Identity, str]:
        """Return who came back, and the page they wanted; OpenIdError where nobody is believed."""
        attempt = self._attempts.pop(said.get("state", ""), None)
        if attempt is None or attempt.ends_at < clock.monotonic():
            raise OpenIdError("This login was not begun here, or it was used already. Try again.")
        if not hmac.compare_digest(attempt.browser.encode(), browser.encode()):
            raise OpenIdError("This login was begun in another browser. Try again.")
        if said.get("iss", self.settings.oidc_issuer) != self.settings.oidc_issuer:
            raise OpenIdError("Another identity provider answered. Try again.")
        if not said.get("code"):
            raise OpenIdError("The identity provider let nobody in. Try again.")
        about = await self._discovered()
        token = await self._redeemed(about, said["code"], attempt, redirect_uri)
        keys = await _fetched(_safe(about, "jwks_uri"))
        claims = verified(token, keys, self.settings, attempt.nonce)
        email = claims.get("email", "") if claims.get("email_verified") is True else ""
        return Identity(subject=str(claims["sub"]), email=str(email)), attempt.next

    async def _discovered(self) -> dict[str, Any]:
        issuer = self.settings.oidc_issuer
        about = await _fetched(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
        if about.get("issuer") != issuer:
            raise OpenIdError("The identity provider names itself otherwise than the settings do.")
        return about

    async def _redeemed(
        self, about: Mapping[str, Any], code: str, attempt: Attempt, redirect_uri: str
    ) -> str:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "client_id": self.settings.oidc_client_id,
            "code_verifier": attempt.verifier,
        }
        reply = await _fetched(_safe(about, "token_endpoint"), form, self._authorization())
        token = reply.get("id_token")
        if not isinstance(token, str):
            raise OpenIdError("The identity provider sent no ID token.")
        return token

    def _authorization(self) -> str:
        """The client's own secret, as RFC 6749 writes it in a header; empty for a public client."""
        if self.settings.oidc_secret_file is None:
            return ""
        secret = files.read_secret(self.settings.oidc_secret_file).decode().strip()
        pair = f"{quote(self.settings.oidc_client_id, safe='')}:{quote(secret, safe='')}"
        return f"Basic {b64encode(pair.encode()).decode()}"

    def _forget_old(self) -> None:
        now = clock.monotonic()
        kept = {key: it for key, it in self._attempts.items() if it.ends_at >= now}
        while len(kept) >= MOST_ATTEMPTS:
            kept.pop(next(iter(kept)))
        self._attempts = kept


def verified(token: str, keys: Mapping[str, Any], settings: Settings, nonce: str) -> dict[str, Any]:
    """Return an ID token's claims; OpenIdError says why they are not believed."""
    try:
        claims = jwt.decode(token, KeySet.import_key_set(dict(keys)), algorithms=ALGORITHMS).claims  # type: ignore[arg-type]
        jwt.JWTClaimsRegistry(
            now=int(clock.now().timestamp()),
            leeway=LEEWAY_S,
            iss={"essential": True, "value": settings.oidc_issuer},
            aud={"essential": True, "value": settings.oidc_client_id},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
        ).validate(claims)
    except (JoseError, ValueError, TypeError, KeyError) as why:
        log.warning("id_token_refused", why=type(why).__name__)
        raise OpenIdError("The identity provider's token does not verify. Try again.") from None
    audience = claims["aud"]
    many = isinstance(audience, list) and len(audience) > 1
    if claims.get("azp", None if many else settings.oidc_client_id) != settings.oidc_client_id:
        raise OpenIdError("The identity provider's token is for another client.")
    if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
        raise OpenIdError("The identity provider's token is of another login. Try again.")
    return dict(claims)


def _attempt(next_page: str) -> Attempt:
    return Attempt(
        next=next_page,
        browser=secrets.token_urlsafe(32),
        nonce=secrets.token_urlsafe(32),
        verifier=secrets.token_urlsafe(64),
        ends_at=clock.monotonic() + ATTEMPT_S,
    )


def _safe(about: Mapping[str, Any], name: str) -> str:
    address = str(about.get(name, ""))
    _check_address(address)
    return address


def _check_address(address: str) -> None:
    """Codes and tokens travel encrypted, but on this machine."""
    if not is_safe(address):
        raise OpenIdError("The identity provider's address does not begin with https://.")


async def _fetched(
    address: str, form: Mapping[str, str] | None = None, authorization: str = ""
) -> dict[str, Any]:
    try:
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(_ASKERS, _read, address, form, authorization)
    except (*http_posts.ODD, ValueError, SetupError) as why:
        log.warning("openid_unanswered", why=type(why).__name__)
        raise OpenIdError("The identity provider does not answer. Try again in a moment.") from None
    if not isinstance(found, dict):
        raise OpenIdError("The identity provider's answer cannot be read.")
    return found


def _read(address: str, form: Mapping[str, str] | None, authorization: str) -> Any:
    body = urlencode(form).encode() if form is not None else None
    headers = {"Accept": "application/json"}
    if authorization:
        headers["Authorization"] = authorization
    request = urllib.request.Request(address, body, headers)  # noqa: S310  # https, or this machine
    with http_posts.opener().open(request, timeout=ANSWER_S) as reply:
        return json.loads(reply.read(LARGEST_BYTES))
