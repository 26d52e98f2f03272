"""The ledger's hash chain: each event's leaf, and the link that ties it to all before it.

    leaf = SHA-256(0x00 || JCS{src_stream, src_seq, subject, type, time, hold_id, body_sha256,
                               signature})
    link = SHA-256(0x01 || previous link || leaf)

The two first bytes keep a leaf from ever passing for a link (RFC 6962). A leaf holds the hash of
a body, never the body.
"""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

GENESIS = bytes(32)
"""Link before the first event."""

FIELDS = (
    "body_sha256",
    "hold_id",
    "signature",
    "src_seq",
    "src_stream",
    "subject",
    "time",
    "type",
)
"""Fields that a leaf commits to, in the order of RFC 8785."""

_LEAF = b"\x00"
_LINK = b"\x01"
_encoder = msgspec.json.Encoder(order="sorted")


def seal(previous: bytes, event: Mapping[str, Any]) -> tuple[bytes, bytes]:
    """Return the event's leaf and its link; whatever is not in `FIELDS` plays no part."""
    made = leaf(event)
    return made, link(previous, made)


def leaf(event: Mapping[str, Any]) -> bytes:
    """Hash one event."""
    return hashlib.sha256(_LEAF + canonical_leaf(event)).digest()


def link(previous: bytes, of_leaf: bytes) -> bytes:
    """Tie a leaf to everything before it."""
    return hashlib.sha256(_LINK + previous + of_leaf).digest()


def canonical_leaf(event: Mapping[str, Any]) -> bytes:
    """Return the leaf's RFC 8785 form.

    For flat objects of ASCII keys, strings and integers the fast encoder writes exactly that;
    a test holds it to the slow one.
    """
    return _encoder.encode({**{name: event[name] for name in FIELDS}, "time": moment(event)})


def moment(event: Mapping[str, Any]) -> str:
    """Return the event's broker time in RFC 3339, in UTC, always with microseconds."""
    time: datetime = event["time"]
    return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
