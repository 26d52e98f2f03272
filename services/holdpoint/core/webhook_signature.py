"""Signatures of webhooks: HMAC-SHA256 over the time and the exact bytes of the body.

Holdpoint-Signature: t=1764200000,v1=5257a869e7ecebed…
"""

import hashlib
import hmac

HEADER = "Holdpoint-Signature"
TOLERANCE_S = 300
"""Seconds that a signature is old at most: a recorded webhook does not count again for longer."""


def signature(secret: bytes, at: int, body: bytes) -> str:
    """Return the header's value for a body that is sent at this Unix time."""
    return f"t={at},v1={_digest(secret, at, body)}"


def is_signed(secret: bytes, header: str, body: bytes, now: int) -> bool:
    """Return whether the header is the secret's, for this very body, and not five minutes old."""
    parts = dict(part.partition("=")[::2] for part in header.split(","))
    said, at = parts.get("v1", ""), parts.get("t", "")
    if not at.isdecimal() or abs(now - int(at)) > TOLERANCE_S:
        return False
    return hmac.compare_digest(said.encode(), _digest(secret, int(at), body).encode())


def _digest(secret: bytes, at: int, body: bytes) -> str:
    return hmac.new(secret, b"%d.%s" % (at, body), hashlib.sha256).hexdigest()
