"""Compiled automata on disk, so that a service that starts again need not compile them again.

A file that is missing, damaged or of another version costs a compilation and nothing else.
"""

import contextlib
from pathlib import Path

import structlog

from holdpoint.runtime.config import files

log = structlog.get_logger(__name__)

MOST_KEPT = 32
"""Files: a policy takes one, the engine's own lists a few; older ones are removed."""

LARGEST = 64 * 1024 * 1024
"""Bytes: a larger file is none of ours."""


class CompiledFiles:
    """A folder with one file for each key, which is a digest of what was compiled."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, key: str) -> bytes | None:
        """Return what was saved under this key; None when nothing was, or it cannot be read."""
        path = self._path(key)
        try:
            return path.read_bytes() if path.stat().st_size <= LARGEST else None
        except FileNotFoundError:
            return None
        except OSError as error:
            log.warning("compiled_patterns_unreadable", path=str(path), error=str(error))
            return None

    def save(self, key: str, compiled: bytes) -> None:
        """Write the file; a disk that does not take it costs the next start a compilation."""
        try:
            files.private_folder(self._folder)
            files.replace(self._path(key), compiled, files.PRIVATE)
            self._remove_oldest()
        except OSError as error:
            log.warning("compiled_patterns_not_kept", folder=str(self._folder), error=str(error))

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.automaton"

    def _remove_oldest(self) -> None:
        kept = sorted(self._folder.glob("*.automaton"), key=lambda path: path.stat().st_mtime)
        for path in kept[:-MOST_KEPT]:
            with contextlib.suppress(FileNotFoundError):
                path.unlink()
