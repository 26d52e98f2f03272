"""Passkeys (WebAuthn): what a browser made, verified; the device must have verified the person."""

from typing import NamedTuple
from urllib.parse import urlsplit

from cbor2 import CBORDecodeError
from cryptography.exceptions import UnsupportedAlgorithm
from webauthn import verify_authentication_response, verify_registration_response
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException

from holdpoint.messages.base import JsonObject
from holdpoint.runtime.errors import SignatureError

_MALFORMED = (WebAuthnException, CBORDecodeError, UnsupportedAlgorithm, ValueError, KeyError,
              TypeError, AttributeError, IndexError)  # fmt: skip
"""What a library of parsers raises about what a stranger wrote."""


class Registered(NamedTuple):
    """A passkey that a device made."""

    credential_id: str
    public_key: str
    sign_count: int


def registered(registration: JsonObject, challenge: bytes, origin: str) -> Registered:
    """Return the new passkey, or raise SignatureError."""
    try:
        made = verify_registration_response(
            credential=registration,
            expected_challenge=challenge,
            expected_rp_id=_party_of(origin),
            expected_origin=origin,
            require_user_verification=True,
        )
    except _MALFORMED as error:
        raise SignatureError(f"This is no new passkey: {error}") from error
    return Registered(
        credential_id=bytes_to_base64url(made.credential_id),
        public_key=bytes_to_base64url(made.credential_public_key),
        sign_count=made.sign_count,
    )


def verified(
    assertion: JsonObject, challenge: bytes, origin: str, public_key: str, sign_count: int
) -> int:
    """Return the device's new count of signatures, or raise SignatureError."""
    try:
        signed = verify_authentication_response(
            credential=assertion,
            expected_challenge=challenge,
            expected_rp_id=_party_of(origin),
            expected_origin=origin,
            credential_public_key=base64url_to_bytes(public_key),
            credential_current_sign_count=sign_count,
            require_user_verification=True,
        )
    except _MALFORMED as error:
        raise SignatureError(f"This passkey did not sign it: {error}") from error
    return signed.new_sign_count


def _party_of(origin: str) -> str:
    """The host that passkeys are bound to; without an address nothing verifies."""
    host = urlsplit(origin).hostname
    if not host:
        raise SignatureError("It is not known where the console is, so no passkey verifies.")
    return host
