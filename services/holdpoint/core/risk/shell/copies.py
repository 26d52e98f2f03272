"""Files that are moved away, or copied or linked over what is there."""

import re

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.emptied import BLANKED, is_nothing
from holdpoint.core.risk.shell.model import CRITICAL, HIGH, MEDIUM, Command, Danger
from holdpoint.core.risk.shell.options import Options, read_options
from holdpoint.core.risk.shell.paths import STORES, Place, place_of
from holdpoint.core.risk.shell.told import of_place
from holdpoint.core.risk.shell.writes import GRAVE
from holdpoint.messages.risk import RiskLevel

_VALUES = word_set("-t -S --target-directory --suffix")


def _danger(rule: str, found: tuple[RiskLevel, str], verb: str = "delete") -> Danger:
    return Danger(f"shell.{rule}", found[0], found[1], verb)


def mv(command: Command) -> list[Danger]:
    """`mv /usr/bin /tmp`, `mv x /dev/null`."""
    options = read_options(command.args, _VALUES)
    named = options.value("-t", "--target-directory")
    sources = options.words if named else options.words[:-1]
    target = named or (options.words[-1] if options.words else "")
    if target == "/dev/null" and sources:
        return [_danger("mv-null", (HIGH, "moves files to where nothing comes back from"))]
    grave = [
        word
        for word in sources
        if place_of(word) in {Place.ROOT, Place.DEVICE}
        or (word.startswith("/home/") and word.endswith("/*"))
    ]
    if grave:
        moved = of_place(place_of(grave[0]), grave[0])
        return [_danger("mv-system", (CRITICAL, f"moves away {moved}"), "move")]
    return _missed(sources, target) or _put_over(options, sources, target)


def _missed(sources: tuple[str, ...], target: str) -> list[Danger]:
    """What is needed where it is."""
    if any(map(_NEEDED.match, sources)):
        return [_danger("mv-system", (HIGH, "moves away what the system needs"), "move")]
    if any(map(_KEPT_DATA.fullmatch, sources)) and place_of(target) in _CLEARED:
        return [_danger("mv-data", (HIGH, "moves data to where it is cleared away"), "move")]
    return []


def _put_over(options: Options, sources: tuple[str, ...], target: str) -> list[Danger]:
    """A database that is replaced, a repository's history."""
    apart = [word for word in sources if word.rpartition("/")[0] != target.rpartition("/")[0]]
    if apart and place_of(target) is Place.SYSTEM and _replaces(options, target):
        return [_danger("cp-data", (HIGH, "replaces a database"), "overwrite")]
    if any(place_of(word) is Place.PRIVATE and ".git" in word for word in sources):
        return [_danger("mv-private", (HIGH, "moves a repository's history away"), "move")]
    return []


_NEEDED = re.compile(
    r"/etc/(?:passwd|shadow|group|gshadow|sudoers(?:\.d)?|fstab|pam\.d|ssh)(?:/|$)"
    r"|/(?:usr/)?(?:s?bin|lib\d*)(?:/|$)|/usr/(?:libexec|share)/?$|/var/lib/?$"
    r"|/boot/(?!.*\.(?:old|bak))"
)


_CLEARED = frozenset({Place.SCRATCH, Place.SCRATCH_ALL})
_KEPT_DATA = re.compile(r"/(?:srv|var/(?:lib|www|mail|spool|backups|db))/[\w/-]*[\w*-]/?")
"""Directories that hold what services and people keep."""


def cp(command: Command) -> list[Danger]:
    """`cp x /dev/sda`, `cp /dev/null x`, `cp -f empty.db /var/lib/app/app.db`."""
    options = read_options(command.args, _VALUES)
    target = options.value("-t", "--target-directory") or (options.words or ("",))[-1]
    place = place_of(target) if len(options.words) > 1 else None
    if place is Place.DEVICE:
        return [_danger("cp-disk", (CRITICAL, "overwrites a disk"), "overwrite")]
    blank = is_nothing(options.word(0), command)
    if blank and target != "/dev/null" and len(options.words) > 1:
        return [BLANKED]
    if place is Place.SYSTEM and _replaces(options, target):
        return [_danger("cp-data", (HIGH, "replaces a database"), "overwrite")]
    if place in GRAVE and target.startswith(
        ("/etc/passwd", "/etc/shadow", "/etc/sudoers", "/boot")
    ):
        return [
            _danger("cp-system", (HIGH, "overwrites a file that the system needs"), "overwrite")
        ]
    return []


def _replaces(options: Options, target: str) -> bool:
    """Whether a database of a program is overwritten; a copy of one is kept beside it."""
    keeps = options.has("-n --no-clobber -b --backup -u --update")
    return target.endswith(STORES) and not keeps and not _COPY.search(target)


_COPY = re.compile(r"bak|backup|copy|copies|snapshot|archive|dump|old|export|test", re.IGNORECASE)


def ln(command: Command) -> list[Danger]:
    """`ln -sf x /etc/passwd`, `ln -sf /dev/null orders.db`."""
    options = read_options(command.args, _VALUES)
    target = options.words[-1] if len(options.words) > 1 else ""
    if options.has("-f --force") and target and options.word(0) == "/dev/null":
        lost = place_of(target) not in {Place.SCRATCH, Place.SCRATCH_ALL, Place.BUILD}
        return [BLANKED] if lost else []
    if options.has("-f --force") and target and place_of(target) in {Place.SYSTEM, Place.PRIVATE}:
        grave = place_of(target) is Place.PRIVATE or target.startswith(
            ("/etc/", "/bin", "/sbin", "/lib", "/boot")
        )
        level = HIGH if grave else MEDIUM
        return [_danger("ln-force", (level, "replaces a file of the system by a link"), "replace")]
    return []
