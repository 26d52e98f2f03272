"""The broker's time, which counts: its nanoseconds are cut to microseconds, never rounded.

However a message comes here, delivered, repeated or read, it has the same time.
"""

from datetime import UTC, datetime, timedelta

_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


def of_nanoseconds(count: int) -> datetime:
    """As deliveries tell it: nanoseconds since 1970."""
    return _BEGINNING + timedelta(microseconds=count // 1000)


def of_text(written: str) -> datetime:
    """As the store and its copies tell it: RFC 3339, with up to nine digits of a second."""
    return datetime.fromisoformat(written)
