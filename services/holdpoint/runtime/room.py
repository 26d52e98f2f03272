"""How full a stream or a disk is, and from where on people are warned."""

import shutil
from dataclasses import dataclass
from pathlib import Path

WARN_FROM = 0.8
"""Of what it may hold. What is full refuses everything new, and calls stop."""


@dataclass(frozen=True, kw_only=True)
class Room:
    """What a store holds, and the most that it may hold, in bytes."""

    name: str
    used: int
    most: int

    @property
    def share(self) -> float:
        """Of what it may hold, from 0 to 1."""
        return self.used / self.most if self.most > 0 else 0.0


def room_warning(name: str, share: float) -> str:
    """What to say about it; empty while there is room."""
    return f"{name} is {share:.0%} full: see Room in docs/operate.md." if share >= WARN_FROM else ""


def disk(name: str, path: Path) -> Room:
    """The disk that this path is on."""
    existing = next(folder for folder in (path, *path.parents) if folder.exists())
    usage = shutil.disk_usage(existing)
    return Room(name=name, used=usage.total - usage.free, most=usage.total)
