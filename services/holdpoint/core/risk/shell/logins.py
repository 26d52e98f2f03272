"""Logins: who is shut out of an account, and whose password is set or taken away."""

import re

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.effects import HIGH, asks_for_help
from holdpoint.core.risk.shell.model import Command, Danger
from holdpoint.core.risk.shell.options import Options, read_options
from holdpoint.messages.risk import Heuristic

_PAST = re.compile(r"[01]|19\d\d-\d\d-\d\d")
"""A day on which an account ended before it began, in days since 1970 or as a date."""

_NO_SHELL = re.compile(r"(?:^|/)(?:nologin|false)$")
_VALUES = {
    "passwd": word_set("-n -w -x -i -r -R --mindays --warndays --maxdays --inactive --root"),
    "usermod": word_set(
        "-c -d -e -f -g -G -l -p -s -u -R -P --comment --home --expiredate --inactive --gid "
        "--groups --login --password --shell --uid --root --prefix"
    ),
    "chage": word_set(
        "-d -E -I -m -M -W -R --lastday --expiredate --inactive --mindays --maxdays --warndays"
    ),
    "chsh": word_set("-s --shell"),
}


def let_in(command: Command) -> list[Danger]:
    """`ssh-copy-id root@host`: whoever holds the key is let in as root."""
    options = read_options(command.args, word_set("-i -p -o -F -t"))
    if options.has("-n -h -?") or not any(word.startswith("root@") for word in options.words):
        return []
    why = "lets whoever holds a key log in as root"
    return [Danger("shell.power-given", HIGH, why, "grant", Heuristic.CRITICALITY)]


def logins(command: Command) -> list[Danger]:
    """What `passwd`, `usermod`, `chage` and `chsh` do to somebody's way in."""
    if asks_for_help(command):
        return []
    options = read_options(command.args, _VALUES[command.name])
    if command.name == "passwd":
        return _password(options)
    ends = command.name != "chsh" and _PAST.fullmatch(options.value("-e", "-E", "--expiredate"))
    locks = command.name == "usermod" and options.has("-L --lock")
    if ends or locks or _NO_SHELL.search(options.value("-s", "--shell")):
        return [_LOCKED]
    sets = command.name == "usermod" and options.has("-p --password")
    return [_SET] if sets else []


def _password(options: Options) -> list[Danger]:
    if options.has("-d --delete"):
        return [_OPEN]
    if options.has("-l --lock"):
        return [_LOCKED]
    return [_SET] if options.has("--stdin") else []


def sessions(command: Command) -> list[Danger]:
    """`loginctl kill-user`: somebody is thrown out."""
    verb = read_options(command.args).word(0)
    return [_THROWN_OUT] if verb in _THROWS_OUT else []


_OPEN = Danger("shell.user-lock", HIGH, "takes an account's password away", "delete")
_LOCKED = Danger("shell.user-lock", HIGH, "shuts somebody out of their account", "lock")
_SET = Danger("shell.password-set", HIGH, "sets the password of somebody", "set")
_THROWS_OUT = frozenset({"kill-user", "kill-session", "terminate-user", "terminate-session"})
_THROWN_OUT = Danger("shell.user-lock", HIGH, "ends everything that somebody runs", "kill")
