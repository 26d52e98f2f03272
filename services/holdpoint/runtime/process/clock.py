"""The only clock and the only dice."""

import secrets
import time
import uuid
from datetime import UTC, datetime, timedelta


def now() -> datetime:
    """Aware, in UTC."""
    return datetime.now(UTC)


def monotonic() -> float:
    """Seconds that only go forward."""
    return time.monotonic()


def worked_s() -> float:
    """CPU time of this thread, in seconds: what a computation costs, however busy the machine."""
    return time.thread_time()


def new_id() -> str:
    """A UUID v4."""
    return str(uuid.uuid4())


def new_nonce() -> str:
    """128 random bits in hex: a grant's nonce, a body's salt."""
    return secrets.token_hex(16)


_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


def of_nanoseconds(count: int) -> datetime:
    """As deliveries tell it: nanoseconds since 1970."""
    return _BEGINNING + timedelta(microseconds=count // 1000)


def of_text(written: str) -> datetime:
    """As the store and its copies tell it: RFC 3339, with up to nine digits of a second."""
    return datetime.fromisoformat(written)
