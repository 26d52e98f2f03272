"""Command lines that a call spells out in parts: a program's name, a subcommand, more words."""

import shlex
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, TypeGuard

from holdpoint.core.risk.calls.leaf import MAX_STRING, MAX_VALUES, words_of
from holdpoint.core.risk.calls.versioned import as_typed, order_named
from holdpoint.core.risk.http.target import execs
from holdpoint.core.risk.knowledge import mapping, words
from holdpoint.core.risk.remembered import remembered

_PROGRAMS = words("words/tools:composed.programs")
_NAMES = ("program", "executable", "binary", "file", "exe", "command", "cmd", "bin", "path")
_SUBCOMMANDS = ("command", "subcommand", "sub_command", "action", "operation", "verb", "cmd", "op")
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


@remembered(1024)
def _told(tool: str) -> tuple[str, bool, str]:
    """The program that its name names, whether the name says that it runs one, an order to git."""
    words = words_of(tool)
    program = next((word for word in words if word in _PROGRAMS), "")
    if not program and "cli" in words:
        program = next((_OF[word] for word in words if word in _OF), "")
    return program, not _RUNS.isdisjoint(words), order_named(words)


_URLS = ("url", "uri", "endpoint")

_OF = mapping("words/tools:composed.of")


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
        said = (known.get(key) for key in _SUBCOMMANDS)
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
_RUN_OTHERS = words("words/tools:composed.run_others")


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


_RUNS = words("words/tools:composed.runs")
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
