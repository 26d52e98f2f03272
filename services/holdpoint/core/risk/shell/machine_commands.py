"""The machine: its services, processes and devices, and who may do what on it."""

import re
from collections.abc import Iterable

import re2

from holdpoint.core.prefilter import QUIET
from holdpoint.core.risk.knowledge import by_word, pattern, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.assignments import HISTORY_OFF
from holdpoint.core.risk.shell.command_rules import asks_for_help, is_needed, runs_dry
from holdpoint.core.risk.shell.model import (
    CRITICAL,
    FILL,
    HIGH,
    HOLE,
    HOLE_END,
    MEDIUM,
    Command,
    Flow,
    Origin,
    hole,
)
from holdpoint.core.risk.shell.options import Options, read_options
from holdpoint.core.risk.shell.paths import SYSTEM, WIDE, Place, place_of
from holdpoint.core.risk.words import word_set
from holdpoint.messages.risk import Heuristic

GENTLE = words("words/shell:services.gentle_signals")
_SIGNAL = re.compile(r"-(?:\d+|(?:SIG)?[A-Z]{2,}[A-Z\d]*)")
_VALUES = {
    name: word_set(options)
    for name, options in by_word("words/shell:processes.options_with_value").items()
}
_PEOPLE = ("-u", "-U", "--user", "--uid", "--euid")
_FOREIGN = ("systemd", "bash", "python3", "java", "nginx")
"""A pattern that finds all of these finds anything."""


def kills_by_name(command: Command) -> list[Finding]:
    """`pkill`, `killall`, `skill`, `slay`: every process of a name, of a person, of any name."""
    if asks_for_help(command) or not command.args or command.args[0] in {"-l", "--list"}:
        return []
    signals = [arg for arg in command.args if _SIGNAL.fullmatch(arg)]
    rest = tuple(arg for arg in command.args if not _SIGNAL.fullmatch(arg))
    options = read_options(rest, _VALUES.get(command.name, _VALUES["skill"]))
    wanted = [one.lstrip("-") for one in signals] + [options.value("--signal", "-s")]
    if any(one.lower() in GENTLE for one in wanted):
        return [_NAMED]
    if _is_everything(command.name, options):
        return [_EVERY]
    if command.name == "slay" or (not options.words and options.value(*_PEOPLE)):
        return [_PERSONAL]
    killed = command.name == "killall" and bool(
        {"-9", "-KILL"}.intersection(signals) or any("-SIG" in one for one in signals)
    )
    grave = killed or "-u root" in " ".join(rest)
    needed = any(map(_relied_on, options.words))
    return [_NEEDED] if needed else [_NAMED_HARD] if grave else [_NAMED]


def _is_everything(name: str, options: Options) -> bool:
    """Return whether what it looks for is found in whatever runs."""
    if name == "pkill" and options.has("-v --inverse"):
        return True
    if name == "pkill" or options.has("-r --regexp"):
        return any(map(_finds_anything, options.words[:1]))
    return False


def _finds_anything(pattern: str) -> bool:
    try:
        search = re2.compile(pattern, QUIET).search
    except re2.error:
        return False
    return all(search(name) for name in _FOREIGN)


def kills_by_number(command: Command) -> list[Finding]:
    """The process -1 is all of them, 1 is the first; a first `-1` is a signal."""
    args = list(command.args)
    signal = ""
    if args[:1] and args[0] in {"-s", "-n", "--signal"}:
        signal, args = "".join(args[1:2]), args[2:]
    elif args[:1] != ["--"] and "".join(args[:1])[:1] == "-":
        signal, args = args[0].lstrip("-"), args[1:]
    if "-1" in args:
        return [_ALL]
    grave = signal.lower() not in GENTLE and not signal.startswith(("l", "L", "list"))
    vital = "1" in args or any(_relied_on(name) for arg in args for name in _FOUND.findall(arg))
    return [_NEEDED] if grave and vital else []


def _relied_on(name: str) -> bool:
    """Return whether others notice at once when it dies: also what stands before their services."""
    first = name.partition(" ")[0].rstrip(":").rpartition("/")[2].lower()
    return is_needed(first) or first in _FRONTS


_FRONTS = word_set("nginx haproxy envoy traefik caddy httpd apache2 varnishd")
_FOUND = re.compile(rf"{HOLE}\(process:([\w.@-]+)\){HOLE_END}")


def numbers(command: Command) -> Flow:
    """What `pgrep` and `pidof` print: numbers, each known by the name that was looked for."""
    names = read_options(command.args, _VALUES["pkill"]).words
    shown = set(command.args) & {"-a", "-l", "-c", "--list-full", "--list-name", "--count"}
    if not names or shown or not all(map(_NAME.fullmatch, names)):
        return Flow(Origin.UNKNOWN)
    return Flow(Origin.UNKNOWN, "\n".join(hole(f"(process:{name})") for name in names))


