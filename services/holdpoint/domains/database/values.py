"""Values of a database, as JSON that loses nothing."""

import math
from decimal import Decimal

from holdpoint.messages.base import MAX_SAFE_INTEGER

CELL_CHARACTERS = 2000
"""More of one value is visibly cut."""

Json = bool | int | float | str | None


def cell(value: object) -> Json:
    """Exact numbers beyond JSON's become strings, bytes hexadecimal; what is long is cut."""
    match value:
        case None | bool():
            return value
        case int():
            return value if abs(value) <= MAX_SAFE_INTEGER else str(value)
        case float():
            return value if math.isfinite(value) else str(value)
        case bytes():
            return _cut(f"\\x{value[:CELL_CHARACTERS].hex()}")
        case Decimal():
            return str(value)
        case _:
            return _cut(str(value).encode(errors="replace").decode())


def _cut(text: str) -> str:
    if len(text) <= CELL_CHARACTERS:
        return text
    return f"{text[:CELL_CHARACTERS]}… ({len(text)} characters)"
