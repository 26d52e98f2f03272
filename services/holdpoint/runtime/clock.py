"""The only clock and the only dice."""

import secrets
import time
import uuid
from datetime import UTC, datetime


def now() -> datetime:
    """Aware, in UTC."""
    return datetime.now(UTC)


def monotonic() -> float:
    """Seconds that only go forward."""
    return time.monotonic()


def new_id() -> str:
    """A UUID v4."""
    return str(uuid.uuid4())


def new_nonce() -> str:
    """128 random bits in hex: a grant's nonce, a body's salt."""
    return secrets.token_hex(16)
