"""Windows: what `cmd`'s tools take away, and the grammar of PowerShell's `Verb-Noun` commands."""

import re

import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.effects import CRITICAL, HIGH, MEDIUM
from holdpoint.core.risk.shell.model import Command, Danger

_ADMIN = "changes who may do what on the machine"
_OFF = "switches a protection off"
_FETCHES = "fetches a program past the usual ways"
_ROWS = (
    ("diskpart", "/s", CRITICAL, "runs a script over the disks"),
    ("bcdedit", "/set", HIGH, "changes how the machine starts"),
    ("bcdedit", "/delete", HIGH, "changes how the machine starts"),
    ("bcdedit", "/deletevalue", HIGH, "changes how the machine starts"),
    ("schtasks", "/delete", HIGH, "deletes a scheduled job"),
    ("schtasks", "/create", MEDIUM, "makes a job that runs by itself"),
    ("schtasks", "/end", MEDIUM, "stops a job"),
    ("sc", "delete", HIGH, "deletes a service"),
    ("sc", "stop", MEDIUM, "stops a service"),
    ("sc", "config", MEDIUM, "changes a service"),
    ("net", "stop", MEDIUM, "stops a service"),
    ("net", "user /delete", HIGH, "deletes a user"),
    ("net", "user /active:no", HIGH, "shuts somebody out of their account"),
    ("net", "user /add", HIGH, _ADMIN),
    ("net", "localgroup /add", HIGH, _ADMIN),
    ("net", "localgroup /delete", HIGH, _ADMIN),
    ("net", "group /add", HIGH, _ADMIN),
    ("net", "share /delete", HIGH, "takes a share away"),
    ("netsh", "advfirewall off", HIGH, _OFF),
    ("netsh", "firewall disable", HIGH, _OFF),
    ("netsh", "reset", HIGH, "throws network settings away"),
    ("fsutil", "deletejournal", HIGH, "deletes a disk's journal"),
    ("fsutil", "setzerodata", HIGH, "overwrites a part of a file"),
    ("dism", "/disable-feature", HIGH, "takes a part of the system away"),
    ("dism", "/remove-package", HIGH, "takes a part of the system away"),
    ("takeown", "/r", HIGH, _ADMIN),
    ("icacls", "/t /grant", HIGH, _ADMIN),
    ("icacls", "/t /deny", HIGH, _ADMIN),
    ("icacls", "/t /reset", HIGH, _ADMIN),
    ("wmic", "delete", CRITICAL, "deletes what it names"),
    ("wmic", "uninstall", HIGH, "takes a program away"),
    ("wmic", "terminate", MEDIUM, "ends processes"),
    ("taskkill", "/f", MEDIUM, "ends processes"),
    ("taskkill", "/im *", HIGH, "ends whatever runs, by any name"),
    ("robocopy", "/mir", HIGH, "deletes what the source lacks"),
    ("robocopy", "/purge", HIGH, "deletes what the source lacks"),
    ("robocopy", "/move", HIGH, "deletes what it has copied"),
    ("certutil", "-urlcache", HIGH, _FETCHES),
    ("bitsadmin", "/transfer", HIGH, _FETCHES),
    ("rundll32", "minidump", HIGH, "reads passwords out of memory"),
    ("set-executionpolicy", "unrestricted", HIGH, _OFF),
    ("set-executionpolicy", "bypass", HIGH, _OFF),
    ("set-netfirewallprofile", "false", HIGH, _OFF),
    ("stop-computer", "", HIGH, "stops the machine"),
    ("restart-computer", "", HIGH, "restarts the machine"),
)
_WATCHES = ("windefend", "mpssvc", "eventlog", "wscsvc", "sense", "sshd")
"""Services that protect the machine, write down what happens there, or are the way in."""

_STORES = ("mssqlserver", "sqlserveragent", "mysql", "mysql80", "mariadb", "mongodb", "redis")
"""Services where others keep their data."""

_PROGRAMS = (
    "sqlservr", "mysqld", "mariadbd", "postgres", "mongod", "redis-server", "nginx", "httpd",
    "lsass", "csrss", "winlogon", "wininit", "services", "svchost", "msmpeng",
)  # fmt: skip
"""What the system, those services, or those in front of them run as."""

