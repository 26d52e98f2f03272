"""Ask every family about one command; the tables first, the grammar of verbs for the rest."""

import operator
import re
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from itertools import dropwhile

import msgspec

from holdpoint.core.memoize import memoize
from holdpoint.core.risk.knowledge import entry, tool_names, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.cluster_commands import (
    REMOTE_PROGRAMS,
    container_orders,
    production_changes,
)
from holdpoint.core.risk.shell.command_rules import (
    CLUSTER_TOOLS,
    COMPLETE,
    GROUPED,
    KNOWN_HARMLESS,
    SERVICES,
    asks_for_help,
    by_groups,
    judged,
    known_tool,
    reads_nothing,
)
from holdpoint.core.risk.shell.command_verbs import by_verb, forced
from holdpoint.core.risk.shell.data_transfer import SECRET_PROGRAMS, secrets
from holdpoint.core.risk.shell.filesystem_commands import BLANKED, FILES, KEPT, formats, overwrites
from holdpoint.core.risk.shell.git_commands import git
from holdpoint.core.risk.shell.machine_commands import (
    hidden_traces,
    kills_by_name,
    kills_by_number,
    permissions,
    writes_to_device,
)
from holdpoint.core.risk.shell.model import (
    HIGH,
    HOLE,
    HOLE_END,
    HOOK,
    UNWORKED,
    Command,
    Origin,
    hole,
)
from holdpoint.core.risk.shell.network_commands import (
    API,
    CLIENTS,
    INPUT_APPLIERS,
    applied_downloads,
    asked_of_client,
    cmdlet,
    http,
    httpie,
    hub_api,
    is_cmdlet,
    scp,
    without_play_money,
)
from holdpoint.core.risk.shell.outbound import SENDING, sent_outside
from holdpoint.core.risk.shell.paths import Place, place_of
from holdpoint.core.risk.shell.unwrapping import MANAGERS, WRAPPERS
from holdpoint.core.risk.words import word_set
from holdpoint.messages.risk import Heuristic, RiskLevel

_BY_WORDS: dict[str, Callable[[Command], list[Finding]]] = {
    **dict.fromkeys(["chmod", "chown", "chgrp", "setfacl", "chflags"], permissions),
    "git": git, "yadm": git, "hub": git, "jgit": git,
    **dict.fromkeys(["curl", "curlie", "wget", "wget2"], http),
    **dict.fromkeys(["http", "https", "xh", "xhs"], httpie),
    "gh-api": hub_api,
    "scp": scp,
    **dict.fromkeys(["pkill", "killall", "skill", "slay"], kills_by_name), "kill": kills_by_number,
    **dict.fromkeys(["docker", "podman", "nerdctl"], container_orders),
    **dict.fromkeys(["unset", "export", "set"], hidden_traces),
}  # fmt: skip
"""Programs judged by the words of their arguments; they are asked besides the tables."""

_RULED = tool_names() - {"git"}
"""Programs with rules; those of git are asked for by its own reader."""

_WRITES = frozenset({">", ">|", "&>", ">&", "<>"})
_APPENDS = frozenset({">>", "&>>"})
_WITH_VERBS = SERVICES | MANAGERS
"""Wrappers whose words may be orders of their own."""

_SYSTEM_MANAGERS = words("words/shell:packages.system_managers")
_ALSO_BY_VERB = words("words/shell:verbs.also_by_verb") | _SYSTEM_MANAGERS
"""Tools of which only a part is listed by name."""


def judge(command: Command) -> list[Finding]:
    """Every reason to worry about this command."""
    command = usual(command)
    name = command.name
    asks = name in KNOWN or "-" in command.path or name.startswith("mkfs.")
    found, listed = _asked(command) if asks else ([], False)
    if not listed and name not in KNOWN_HARMLESS and (name not in WRAPPERS or name in _WITH_VERBS):
        found += by_verb(command, service=name in SERVICES)
        found += writes_to_device(command)
    if name in _ASKED_TOO:
        found += [finding for ask in _ASKED_TOO[name] for finding in ask(command)]
    if HOLE in name:
        found += [*_by_hole(command), *_nameless(command)]
    elif is_pattern(name):
        found += _by_glob(command)
    if command.redirects:
        found += _redirects(command, known=any(one.level >= HIGH for one in found))
    if name in SECRET_PROGRAMS:
        found += secrets(command)
    return found if any(one.level >= HIGH for one in found) else [*found, *_asked_last(command)]


def _asked_last(command: Command) -> list[Finding]:
    """Return what counts where nothing grave is known of it."""
    finding = forced(command)
    sent = sent_outside(command) if command.name in SENDING else []
    return [*sent, finding] if finding else sent


