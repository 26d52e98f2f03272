"""Files that something runs by itself: `package.json`, a git hook; whether they wipe a machine."""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from holdpoint.core.risk.excerpt import beginning
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.knowledge import pattern, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.carriers import recipes
from holdpoint.core.risk.shell.model import Command, Danger, Flow, shown
from holdpoint.core.risk.shell.paths import Place, place_of
from holdpoint.core.risk.shell.written_files import as_code, commands_in, named_interpreter
from holdpoint.messages.risk import Heuristic, RiskLevel

Found = list[tuple[Danger, Command]]
MAX_FILES = 200
"""Files of one text that are read; more of them go up."""

MAX_TEXT = 65_536
"""Characters of one file that are looked at: as many as a call holds."""

MAX_READ = 6_000
"""Characters of all commands in them that may take something away, which are read one by one."""

MAX_NAME = 24
MAX_SHOWN = 24

_WIPES = words("words/shell-flow:machine_wiping_rules")
_LANGUAGES = words("words/shell-flow:script_languages")
_CODE_DELETES = "shell.code-deletes"


def planted(files: Mapping[str, Flow], dangers_in: Callable[[str], Found]) -> Iterator[Finding]:
    """What these files would do; `dangers_in` reads a shell text."""
    left = MAX_READ
    known = [(name, flow.text) for name, flow in files.items() if flow.text and _is_run(name)]
    for place, (name, text) in enumerate(known):
        run = _commands_of(name, text[:MAX_TEXT])
        left -= len(run)
        if left < 0 or place >= MAX_FILES:
            yield Finding(
                rule="file.unread",
                heuristic=Heuristic.UNCERTAINTY,
                level=RiskLevel.HIGH,
                reason=f"“{_short(name)}” deletes or overwrites more than anybody reads",
            )
            return
        yield from _wiping(name, run, dangers_in) if run else ()


def _commands_of(name: str, text: str) -> str:
    """What of its commands may take something away."""
    language = "python3" if name.endswith((".py", ".pth")) else named_interpreter(text)
    if language.rstrip("0123456789.") in _LANGUAGES:
        if len(text) > MAX_READ:
            return "\n".join(as_code(language, one[0]) for one in _deleted.finditer(text))
        return as_code(language, text) if _may_wipe(text) else ""
    makes = name.lower().endswith(("makefile", ".mk"))
    commands = recipes(text) if makes else commands_in(text)
    commands = [one.replace("$$", "$") for one in commands if _may_wipe(one)]
    if mounted := _disk.search(text):
        commands = [one.replace(mounted[1], "/") for one in commands]
    return "\n".join(commands)


def _is_run(name: str) -> bool:
    """Whether something runs a file of this name without being told."""
    low = name.lower().replace("\\", "/")
    return _any(low) and _runs_by_itself(low)


def _short(name: str) -> str:
    return beginning(name.rpartition("/")[2], MAX_NAME)


def _wiping(name: str, script: str, dangers_in: Callable[[str], Found]) -> Iterator[Finding]:
    found = ((one, command) for one, command in dangers_in(script) if _is_grave(one, command))
    for danger, command in islice(found, 1):
        said = beginning(shown(" ".join((command.path, *command.args))), MAX_SHOWN)
        reason = f"runs `{said}`, which {danger.reason}"
        if danger.rule == _CODE_DELETES:
            reason = "deletes the whole system or a home as soon as it is run"
        yield Finding(
            rule="file.planted",
            heuristic=danger.heuristic,
            level=RiskLevel.CRITICAL,
            reason=f"“{_short(name)}” {reason}",
        )


def _is_grave(danger: Danger, command: Command) -> bool:
    if danger.rule == _CODE_DELETES:
        read = (command.stdin and command.stdin.text) or ""
        paths = _deleted.findall("\n".join((read, *command.args)))
        return any(not path or place_of(path) is Place.ROOT for path in paths)
    if danger.level is not RiskLevel.CRITICAL:
        return False
    return danger.rule in _WIPES or any(place_of(arg) is Place.ROOT for arg in command.args)


_may_wipe = glance(
    r"(?i)\brm|rmtree|remove|delete|unlink|rimraf|wipe|shred|mkfs|format|\bdd\b|/dev/"
    r"|truncate|\bkill|fork|eval|base64|\bxxd\b|:\(\)|\bmv\b|parted|disk"
)
"""Asked of each command first: most of them build something."""

_deleted = re.compile(pattern("patterns/shell:planted_files.deleted"))
_disk = re.compile(r"(?m)^\s*-\s*[\"']?/:(/[\w/.-]*\w)")
"""Where a list of services mounts the machine's disk: there it is the disk."""

_runs_by_itself = glance(pattern("patterns/shell:planted_files.runs_by_itself"))
_any = glance(
    r"file|package\.json$|\.mk$|\.py$|\.pth$|\.service$|\.ya?ml$|json$|hook|husky|cron|/?\.[\w]+$"
    r"|profile"
)
"""Asked first: most files are none of these."""
