"""Containers, clusters, and what production feels at once."""

import re
from collections.abc import Iterator
from itertools import pairwise

import re2

from holdpoint.core.prefilter import prefilter
from holdpoint.core.risk.knowledge import any_of, pattern, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.command_rules import asks_for_help, runs_dry
from holdpoint.core.risk.shell.inner_commands import Inner
from holdpoint.core.risk.shell.model import FILL, HIGH, HOLE, Command
from holdpoint.core.risk.shell.paths import normalized
from holdpoint.core.risk.shell.unwrapping import unwrap
from holdpoint.core.risk.words import PRODUCTION, word_set
from holdpoint.messages.risk import Heuristic

_STARTS = word_set("run create")
_VOLUMES = word_set("-v --volume --mount")
_HOLDS = word_set("/ /etc /boot /root /dev /var/lib /usr /proc")
"""Directories of the machine with which a container has the machine."""

_NAMESPACES = ("--pid=host", "--pid host", "--userns=host", "--userns host")


def container_orders(command: Command) -> list[Finding]:
    """`docker stop $(docker ps -q)`, `docker run -v /:/host`."""
    verb = next((arg for arg in command.args[:2] if arg in _ENDS), "")
    if verb and any(arg.startswith((f"{HOLE}(", FILL)) for arg in command.args):
        return [Finding("shell.container-all", HIGH, "stops or removes whatever is found", verb)]
    if _STARTS.isdisjoint(command.args[:2]) or asks_for_help(command):
        return []
    return [_HOST] if _holds_the_machine(command.args) and _is_open(command) else []


def _is_open(command: Command) -> bool:
    """Whether nobody can know what it will do there: no command is given, or only a shell."""
    words = next((one.words for one in unwrap(command) or [] if isinstance(one, Inner)), ())
    return not words or (words[0].rpartition("/")[2] in _SHELLS and "-c" not in words)


_SHELLS = word_set("sh bash ash zsh dash chroot nsenter env sudo")


def _holds_the_machine(args: tuple[str, ...]) -> bool:
    """Return whether it may write to all of the machine, or sees every process with all powers."""
    if any(map(_is_held, _mounted(args))):
        return True
    text = " ".join(args)
    return "--privileged" in args and any(one in text for one in _NAMESPACES)


def _mounted(args: tuple[str, ...]) -> Iterator[str]:
    """Yield what is mounted: the values of its options."""
    for at, arg in enumerate(args):
        name, assigned, value = arg.partition("=")
        if name in _VOLUMES and (assigned or name == arg):
            yield value if assigned else "".join(args[at + 1 : at + 2])
        elif arg.startswith("-v") and arg[2:3] == "/":
            yield arg[2:]


def _is_held(volume: str) -> bool:
    """`/:/host`, `type=bind,source=/,target=/host`; not `/:/host:ro`."""
    fields = dict(part.partition("=")[::2] for part in volume.split(","))
    if "type" in fields:
        source = fields.get("source", fields.get("src", ""))
        return normalized(source or ".") in _HOLDS and not {"readonly", "ro"} & set(fields)
    source, _, rest = volume.partition(":")
    return (
        bool(rest) and normalized(source) in _HOLDS and "ro" not in rest.split(":")[-1].split(",")
    )


_ENDS = word_set("stop kill rm rmi")
_HOST = Finding("shell.container-host", HIGH, "gives a container the whole machine", "run")
_BEFORE = word_set("pre non not preprod staging stage test dev qa uat")
"""Beside one of these, it is not."""

_PRODUCTION_ORDERS = re2.compile(
    "(?i)" + pattern("patterns/shell:cluster_commands.production_orders")
)
_CHANGES = re2.compile("(?i)" + pattern("patterns/shell:cluster_commands.production_changes"))
_AT_HOME = re2.compile(r"^(?:az (?:account|cloud|config)|gcloud (?:config|auth|components)) ")
"""What only says how the program itself is set up."""

REMOTE_PROGRAMS = words("words/shell:production.programs_with_a_place")


def production_changes(command: Command) -> list[Finding]:
    """`kubectl rollout restart deploy -n production`, `ssh prod-1 systemctl restart postgresql`."""
    text = " ".join((command.name, *command.args))
    live = any(map(is_live, command.args)) or _applies_live(command.args)
    if not _live(text) or not live or asks_for_help(command):
        return []
    if runs_dry(command):
        return []
    if _PRODUCTION_ORDERS.search(text):
        return [_FELT]
    return [_CHANGED] if _changes(command, text) else []


def _changes(command: Command, text: str) -> bool:
    """`helm upgrade web ./chart -n prod`; a label `env=prod` is no place."""
    named = any(is_live(arg) for arg in command.args if arg[:1] == "-" or "=" not in arg)
    if not named and not _applies_live(command.args):
        return False
    if command.name == "ansible-playbook" and not _REHEARSED.isdisjoint(command.args):
        return False
    return _CHANGES.search(text) is not None and not _AT_HOME.search(text)


def _applies_live(args: tuple[str, ...]) -> bool:
    """`apply -f prod.yaml`: a file whose name says that it is production's is what changes."""
    given = [after for before, after in pairwise(args) if before in _APPLIES]
    given += [arg.partition("=")[2] for arg in args if arg.startswith("--filename=")]
    return any(is_live(_FILE.sub("", one)) for one in given)


_APPLIES = word_set("-f --filename -k --kustomize --values")
_REHEARSED = word_set("--check -C --syntax-check --list-hosts --list-tasks --list-tags")


def is_live(word: str) -> bool:
    """Return whether it names production: `prod-db-1`, `--context=prod-eu`, `-n live`; no file."""
    return _is_named_live(word) or (":/" in word and _is_named_live(word.partition(":/")[0]))


def _is_named_live(word: str) -> bool:
    if len(word) > MAX_NAME or " " in word or _FILE.search(word):
        return False
    parts = _part.split(word.lower())
    named = not PRODUCTION.isdisjoint(parts) or word.rpartition("=")[2] == "live"
    return named and _BEFORE.isdisjoint(parts)


MAX_NAME = 120
_live = prefilter(r"(?i)prod|prd|live")
_part = re.compile(r"[^a-z]+")
_FILE = re.compile(rf"\.(?:{any_of('words/shell:production.file_endings')})$")
_CHANGED = Finding(
    "shell.production", HIGH, "changes what runs in production", "update", Heuristic.CRITICALITY
)
_FELT = Finding(
    "shell.production", HIGH, "stops or restarts what runs in production", "restart",
    Heuristic.CRITICALITY,
)  # fmt: skip
