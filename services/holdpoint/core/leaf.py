"""An event's leaf in the ledger's tree: what the tree commits to, in a form anybody can recompute.

    leaf = SHA-256(0x00 || JCS{src_stream, src_seq, subject, type, time, hold_id, body_sha256,
                               signature})

A leaf holds the hash of a body, never the body.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from holdpoint.core.merkle import leaf_hash

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

_encoder = msgspec.json.Encoder(order="sorted")


def leaf(event: Mapping[str, Any]) -> bytes:
    """Hash one event; whatever is not in `FIELDS` plays no part."""
    return leaf_hash(canonical_leaf(event))


def canonical_leaf(event: Mapping[str, Any]) -> bytes:
    """Return the leaf's RFC 8785 form.

    For flat objects of ASCII keys, strings and integers the fast encoder writes exactly that;
    a test holds it to the slow one.
    """
    return _encoder.encode({**{name: event[name] for name in FIELDS}, "time": moment(event)})


def moment(event: Mapping[str, Any]) -> str:
    """Return the event's broker time in RFC 3339, in UTC, always with microseconds."""
    time: datetime | str = event["time"]
    if isinstance(time, str):  # as a proof or SQLite's own text has it
        return time
    return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