def usual(command: Command) -> Command:
    """`docker compose` as docker-compose, `/etc/init.d/ssh stop` as service does it, `ns` long."""
    if command.name in CLUSTER_TOOLS and "delete" in command.args:
        return msgspec.structs.replace(command, args=with_long_kinds(command.args))
    if command.args[:1] == ("compose",) and command.name in _COMPOSERS:
        return msgspec.structs.replace(command, name="docker-compose", args=command.args[1:])
    if command.path.startswith("/etc/init.d/"):
        words = (command.name, *command.args)
        return msgspec.structs.replace(command, name="service", args=words)
    return command


def with_long_kinds(args: tuple[str, ...]) -> tuple[str, ...]:
    """Return the arguments of kubectl with the kind that it deletes in full: `delete namespace`."""
    at = args.index("delete") + 1
    while at < len(args) and args[at][:1] == "-":
        at += 2 if args[at] in _CLUSTER_VALUES else 1
    if at >= len(args):
        return args
    kind, slash, name = args[at].partition("/")
    kinds = ",".join(SHORT_KINDS.get(one, one) for one in kind.split(","))
    return (*args[:at], f"{kinds}{slash}{name}", *args[at + 1 :])


_CLUSTER_VALUES = word_set(known_tool("kubectl").rules.values)
SHORT_KINDS: Mapping[str, str] = entry("words/shell:kinds.short")
"""Kinds of things in a cluster by their short names."""


def _by_glob(command: Command) -> list[Finding]:
    """`/bin/r[m]`: the programs that a pattern may stand for; too many, and nobody can tell."""
    if _takes_all(command):
        return [_NAMELESS]
    if not lies_with_programs(command.path):
        return []
    meant = fitting(command.name[:MAX_GLOB])
    if len(meant) > MAX_FITTING:
        return [_NAMELESS]
    return [
        finding
        for one in meant
        for finding in judge(msgspec.structs.replace(command, name=one, path=one))
    ]


@memoize(256)
def fitting(pattern: str) -> list[str]:
    """The programs that somebody knows and that it may stand for."""
    return [one for one in (*KNOWN, *_FORMATS) if fnmatchcase(one, pattern)]


def is_pattern(name: str) -> bool:
    """Return whether a program is named by a pattern."""
    return "?" in name or "*" in name or 0 <= name.find("[") < name.rfind("]")


def lies_with_programs(path: str) -> bool:
    """Return whether it lies with the system's programs, or is sought in the working folder."""
    place = path.rpartition("/")[0]
    return not place or any(fnmatchcase(one, place) for one in _BINARIES)


_BINARIES = ("/bin", "/usr/bin", "/sbin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin")
_FORMATS = ("mkfs.ext4", "mkfs.xfs", "mkfs.vfat", "mkfs.btrfs")
MAX_FITTING = 24
"""Programs of which somebody knows that may be meant by one pattern."""


def _by_hole(command: Command) -> list[Finding]:
    """`mk${u}fs`: what it is called when the variable in its name holds nothing."""
    emptied = (_hole.sub("", word) for word in (command.name, *command.args))
    words = (*dropwhile(operator.not_, emptied), "")
    bare = msgspec.structs.replace(
        command, name=words[0], path=words[0], args=words[1:-1], redirects=()
    )
    named = words[0] if HOLE not in words[0] else ""
    known = named and (named in KNOWN_PROGRAMS or named.startswith("mkfs."))
    return judge(bare) if known else []


def _nameless(command: Command) -> list[Finding]:
    """`$CMD`, `$(cat f)`: how much it matters that nobody knows which program this is."""
    name, stdin = command.name, command.stdin
    if name == HOOK:
        return []
    fetches = stdin is not None and stdin.origin is Origin.REMOTE
    if _FETCHED in name or (_DECODED in name and fetches):
        return [_FETCHED_NAME]
    reads = stdin is not None and name not in _READERS
    if (UNWORKED in name or reads or _takes_all(command)) and not asks_for_help(command):
        return [_NAMELESS]
    return [_UNNAMED]


def _takes_all(command: Command) -> bool:
    """Return whether an option says that it is forced, or goes through all that lies below: `-Rf
    /srv`.

    A letter counts as the first argument only: `$PIP install -r requirements.txt`.
    """
    first = "".join(command.args[:1])
    return _recursive.fullmatch(first) is not None or not _TAKES_ALL.isdisjoint(command.args)


_recursive = re.compile(r"-[a-zA-Z]{0,3}[rR][a-zA-Z]{0,3}")
_TAKES_ALL = word_set("-rf -fr -Rf -fR --force --recursive --no-preserve-root")
_FETCHED = hole("(fetched)")
_DECODED = hole("(decoded)")
_READERS = frozenset(map(hole, ("pager", "editor", "less", "grep", "sed", "awk", "jq", "diff")))
"""Variables that name what a pipe is read with."""

