"""File tools: list, read, create. Links are never followed."""

import hashlib
import os
import stat
from contextlib import suppress
from itertools import islice

import msgspec

from holdpoint.domains.shell import safe_paths

READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
NEW_FILE_MODE = 0o644

KINDS = ((stat.S_ISDIR, "folder"), (stat.S_ISREG, "file"), (stat.S_ISLNK, "link"))


class NotAFileError(ValueError):
    """A folder, a device or a pipe stands where a file was asked for."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One name in a folder."""

    name: str
    kind: str
    size: int


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """The first names of a folder, sorted; `more` says that there are others."""

    entries: tuple[Entry, ...]
    more: bool


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a file."""

    text: str
    offset: int
    next_offset: int
    size: int


def listing(place: safe_paths.Place, limit: int) -> Listing:
    """At most `limit` names."""
    with safe_paths.folder(place) as descriptor, os.scandir(descriptor) as found:
        entries = [*islice(filter(None, map(entry_of, found)), limit + 1)]
    kept = sorted(entries[:limit], key=lambda entry: entry.name)
    return Listing(entries=tuple(kept), more=len(entries) > limit)


def piece(place: safe_paths.Place, offset: int, limit: int) -> Piece:
    """At most `limit` bytes as text; what is no UTF-8 is shown as U+FFFD."""
    with safe_paths.parent(place) as (above, name):
        descriptor = os.open(name, READ, dir_fd=above)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise NotAFileError(f"`{place.path}` is no file.")
        file.seek(offset)
        raw = file.read(limit)
    return Piece(
        text=readable(raw), offset=offset, next_offset=offset + len(raw), size=found.st_size
    )


def create(place: safe_paths.Place, content: bytes, token: str) -> None:
    """The whole file at once or nothing; FileExistsError when the name is taken."""
    with safe_paths.parent(place) as (above, name):
        draft = f".{token}.holdpoint"
        with suppress(FileNotFoundError):
            os.unlink(draft, dir_fd=above)
        descriptor = os.open(draft, CREATE, NEW_FILE_MODE, dir_fd=above)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(descriptor)
            os.link(draft, name, src_dir_fd=above, dst_dir_fd=above, follow_symlinks=False)
        finally:
            os.unlink(draft, dir_fd=above)
        os.fsync(above)


def holds(place: safe_paths.Place, content: bytes) -> bool:
    """Return whether the file stands there with exactly this content."""
    with safe_paths.parent(place) as (above, name), suppress(FileNotFoundError):
        with os.fdopen(os.open(name, READ, dir_fd=above), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return False
            found = file.read(len(content) + 1)
        return hashlib.sha256(found).digest() == hashlib.sha256(content).digest()
    return False


def readable(raw: bytes) -> str:
    """Text that no terminal obeys: control characters become their pictures."""
    return raw.decode(errors="replace").translate(PICTURES)


PICTURES = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\n\t"} | {
    0x7F: 0x2421,
    **dict.fromkeys(range(0x80, 0xA0), 0xFFFD),
}
"""C0 as U+2400 and on, DEL as U+2421, C1 as U+FFFD."""


def entry_of(found: os.DirEntry[str]) -> Entry | None:
    """One name in a folder; None where it was removed meanwhile."""
    try:
        status = found.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None
    kind = next((name for is_it, name in KINDS if is_it(status.st_mode)), "other")
    return Entry(name=readable(os.fsencode(found.name)), kind=kind, size=status.st_size)
