"""Commands that delete, overwrite or format: files, directory trees and whole disks."""

import re
from collections.abc import Callable, Iterable

from holdpoint.core.risk.knowledge import pattern, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.command_rules import asks_for_help
from holdpoint.core.risk.shell.data_transfer import find_roots, sought
from holdpoint.core.risk.shell.model import CRITICAL, FILL, HIGH, MEDIUM, Command, is_hole
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import (
    SYSTEM,
    Place,
    are_stores,
    is_made_again,
    place_name,
    place_of,
)
from holdpoint.core.risk.words import word_set
from holdpoint.core.text import beginning
from holdpoint.messages.risk import RiskLevel

_ENDLESS = word_set("/dev/zero /dev/urandom /dev/random /dev/full")


def is_endless(args: tuple[str, ...]) -> bool:
    """Return whether `dd` reads what never ends, and nobody says how much of it."""
    counts = any(arg.startswith("count=") for arg in args)
    return not counts and any(arg[:3] == "if=" and arg[3:] in _ENDLESS for arg in args)


FILLED = Finding("shell.disk-filled", HIGH, "fills a disk until nobody can write to it", "write")


def rsync(command: Command) -> list[Finding]:
    """Judge rsync: with `--delete`, what the source lacks is deleted at the target."""
    options = read_options(command.args, word_set("-e -f --rsh --filter --exclude --include"))
    if options.has("-n --dry-run --list-only"):
        return []
    last = ""
    for flag in command.args:
        if flag.startswith(("--del", "--no-del")):
            last = flag
    if last.startswith("--del") or options.has("--remove-source-files"):
        if last == "--delete-excluded" and "--no-delete-excluded" in command.args:
            return []
        scratch = last and place_of((options.words or ("",))[-1]) is Place.SCRATCH
        level = MEDIUM if scratch and not options.has("--remove-source-files") else HIGH
        return [
            Finding(
                "shell.rsync-delete", level, "deletes what the other side does not have", "delete"
            )
        ]
    return []


_RECURSIVE = {
    Place.ROOT: (CRITICAL, "deletes {}"),
    Place.SYSTEM: (CRITICAL, "deletes parts of {}"),
    Place.PRIVATE: (CRITICAL, "deletes keys, settings or a repository's history"),
    Place.DEVICE: (CRITICAL, "deletes devices"),
    Place.WIDE: (HIGH, "deletes everything in a directory"),
    Place.UNKNOWN: (HIGH, "deletes whatever {}, with all in it"),
    Place.PLAIN: (HIGH, "deletes a directory and everything in it"),
    Place.BUILD: (MEDIUM, "deletes what a build makes again"),
    Place.SCRATCH_ALL: (MEDIUM, "deletes all temporary files"),
}
_SINGLE = {
    Place.ROOT: (HIGH, "deletes {}"),
    Place.SYSTEM: (HIGH, "deletes a part of {}"),
    Place.PRIVATE: (HIGH, "deletes keys, credentials or settings"),
    Place.DEVICE: (HIGH, "deletes a device"),
    Place.WIDE: (HIGH, "deletes everything in a directory"),
}


def _finding(rule: str, found: tuple[RiskLevel, str]) -> Finding:
    return Finding(f"shell.{rule}", found[0], found[1], "delete")


def _at_places(
    rule: str, table: dict[Place, tuple[RiskLevel, str]], words: Iterable[str]
) -> list[Finding]:
    """Return what is said of each kind of place, once, by the name of the first such place."""
    first: dict[Place, str] = {}
    for word in words:
        first.setdefault(place_of(word), word)
    found = ((place, table[place]) for place in first if place in table)
    return [
        _finding(rule, (level, told.format(place_name(place, first[place]))))
        for place, (level, told) in found
    ]


def _rm(command: Command) -> list[Finding]:
    if asks_for_help(command):
        return []
    options = read_options(command.args)
    recursive = options.has("-r -R --recursive")
    table = _RECURSIVE if recursive else _SINGLE
    rule = "rm-recursive" if recursive else "rm"
    found = _at_places(rule, table, options.words)
    if command.many and any(_vague(word) for word in options.words):
        found.append(
            Finding("shell.rm-many", HIGH, "deletes file after file, whatever comes", "delete")
        )
    abroad = [word for word in options.words if word.startswith(_HOMES) and "*" not in word]
    if len(abroad) > 1 or (abroad and command.many):
        found.append(_finding(rule, (HIGH, "deletes files in somebody's home")))
    if recursive and not options.words and command.stdin:
        found.append(_finding(rule, (HIGH, "deletes directories that nobody named")))
    if any(map(are_stores, options.words)):
        found.append(
            Finding("shell.rm-data", HIGH, "deletes every database that it finds", "delete")
        )
    if not found and not recursive:
        found += _lost([word for word in options.words if place_of(word) is Place.PLAIN])
    return [max(found, key=lambda one: one.level.rank)] if found else []


