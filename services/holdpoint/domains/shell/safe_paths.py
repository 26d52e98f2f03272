"""Paths that cannot leave their folder: opened part by part, and never through a link."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

import msgspec

from holdpoint.domains.settings import ShellSettings

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class OutsideError(ValueError):
    """The path leads outside of what the domain may touch."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A path taken apart: an allowed folder, and the names to go from there."""

    base: Path
    parts: tuple[str, ...]

    @property
    def path(self) -> str:
        """The absolute path."""
        return str(self.base.joinpath(*self.parts))


def readable(settings: ShellSettings, path: str) -> Place:
    """Return where the path lies, if it may be read."""
    return place(path, (settings.root, *settings.write_paths, *settings.read_paths))


def writable(settings: ShellSettings, path: str) -> Place:
    """Return where the path lies, if it may be written."""
    return place(path, (settings.root, *settings.write_paths))


def place(path: str, bases: tuple[Path, ...]) -> Place:
    """A relative path lies in the first base; an absolute one in the base that holds it."""
    pure = PurePosixPath(path)
    if "\0" in path:
        shown = path.replace("\0", "␀")
        raise OutsideError(f"`{shown}` holds a NUL character: no file has such a name.")
    if ".." in pure.parts:
        raise OutsideError(f"`{path}` may not contain `..`: name the path itself.")
    if not pure.is_absolute():
        return Place(base=bases[0], parts=pure.parts)
    for base in bases:
        if pure.is_relative_to(base):
            return Place(base=base, parts=pure.relative_to(base).parts)
    raise OutsideError(f"`{path}` lies outside of the working folder {bases[0]}.")


@contextmanager
def folder(place: Place) -> Iterator[int]:
    """A descriptor of the folder; a link on the way is an OSError (ELOOP or ENOTDIR)."""
    current = os.open(place.base, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in place.parts:
            below = os.open(part, FOLDER, dir_fd=current)
            os.close(current)
            current = below
        yield current
    finally:
        os.close(current)


@contextmanager
def parent(place: Place) -> Iterator[tuple[int, str]]:
    """A descriptor of the folder that holds the path, and the name in it."""
    if not place.parts:
        raise OutsideError(f"`{place.path}` is the working folder itself: name something in it.")
    above = Place(base=place.base, parts=place.parts[:-1])
    with folder(above) as descriptor:
        yield descriptor, place.parts[-1]