def listed(command: Command) -> Flow:
    """Return what `ps -u postgres -o pid=` prints, known in the same way."""
    options = read_options(command.args, word_set("-u -U -C -o"))
    name = options.value("-C", "-u", "-U")
    known = options.value("-o").startswith("pid") and _NAME.fullmatch(name)
    return Flow(Origin.UNKNOWN, hole(f"(process:{name})") if known else None)


_NAME = re.compile(r"[\w.@-]+")


def pid_file_content(files: list[str]) -> str | None:
    """Return what stands in a file that a service left its number in: `/run/sshd.pid`."""
    name = files[-1].rpartition("/")[2].removesuffix(".pid") if files else ""
    noting = name and files[-1].endswith(".pid") and _NAME.fullmatch(name)
    return hole(f"(process:{name})") if noting else None


_EVERY = Finding("shell.kill-by-name", HIGH, "ends whatever runs, by any name", "kill")
_PERSONAL = Finding("shell.kill-by-name", HIGH, "ends everything that somebody runs", "kill")
_NEEDED = Finding("shell.kill-by-name", HIGH, "ends what others rely on", "kill")
_NAMED = Finding("shell.kill-by-name", MEDIUM, "ends every process of a name", "kill")
_NAMED_HARD = Finding("shell.kill-by-name", HIGH, "ends every process of a name", "kill")
_ALL = Finding("shell.kill-all", CRITICAL, "ends every process", "kill")
_WIPES = "overwrites or erases a device"

_wipes_by_name = re2.compile(pattern("patterns/shell:machine_commands.wipes_by_name"))
_wipes_by_word = re2.compile(pattern("patterns/shell:machine_commands.wipes_by_word"))


def writes_to_device(command: Command) -> list[Finding]:
    """A tool that nobody listed, told to write to a disk: by its name, or by one of its words."""
    targets = (arg.rpartition("=")[2] for arg in command.args if "/dev/" in arg)
    if not any(place_of(target) is Place.DEVICE for target in targets):
        return []
    writes = _wipes_by_name.search(command.name) or any(map(_wipes_by_word.fullmatch, command.args))
    if not writes or asks_for_help(command) or runs_dry(command):
        return []
    return [Finding("shell.wipe-disk", CRITICAL, _WIPES, "erase")]


def permissions(command: Command) -> list[Finding]:
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
        return [Finding("shell.permissions", MEDIUM, "changes permissions widely", "change")]
    if (
        recursive
        and targets
        and (places & (WIDE | SYSTEM) or (command.name == "chmod" and _shuts(mode)))
    ):
        level = CRITICAL if places & {Place.ROOT} else HIGH
        return [
            Finding(
                "shell.permissions-wide",
                level,
                "changes who may read and change everything in there",
                "change",
            )
        ]
    grave = places & SYSTEM and not (command.name in _HANDS_OVER and all(map(_is_served, targets)))
    if grave and (_opens(mode) or _shuts(mode) or command.name != "chmod"):
        return [Finding("shell.permissions-system", HIGH, "opens a part of the system", "change")]
    if recursive or _opens(mode):
        return [Finding("shell.permissions", MEDIUM, "changes permissions widely", "change")]
    return []


_HANDS_OVER = word_set("chown chgrp")
_SERVED = ("/srv/", "/opt/", "/var/www/", "/var/log/")


def _is_served(target: str) -> bool:
    """Return whether one file or folder is given to the program that works with it."""
    return target.startswith(_SERVED) and ".." not in target


_ACL_VALUES = word_set("-m -x -M -X --modify --remove --set --restore")

_ONESELF = re.compile(
    rf"{HOLE}(?:USER|LOGNAME|UID|EUID){HOLE_END}(?::(?:{HOLE}(?:USER|LOGNAME|GID){HOLE_END})?)?"
)
_RUNNABLE = re.compile(r"[ugoa]*\+[xX]")


def _is_mild(name: str, mode: str, targets: tuple[str, ...]) -> bool:
    """Return whether files below here become one's own, or can be run."""
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
    """Return whether one of these variables tells every program to come to pass such a proof by."""
    return any(map(_variables.fullmatch, assigned))


_variables = re.compile(pattern("patterns/shell:access_control.variables"))
UNVERIFIED = Finding(
    "shell.protection-off", HIGH, "stops checking whom it talks to", "disable",
    Heuristic.CRITICALITY,
)  # fmt: skip

_TRACELESS = re.compile(r"^(?:HISTFILE(?:=(?:/dev/null)?)?|HIST(?:FILE)?SIZE=0)$")


def hidden_traces(command: Command) -> list[Finding]:
    """`unset HISTFILE`, `set +o history`, `export NODE_TLS_REJECT_UNAUTHORIZED=0`."""
    off = command.name == "set" and command.args[:2] == ("+o", "history")
    bare = command.name == "unset"
    named = (arg for arg in command.args if _TRACELESS.match(arg) and (bare or "=" in arg))
    if off or next(named, ""):
        return [HISTORY_OFF]
    return [UNVERIFIED] if command.name == "export" and disables_verification(command.args) else []