_hole = re.compile(rf"{HOLE}[A-Za-z_]\w*{HOLE_END}")
MAX_GLOB = 24
"""Characters of a pattern that are matched: longer than any of these names."""


def _asked(command: Command) -> tuple[list[Finding], bool]:
    """Return what those say who know it by name, and whether they have said all."""
    name = command.name
    found: list[Finding] = []
    listed = False
    ask = FILES.get(name) or (formats if name.startswith("mkfs.") else None)
    if ask:
        found += ask(command)
        listed = True
    odd = hub_api if (name, command.args[:1]) in _API else _BY_WORDS.get(name)
    if odd or name in COMPLETE:
        strange = [*(odd(command) if odd else ()), *(by_groups(command) if name in GROUPED else ())]
        found += strange
        listed = bool(strange) or name not in _ALSO_BY_VERB
    if "-" in command.path and is_cmdlet(command.path):
        found += cmdlet(command)
        listed = True
    if name in _RULED:
        tool = known_tool(name)
        findings, said = judged(tool, command)
        found += without_play_money(findings, command) if findings else ()
        listed = said or not tool.rules.by_verb
    return found, listed


_COMPOSERS = frozenset({"docker", "podman", "nerdctl"})
"""Programs whose `compose` is `docker-compose`."""

_ALWAYS_ASKED = (
    (GROUPED - COMPLETE, by_groups),
    (INPUT_APPLIERS, applied_downloads),
    (REMOTE_PROGRAMS, production_changes),
    (CLIENTS, asked_of_client),
)
"""Who is asked about these programs whatever else is said of them."""

_ASKED_TOO = {
    name: tuple(ask for names, ask in _ALWAYS_ASKED if name in names)
    for name in frozenset().union(*(names for names, _ in _ALWAYS_ASKED))
}

_API = frozenset((name, (first,)) for name, first in API)

KNOWN = frozenset((*FILES, *_BY_WORDS, *COMPLETE, *_RULED, *(name for name, _ in API)))
"""Programs that somebody knows by name; a cmdlet is known by its shape."""

KNOWN_PROGRAMS = KNOWN.union(KNOWN_HARMLESS, WRAPPERS, SERVICES, ("", "shopt", "find", "awk"))
"""The same, and those that a list knows."""


def _redirects(command: Command, *, known: bool) -> list[Finding]:
    """What its redirections do; of a file that its own words name, unless that is said already."""
    found: list[Finding] = []
    for one in command.redirects:
        if known and one.in_words:
            continue
        if one.target.startswith(_SOCKETS):
            found += [] if _knocks(command, one.target) else [_REVERSE]
        elif one.sign in _WRITES or one.sign in _APPENDS:
            finding = overwrites(one.target, appends=one.sign in _APPENDS)
            found += [finding] if finding else []
            found += [BLANKED] if one.sign in _WRITES and _empties(command, one.target) else []
    return found


_SOCKETS = ("/dev/tcp/", "/dev/udp/")


def _knocks(command: Command, socket: str) -> bool:
    """Return whether it only asks if a port of this machine is open."""
    return command.name in _SAYS and _HERE.match(socket) is not None


_SAYS = word_set(": true echo printf cat") | {""}
_HERE = re.compile(r"/dev/(?:tcp|udp)/(?:127\.[\d.]+|localhost|::1)/")


def _empties(command: Command, target: str) -> bool:
    """Whether nothing is written over it: `cat /dev/null`; `:` over what nobody makes again."""
    if place_of(target) is Place.SCRATCH:
        return False
    if command.name == "cat" and command.args == ("/dev/null",):
        return True
    if command.name == "cat" and not command.args:
        return reads_nothing(command) and target.endswith(KEPT)
    silent = not command.name or (command.name in _SILENT and _NO_WORDS.issuperset(command.args))
    return silent and ((command.many and HOLE in target) or target.endswith(KEPT))


_SILENT = word_set(": true echo printf")
_NO_WORDS = frozenset({"", "-n"})
_NAMELESS = Finding("shell.nameless", HIGH, "runs a program whose name nobody can know", "run")
_UNNAMED = msgspec.structs.replace(
    _NAMELESS, level=RiskLevel.MEDIUM, heuristic=Heuristic.UNCERTAINTY
)
_FETCHED_NAME = msgspec.structs.replace(
    _NAMELESS, level=RiskLevel.CRITICAL, reason="runs what it fetched from another machine"
)
_REVERSE = Finding("shell.dev-tcp", HIGH, "opens a connection to another machine", "open")
