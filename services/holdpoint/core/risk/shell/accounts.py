"""Accounts, powers, protections and traces: who may do what, and what is told of it."""

import re

from holdpoint.core.risk.shell.assignments import HISTORY_OFF
from holdpoint.core.risk.shell.model import HIGH, MEDIUM, Command, Danger
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import SYSTEM, place_of
from holdpoint.core.risk.shell.unverified import UNVERIFIED, blinded
from holdpoint.messages.risk import Heuristic

_MIGHTY = re.compile(
    r"(?:^|[,\s])(?:sudo|wheel|root|admin|docker|lxd|disk|shadow|adm|libvirt)(?:$|[,\s])"
)


def joins(command: Command) -> list[Danger]:
    """`usermod -aG sudo`, `adduser x wheel`, `useradd -o -u 0`: somebody becomes mighty."""
    words = list(command.args[1:] if command.name == "adduser" else command.args)
    text = " ".join(words)
    options = read_options(command.args)
    group = command.name in {"gpasswd", "adduser"} or options.has("-G --groups -g --gid")
    zero = re.search(r"(?:^|\s)(?:-o?u|--uid)[ =]0\b", text)
    if zero or (group and _MIGHTY.search(text)) or "-t user admin" in text:
        return [Danger("shell.power-given", HIGH, "gives an account the powers of an administrator",
                       "add", Heuristic.CRITICALITY)]  # fmt: skip
    return []


_TRACELESS = re.compile(r"^(?:HISTFILE(?:=(?:/dev/null)?)?|HIST(?:FILE)?SIZE=0)$")


def hides(command: Command) -> list[Danger]:
    """`unset HISTFILE`, `set +o history`, `export NODE_TLS_REJECT_UNAUTHORIZED=0`."""
    off = command.name == "set" and command.args[:2] == ("+o", "history")
    bare = command.name == "unset"
    named = (arg for arg in command.args if _TRACELESS.match(arg) and (bare or "=" in arg))
    if off or next(named, ""):
        return [HISTORY_OFF]
    return [UNVERIFIED] if command.name == "export" and blinded(command.args) else []


def attributes(command: Command) -> list[Danger]:
    """chattr: what was locked against changes is opened."""
    recursive = "-R" in command.args
    locks = recursive and any(arg[:1] == "+" and {"i", "a"} & {*arg} for arg in command.args)
    if locks and any(place_of(arg) in SYSTEM for arg in command.args):
        return [Danger("shell.chattr", HIGH, "lets nobody change the system any more", "change")]
    opens = any(arg.startswith("-") and "i" in arg[1:] for arg in command.args)
    if opens and any(arg.startswith("/") for arg in command.args):
        return [Danger("shell.chattr", HIGH, "takes a file's protection away", "change")]
    return [Danger("shell.chattr", MEDIUM, "changes attributes", "change")] if recursive else []
