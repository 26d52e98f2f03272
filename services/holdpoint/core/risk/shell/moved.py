"""What was moved or mounted among temporary files: to delete it there is to delete what it is."""

import msgspec

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.model import Command
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import Place, is_made_again, normal, place_of

MOVERS = frozenset({"mv", "gmv", "mount"})
MAX_MOVED = 128
"""Places that are remembered; beyond, each temporary file may be one of those moved."""

MAX_PARTS = 16
"""Parts of a path that are looked at."""

_VALUES = word_set("-t -S --target-directory --suffix")
_MOUNTED = word_set("-t -o -O -L -U -T --types --options --target --source")
_SCRATCH = frozenset({Place.SCRATCH, Place.SCRATCH_ALL})
_WORTHLESS = _SCRATCH | {Place.BUILD}
_WHOLE = frozenset({"/tmp", "/var/tmp", "/dev/shm"})  # noqa: S108  # names in a text, no files
_DELETES = word_set(
    "rm grm safe-rm rmdir srm wipe shred gshred unlink rimraf del-cli truncate find gfind"
)


def note_moved(command: Command, moved: dict[str, str]) -> None:
    """Remember where each thing was that is moved among temporary files, or mounted there."""
    if command.name == "mount":
        _mounted(command, moved)
        return
    options = read_options(command.args, _VALUES)
    named = options.value("-t", "--target-directory")
    sources = options.words if named else options.words[:-1]
    written = named or (options.words[-1] if options.words else "")
    target = normal(written)
    scratch = place_of(target) in _SCRATCH
    for source in sources:
        was = _taken_from(normal(source), moved) or source
        if scratch and not _is_worthless(was):
            _put(f"{target}/{normal(source).rpartition('/')[2]}", was, moved)
            if not (named or written.endswith("/") or target in _WHOLE):
                _put(target, was, moved)


def _mounted(command: Command, moved: dict[str, str]) -> None:
    """`mount --bind /srv /tmp/a`, `mount /dev/sdb1 /tmp/a`: a second name for what is there."""
    words = read_options(command.args, _MOUNTED).words
    source, target = (words[0], normal(words[-1])) if len(words) > 1 else ("", "")
    if source[:1] == "/" and place_of(target) in _SCRATCH and not _is_worthless(source):
        _put(target, source, moved)


def _taken_from(path: str, moved: dict[str, str]) -> str:
    """Where it was before; it no longer lies here."""
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
    """What deletes, with the places from which what it deletes was moved."""
    if command.name not in _DELETES:
        return command
    args = tuple(arg if arg[:1] == "-" else _origin(arg, moved) for arg in command.args)
    return msgspec.structs.replace(command, args=args)


def _origin(arg: str, moved: dict[str, str]) -> str:
    """Where it was; of a whole directory or a pattern, the first that was moved below it."""
    path = normal(arg)
    holds = f"{path.partition('*')[0].rpartition('/')[0]}/" if "*" in path else f"{path}/"
    found = moved.get(path) or moved.get(holds)
    if found:
        return found
    for above in _above(path):
        if above in moved and above:
            return moved[above] + path[len(above) :]
    return moved[""] if "" in moved and place_of(path) in _SCRATCH else arg