def _lost(files: list[str]) -> list[Finding]:
    """Files that nothing makes again, by the name of the first."""
    files = [file for file in files if not is_made_again(file)]
    if not files:
        return []
    name = "a file" if is_hole(files[0]) else beginning(files[0], MAX_SHOWN)
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    return [_finding("rm-file", (MEDIUM, f"deletes {name}{more} for good"))]


MAX_SHOWN = 40
_HOMES = ("/home/", "/Users/", "~/")


def _vague(word: str) -> bool:
    """A name from a pipe or a loop, outside directories for temporary files, of no build."""
    if not is_hole(word) or is_made_again(word):
        return False
    return place_of(word) not in {Place.SCRATCH, Place.SCRATCH_ALL}


def _rimraf(command: Command) -> list[Finding]:
    """`rimraf`, `del-cli`: always with all that is in it."""
    found = _at_places("rm-recursive", _RECURSIVE, read_options(command.args).words)
    return [max(found, key=lambda one: one.level.rank)] if found else []


_DD_TARGETS = ("of=", "wipe=", "hwipe=", "hof=", "fhod=", "phod=")


def _dd(command: Command) -> list[Finding]:
    target = next(
        (arg.partition("=")[2] for arg in command.args if arg.startswith(_DD_TARGETS)), ""
    )
    place = place_of(target) if target else None
    if place is Place.DEVICE or (
        place and target.startswith("/dev/") and len(target) > len("/dev/null")
    ):
        return [
            Finding(
                "shell.dd-disk",
                CRITICAL,
                "overwrites a disk: everything on it is lost",
                "overwrite",
            )
        ]
    if place in GRAVE and target != "/dev/null":
        return [Finding("shell.dd-file", HIGH, "overwrites a system file", "overwrite")]
    blank = any(arg in {"if=/dev/zero", "if=/dev/urandom", "if=/dev/null"} for arg in command.args)
    if blank and target.endswith(KEPT):
        return [BLANKED]
    if command.many and (not target or (blank and is_hole(target))):
        return [Finding("shell.dd-file", HIGH, "overwrites whatever comes", "overwrite")]
    return [FILLED] if target not in {"", "/dev/null"} and is_endless(command.args) else []


_FORMATS = words("words/shell:files.formatters")


def formats(command: Command) -> list[Finding]:
    """Mkfs and its kin: a disk is formatted, a file is only made."""
    args = command.args
    dry = any(
        arg in {"-n", "-N"} and args[at - 1] not in {"-L", "-N"} for at, arg in enumerate(args)
    )
    words = [arg for arg in args if not arg.startswith("-")]
    if asks_for_help(command) or not words or (dry and command.name in _DRY_FORMATS):
        return []
    if any(arg.startswith("/dev/") or is_hole(arg) for arg in args) or (
        command.name.startswith("newfs") and any(map(_BARE_DISK.fullmatch, words))
    ):
        return [Finding("shell.format-disk", CRITICAL, "formats a disk", "format")]
    return []


_BARE_DISK = re.compile(r"r?(?:disk|ada|da|nda|nvd|wd|sd|ld|md|mmcsd)\d\w*")
"""How the tools of macOS and BSD name a disk without its directory."""

_DRY_FORMATS = word_set("mke2fs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs")


