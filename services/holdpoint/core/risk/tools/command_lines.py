"""Command lines that a call spells out in parts, and orders to git."""

import shlex
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, TypeGuard

from holdpoint.core.memoize import memoize
from holdpoint.core.risk.extract.counts import MAX_COUNT
from holdpoint.core.risk.extract.payload import MAX_STRING, MAX_VALUES, Walked, words_of
from holdpoint.core.risk.http.request import execs
from holdpoint.core.risk.knowledge import by_word, ordered_words, words
from holdpoint.core.risk.shell.database_statements import SQL_TOOLS
from holdpoint.core.risk.shell.judge import KNOWN_PROGRAMS
from holdpoint.core.risk.words import PROGRAM_KEYS, SHELL_KEYS, word_set
from holdpoint.messages.action import Action

_ORDERS = words("words/tools:git_orders.orders")

_ABOUT = word_set("file files branch changes repo repository head working tree worktree")
"""What may stand behind an order in a tool's name and says no more."""

_HOW = ("mode", "type", "reset_mode", "resetmode", "strategy")
_SUBCOMMANDS = ("action", "operation", "op", "subcommand", "command", "mode")
_HAVE_SUBCOMMANDS = word_set("stash reflog worktree remote submodule")
_REFERENCES = ordered_words("words/tools:git_orders.references")  # fmt: skip
_PATHS = ("paths", "pathspec", "pathspecs", "files", "file", "file_paths", "filepaths", "file_path")
"""A `path` alone is where the repository lies."""

_YES: tuple[Any, ...] = (True, "true")
_FLAGS = {"directories": "d", "remove_directories": "d", "removedirectories": "d"}
"""Switches whose name git spells otherwise."""


def order_named(words: tuple[str, ...]) -> str:
    """The order that a tool's name gives git; empty when it gives none."""
    if "git" not in words:
        return ""
    behind = words[len(words) - words[::-1].index("git") :]
    plain = behind[:1] != () and _ABOUT.issuperset(behind[1:])
    return behind[0] if plain and behind[0] in _ORDERS else ""


def as_typed(order: str, known: Mapping[str, Any]) -> str:
    """The line that one would type; `known` are the call's arguments by their names in lower case.

    Whether it is only rehearsed is for the tool's schema to say.
    """
    flags = [_flag(key) for key, value in known.items() if value in _YES and "dry" not in key]
    if order in _HAVE_SUBCOMMANDS:
        first = _said(known, _SUBCOMMANDS)[:1]
    else:
        first = [f"--{how}" for how in _said(known, _HOW)[:1]]
    words = [*first, *flags, *_said(known, _REFERENCES)]
    paths = _said(known, _PATHS)
    return shlex.join(["git", order, *words, *(["--", *paths] if paths else [])])


def _flag(key: str) -> str:
    words = words_of(key)
    return f"-{_FLAGS[key]}" if key in _FLAGS else f"--{'-'.join(words)}"


def _said(known: Mapping[str, Any], keys: tuple[str, ...]) -> list[str]:
    """Return what stands under them, one word each."""
    values = (known[key] for key in keys if key in known)
    each = (one for value in values for one in (value if isinstance(value, list) else [value]))
    return [one for one in each if isinstance(one, str) and one and not one.isspace()]


_PROGRAMS = words("words/tools:command_lines.programs")
_NAMES = ("program", "executable", "binary", "file", "exe", "command", "cmd", "bin", "path")
_COMPOSED_SUBCOMMANDS = (
    "command",
    "subcommand",
    "sub_command",
    "action",
    "operation",
    "verb",
    "cmd",
    "op",
)
_COMMANDS = frozenset({"args", "argv", "command", "cmd"})
"""Lists of words that are a command line without a program's name beside them, or with one."""

_IN_ORDER = tuple(sorted(_COMMANDS))
_LISTS = ("args", "argv", "arguments", "parameters", "flags", "options", "command", "cmd", "params")


def commands_in(tool: str, objects: tuple[Mapping[str, Any], ...]) -> Iterator[str]:
    """Each, as one would type it."""
    program, runs, order = _told(tool)
    if order and objects:
        yield as_typed(order, _by_name(objects[0]))
    for one in objects:
        yield from _lines(program, one, runs=runs)
        yield from (
            shlex.join(words)
            for url in map(one.get, _URLS)
            if isinstance(url, str) and (words := execs(url))
        )


@memoize(1024)
def _told(tool: str) -> tuple[str, bool, str]:
    """The program that its name names, whether the name says that it runs one, an order to git."""
    words = words_of(tool)
    program = next((word for word in words if word in _PROGRAMS), "")
    if not program and "cli" in words:
        program = next((_OF[word] for word in words if word in _OF), "")
    return program, not _RUNS.isdisjoint(words), order_named(words)


_URLS = ("url", "uri", "endpoint")
_OF = by_word("words/tools:command_lines.of")


def _by_name(values: Mapping[str, Any]) -> dict[str, Any]:
    return {str(key).lower(): value for key, value in islice(values.items(), MAX_VALUES)}


