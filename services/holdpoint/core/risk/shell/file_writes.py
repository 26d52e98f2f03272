"""Writing to files that others rely on: copies, redirections, editors, and files of access."""

import re

from holdpoint.core.risk.shell.model import CRITICAL, FILL, HIGH, MEDIUM, Command, Danger
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import (
    Place,
    place_of,
)

KEPT = (".db", ".sqlite", ".sqlite3", ".mdb", ".sql", ".csv", ".dump", ".bak", ".parquet")
"""How files end that hold data."""

BLANKED = Danger("shell.cp-blank", HIGH, "replaces a file by nothing", "overwrite")


GRAVE = frozenset({Place.ROOT, Place.SYSTEM, Place.PRIVATE, Place.DEVICE})


def tee(command: Command) -> list[Danger]:
    """`tee FILE`, `sponge FILE`."""
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
        return Danger("shell.sysrq", CRITICAL, "tells the kernel to crash or restart", "restart")
    place = place_of(target)
    if place is Place.DEVICE:
        return Danger("shell.redirect-disk", CRITICAL, "overwrites a disk", "overwrite")
    return _on_grave(target, appends=appends) if place in GRAVE else None


def _on_grave(target: str, *, appends: bool) -> Danger:
    if lets_in(target):
        return Danger(
            "shell.access-file", HIGH, "changes who may come in, or what runs by itself", "update"
        )
    if appends or not _matters(target):
        own = "a file with settings or keys" if target[:1] == "~" else "a file of the system"
        return Danger("shell.redirect-system", MEDIUM, f"changes {own}", "update")
    return Danger(
        "shell.redirect-system", HIGH, "overwrites a file that others rely on", "overwrite"
    )


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
