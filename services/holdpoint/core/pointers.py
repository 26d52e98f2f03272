"""JSON pointers (RFC 6901) that name arguments of a call."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

from holdpoint.messages.base import JsonObject

SHOWN = 8
"""Arguments that a message names."""


def astray(pointers: Iterable[str], arguments: JsonObject) -> str:
    """Return what to do about the first pointer that names no argument; empty where each names one.

    The empty pointer names them all.
    """
    wrong = next((it for it in pointers if it and not _leads(it, arguments)), None)
    if wrong is None:
        return ""
    names = (f"/{name.replace('~', '~0').replace('/', '~1')}" for name in islice(arguments, SHOWN))
    known = ", ".join(names) or "none; only a call has arguments, and not each"
    return f"the JSON pointer {wrong!r} names no argument. There are: {known}."


def _leads(pointer: str, arguments: JsonObject) -> bool:
    """Return whether something stands there (RFC 6901)."""
    start, *steps = pointer.split("/")
    at: Any = arguments
    for step in (one.replace("~1", "/").replace("~0", "~") for one in steps):
        match at:
            case dict() if step in at:
                at = at[step]
            case list() if step.isdecimal() and int(step) < len(at):
                at = at[int(step)]
            case _:
                return False
    return not start