def _lines(program: str, values: Mapping[str, Any], *, runs: bool) -> Iterator[str]:
    if True in (values.get("shell"), values.get("use_shell")):
        yield from islice((one for one in values.values() if _is_line(one)), MAX_SHELLED)
    if runs and not program and not _PARTS.isdisjoint(map(str, values)):
        yield from _of_parts(values)
    if not program and (_COMMANDS.isdisjoint(map(str, values)) or not _has_list(values)):
        return
    known = _by_name(values)
    keys = _LISTS if program else _IN_ORDER
    lists = [word for key in keys if key in known for word in _words(known[key])]
    if program:
        said = (known.get(key) for key in _COMPOSED_SUBCOMMANDS)
        first = [one for one in said if _is_word(one)][:1]
        if first or lists:
            yield shlex.join([program, *(word for word in first if word != program), *lists])
        if first and lists:
            yield shlex.join([program, *lists])
        yield from _continued(program, known)
    elif lists:
        said = (known.get(key) for key in _NAMES)
        named = [one for one in said if isinstance(one, str) and one.strip()][:1]
        yield shlex.join([*named, *lists])


def _is_line(value: Any) -> TypeGuard[str]:
    return isinstance(value, str) and len(value) <= MAX_STRING and " " in value.strip()


MAX_SHELLED = 8
"""Texts that are read of a call which says that a shell is to run what it is given."""


def _is_word(value: Any) -> TypeGuard[str]:
    return isinstance(value, str) and len(value) <= MAX_STRING and len(value.split()) == 1


def _has_list(values: Mapping[str, Any]) -> bool:
    return any(isinstance(value, (list, tuple)) for value in values.values())


def _continued(program: str, known: Mapping[str, Any]) -> Iterator[str]:
    """A line that begins behind the program: `git_command {"command": "push --force"}`."""
    for key in _TYPED if program not in _RUN_OTHERS else ():
        text = known.get(key)
        words = text.split(maxsplit=2) if isinstance(text, str) else []
        if len(words) > 1 and words[0] not in _PROGRAMS:
            yield f"{program} {text}"


_TYPED = ("command", "cmd", "args", "arguments", "subcommand", "params", "parameters")
_RUN_OTHERS = words("words/tools:command_lines.run_others")


def _of_parts(values: Mapping[str, Any]) -> Iterator[str]:
    """A program in one argument, and its words in another, whatever the two are called."""
    known = _by_name(values)
    said = (known[key] for key in _STARTED if key in known)
    named = [one for one in said if _is_word(one)][:1]
    held = [known[key] for key in _LISTS if key in known and not _COMMANDS & {key}]
    if named and held:
        lists = [word for one in held for word in _words(_in_order(one))]
        typed = [one for one in held if isinstance(one, str)]
        yield " ".join([shlex.join([*named, *lists]), *typed])


_RUNS = words("words/tools:command_lines.runs")
_STARTED = ("program", "executable", "exe", "binary", "bin", "prog", "filename", "process")
_PARTS = frozenset(_STARTED) | {"fileName", "Program", "FileName", "Executable", "processName"}


def _in_order(value: Any) -> Any:
    """`{"0": "-rf", "1": "/srv"}` is a list too."""
    numbered = isinstance(value, Mapping) and all(str(key).isdigit() for key in value)
    return list(value.values()) if numbered else value


def _words(value: Any) -> list[str]:
    """A list of plain texts; anything else is no command line."""
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        return []
    return list(value[:MAX_VALUES])


def only_program(walked: Walked, tool: str) -> str:
    """The program, where the call says nothing else; else empty.

    It is too long for a count, a sum or a selector, and no single word.
    """
    if len(walked.leaves) != 1 or len(walked.objects) != 1 or walked.lists:
        return ""
    leaf = walked.leaves[0]
    text = leaf.value
    if leaf.key not in PROGRAM_KEYS or leaf.path != f"/{leaf.key}" or not isinstance(text, str):
        return ""
    return text if len(text) > MAX_COUNT and " " in text.strip() and _only_runs(tool) else ""


def lone_command(action: Action) -> str:
    """The command of a known program, where a call says nothing else; else empty."""
    if action.domain != "shell" or len(action.arguments) != 1:
        return ""
    ((key, text),) = action.arguments.items()
    if key not in SHELL_KEYS or not isinstance(text, str) or len(text) > MAX_STRING:
        return ""
    first, _, rest = text.strip().partition(" ")
    known = rest and (first in KNOWN_PROGRAMS or first in SQL_TOOLS)
    return text if known and _only_runs(action.tool) and not _told(action.tool)[0] else ""


@memoize(1024)
def _only_runs(tool: str) -> bool:
    """Return whether its name only says that it runs something, and nothing about it."""
    return bool(tool) and _ONE_PROGRAM_RUNS.issuperset(words_of(tool))


_ONE_PROGRAM_RUNS = words("words/tools:one_program.runs")
