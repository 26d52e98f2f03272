"""Kinds of places: scratch, build output, the system, secrets, disks; and how each is named."""

import re
from enum import IntEnum, auto

import re2

from holdpoint.core.prefilter import prefilter
from holdpoint.core.risk.knowledge import any_of, pattern, words
from holdpoint.core.risk.shell.model import FILL, HOLE, HOLE_END
from holdpoint.core.risk.words import word_set
from holdpoint.core.text import whole_characters


class Place(IntEnum):
    """Kinds of places, from what nobody misses to what everybody does."""

    SCRATCH = auto()
    """One thing below a directory for temporary files."""

    SCRATCH_ALL = auto()
    """All of them."""

    BUILD = auto()
    """What a build or an installation makes again."""

    PLAIN = auto()
    WIDE = auto()
    """A whole directory's content, by a bare pattern, `.` or `..`."""

    UNKNOWN = auto()
    """Only a variable or a pipe knows."""

    PRIVATE = auto()
    """Keys, credentials, a shell's start-up files, a repository's own files."""

    SYSTEM = auto()
    """Below a directory of the system."""

    ROOT = auto()
    """The root, a home, or a directory of the system as a whole."""

    DEVICE = auto()
    """A disk or a partition."""


WIDE = frozenset({Place.ROOT, Place.WIDE})
"""A whole directory."""

SYSTEM = frozenset({Place.ROOT, Place.SYSTEM, Place.DEVICE})
"""What the machine needs."""

_DEVICE = re.compile(
    rf"/dev/(?:{any_of('words/shell:devices.names')}|[a-z0-9_]*dri?ve|[a-z_]*disk)"
    r"|\\\\\.\\physicaldrive",
    re.IGNORECASE,
)
_TOP = words("words/shell:paths.top_directories")
_SYSTEM = words("words/shell:paths.system_directories")
_TEMPORARY = tuple(
    f"/{name}"
    for name in ["tmp", "var/tmp", "private/tmp", "dev/shm", "var/cache", "var/lib/apt/lists",
                 "private/var/folders"]
)  # fmt: skip
_SCRATCH = frozenset(one[1] for one in _TEMPORARY)
"""How those begin behind the root: most paths do not."""

_TEMPORARY_NAMES = tuple(
    f"{HOLE}{name}{HOLE_END}" for name in ("TMPDIR", "TMP", "TEMP", "tmpdir", "RUNNER_TEMP")
)
_HOMES = (f"{HOLE}HOME{HOLE_END}", "~", f"{HOLE}USERPROFILE{HOLE_END}", "%userprofile%")
_BUILD = words("words/shell:paths.build_places")
STARTUP_FILES = any_of("words/shell:paths.startup_files")
"""A pattern of the names of files that a shell reads when it starts."""

_PRIVATE = re.compile(
    rf"(?:^|/)(?:{any_of('words/shell:paths.private_directories')})(?:/|$)"
    rf"|(?:^|/)(?:{STARTUP_FILES}|{any_of('words/shell:paths.private_files')}"
    r"|\.env(?:\.[\w.-]+)?)$|\.git/(?:objects|refs)"
)
_INNARDS = re.compile(r"(?:^|/)[\w.-]*\.git/(?:objects|refs|hooks|worktrees|index|HEAD|config)")
_SAFE_DEVICES = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/stdin"})
_LOGGED = re.compile(
    r"^/(?:private/)?var/(?:log|spool|lib|mail|db|audit|backups)(?:/|$)|^/logs(?:/|$)"
)


def place_of(path: str) -> Place:
    """The kind of place that a path names."""
    if path[:1] != "/" and _ORDINARY.fullmatch(path):
        return Place.BUILD if path.rstrip("/").rsplit("/", 1)[-1] in _BUILD else Place.PLAIN
    clean = normalized(path)
    if clean in _WIDE_NAMES:
        return Place.WIDE
    if clean in _BARE or clean.startswith("../.."):
        return Place.ROOT
    return _in_variable(clean) if clean.startswith(HOLE) else _named(clean)


