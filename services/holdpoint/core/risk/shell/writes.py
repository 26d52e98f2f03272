"""Writing to a place: what is overwritten, edited, or lets somebody in."""

import re

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.emptied import BLANKED, blanked, sed
from holdpoint.core.risk.shell.model import CRITICAL, FILL, HIGH, MEDIUM, Command, Danger
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import Place, place_of
from holdpoint.messages.risk import RiskLevel

GRAVE = frozenset({Place.ROOT, Place.SYSTEM, Place.PRIVATE, Place.DEVICE})


def _danger(rule: str, found: tuple[RiskLevel, str], verb: str = "update") -> Danger:
    return Danger(f"shell.{rule}", found[0], found[1], verb)


def tee(command: Command) -> list[Danger]:
    """`tee FILE`, `sponge FILE`."""
    if blanked(command):
        return [BLANKED]
    options = read_options(command.args)
    for word in options.words:
        found = overwrites(word, appends=options.has("-a --append"))
        if found:
            return [found]
    return []


def overwrites(target: str, *, appends: bool) -> Danger | None:
    """What it means to write to this place."""
    if target.startswith(_STREAMS) or FILL in target:
        return None
    if "sysrq-trigger" in target:
        return _danger("sysrq", (CRITICAL, "tells the kernel to crash or restart"), "restart")
    place = place_of(target)
    if place is Place.DEVICE:
        return _danger("redirect-disk", (CRITICAL, "overwrites a disk"), "overwrite")
    return _on_grave(target, appends=appends) if place in GRAVE else None


def _on_grave(target: str, *, appends: bool) -> Danger:
    if lets_in(target):
        return _danger("access-file", (HIGH, "changes who may come in, or what runs by itself"))
    if appends or not _matters(target):
        own = "a file with settings or keys" if target[:1] == "~" else "a file of the system"
        return _danger("redirect-system", (MEDIUM, f"changes {own}"), "update")
    return _danger("redirect-system", (HIGH, "overwrites a file that others rely on"), "overwrite")


def lets_in(target: str) -> bool:
    """Whether this file says who may come in, or what runs by itself."""
    return _LETS_IN.search(target) is not None


_STREAMS = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd")
_LETS_IN = re.compile(
    r"authorized_keys$|^/etc/(?:sudoers|passwd|shadow|gshadow|pam\.d|ld\.so\.preload|cron|crontab|ssh/sshd_config)"
    r"|^/var/spool/cron/|/Library/Launch(?:Daemons|Agents)/"
)


def _matters(target: str) -> bool:
    return not target.startswith(
        ("/dev/", "/proc/", "/sys/", "/run/", "/opt/", "/srv/", "/root/")
    ) and (not target.endswith((".env", ".envrc", ".npmrc", ".pub")))


def in_place(command: Command) -> list[Danger]:
    """`sed -i`, `perl -pi` on files of the system."""
    options = read_options(command.args, word_set("-e -f --expression --file"))
    if not options.has("-i --in-place") and not any(a.startswith("-i") for a in command.args):
        return []
    grave = any(
        place_of(word) in GRAVE for word in options.words[-3:] if "/" in word[1:] or word[:1] == "~"
    )
    found = sed(command) if command.name.endswith("sed") else []
    return (
        [_danger("edit-system", (HIGH, "edits a file of the system"), "edit")] if grave else found
    )
