"""Where a simulated shell stands, and where things were before they were moved among scratch."""

import msgspec

from holdpoint.core.risk.knowledge import by_word, words
from holdpoint.core.risk.shell.model import HOLE, Command
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.output_files import joined
from holdpoint.core.risk.shell.paths import SYSTEM, Place, is_made_again, normalized, place_of
from holdpoint.core.risk.shell.state import State
from holdpoint.core.risk.words import word_set

_STEPS = word_set("cd pushd chdir popd")
MOVERS = frozenset({"mv", "gmv", "mount"})
MOVES = _STEPS | MOVERS
_FILES = words("words/shell-flow:file_programs")
_SCRIPTED = word_set("sed gsed")
_UNPACKERS = by_word("words/shell-flow:unpackers")
"""The option that names the folder, by program."""

_NAMES_FIRST = _SCRIPTED | word_set("chmod chown chgrp")
"""Programs whose first word is no file."""

_GRAVE = SYSTEM | {Place.PRIVATE}
_SERVED = ("/srv/", "/opt/", "/var/www/", "/home/", "/root/")
"""Below these people work every day."""


def in_its_folder(command: Command, state: State) -> Command:
    """The command as it runs here; and what it changes of where the shell and its files stand."""
    here = state.here
    if command.name in _STEPS:
        state.here = _stepped(command, here)
        return command
    command = _located(command, here) if here else command
    if command.name in MOVERS:
        note_moved(command, state.moved)
        return command
    return retraced(command, state.moved) if state.moved else command


def _stepped(command: Command, here: str) -> str:
    """Return where the shell stands behind this; empty unless that is the system's, or private."""
    words = [arg for arg in command.args if arg[:1] != "-"]
    if not words:
        return "~" if not command.args and command.name == "cd" else ""
    known = (word for word in words if HOLE not in word)
    path = next(known, words[0]).rstrip("/") or "/"  # `cd $X /etc`: nothing may stand for `$X`
    there = joined(here, path) if here else path
    grave = place_of(there) in _GRAVE and HOLE not in there and not there.startswith(_SERVED)
    return there if grave else ""


def _located(command: Command, here: str) -> Command:
    """With its files where they are, seen from the root."""
    redirects = tuple(
        msgspec.structs.replace(one, target=joined(here, one.target)) for one in command.redirects
    )
    args = command.args
    if command.name in _FILES:
        first = next((at for at, arg in enumerate(args) if arg[:1] != "-"), 0)
        first += command.name in _NAMES_FIRST
        behind = zip(args[first:], args[max(first - 1, 0) :], strict=False)
        scripts = "-e" if command.name in _SCRIPTED else None
        moved = (arg if before == scripts else joined(here, arg) for arg, before in behind)
        args = (*args[:first], *moved)
    elif option := _UNPACKERS.get(command.name):
        args = _unpacked(args, option, here)
    elif command.name == "dd":
        args = tuple(f"of={joined(here, arg[3:])}" if arg[:3] == "of=" else arg for arg in args)
    return msgspec.structs.replace(command, args=args, redirects=redirects)


def _unpacked(args: tuple[str, ...], option: str, here: str) -> tuple[str, ...]:
    """With the folder into which an archive is unpacked."""
    named = (option, "--directory", "--one-top-level")
    return args if any(arg.startswith(named) for arg in args) else (*args, option, here)


MAX_MOVED = 128
"""Places that are remembered; beyond, each temporary file may be one of those moved."""

MAX_PARTS = 16
"""Parts of a path that are looked at."""

_VALUES = word_set("-t -S --target-directory --suffix")
_MOUNTED = word_set("-t -o -O -L -U -T --types --options --target --source")
_SCRATCH = frozenset({Place.SCRATCH, Place.SCRATCH_ALL})
_WORTHLESS = _SCRATCH | {Place.BUILD}
_WHOLE = frozenset({"/tmp", "/var/tmp", "/dev/shm"})  # noqa: S108  # names in a text, no files
_DELETES = words("words/shell-flow:deleting_programs")


def note_moved(command: Command, moved: dict[str, str]) -> None:
    """Remember where each thing was that is moved among temporary files, or mounted there."""
    if command.name == "mount":
        _mounted(command, moved)
        return
    options = read_options(command.args, _VALUES)
    named = options.value("-t", "--target-directory")
    sources = options.words if named else options.words[:-1]
    written = named or (options.words[-1] if options.words else "")
    target = normalized(written)
    scratch = place_of(target) in _SCRATCH
    for source in sources:
        was = _taken_from(normalized(source), moved) or source
        if scratch and not _is_worthless(was):
            _put(f"{target}/{normalized(source).rpartition('/')[2]}", was, moved)
            if not (named or written.endswith("/") or target in _WHOLE):
                _put(target, was, moved)


def _mounted(command: Command, moved: dict[str, str]) -> None:
    """`mount --bind /srv /tmp/a`, `mount /dev/sdb1 /tmp/a`: a second name for what is there."""
    words = read_options(command.args, _MOUNTED).words
    source, target = (words[0], normalized(words[-1])) if len(words) > 1 else ("", "")
    if source[:1] == "/" and place_of(target) in _SCRATCH and not _is_worthless(source):
        _put(target, source, moved)


def _taken_from(path: str, moved: dict[str, str]) -> str:
    """Return where it was before; it no longer lies here."""
    was = moved.get(path, "")
    if was:
        for one in [one for one, source in moved.items() if source == was]:
            del moved[one]
    return was


def _is_worthless(source: str) -> bool:
    return place_of(source) in _WORTHLESS or is_made_again(source)


def _put(target: str, source: str, moved: dict[str, str]) -> None:
    """Under its own path; and that each directory above holds it, which ends in a slash."""
    if len(moved) >= MAX_MOVED:
        moved[""] = source
        return
    moved[target] = source
    for above in _above(target):
        moved.setdefault(f"{above}/", source)


def _above(path: str) -> list[str]:
    """The directories above it, from the root on."""
    parts = path.split("/", MAX_PARTS)
    return ["/".join(parts[:at]) for at in range(1, len(parts))]


def retraced(command: Command, moved: dict[str, str]) -> Command:
    """Return what deletes, with the places from which what it deletes was moved."""
    if command.name not in _DELETES:
        return command
    args = tuple(arg if arg[:1] == "-" else _origin(arg, moved) for arg in command.args)
    return msgspec.structs.replace(command, args=args)


def _origin(arg: str, moved: dict[str, str]) -> str:
    """Return where it was; of a whole directory or a pattern, the first that was moved below it."""
    path = normalized(arg)
    holds = f"{path.partition('*')[0].rpartition('/')[0]}/" if "*" in path else f"{path}/"
    found = moved.get(path) or moved.get(holds)
    if found:
        return found
    for above in _above(path):
        if above in moved and above:
            return moved[above] + path[len(above) :]
    return moved[""] if "" in moved and place_of(path) in _SCRATCH else arg
