"""A small identity provider on this machine, which can lie in every way that the tests know."""

import hashlib
import hmac
import json
import secrets
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

from holdpoint.runtime.process import clock

CLIENT = "holdpoint-console"
SECRET = "it is a/secret:"  # noqa: S105  # of a provider that exists only in tests


@dataclass(eq=False, kw_only=True)
class Provider:
    """Who is logged in there, and how its next tokens lie."""

    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "1"}))
    person: dict[str, Any] = field(default_factory=dict)
    lies: dict[str, Any] = field(default_factory=dict)
    """Claims in place of the true ones."""

    forged: str = ""
    """`none`, `shared` (the public key as a secret), or `other` (a key that is not published)."""

    url: str = ""
    names_itself: str = ""
    codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def about(self) -> dict[str, Any]:
        """What it publishes of itself."""
        return {
            "issuer": self.names_itself or self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/jwks",
        }

    def keys(self) -> dict[str, Any]:
        """Its public keys."""
        return dict(KeySet([self.key]).as_dict(private=False))

    def authorized(self, asked: dict[str, str]) -> str:
        """Where it sends the browser."""
        code = secrets.token_hex(8)
        self.codes[code] = asked
        back = {"code": code, "state": asked["state"], "iss": self.url}
        return f"{asked['redirect_uri']}?{urlencode(back)}"

    def redeemed(self, form: dict[str, str], authorization: str) -> dict[str, str] | None:
        """The tokens of a code, once, for whoever has its verifier and the client's secret."""
        asked = self.codes.pop(form.get("code", ""), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = urlsafe_b64encode(digest).rstrip(b"=").decode()
        pair = f"{CLIENT}:it%20is%20a%2Fsecret%3A".encode()
        known = authorization == f"Basic {b64encode(pair).decode()}"
        if asked is None or asked["code_challenge"] != challenge or not known:
            return None
        return {"id_token": self.token(asked["nonce"]), "token_type": "Bearer"}

    def token(self, nonce: str) -> str:
        """An ID token, true but for the lies."""
        now = int(clock.now().timestamp())
        true = {"iss": self.url, "aud": CLIENT, "nonce": nonce, "iat": now, "exp": now + 60}
        claims = {**true, **self.person, **self.lies}
        if self.forged == "none":
            return f"{_unsigned({'alg': 'none'}, claims)}."
        if self.forged == "shared":
            text = _unsigned({"alg": "HS256", "kid": "1"}, claims)
            public = self.key.as_pem(private=False)
            return f"{text}.{_part(hmac.digest(public, text.encode(), 'sha256'))}"
        key = RSAKey.generate_key(2048, {"kid": "1"}) if self.forged == "other" else self.key
        return jwt.encode({"alg": "RS256", "kid": "1"}, claims, key)


def _unsigned(*parts: dict[str, Any]) -> str:
    return ".".join(_part(json.dumps(it).encode()) for it in parts)


def _part(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


@contextmanager
def provider() -> Iterator[Provider]:
    """It listens while the block lasts."""
    it = Provider(person={"sub": "u-1", "email": "ann@acme.example", "email_verified": True})
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(it))
    it.url = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield it
    finally:
        server.shutdown()
        server.server_close()


def _handler(it: Provider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, asked = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
            if path == "/authorize":
                self.send_response(303)
                where = it.authorized({key: value[0] for key, value in asked.items()})
                self.send_header("Location", where)
                self.end_headers()
            elif path == "/jwks":
                self._say(200, it.keys())
            else:
                self._say(200, it.about())

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {key: value[0] for key, value in parse_qs(sent).items()}
            tokens = it.redeemed(form, self.headers.get("Authorization", ""))
            self._say(200 if tokens else 400, tokens or {"error": "invalid_grant"})

        def _say(self, status: int, body: dict[str, Any]) -> None:
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Quiet."""

    return Handler