_ENDED = tuple(
    ("taskkill", f"/im {name}{suffix}", HIGH, "ends what others rely on")
    for name in _PROGRAMS
    for suffix in (".exe", "")
)
_STOPPED = tuple(
    (name, f"{verb} {service}".strip(), HIGH, "stops a service that others rely on")
    for name, verb in (("sc", "stop"), ("sc", "config"), ("net", "stop"), ("stop-service", ""))
    for service in (*_WATCHES, *_STORES)
)
_BY_NAME: dict[str, list[tuple[frozenset[str], Danger]]] = {}
for _name, _words, _level, _reason in (*_ROWS, *_STOPPED, *_ENDED):
    _found = Danger(f"shell.windows-{_name}", _level, _reason, _words.partition(" ")[0].strip("/-"))
    _BY_NAME.setdefault(_name, []).append((word_set(_words), _found))

NAMES = frozenset(_BY_NAME) | word_set(
    "format cipher iex set-mppreference add-mppreference mshta regsvr32 invoke-restmethod "
    "invoke-webrequest irm iwr"
)


def windows(command: Command) -> list[Danger]:
    """What its words say, in any case."""
    said = [arg.lower().strip("'\"") for arg in command.args]
    words = {part for one in said for part in (one, *one.split(","), one.lstrip("$"))}
    found = [danger for needed, danger in _BY_NAME.get(command.name, ()) if needed <= words]
    return [*found, *_by_shape(command.name, " ".join(said))]


def fetched_and_run(text: str) -> Danger | None:
    """`iex (iwr http://…)`: brackets that no shell but PowerShell reads so."""
    return _FETCHED if _evaluated.search(text) else None


_evaluated = re2.compile(
    r"(?i)\b(?:iex|invoke-expression)\b[ \t]*[&(\"$][^\n]*\b(?:iwr|irm|invoke-webrequest"
    r"|invoke-restmethod|downloadstring|webclient)\b"
    r"|\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring)\b[^\n;]*\|[ \t]*(?:iex\b"
    r"|invoke-expression\b)"
)
_FETCHED = Danger("shell.fetched-code", CRITICAL, "runs code fetched from the network", "run")
EVALUATES = word_set("iex invoke-expression")


def _by_shape(name: str, text: str) -> list[Danger]:
    return [danger for names, shape, danger in _SHAPES if name in names and shape.search(text)]


_SHAPES = (
    (word_set("format"), re.compile(r"^[a-z]:"),
     Danger("shell.format-disk", CRITICAL, "formats a disk", "format")),
    (word_set("cipher"), re.compile(r"^/w"),
     Danger("shell.wipe-disk", HIGH, "overwrites a disk's free space", "wipe")),
    (word_set("iex mshta regsvr32"), re.compile(r"https?:|downloadstring|\biwr\b|\birm\b"),
     _FETCHED),
    (word_set("set-mppreference add-mppreference"), re.compile(r"-disable\w*.+true|-exclusion"),
     Danger("shell.protection-off", HIGH, _OFF, "disable")),
    (word_set("invoke-restmethod invoke-webrequest irm iwr"), re.compile(r"-method\s+delete\b"),
     Danger("shell.http-delete", HIGH, "deletes something over HTTP", "delete")),
)  # fmt: skip
_CMDLET = re.compile(r"[A-Z][A-Za-z]+-[A-Z][A-Za-z]*")
_TAKES = word_set(
    "remove clear disable uninstall revoke unregister reset format initialize dismount"
)
_CHEAP = word_set(
    "variable module host alias job pssession psbreakpoint event typedata table list wide custom "
    "hex string item itemproperty content recyclebin history"
)
_GRAVE_ANYWAY = word_set("itemproperty recyclebin")


def is_cmdlet(path: str) -> bool:
    """Whether a program's name is `Verb-Noun`."""
    return "-" in path and _CMDLET.fullmatch(path) is not None


def cmdlet(command: Command) -> list[Danger]:
    """What the verb of its name takes away; the words behind are values."""
    verb, _, noun = command.name.partition("-")
    if verb not in _TAKES or (noun in _CHEAP and noun not in _GRAVE_ANYWAY):
        return []
    if any(arg.lower() == "-whatif" for arg in command.args):
        return []
    return [Danger(f"shell.verb-{verb}", HIGH, f"takes something away: `{verb}`", verb)]
