"""Names of tasks and scripts that nobody reads here: what a verb in one says that it takes away."""

import re

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.command_rules import asks_for_help, runs_dry
from holdpoint.core.risk.shell.command_verbs import READS
from holdpoint.core.risk.shell.interpreters import LANGUAGES, SHELLS
from holdpoint.core.risk.shell.model import HIGH, HOLE, Command
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.wording import REMOVING
from holdpoint.core.risk.words import word_set

ENDING_VERBS = REMOVING - words("words/shell:verbs.mild")
"""Verbs that take something away also as the name of a task, or behind a program nobody knows."""

_RUNNERS = words("words/shell:tasks.runners")
_LAUNCHERS = words("words/shell:tasks.launchers")
_VALUES = words("words/shell:tasks.values")
ENDINGS = words("words/shell:tasks.endings")
_INTERPRETERS = SHELLS | frozenset(LANGUAGES)
_BEHIND_RUN = _LAUNCHERS | {"go"}
_LATER = word_set("at batch")
_NAMED = _RUNNERS | _BEHIND_RUN | _INTERPRETERS | _LATER | {"cargo"}

_OF_DATA = word_set("remove drop")
"""Verbs that a script of a language says of the data that it reads: `drop_columns.py`."""

_READERS_OF_DATA = frozenset(LANGUAGES) - _RUNNERS - _LAUNCHERS
_STORES = words("words/shell:tasks.stores")
"""Things that such a script takes away for good: `drop_tables.py`."""

MAX_TASKS = 8
"""Words of a command line that may name tasks."""

MAX_NAME = 48
"""Characters of a task's name."""

_parts = re.compile(r"[-_:.]|(?<=[a-z])(?=[A-Z])")


def task_finding(command: Command) -> Finding | None:
    """Return the finding of a task whose name says that it takes something away: `make destroy`."""
    if command.name not in _NAMED or asks_for_help(command) or _rehearses(command):
        return None
    mild = _OF_DATA if command.name in _READERS_OF_DATA else frozenset[str]()
    for task in _tasks(command):
        if (verb := removing_verb(task)) and (verb not in mild or names_store(task)):
            return Finding(f"shell.verb-{verb}", HIGH, f"takes something away: `{task}`", verb)
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


def names_store(name: str) -> bool:
    """Return whether it names a thing that holds data: `drop-db`, `remove_users`."""
    return not _STORES.isdisjoint(part.lower() for part in _parts.split(name))


def _tasks(command: Command) -> list[str]:
    """The names of what it runs; a script goes by its file, without the ending."""
    said = [*read_options(command.args, _VALUES).words]
    if command.name in _BEHIND_RUN and said[:1] == ["run"]:
        return [_file_name(one) for one in said[1:2]]
    if command.name == "cargo":
        return said[1:2] if said[:1] == ["make"] else [*_behind("--bin --example", command)]
    if command.name in _RUNNERS:
        return said[:MAX_TASKS]
    if said and said[0].rpartition("/")[2] in _RUNNERS:  # `python manage.py delete_users`
        return said[1:2]
    files = _behind("-f", command) if command.name in _LATER else said[:1]
    if command.name not in _INTERPRETERS | _LATER or "-c" in command.args:
        return []
    return [_file_name(one) for one in files if one.rpartition(".")[2] in ENDINGS]


def _behind(options: str, command: Command) -> list[str]:
    names = options.split()
    pairs = zip(command.args, command.args[1:], strict=False)
    return [value for option, value in pairs if option in names][:1]


def _file_name(path: str) -> str:
    """Return a script's name without its folder and ending; of a task, the task."""
    stem, dot, ending = path.rpartition("/")[2].rpartition(".")
    return stem if dot and ending in ENDINGS else path.rpartition("/")[2]
