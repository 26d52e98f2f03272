"""Commands that a command may run in its turn, also where the program is unknown."""

import re
from fnmatch import fnmatchcase

import re2

from holdpoint.core.memoize import memoize
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.shell.carriers import CARRIERS
from holdpoint.core.risk.shell.command_rules import KNOWN_HARMLESS, SERVICES
from holdpoint.core.risk.shell.database_statements import SQL_TOOLS, TALKS, TEXTS
from holdpoint.core.risk.shell.filesystem_commands import FILE_PROGRAMS
from holdpoint.core.risk.shell.inner_commands import Found, Inner
from holdpoint.core.risk.shell.interpreters import LANGUAGES, SHELLS, TEXT_RUNNERS
from holdpoint.core.risk.shell.judge import (
    KNOWN,
    MAX_FITTING,
    MAX_GLOB,
    is_pattern,
    lies_with_programs,
)
from holdpoint.core.risk.shell.model import Command
from holdpoint.core.risk.shell.output import TELLING
from holdpoint.core.risk.shell.unwrapping import FEEDS, RUNNERS
from holdpoint.core.risk.words import word_set

_RUN = KNOWN | SHELLS | word_set("sudo doas env")
"""Programs about which there is something to say when they are run."""

HEARD = word_set("valgrind perf tox gdb lldb")
"""Harmless by themselves, but they run what stands behind them."""

_FETCH = words("words/shell-flow:fetching_programs")
_NEVER = (
    frozenset(
        (*KNOWN_HARMLESS, *TALKS, *FILE_PROGRAMS, *SHELLS, *LANGUAGES, *FEEDS, *SQL_TOOLS, *TELLING)
    )
    | _FETCH
) - HEARD
"""Programs that run none of their words, or of which it is known which they run."""

RUNS_NOTHING = _NEVER - RUNNERS - TEXT_RUNNERS
"""Those of them that read no text as orders either."""

_WITH_VERBS = KNOWN | SERVICES
"""Programs with words of their own, which may be the names of programs: `brew unlink`."""

_NAMES_ONLY = words("words/shell-flow:orders_before_names")
"""Behind one of these stands a program's name, unless an option and a path follow that."""

_order = re2.compile(r"^[\w./-]+\s(?:.*\s)?(?:-\w|--\w|\S*/)")
"""A text that is an order rather than words: with an option or a path."""

MAX_WORDS = 40
"""Words of a command line in which another's name is looked for."""


def commands_of_unknown(command: Command) -> Found:
    """The commands that its words, or what it reads, may be."""
    if command.name in _NEVER:
        return []
    if is_pattern(command.name):
        return [Inner(words=(one, *command.args), stdin=command.stdin) for one in _meant(command)]
    return _words(command) or _input(command)


def _meant(command: Command) -> list[str]:
    """`/bin/b??h`: which of those a pattern may stand for that run texts or other programs."""
    if not lies_with_programs(command.path):
        return []
    runners = _fitting(command.name[:MAX_GLOB])
    return runners if len(runners) <= MAX_FITTING else []


@memoize(256)
def _fitting(pattern: str) -> list[str]:
    return [one for one in _RUNNERS if fnmatchcase(one, pattern)]


_RUNNERS = frozenset((*SHELLS, *LANGUAGES, *RUNNERS, *CARRIERS))


def _words(command: Command) -> Found:
    args = command.args[:MAX_WORDS]
    if _names_no_program(args):
        return []
    known, named = command.name in _WITH_VERBS, False
    for at, arg in enumerate(args):
        if at and args[at - 1] in TEXTS:
            continue
        named = arg != "--" and (named or arg in _NAMES_ONLY)
        text = _value(arg).lstrip(" !")
        if " " in text and is_order(text):
            return [Inner(script=text, stdin=command.stdin)]
        if known or not _is_run(arg):
            continue
        plain = not named and is_unmistakable(arg) and at + 1 < len(args)
        if plain or _has_object(args[at + 1 :], named=named):
            return [Inner(words=command.args[at:], stdin=command.stdin)]
    return []


def _value(arg: str) -> str:
    """Return what stands behind `--x=` or `-x a.b=`; a word that sets nothing, whole."""
    name, assigned, value = arg.partition("=")
    return value if assigned and (name[:2] == "--" or " " not in name) else arg


def _names_no_program(args: tuple[str, ...]) -> bool:
    """A first look, for all words at once: none is a program's name, a path, or several words."""
    text = " ".join(args)
    apart = text.count(" ") < max(len(args), 1)
    return apart and "/" not in text and "mkfs." not in text and _RUN.isdisjoint(args)


def _input(command: Command) -> Found:
    text = command.stdin.text if command.stdin and reads_orders(command) else None
    return [Inner(script=text)] if text and is_order(text) else []


def reads_orders(command: Command) -> bool:
    """Return whether nobody knows this program, so that it may be a shell."""
    return command.name not in _NEVER and command.name not in _WITH_VERBS


def is_order(text: str) -> bool:
    """Return whether a text orders a shell: its parts begin with programs that do something."""
    parts = _between.split(text[:MAX_ORDER])[:MAX_WORDS]
    return any(_order.match(part) and _is_run(part.partition(" ")[0]) for part in parts)


MAX_ORDER = 2_000
"""Characters of a text in which an order is looked for."""

_between = re.compile(r"(?:&&|\|\||[;|\n])[ \t]*")


def _is_run(word: str) -> bool:
    name = word.rpartition("/")[2]
    return name in _RUN or name.startswith("mkfs.")


def is_unmistakable(word: str) -> bool:
    """Return whether a word is the name of a program, and of nothing else that people speak of."""
    name = word.rpartition("/")[2]
    return name in _UNMISTAKABLE or name.startswith("mkfs.")


_UNMISTAKABLE = words("words/shell-flow:unmistakable_programs")


def _has_object(rest: tuple[str, ...], *, named: bool) -> bool:
    """Return whether options and words follow, as behind a program that is run: `rm -rf x`."""
    options = any(one[:1] == "-" for one in rest)
    path = any("/" in one for one in rest)
    if named:
        return options and path
    return (options or path) and any(one[:1] != "-" for one in rest)
