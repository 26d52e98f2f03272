"""Containers: those that hold the machine below them, and orders for whatever is found."""

from collections.abc import Iterator

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import asks_for_help
from holdpoint.core.risk.shell.inner_commands import Inner
from holdpoint.core.risk.shell.model import FILL, HIGH, HOLE, Command, Danger
from holdpoint.core.risk.shell.paths import normal
from holdpoint.core.risk.shell.unwrapping import unwrap

_STARTS = word_set("run create")
_VOLUMES = word_set("-v --volume --mount")
_HOLDS = word_set("/ /etc /boot /root /dev /var/lib /usr /proc")
"""Directories of the machine with which a container has the machine."""

_NAMESPACES = ("--pid=host", "--pid host", "--userns=host", "--userns host")


def containers(command: Command) -> list[Danger]:
    """`docker stop $(docker ps -q)`, `docker run -v /:/host`."""
    verb = next((arg for arg in command.args[:2] if arg in _ENDS), "")
    if verb and any(arg.startswith((f"{HOLE}(", FILL)) for arg in command.args):
        return [Danger("shell.container-all", HIGH, "stops or removes whatever is found", verb)]
    if _STARTS.isdisjoint(command.args[:2]) or asks_for_help(command):
        return []
    return [_HOST] if _holds_the_machine(command.args) and _is_open(command) else []


def _is_open(command: Command) -> bool:
    """Whether nobody can know what it will do there: no command is given, or only a shell."""
    words = next((one.words for one in unwrap(command) or [] if isinstance(one, Inner)), ())
    return not words or (words[0].rpartition("/")[2] in _SHELLS and "-c" not in words)


_SHELLS = word_set("sh bash ash zsh dash chroot nsenter env sudo")


def _holds_the_machine(args: tuple[str, ...]) -> bool:
    """Whether it may write to all of the machine, or sees every process with all powers."""
    if any(map(_is_held, _mounted(args))):
        return True
    text = " ".join(args)
    return "--privileged" in args and any(one in text for one in _NAMESPACES)


def _mounted(args: tuple[str, ...]) -> Iterator[str]:
    """What is mounted: the values of its options."""
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
        return normal(source or ".") in _HOLDS and not {"readonly", "ro"} & set(fields)
    source, _, rest = volume.partition(":")
    return bool(rest) and normal(source) in _HOLDS and "ro" not in rest.split(":")[-1].split(",")


_ENDS = word_set("stop kill rm rmi")
_HOST = Danger("shell.container-host", HIGH, "gives a container the whole machine", "run")
