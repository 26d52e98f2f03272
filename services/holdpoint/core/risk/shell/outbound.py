"""Files that leave for a machine outside: which ones, and where to."""

from collections.abc import Callable, Iterator

import re2

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.data_transfer import weighs
from holdpoint.core.risk.shell.model import HIGH, HOLE, MEDIUM, Command, Origin
from holdpoint.core.risk.shell.network_commands import is_foreign
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.words import word_set
from holdpoint.core.text import beginning
from holdpoint.messages.risk import Heuristic, RiskLevel

_COPY_VALUES = words("words/shell:secrets.copy_options_with_value")
_HTTP_VALUES = words("words/shell:http.options_with_value")
_SSH_VALUES = words("wrappers:options.ssh")
_BODIES = word_set("-d --data --data-binary --data-raw --json -F --form --data-urlencode")
_FILES = word_set("-T --upload-file --post-file --body-file")
_url = re2.compile(
    r"(?i)^(?:https?|ftps?)://(?:[^@/]*@)?([\w.-]+)|^([\w-]+(?:\.[\w-]+)+)(?:[/:]|$)"
)
_remote = re2.compile(r"^(?:[^@/:\s]+@)?([\w.-]+)::?(?:[^\\]|$)")
_named = re2.compile(r"^(?:[^=;]*=)?[@<]([^;]+)")
MAX_SHOWN = 40


def sent_outside(command: Command) -> list[Finding]:
    """Return what it says of files that leave for a machine outside."""
    files, host = _SENDS[command.name](command)
    if not files or not is_foreign(host):
        return []
    level = HIGH if any(map(weighs, files)) else MEDIUM
    return [_finding(level, files, host)]


def _finding(level: RiskLevel, files: list[str], host: str) -> Finding:
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    unnamed = HOLE in files[0] or files[0] in {_PIPED, _FOLDER}
    shown = "files" if unnamed else beginning(files[0], MAX_SHOWN)
    reason = f"sends {shown}{more} to {beginning(host, MAX_SHOWN)}, a machine outside"
    return Finding("shell.sent-outside", level, reason, "send", Heuristic.CRITICALITY)


_PIPED = "(piped)"
_FOLDER = "/(piped)/"
"""What comes down a pipe: a file, or a whole folder, a database, a list of people."""


def _piped(command: Command) -> list[str]:
    """What comes down the pipe, where that is a file's content or a whole archive."""
    read = [one.target for one in command.redirects if one.sign == "<"]
    flow = command.stdin
    if read or flow is None or flow.text is not None or flow.origin is not Origin.FILE:
        return read
    return [_FOLDER] if flow.whole else [_PIPED]


def _http(command: Command) -> tuple[list[str], str]:
    options = read_options(command.args, _HTTP_VALUES - {"-O"})
    said = list(_values(command.args))
    files = [value for name, value in said if name in _FILES]
    bodies = (value for name, value in said if name in _BODIES)
    files += [found[1] for value in bodies if (found := _named.match(value))]
    sent = [one for one in files if one not in _INPUTS]
    if len(sent) < len(files):
        sent += _piped(command)
    hosts = (found[1] or found[2] for word in options.words if (found := _url.match(word)))
    return sent, next(hosts, "")


_INPUTS = word_set("- . /dev/stdin")


def _values(args: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Each option that names a body or a file, with its value."""
    for at, arg in enumerate(args):
        name, assigned, value = arg.partition("=")
        if arg in _BODIES | _FILES:
            yield arg, "".join(args[at + 1 : at + 2])
        elif assigned and name.startswith("--"):
            yield name, value
        elif arg[:2] in {"-T", "-d", "-F"}:
            yield arg[:2], arg[2:]


def _copied(command: Command) -> tuple[list[str], str]:
    options = read_options(command.args, _COPY_VALUES)
    *files, target = options.words or ("",)
    found = _remote.match(target)
    if options.has("-n --dry-run --list-only") or not found or "://" in target:
        return [], ""
    here = [one for one in files if ":" not in one.partition("/")[0]]
    folders = command.name == "scp" and options.has("-r")
    return [f"{one}/" if folders and one[-1:] != "/" else one for one in here], found[1]


def _shell(command: Command) -> tuple[list[str], str]:
    words = read_options(command.args, _SSH_VALUES).words
    host = words[0].rpartition("@")[2] if words else ""
    return (_piped(command), host) if len(words) > 1 else ([], "")


_SENDS: dict[str, Callable[[Command], tuple[list[str], str]]] = {
    **dict.fromkeys(("curl", "curlie", "wget", "wget2"), _http),
    **dict.fromkeys(("scp", "rsync", "pscp"), _copied),
    **dict.fromkeys(("ssh", "dbclient", "plink"), _shell),
}
SENDING = frozenset(_SENDS)
"""Programs that this has something to say about."""
