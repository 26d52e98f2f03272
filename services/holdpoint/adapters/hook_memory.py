"""Memory of a hook between two calls of a host: keys and ids of holds, and nothing that proves
anything.

A lost or forged file costs a question or a refusal: the gate holds each claim against the hold.
"""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from holdpoint.messages.base import Value


class Remembered(Value, frozen=True, kw_only=True):
    """A call of the host that has not ended."""

    key: str = ""
    """Its idempotency key: with it the same call, made again, is the same hold."""

    hold_id: str = ""
    """Its hold, once the gate named it."""


NOTHING = Remembered()


@dataclass(frozen=True, kw_only=True)
class HookMemory:
    """Small files in a folder of the user's own."""

    folder: Path

    def put(self, name: str, call: Remembered) -> None:
        """Remember the call of this name."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = self.folder / f".{name}"
        draft.write_bytes(msgspec.json.encode(call))
        draft.replace(self.folder / name)

    def find(self, name: str) -> Remembered:
        """The call of this name; NOTHING where none is known."""
        with suppress(OSError, ValueError):
            return msgspec.json.decode((self.folder / name).read_bytes(), type=Remembered)
        return NOTHING

    def take(self, name: str) -> Remembered:
        """The same, and forget it."""
        found = self.find(name)
        with suppress(OSError):
            (self.folder / name).unlink()
        return found
