"""An event's leaf in the ledger's tree: what the tree commits to, in a form anybody can recompute.

    leaf = SHA-256(0x00 || JCS{src_stream, src_seq, subject, type, time, hold_id, body_sha256,
                               signature})

A leaf holds the hash of a body, never the body.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
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

TIMES = 4_096
"""Times whose text is kept: an event's stands in its leaf, its row, and what follows from it."""

_TIME = FIELDS.index("time")
_encode = msgspec.json.Encoder().encode


def leaf(event: Mapping[str, Any]) -> bytes:
    """Hash one event; whatever is not in `FIELDS` plays no part."""
    return leaf_of([event[name] for name in FIELDS])


def leaf_of(values: Sequence[Any]) -> bytes:
    """Hash the event whose `FIELDS` have these values."""
    return leaf_hash(_canonical(values))


def canonical_leaf(event: Mapping[str, Any]) -> bytes:
    """Return the leaf's RFC 8785 form."""
    return _canonical([event[name] for name in FIELDS])


def _canonical(values: Sequence[Any]) -> bytes:
    """Return the RFC 8785 form of flat fields: ASCII keys in order, strings and integers.

    The fast encoder writes exactly that; a test holds it to the slow one.
    """
    fields = dict(zip(FIELDS, values, strict=True))
    if isinstance(time := values[_TIME], datetime):  # a text in proofs and in SQLite
        fields["time"] = time_text(time)
    return _encode(fields)


def moment(event: Mapping[str, Any]) -> str:
    """Return the event's broker time as its leaf has it."""
    time: datetime | str = event["time"]
    return time if isinstance(time, str) else time_text(time)


@lru_cache(maxsize=TIMES)
def time_text(time: datetime) -> str:
    """Return the time in RFC 3339, in UTC, always with microseconds."""
    return time.astimezone(UTC).isoformat(timespec="microseconds")[: -len("+00:00")] + "Z"
