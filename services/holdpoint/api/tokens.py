"""Tokens: a JWT with EdDSA, signed with a key that api.yaml gives to this one agent or person.

Nothing else says who asks: no field of a body, no other header. A key that is taken out of
api.yaml counts no longer with the next request.
"""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import structlog
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OKPKey

from holdpoint.runtime.config.api_files import API_FILE, ApiConfig, load_api
from holdpoint.runtime.errors import HoldpointError
from holdpoint.runtime.process import clock

log = structlog.get_logger(__name__)

ALGORITHMS = ["EdDSA", "Ed25519"]
"""The older and the newer name of the same; never `none`, and no shared secret."""

LONGEST_S = 3600
"""A token lives for an hour at most: it is created again by the one who has the key."""

LEEWAY_S = 30

OwnerOf: TypeAlias = Callable[[ApiConfig, str], str]
"""The agent or person whose key this is, by `kid`; KeyError for another kind's."""


class TokenError(HoldpointError):
    """The request does not prove which agent it is from; `code` is stable."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(eq=False, kw_only=True)
class Tokens:
    """The keys of api.yaml, read again when that file changes."""

    config_dir: Path
    _stamp: int = -1
    _config: ApiConfig | None = None
    _keys: Mapping[str, OKPKey] = field(default_factory=dict)

    def agent_of(self, authorization: str) -> str:
        """Return the agent that an `Authorization` header proves. Raises TokenError, SetupError."""
        return self._proved(authorization, lambda config, kid: config.keys[kid].agent)

    def person_of(self, authorization: str) -> str:
        """Return the person that it proves; an agent's key never does. Raises the same."""
        return self._proved(authorization, lambda config, kid: config.person_keys[kid].person)

    def _proved(self, authorization: str, owner_of: OwnerOf) -> str:
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not token:
            text = "Send a token of yours: Authorization: Bearer …"
            raise TokenError("token_missing", text)
        config = self._refreshed()
        try:
            return self._verified(config, token.strip(), owner_of)
        except (JoseError, ValueError, TypeError, KeyError) as why:
            log.warning("token_refused", why=type(why).__name__)
            text = (
                "The token does not verify. It is a JWT signed with EdDSA, with kid in its header, "
                f"and iss, aud, sub, iat and exp in its claims, for {LONGEST_S} seconds at most."
            )
            raise TokenError("token_refused", text) from None

    def _verified(self, config: ApiConfig, token: str, owner_of: OwnerOf) -> str:
        kids: list[str] = []

        def key(signed: Any) -> OKPKey:
            kids.append(signed.headers()["kid"])
            return self._keys[kids[0]]

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # RFC 9864 calls EdDSA by another name
            claims = jwt.decode(token, key, algorithms=ALGORITHMS).claims
        owner = owner_of(config, kids[0])
        jwt.JWTClaimsRegistry(
            now=int(clock.now().timestamp()),
            leeway=LEEWAY_S,
            iss={"essential": True, "value": config.issuer},
            aud={"essential": True, "value": config.audience},
            sub={"essential": True, "value": owner},
            exp={"essential": True},
            iat={"essential": True},
        ).validate(claims)
        if claims["exp"] - claims["iat"] > LONGEST_S:
            raise ValueError("it lives too long")
        return owner

    def _refreshed(self) -> ApiConfig:
        stamp = (self.config_dir / API_FILE).stat().st_mtime_ns
        if self._config is None or stamp != self._stamp:
            config = load_api(self.config_dir)
            pems = {kid: it.pem for kid, it in config.keys.items()}
            pems |= {kid: it.pem for kid, it in config.person_keys.items()}
            self._keys = {kid: OKPKey.import_key(pem) for kid, pem in pems.items()}
            self._config, self._stamp = config, stamp
        return self._config