def _find(command: Command) -> list[Finding]:
    args = command.args
    written = [
        args[at + 1] for at, arg in enumerate(args[:-1]) if arg.startswith(("-fprint", "-fls"))
    ]
    if any(place_of(file) in GRAVE and not file.startswith("/dev/std") for file in written):
        return [
            Finding("shell.find-overwrites", HIGH, "overwrites a file of the system", "overwrite")
        ]
    if "-delete" not in _tests(args):
        return []
    if all(map(is_made_again, sought(args[: args.index("-delete")]))):
        return [Finding("shell.find-delete", MEDIUM, "deletes what a build makes again", "delete")]
    roots = find_roots(args)
    places = {place_of(root) for root in roots}
    if places <= {Place.SCRATCH, Place.SCRATCH_ALL, Place.BUILD}:
        return [Finding("shell.find-delete", MEDIUM, "deletes temporary files", "delete")]
    if "-empty" in args[: args.index("-delete")] and not places & SYSTEM and _ANY.isdisjoint(args):
        return [Finding("shell.find-delete", MEDIUM, "deletes what is empty", "delete")]
    narrow = any(arg.startswith(("-name", "-iname", "-path", "-type", "-m", "-s")) for arg in args)
    grave = places & {Place.ROOT, Place.SYSTEM} and not narrow
    level = CRITICAL if grave else HIGH
    return [Finding("shell.find-delete", level, "deletes every file that it finds", "delete")]


_ANY = word_set("-o -or ! -not ,")
"""What makes a test one of several, or its opposite."""


def _tests(args: tuple[str, ...]) -> list[str]:
    """Its words without those of the commands that it runs."""
    left: list[str] = []
    inside = False
    for arg in args:
        inside = arg not in {";", "+", "\\;"} if inside else arg.startswith(("-exec", "-ok"))
        if not inside:
            left.append(arg)
    return left


KEPT = (".db", ".sqlite", ".sqlite3", ".mdb", ".sql", ".csv", ".dump", ".bak", ".parquet")
"""How files end that hold data."""

BLANKED = Finding("shell.cp-blank", HIGH, "replaces a file by nothing", "overwrite")
GRAVE = frozenset({Place.ROOT, Place.SYSTEM, Place.PRIVATE, Place.DEVICE})


def tee(command: Command) -> list[Finding]:
    """`tee FILE`, `sponge FILE`."""
    options = read_options(command.args)
    for word in options.words:
        found = overwrites(word, appends=options.has("-a --append"))
        if found:
            return [found]
    return []


def overwrites(target: str, *, appends: bool) -> Finding | None:
    """Return what it means to write to this place."""
    if target.startswith(_STREAMS) or FILL in target:
        return None
    if "sysrq-trigger" in target:
        return Finding("shell.sysrq", CRITICAL, "tells the kernel to crash or restart", "restart")
    place = place_of(target)
    if place is Place.DEVICE:
        return Finding(
            "shell.redirect-disk",
            CRITICAL,
            "overwrites a disk: everything on it is lost",
            "overwrite",
        )
    return _on_grave(target, appends=appends) if place in GRAVE else None


def _on_grave(target: str, *, appends: bool) -> Finding:
    if lets_in(target):
        return Finding(
            "shell.access-file", HIGH, "changes who may come in, or what runs by itself", "update"
        )
    if appends or not _matters(target):
        own = "a file with settings or keys" if target[:1] == "~" else "a file of the system"
        return Finding("shell.redirect-system", MEDIUM, f"changes {own}", "update")
    return Finding(
        "shell.redirect-system", HIGH, "overwrites a file that others rely on", "overwrite"
    )


def lets_in(target: str) -> bool:
    """Return whether this file says who may come in, or what runs by itself."""
    return _LETS_IN.search(target) is not None


_STREAMS = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd")
_LETS_IN = re.compile(pattern("patterns/shell:filesystem_commands.lets_in"))


def _matters(target: str) -> bool:
    return not target.startswith(
        ("/dev/", "/proc/", "/sys/", "/run/", "/opt/", "/srv/", "/root/")
    ) and (not target.endswith((".env", ".envrc", ".npmrc", ".pub")))


FILES: dict[str, Callable[[Command], list[Finding]]] = {
    **dict.fromkeys(["rm", "grm", "safe-rm"], _rm),
    **dict.fromkeys(["rimraf", "del-cli"], _rimraf),
    **dict.fromkeys(["dd", "gdd", "dcfldd", "dc3dd"], _dd),
    **dict.fromkeys(["find", "gfind"], _find),
    **dict.fromkeys(["tee", "sponge"], tee),
    "rsync": rsync,
    **dict.fromkeys(_FORMATS, formats),
}
"""By name."""

FILE_PROGRAMS = words("words/shell:files.programs") | frozenset(FILES)
"""Programs that work on the files that they are given, and run none of their words."""
