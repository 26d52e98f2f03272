"""What runs on a state directory: written by the supervisor, read by every command."""

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec

from holdpoint.runtime import files
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.settings import Settings

SERVICES_FILE = "services.json"
LOCK_FILE = "up.lock"


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """One service's process, as `holdpoint status` finds it."""

    pid: int
    health: str


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in the run folder while everything runs."""

    pid: int
    broker: str
    """Empty while it starts."""

    services: dict[str, Running]


def read_running(settings: Settings) -> Written | None:
    """What runs on this state directory; None when nothing does."""
    try:
        raw = (settings.run_dir / SERVICES_FILE).read_bytes()
        written = msgspec.json.decode(raw, type=Written)
    except (OSError, msgspec.DecodeError):
        return None
    return written if _is_locked(settings.run_dir) else None


@contextlib.contextmanager
def only_one(run_dir: Path) -> Iterator[IO[bytes]]:
    """Nobody else runs on this state directory while the block lasts, or SetupError says so."""
    with (files.private_folder(run_dir) / LOCK_FILE).open("wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            text = f"Holdpoint runs on {run_dir.parent}. Stop it first: holdpoint down"
            raise SetupError(text) from None
        yield lock


def _is_locked(run_dir: Path) -> bool:
    try:
        with only_one(run_dir):
            return False
    except SetupError:
        return True
