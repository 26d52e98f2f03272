"""Memory of a hook between two calls of a host: ids of holds, and nothing that proves anything.

A lost or forged file costs a question or a refusal: the gate holds each claim against the hold.
"""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from holdpoint.messages.base import is_id


@dataclass(frozen=True, kw_only=True)
class HookMemory:
    """Small files in a folder of the user's own."""

    folder: Path

    def put(self, name: str, hold_id: str) -> None:
        """Remember the hold of this name."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = self.folder / f".{name}"
        draft.write_text(hold_id)
        draft.replace(self.folder / name)

    def find(self, name: str) -> str:
        """The hold of this name; empty where none is known."""
        with suppress(OSError, ValueError):
            found = (self.folder / name).read_text().strip()
            return found if is_id(found) else ""
        return ""

    def take(self, name: str) -> str:
        """The same, and forget it."""
        found = self.find(name)
        with suppress(OSError):
            (self.folder / name).unlink()
        return found
