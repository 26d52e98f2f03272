"""Errors of the broker's client, in words for people."""

from nats.errors import (
    ConnectionClosedError,
    MaxPayloadError,
    NoRespondersError,
    OutboundBufferLimitError,
)
from nats.errors import TimeoutError as NatsTimeoutError

_WORDS: tuple[tuple[type[Exception], str], ...] = (
    (OutboundBufferLimitError, "the connection to it is lost"),
    (ConnectionClosedError, "the connection to it is closed"),
    (NoRespondersError, "nobody listens there"),
    (MaxPayloadError, "the message is too large for it"),
    (NatsTimeoutError, "no answer in time"),
    (TimeoutError, "no answer in time"),
)


def in_words(error: Exception) -> str:
    """Return why it failed; an error that is not known here in the client's own words."""
    known = (words for kind, words in _WORDS if isinstance(error, kind))
    return next(known, str(error) or type(error).__name__)
