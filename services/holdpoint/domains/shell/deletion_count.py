"""Counts what a deletion would take: folders are read, files are neither opened nor run."""

import errno
import os
import stat
from collections.abc import Iterator
from fnmatch import translate
from functools import partial
from pathlib import Path
from re import compile as compiled

import msgspec

from holdpoint.domains.settings import ShellSettings
from holdpoint.domains.shell.deletion_targets import Erasure, NotPlainError, Reach
from holdpoint.domains.shell.files import readable
from holdpoint.domains.shell.safe_paths import FOLDER, OutsideError, Place, folder, parent, writable
from holdpoint.runtime.process.clock import monotonic

SAMPLE = 5
MISSING = frozenset({errno.ENOENT, errno.ENOTDIR})


class TooMuchError(ValueError):
    """The walk met more than it may, or took longer."""


class Toll(msgspec.Struct, frozen=True, kw_only=True):
    """Number and size of the files that would be gone."""

    files: int
    """Everything that is no folder."""

    folders: int
    targets: tuple[str, ...]
    sample: tuple[str, ...]


class _Walk:
    """One walk's tally, and its limits."""

    def __init__(self, erasure: Erasure, settings: ShellSettings) -> None:
        self.erasure = erasure
        self.limit = settings.walk_entries
        self.until = monotonic() + settings.walk_s
        self.files = set[str]()
        self.folders = set[str]()
        self.fits = compiled(translate(erasure.name or "*")).match

    def meet(self, path: str, mode: int) -> None:
        """Count one entry, once."""
        if len(self.files) + len(self.folders) >= self.limit or monotonic() > self.until:
            raise TooMuchError(f"there are more than {self.limit:,} entries, or it takes too long")
        if stat.S_ISDIR(mode):
            if not self.erasure.only:
                self.folders.add(path)
        elif self._wanted(path.rpartition("/")[2], mode):
            self.files.add(path)

    def _wanted(self, name: str, mode: int) -> bool:
        kinds = {"": True, "f": stat.S_ISREG(mode), "l": stat.S_ISLNK(mode)}
        return kinds[self.erasure.only] and self.fits(name) is not None


def toll(erasure: Erasure, settings: ShellSettings) -> Toll:
    """Return what the deletion would take as the files are now."""
    walk = _Walk(erasure, settings)
    found = [
        one
        for path in erasure.paths
        for one in _expanded(writable(settings, path), globs=erasure.globs)
    ]
    for place in found:
        _visit(walk, place)
    names = sorted(walk.files)
    return Toll(
        files=len(walk.files),
        folders=len(walk.folders),
        targets=tuple(place.path for place in found),
        sample=tuple(readable(os.fsencode(_short(name, settings.root))) for name in names[:SAMPLE]),
    )


def _visit(walk: _Walk, place: Place) -> None:
    """One operand; one that is not there costs nothing."""
    if not place.parts and not walk.erasure.only:
        raise NotPlainError  # the working folder itself: rm refuses, find would try
    try:
        if not place.parts:
            with folder(place) as descriptor:
                _descend(walk, descriptor, place.path)
            return
        with parent(place) as (above, name):
            _enter(walk, above, name, place.path)
    except OSError as error:
        if error.errno not in MISSING:
            raise
        _refuse_links(place)


def _refuse_links(place: Place) -> None:
    """ENOTDIR is also what a link on the way answers: then nobody knows where it leads."""
    for count in range(1, len(place.parts)):
        if place.base.joinpath(*place.parts[:count]).is_symlink():
            raise OutsideError(f"`{place.path}` leads through a link.")


def _enter(walk: _Walk, above: int, name: str, path: str) -> None:
    mode = os.stat(name, dir_fd=above, follow_symlinks=False).st_mode
    if not stat.S_ISDIR(mode):
        walk.meet(path, mode)
    elif walk.erasure.reach is Reach.TREES:
        below = os.open(name, FOLDER, dir_fd=above)
        try:
            _descend(walk, below, path)
        finally:
            os.close(below)
        walk.meet(path, mode)
    elif walk.erasure.reach is Reach.EMPTY_FOLDERS and _is_empty(above, name):
        walk.meet(path, mode)


def _descend(walk: _Walk, top: int, path: str) -> None:
    """`os.fwalk` opens folders only, one beneath the other, and follows no link."""
    for inside, folders, files, at in os.fwalk(
        ".", topdown=True, onerror=_raised, follow_symlinks=False, dir_fd=top
    ):
        for name in (*folders, *files):
            mode = os.stat(name, dir_fd=at, follow_symlinks=False).st_mode
            walk.meet(os.path.normpath(f"{path}/{inside}/{name}"), mode)


def _raised(error: OSError) -> None:
    raise error


def _is_empty(above: int, name: str) -> bool:
    descriptor = os.open(name, FOLDER, dir_fd=above)
    try:
        with os.scandir(descriptor) as found:
            return next(found, None) is None
    finally:
        os.close(descriptor)


def _expanded(place: Place, *, globs: bool) -> Iterator[Place]:
    """Expand `*` and `?` as bash does; a pattern that fits nothing stays as it is."""
    if not globs:
        return iter((place,))
    fitting: list[tuple[str, ...]] = [()]
    for part in place.parts:
        step = partial(_fitting, place.base, part)
        fitting = [(*head, name) for head in fitting for name in step(head)]
    found = [Place(base=place.base, parts=parts) for parts in fitting]
    return iter(found or [place])


def _fitting(base: Path, pattern: str, head: tuple[str, ...]) -> list[str]:
    """The names in one folder that fit; a dot at the beginning must be written."""
    if not {"*", "?"} & set(pattern):
        return [pattern]
    fits = compiled(translate(pattern)).match
    try:
        with folder(Place(base=base, parts=head)) as descriptor:
            names = _names(descriptor)
    except OSError as error:
        if error.errno in MISSING:
            return []
        raise
    hidden = pattern.startswith(".")
    return [name for name in sorted(names) if fits(name) and (hidden or not name.startswith("."))]


def _names(descriptor: int) -> list[str]:
    with os.scandir(descriptor) as found:
        return [entry.name for entry in found]


def _short(path: str, root: Path) -> str:
    return path.removeprefix(f"{root}/")
