"""Files written whole or not at all, and read to an end; secrets are their owner's alone."""

import contextlib
import errno
import fcntl
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from holdpoint.runtime.errors import SetupError

PRIVATE = 0o600
PUBLIC = 0o644
PRIVATE_FOLDER = 0o700
_OTHERS = 0o077
_OTHERS_WRITE = 0o022
LARGEST = 8 * 1024 * 1024
"""Bytes: no file that a person wrote is larger."""


def create(path: Path, content: bytes, mode: int) -> None:
    """Write a new file; one that exists raises FileExistsError and keeps its content."""
    draft = _draft(path, content, mode)
    try:
        os.link(draft, path)
    finally:
        draft.unlink()
    _sync_folder(path.parent)


def replace(path: Path, content: bytes, mode: int) -> None:
    """Write a file in one step: a reader sees the old content or the new, never a part."""
    _draft(path, content, mode).replace(path)
    _sync_folder(path.parent)


def read_secret(path: Path) -> bytes:
    """Read what only its owner may see; refused while others can read it too."""
    try:
        others = path.stat().st_mode & _OTHERS
        content = path.read_bytes()
    except OSError as error:
        raise SetupError(
            f"{path.absolute()} cannot be read: {error.strerror}. Set HP_STATE_DIR to the state "
            "folder of your Holdpoint. What is missing in it is made by: holdpoint provision"
        ) from error
    if others:
        raise SetupError(f"{path} can be read by others. Mend it with: chmod 600 {path}")
    return content


def read_text(path: Path) -> str:
    """Read a person's file; raises OSError, also for a device, a pipe, and what is too large."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    with path.open("rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise OSError(errno.EFBIG, f"it is larger than {LARGEST // 1024**2} MiB", str(path))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        said = f"not UTF-8 text (line {line})"
        raise OSError(errno.EILSEQ, said, str(path)) from None


def private_folder(path: Path) -> Path:
    """Make the folder, and those above it that are missing; only their owner may look inside."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    return path


def check_folder(path: Path) -> None:
    """Raise SetupError for a folder that others can write: they can replace any file in it."""
    if path.is_dir() and path.stat().st_mode & _OTHERS_WRITE:
        folder = path.absolute()
        raise SetupError(
            f"{folder} can be written by other users, who may have replaced its keys. Restore them "
            f"from a backup if you are not sure, then: chmod 700 {folder}"
        )


@contextlib.contextmanager
def locked(path: Path, refusal: str) -> Iterator[BinaryIO]:
    """Hold a lock, which the kernel lets go of with the process; SetupError where another does."""
    private_folder(path.parent)
    with path.open("wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SetupError(refusal) from None
        yield lock


def _draft(path: Path, content: bytes, mode: int) -> Path:
    """Write beside the target, on disk before anyone can see it; nothing stays where it fails."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        Path(name).unlink()
        raise OSError(error.errno, error.strerror, str(path)) from error
    return Path(name)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
