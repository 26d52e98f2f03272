"""Services: which of them others cannot do without, and what stops those or forbids them to start.

To stop any other service is a day's work: it starts again with one word.
"""

import re

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.command_rules import known_tool
from holdpoint.core.risk.shell.dry_runs import asks_for_help, is_dry
from holdpoint.core.risk.shell.model import HIGH, MEDIUM, Command, Danger
from holdpoint.core.risk.shell.options import Options, read_options

LIFELINES = words("words/shell:services.lifelines")

_STORES = words("words/shell:services.stores")

_SUFFIX = re.compile(r"\.(?:service|socket|scope|slice|timer)$")
_VERSION = re.compile(r"(?<=[a-z])-?[\d.]+$")
_MANY = re.compile(r"[*?\[]|\.target$")
GENTLE = words("words/shell:services.gentle_signals")


def is_lifeline(name: str) -> bool:
    """Whether this service or program is one of those, by whatever name it stands there."""
    return _plain(name) in LIFELINES


def is_needed(name: str) -> bool:
    """The same, or one where others keep their data."""
    return is_lifeline(name) or _plain(name) in _STORES


def services(command: Command) -> list[Danger]:
    """What this command stops for others, or keeps from starting."""
    if asks_for_help(command):
        return []
    if command.name == "systemctl":
        return _systemctl(command)
    verb, names = _order(command)
    if verb not in _ENDS:
        return []
    return [_STOPPED] if any(map(_needed, names)) else [_SERVICE]


def _systemctl(command: Command) -> list[Danger]:
    tool = known_tool("systemctl")
    options = read_options(command.args, tool.values)
    verb, names = options.word(0), options.words[1:]
    if (
        verb not in _SYSTEMD
        or is_dry(tool.rules, options, command.args)
        or options.has("--user")
        or not names
    ):
        return []
    if verb == "mask":
        return [_MASKED]
    if verb == "disable" and options.has("--now"):
        return [_DISABLED]
    if verb == "kill" and options.value("-s", "--signal").lower() in GENTLE:
        return []
    return [_STOPPED] if any(map(_needed, names)) else []


def _order(command: Command) -> tuple[str, tuple[str, ...]]:
    """The verb and the services: tools that start them differ in which of both stands first."""
    options: Options = read_options(command.args)
    words = options.words
    if command.name in _VERB_FIRST:
        return words[0] if words else "", words[1:]
    return words[1] if len(words) > 1 else "", words[:1]


def _needed(name: str) -> bool:
    return is_needed(name) or _MANY.search(name) is not None


def _plain(name: str) -> str:
    """`postgresql@14-main.service`, `system/com.openssh.sshd` and `SSHD` by their bare names."""
    last = _SUFFIX.sub("", name.lower().rpartition("/")[2]).partition("@")[0]
    if last.startswith(("com.", "org.", "net.")):
        last = last.rpartition(".")[2]
    return last if last in LIFELINES or last in _STORES else _VERSION.sub("", last)


_SYSTEMD = word_set("stop disable mask kill")
_ENDS = word_set("stop down off disable remove bootout unload force-stop")
_VERB_FIRST = word_set("initctl sv launchctl")
SERVICE_TOOLS = ("systemctl", "service", "rc-service", "invoke-rc.d", "initctl", "sv",
                 "chkconfig", "update-rc.d", "launchctl")  # fmt: skip
"""What starts and stops services."""

_MASKED = Danger("shell.service-stop", HIGH, "forbids a service to start again", "mask")
_DISABLED = Danger("shell.service-stop", HIGH, "stops a service for good", "disable")
_STOPPED = Danger("shell.service-stop", HIGH, "stops a service that others rely on", "stop")
_SERVICE = Danger("shell.service-stop", MEDIUM, "stops a service", "stop")
