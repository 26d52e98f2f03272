"""Names of tasks and scripts that nobody reads here: what a verb in one says that it takes away."""

import re

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.shell.command_rules import asks_for_help, runs_dry
from holdpoint.core.risk.shell.command_verbs import READS
from holdpoint.core.risk.shell.interpreters import LANGUAGES, SHELLS
from holdpoint.core.risk.shell.model import HIGH, HOLE, Command, Danger
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.wording import REMOVING
from holdpoint.core.risk.words import word_set

ENDING_VERBS = REMOVING - words("words/shell:verbs.mild")
"""Verbs that take something away also as the name of a task, or behind a program nobody knows."""

_RUNNERS = words("words/shell:tasks.runners")
_LAUNCHERS = words("words/shell:tasks.launchers")
_VALUES = words("words/shell:tasks.values")
_ENDINGS = words("words/shell:tasks.endings")
_INTERPRETERS = SHELLS | frozenset(LANGUAGES)
_NAMED = _RUNNERS | _LAUNCHERS | _INTERPRETERS | {"cargo"}

_OF_DATA = word_set("remove drop")
"""Verbs that a script of a language says of the data that it reads: `drop_columns.py`."""

_READERS_OF_DATA = frozenset(LANGUAGES) - _RUNNERS - _LAUNCHERS

MAX_TASKS = 8
"""Words of a command line that may name tasks."""

MAX_NAME = 48
"""Characters of a task's name."""

_parts = re.compile(r"[-_:.]|(?<=[a-z])(?=[A-Z])")


def task_danger(command: Command) -> Danger | None:
    """Return the danger of a task whose name says that it takes something away: `make destroy`."""
    if command.name not in _NAMED or asks_for_help(command) or _rehearses(command):
        return None
    mild = _OF_DATA if command.name in _READERS_OF_DATA else frozenset[str]()
    for task in _tasks(command):
        if (verb := removing_verb(task)) and verb not in mild:
            return Danger(f"shell.verb-{verb}", HIGH, f"takes something away: `{task}`", verb)
    return None


def _rehearses(command: Command) -> bool:
    tells = command.name in _RUNNERS and not _TELLS.isdisjoint(command.args)
    return tells or runs_dry(command)


_TELLS = word_set("-n -m -q --just-print --recon --question --dry-run --list -l")
"""Options by which a runner of tasks only says what it would do."""


def removing_verb(name: str) -> str:
    """Return the verb in `destroy-staging`, `wipeDb`, `db:drop`; empty for `list-deleted`."""
    if len(name) > MAX_NAME or HOLE in name or "=" in name:
        return ""
    parts = [part.lower() for part in _parts.split(name)]
    if parts[0] in READS:
        return ""
    return next((part for part in parts[:3] if part in ENDING_VERBS), "")


def _tasks(command: Command) -> list[str]:
    """The names of what it runs; a script goes by its file, without the ending."""
    said = [*read_options(command.args, _VALUES).words]
    if command.name in _LAUNCHERS and said[:1] == ["run"]:
        return said[1:2]
    if command.name == "cargo":
        return said[1:2] if said[:1] == ["make"] else []
    if command.name in _RUNNERS:
        return said[:MAX_TASKS]
    stem, dot, ending = "".join(said[:1]).rpartition("/")[2].rpartition(".")
    is_script = dot and ending in _ENDINGS and "-c" not in command.args
    return [stem] if is_script and command.name in _INTERPRETERS else []
