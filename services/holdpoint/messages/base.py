"""Base of every message: frozen values, CloudEvents, and the limits at the edge."""

import re
from datetime import datetime
from typing import Annotated, Any

import msgspec

TYPE_PREFIX = "holdpoint.v1"
CONTENT_TYPE = "application/json"
SPEC_VERSION = "1.0"

ID_PATTERN = r"^[A-Za-z0-9_-]{1,64}$"
"""Tokens that may enter a subject: one token, no wildcard, no dot (NATS ADR-6)."""

KEY_PATTERN = r"^[ -~]{1,128}$"
"""An idempotency key: 1 to 128 printable ASCII characters."""

BAD_KEY = "A key has 1 to 128 printable ASCII characters."

MAX_ARGUMENTS_BYTES = 64 * 1024
MAX_REASONING_BYTES = 32 * 1024
MAX_MESSAGE_BYTES = 256 * 1024
MAX_DEPTH = 32
"""Nesting of a payload: far above real tool calls, far below any parser's own limit."""

MAX_SAFE_INTEGER = 2**53 - 1
"""Beyond it RFC 8785 is not exact: 2^53 may already be 2^53 + 1, read by somebody else."""

_is_id = re.compile(ID_PATTERN).fullmatch
_is_key = re.compile(KEY_PATTERN).fullmatch

Id = Annotated[str, msgspec.Meta(pattern=ID_PATTERN.removesuffix("$") + r"\Z")]
"""A string that is one token; `\\Z`, because Python's `$` also stands before a last newline."""

MaybeId = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{0,64}\Z")]
"""The same, or empty: nothing is meant."""

Sequence = Annotated[int, msgspec.Meta(ge=0)]
"""The number that a stream gave a message; 0 stands for none."""

Moment = Annotated[datetime, msgspec.Meta(tz=True)]
"""A point in time with its offset: without one it cannot be compared with ours."""


class Value(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of a message: immutable, compared by value; what is empty is left out on the wire."""


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """The `data` of one CloudEvents document; its class is its type (`subjects.TYPES`)."""


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """CloudEvents 1.0 in structured mode: one document, self-contained, signable, hashable.

    `subject` is the full NATS subject of what we publish: a signed copy elsewhere is refused.
    Agents may leave out `subject`, `time` and `datacontenttype`.
    """

    specversion: str
    id: str
    type: str
    source: str
    data: msgspec.Raw
    subject: str = ""
    time: Moment | None = None
    datacontenttype: str = CONTENT_TYPE
    traceparent: str = ""
    salt: str = ""
    """128 random bits, so that the body's hash in the ledger cannot be guessed."""


JsonObject = dict[str, Any]


def is_key(text: str) -> bool:
    """Return whether the text may be an idempotency key."""
    return _is_key(text) is not None


def is_id(text: str) -> bool:
    """Return whether the text may stand as one token of a subject."""
    return _is_id(text) is not None


def one_token(name: str) -> str:
    """Return a name as one token of a subject: `jo.doe` of an operating system is `jo_doe`."""
    said = "".join(sign if is_id(sign) else "_" for sign in name)[:64]
    return said or "_"
