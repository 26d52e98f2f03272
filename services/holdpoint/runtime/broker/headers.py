"""Message headers in NATS's own format: looked up when asked for, written once.

A fact carries five headers and a copy by the server ten, of which one or two are ever read.
"""

from collections.abc import Mapping
from typing import TypeVar

from nats.errors import BadHeaderError

D = TypeVar("D")

VERSION = b"NATS/1.0"


class Headers:
    """Headers of one received message. The last value of a name counts: the server's own."""

    __slots__ = ("_raw",)

    def __init__(self, raw: bytes = b"") -> None:
        self._raw = raw

    def get(self, name: str, default: D) -> str | D:
        """Return the header's value, or the default when there is none."""
        line = b"\r\n%s:" % name.encode()
        at = self._raw.rfind(line)
        if at < 0:
            return default
        value, _, _ = self._raw[at + len(line) :].partition(b"\r\n")
        return value.strip().decode("utf-8", "replace")

    @property
    def status(self) -> str:
        """The server's status code, such as 404; empty for a stored message."""
        line, _, _ = self._raw.partition(b"\r\n")
        return line[len(VERSION) :].strip()[:3].decode("ascii", "replace")


def header_block(headers: Mapping[str, str]) -> bytes:
    """Encode headers for a publish. Raises BadHeaderError for a line break in one of them."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    if lines.count("\r") + lines.count("\n") != 2 * len(headers):
        raise BadHeaderError(lines)
    return b"%s\r\n%s\r\n" % (VERSION, lines.encode())
