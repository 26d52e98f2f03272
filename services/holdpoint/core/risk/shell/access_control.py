"""Permissions, owners, accounts and protections: who may do what, and who is let in."""

import re
from collections.abc import Iterable

from holdpoint.core.risk.knowledge import pattern
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.assignments import HISTORY_OFF
from holdpoint.core.risk.shell.dry_runs import asks_for_help
from holdpoint.core.risk.shell.model import (
    CRITICAL,
    FILL,
    HIGH,
    HOLE,
    HOLE_END,
    MEDIUM,
    Command,
    Danger,
)
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import SYSTEM, WIDE, Place, place_of
from holdpoint.messages.risk import Heuristic


def permissions(command: Command) -> list[Danger]:
    """chmod, chown, chgrp, setfacl: how far, and how open."""
    if asks_for_help(command):
        return []
    lists = command.name == "setfacl"
    options = read_options(command.args, _ACL_VALUES if lists else word_set("--reference --from"))
    named = lists or "--reference" in options.values
    mode, targets = ("", options.words) if named else (options.word(0), options.words[1:])
    recursive = options.has("-R --recursive") or command.many
    places = {place_of(target.removesuffix(f"/{FILL}") or "/") for target in targets}
    if recursive and not places & SYSTEM and _is_mild(command.name, mode, targets):
        return [Danger("shell.permissions", MEDIUM, "changes permissions widely", "change")]
    if (
        recursive
        and targets
        and (places & (WIDE | SYSTEM) or (command.name == "chmod" and _shuts(mode)))
    ):
        level = CRITICAL if places & {Place.ROOT} else HIGH
        return [
            Danger(
                "shell.permissions-wide", level, "changes permissions of everything below", "change"
            )
        ]
    grave = places & SYSTEM and not (command.name in _HANDS_OVER and all(map(_is_served, targets)))
    if grave and (_opens(mode) or _shuts(mode) or command.name != "chmod"):
        return [Danger("shell.permissions-system", HIGH, "opens a part of the system", "change")]
    if recursive or _opens(mode):
        return [Danger("shell.permissions", MEDIUM, "changes permissions widely", "change")]
    return []


_HANDS_OVER = word_set("chown chgrp")
_SERVED = ("/srv/", "/opt/", "/var/www/", "/var/log/")


def _is_served(target: str) -> bool:
    """Whether one file or folder is given to the program that works with it."""
    return target.startswith(_SERVED) and ".." not in target


_ACL_VALUES = word_set("-m -x -M -X --modify --remove --set --restore")


_ONESELF = re.compile(
    rf"{HOLE}(?:USER|LOGNAME|UID|EUID){HOLE_END}(?::(?:{HOLE}(?:USER|LOGNAME|GID){HOLE_END})?)?"
)
_RUNNABLE = re.compile(r"[ugoa]*\+[xX]")


def _is_mild(name: str, mode: str, targets: tuple[str, ...]) -> bool:
    """Whether files below here become one's own, or can be run."""
    near = all(target[:1] not in {"/", "~", HOLE} and ".." not in target for target in targets)
    way = _RUNNABLE if name == "chmod" else _ONESELF
    return near and name in {"chmod", "chown"} and way.fullmatch(mode) is not None


def _opens(mode: str) -> bool:
    return mode.endswith(("777", "666")) or "+s" in mode or "o+w" in mode or "a+w" in mode or (
        len(mode) == len("4755") and mode[0] in "24657" and mode.isdigit()
    )  # fmt: skip


def _shuts(mode: str) -> bool:
    return mode.strip("0") == "" or mode in {"a-rwx", "-rwx", "777", "0777"}


def exports(declared: str) -> bool:
    """`export X=0`, `declare -x X=0`: whether every program to come gets such a variable."""
    head, *words = declared.split()
    handed = head == "export" or any(word[:1] == "-" and "x" in word for word in words)
    return handed and disables_verification(words)


def disables_verification(assigned: Iterable[str]) -> bool:
    """Whether one of these variables tells every program to come to pass such a proof by."""
    return any(map(_variables.fullmatch, assigned))


_variables = re.compile(pattern("patterns/shell:access_control.variables"))
UNVERIFIED = Danger(
    "shell.protection-off", HIGH, "stops checking whom it talks to", "disable",
    Heuristic.CRITICALITY,
)  # fmt: skip


_TRACELESS = re.compile(r"^(?:HISTFILE(?:=(?:/dev/null)?)?|HIST(?:FILE)?SIZE=0)$")


def hidden_traces(command: Command) -> list[Danger]:
    """`unset HISTFILE`, `set +o history`, `export NODE_TLS_REJECT_UNAUTHORIZED=0`."""
    off = command.name == "set" and command.args[:2] == ("+o", "history")
    bare = command.name == "unset"
    named = (arg for arg in command.args if _TRACELESS.match(arg) and (bare or "=" in arg))
    if off or next(named, ""):
        return [HISTORY_OFF]
    return [UNVERIFIED] if command.name == "export" and disables_verification(command.args) else []