def _named(clean: str) -> Place:
    lowered = clean.lower()
    if clean.startswith("~"):
        return _in_home(clean)
    if _DEVICE.match(clean):
        return Place.DEVICE
    if lowered.startswith("c:"):
        return Place.SYSTEM if lowered[3:] else Place.ROOT
    if _PRIVATE.search(clean) or _INNARDS.search(clean):
        return Place.PRIVATE
    return _absolute(clean) if clean.startswith("/") else _relative(clean)


_ORDINARY = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*(?:/[A-Za-z0-9_-]+)*(?:\.[a-z]{1,4})?/?")
_WIDE_NAMES = frozenset({"*", ".", "..", "./*", ".*", "../*"})
_BARE = frozenset({"/", "/*", "/.*", "/.", "~", "~/*", "//"})
_PRODUCTS = words("words/shell:paths.build_products")
_EVERYWHERE = words("words/shell:paths.unmistakable_products")

_PRODUCT = re.compile(
    r"[\w*?.-]*\.(?:py[cod]|py\[co\]|o|obj|class|gc[dn][ao]|gcov|tsbuildinfo|hi|elc|beam)"
)
"""Files that a compiler makes."""


def is_made_again(path: str) -> bool:
    """Return whether it is a build's product below the working folder, as far as its words tell."""
    known = path.replace(FILL, "")
    if known[:1] in _ELSEWHERE or ".." in known or not _WORDS.fullmatch(known):
        return False
    parts = [part.lower() for part in path.split("/") if part not in {"", "."}]
    if not parts or place_of(path) is Place.PRIVATE:
        return False
    *above, last = parts
    last = last.replace(FILL, "")
    if last in _EVERYWHERE or _PRODUCT.fullmatch(last):
        return True
    first = above[: above.index(FILL)] if FILL in above else [*above, last]
    return "*" not in first[0] and not _PRODUCTS.isdisjoint(first) if first else False


def are_stores(path: str) -> bool:
    """Return whether a pattern finds databases, outside of directories for temporary files."""
    stores = "*" in path and path.endswith(STORES)
    return stores and place_of(path) not in {Place.SCRATCH, Place.SCRATCH_ALL, Place.BUILD}


STORES = (".db", ".sqlite", ".sqlite3", ".db3", ".mdb", ".mdf", ".ldf", ".ibd", ".rdb", ".aof")
_ELSEWHERE = frozenset({"", "~", "/"})
_WORDS = re.compile(r"[\w.*?/\[\]-]+")


def normalized(path: str) -> str:
    """Without doubled slashes, `.` and, where a parent is known, `..`."""
    if "/./" not in path and "//" not in path and ".." not in path and not path.endswith("/"):
        return path.removeprefix("./") if path != "./*" else path
    parts: list[str] = []
    for part in path.split("/"):
        if part in {"", "."}:
            continue
        if part == ".." and parts and parts[-1] != ".." and not parts[-1].startswith(HOLE):
            parts.pop()
        elif part != ".." or not path.startswith("/") or parts:
            parts.append(part)
    joined = "/".join(parts)
    return f"/{joined}" if path.startswith("/") else joined or "."


def _in_variable(clean: str) -> Place:
    head, _, tail = clean.partition("/")
    if head in _HOMES:
        return _in_home(f"~/{tail}" if tail else "~")
    if head in _TEMPORARY_NAMES and tail and ".." not in tail:
        return Place.SCRATCH_ALL if tail.startswith("*") else Place.SCRATCH
    if _PRIVATE.search(clean) or head == f"{HOLE}HISTFILE{HOLE_END}":
        return Place.PRIVATE
    name = tail.rsplit("/", 1)[-1]
    return Place.BUILD if name in _BUILD else Place.UNKNOWN


def _in_home(clean: str) -> Place:
    head, _, tail = clean.partition("/")
    if not tail or tail in {"*", ".*", "."}:
        return Place.ROOT
    if _PRIVATE.search(clean):
        return Place.PRIVATE
    return _relative(tail) if head == "~" else Place.PLAIN


