"""What is put where it runs by itself, lets somebody in, or has the powers of its owner."""

import re

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import asks_for_help
from holdpoint.core.risk.shell.model import HIGH, MEDIUM, Command, Danger
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import SYSTEM, place_of
from holdpoint.core.risk.shell.writes import lets_in

PLACERS = word_set("cp gcp mv gmv install ginstall ln rsync crontab visudo")
"""Programs that put files somewhere."""

_VALUES = words("words/shell:files.copy_options_with_value")
_SET_ID = re.compile(r"0?[24-7]\d{3}|(?:[^=]*,)?[ug]*[oa]*\+[rwx]*s.*|[ug]+=[rwx]*s.*")
_KEPT = re.compile(r"(?:[~-]|\.(?:bak|old|orig|save|backup|disabled|dist|rpm\w+|\d[\d-]*))$")


def placed(command: Command) -> list[Danger]:
    """`cp x /etc/cron.daily/`, `install -m 4755 x /usr/bin/x`, `crontab /dev/null`."""
    if asks_for_help(command):
        return []
    if command.name in _EDITS:
        return _EDITS[command.name](command)
    options = read_options(command.args, _VALUES)
    named = options.value("-t", "--target-directory")
    sources = options.words if named else options.words[:-1]
    target = named or (options.words or ("",))[-1]
    if not sources:
        return []
    if command.name in {"install", "ginstall"} and _SET_ID.fullmatch(options.value("-m", "--mode")):
        return [_POWERS if place_of(target) in SYSTEM else _POWERS_HERE]
    if any(_takes_its_place(source, target) for source in sources):
        return [_REPLACED]
    return [_ENTERS] if any(_enters(source, target) for source in sources) else []


def _crontab(command: Command) -> list[Danger]:
    return [_NO_JOBS] if _is_emptied(command) else []


def _visudo(command: Command) -> list[Danger]:
    """An editor may do more than a person sees, or only copy its input; `-c` and `-cf x` check."""
    checks = any(one == "--check" or _checks.fullmatch(one) for one in command.args)
    return [] if checks or asks_for_help(command) else [_ENTERS]


_checks = re.compile(r"-[a-zA-Z]*[cV][a-zA-Z]*")


_EDITS = {"crontab": _crontab, "visudo": _visudo}


def _enters(source: str, target: str) -> bool:
    """Whether it changes who may come in or what runs; a copy beside the file is kept, not read."""
    if target.startswith(source) or _KEPT.search(target):
        return False
    return lets_in(target) or lets_in(f"{target.rstrip('/')}/{source.rpartition('/')[2]}")


def _takes_its_place(source: str, target: str) -> bool:
    """`cp /tmp/x /usr/sbin/sshd`; another version of the same from beside it is none."""
    folder, _, name = target.rpartition("/")
    if target.rstrip("/") in _PROGRAMS:
        folder, name = target.rstrip("/"), source.rpartition("/")[2]
    known = folder in _PROGRAMS and name in _EVERYBODYS
    return known and source.rpartition("/")[0] not in _PROGRAMS


_PROGRAMS = frozenset({"/bin", "/sbin", "/usr/bin", "/usr/sbin"})
_EVERYBODYS = words("words/shell:files.system_programs")


def _is_emptied(command: Command) -> bool:
    """Whether nothing is read for the jobs that are to be from now on."""
    read = [one.target for one in command.redirects if one.sign == "<"]
    words = read_options(command.args, word_set("-u -s")).words
    said = command.stdin.text if command.stdin else None
    return "/dev/null" in (*words, *read) or (said is not None and not said.strip() and not read)


_ENTERS = Danger("shell.access-file", HIGH, "changes who comes in, or what runs by itself", "add")
_REPLACED = Danger("shell.system-program", HIGH, "puts another program in a system's place", "copy")
_POWERS = Danger("shell.power-given", HIGH, "gives a program the powers of its owner", "install")
_POWERS_HERE = Danger(
    "shell.power-given", MEDIUM, "gives a program the powers of its owner", "install"
)
_NO_JOBS = Danger("shell.crontab-remove", HIGH, "deletes all scheduled jobs", "delete")
