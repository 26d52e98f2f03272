"""A command as it will run where the shell stands: behind `cd /etc`, `passwd` is /etc/passwd."""

import msgspec

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.model import HOLE, Command, Redirect
from holdpoint.core.risk.shell.moved import MOVERS, note_moved, retraced
from holdpoint.core.risk.shell.paths import SYSTEM, Place, place_of
from holdpoint.core.risk.shell.state import State

_STEPS = word_set("cd pushd chdir popd")
MOVES = _STEPS | MOVERS
_FILES = word_set(
    "rm mv cp ln truncate shred unlink install tee touch rmdir srm chmod chown chgrp setfacl "
    "chattr gzip gunzip bzip2 xz rsync patch ed ex"
)
_NAMES_FIRST = word_set("chmod chown chgrp")
"""Programs whose first word is no file."""

_GRAVE = SYSTEM | {Place.PRIVATE}
_SERVED = ("/srv/", "/opt/", "/var/www/", "/home/", "/root/")
"""Below these people work every day."""


def stood(command: Command, state: State) -> Command:
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
    """Where the shell stands behind this; empty unless that is the system's, or private."""
    words = [arg for arg in command.args if arg[:1] != "-"]
    if not words:
        return "~" if not command.args and command.name == "cd" else ""
    path = words[0].rstrip("/") or "/"
    there = _joined(here, path) if here else path
    grave = place_of(there) in _GRAVE and HOLE not in there and not there.startswith(_SERVED)
    return there if grave else ""


def _located(command: Command, here: str) -> Command:
    """With its files where they are, seen from the root."""
    redirects = tuple(Redirect(one.sign, _joined(here, one.target)) for one in command.redirects)
    args = command.args
    if command.name in _FILES:
        first = next((at for at, arg in enumerate(args) if arg[:1] != "-"), 0)
        first += command.name in _NAMES_FIRST
        args = (*args[:first], *(_joined(here, arg) for arg in args[first:]))
    elif command.name == "dd":
        args = tuple(f"of={_joined(here, arg[3:])}" if arg[:3] == "of=" else arg for arg in args)
    return msgspec.structs.replace(command, args=args, redirects=redirects)


def _joined(here: str, path: str) -> str:
    if path[:1] in {"", "-", "/", "~", "&", HOLE} or path.isdigit():
        return path
    bare = path.removeprefix("./")
    return here if bare in {"", "."} else f"{here.rstrip('/')}/{bare}"