def _absolute(clean: str) -> Place:
    temporary = next(filter(clean.startswith, _TEMPORARY), "") if clean[1:2] in _SCRATCH else ""
    rest = clean[len(temporary) :]
    if temporary and rest[:1] in {"", "/"}:
        wide = rest[1:].startswith(("*", FILL, ".")) or not rest
        return Place.SCRATCH_ALL if wide else Place.SCRATCH
    parts = clean[1:].lower().split("/")
    if _is_root(parts):
        return Place.ROOT
    system = _LOGGED.match(clean) or (parts[0] in _SYSTEM and clean not in _SAFE_DEVICES)
    return Place.SYSTEM if system else _relative(clean)


def _is_root(parts: list[str]) -> bool:
    """A directory right below the root, all in it, or somebody's home."""
    first = parts[0]
    if len(parts) == 1:
        return first.rstrip("*?") in _TOP or any(sign in first for sign in "?*[")
    home = first in {"home", "users"} and len(parts) == len(("home", "user"))
    return home or (first in _TOP and len(parts) == len(("etc", "*")) and parts[1] in {"*", ".*"})


def _relative(clean: str) -> Place:
    name = clean.rsplit("/", 1)[-1].lower()
    if name in _BUILD:
        return Place.BUILD
    if name in {"*", ".*", "{*,.*}"}:
        return Place.WIDE
    return Place.UNKNOWN if HOLE in clean else Place.PLAIN


_OF_PEOPLE = word_set("home users root")
_BY_HAND = word_set("mnt media volumes opt srv")
"""Directories for disks, programs and data that are put there by hand."""


def place_name(place: Place, path: str) -> str:
    """Return what is taken with this path: of a part of the system, the whole."""
    if place is Place.ROOT:
        return _whole(normalized(path))
    if place is Place.UNKNOWN:
        return "is found" if FILL in path else "a variable names"
    if place is Place.DEVICE:
        return "a device"
    clean = normalized(path).lower()
    first = clean[1:].partition("/")[0] if clean[:1] == "/" else ""
    if first in _OF_PEOPLE:
        return "a home directory"
    return f"/{first}" if first in _BY_HAND else "the system"


def _whole(clean: str) -> str:
    if clean.startswith(".."):
        return "whatever lies far above this directory"
    if clean.lower().startswith("c:"):
        return "a whole disk"
    first, *rest = clean.strip("/").lower().split("/")
    if first in {"", "*", ".*", "."}:
        return "the whole system"
    if clean[0] != "/" or first in _OF_PEOPLE:
        everybody = clean[0] == "/" and first != "root" and rest in ([], ["*"], [".*"])
        return "everybody's home directory" if everybody else "a whole home directory"
    if any(sign in first for sign in "?*["):
        return "whole directories of the system"
    return f"all of /{first}" + ("" if first in _BY_HAND else ", which the system needs")


MAX_PLACE = 300
"""Characters of a text that may name a place; nobody can say where a longer one leads."""


def steers(place: str) -> bool:
    """Return whether programs may take settings from a file here, or run it unasked.

    Every hidden file is such a place, but for the few that are known to be harmless.
    """
    return len(place) > MAX_PLACE or _is_steering(_for_people.sub("", _bare(place)))


def is_trusted(place: str) -> bool:
    """Return whether a text that is written here may do more than lie there."""
    if len(place) > MAX_PLACE:
        return True
    bare = _bare(place)
    return _trusted(bare) or _is_steering(bare)


def _bare(place: str) -> str:
    """Without quotes, empty steps and those that stay where they are; in lower case."""
    path = place.strip().strip("'\"").lower().replace("\\", "/").removeprefix("file://")
    return str(_still.sub("/", whole_characters(path))).removeprefix("./")


def _is_steering(bare: str) -> bool:
    hidden = "/." in bare or bare[:1] == "."
    hides = hidden and any(map(_hides, bare.split("/")))
    return hides or _steering(bare)


_for_people = re.compile(r"(?:^|/)\.git(?:hub|lab|ea)/(?=[\w/-]+\.md$)")
"""Where a forge keeps the texts that it shows to people."""


def _hides(part: str) -> bool:
    return part[:1] == "." and part.strip(".") != "" and part not in _HARMLESS


_still = re2.compile(r"/(?:\./|/)+")
_HARMLESS = words("words/shell:paths.harmless_hidden_files")
_steering = prefilter(pattern("patterns/shell:file_places.steering"))
_trusted = prefilter(pattern("patterns/shell:file_places.trusted"))
