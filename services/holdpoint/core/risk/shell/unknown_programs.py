"""Programs that nobody knows: the unknown raises the level."""

import re
from itertools import takewhile

import msgspec

from holdpoint.core.risk.knowledge import by_word, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.command_rules import asks_for_help, reads_nothing, runs_dry
from holdpoint.core.risk.shell.command_verbs import TAKES_AWAY, by_option, override_in, subcommands
from holdpoint.core.risk.shell.database_statements import given, sql_in
from holdpoint.core.risk.shell.fast_path import ASKED
from holdpoint.core.risk.shell.interpreters import LANGUAGES, SHELLS, interpret
from holdpoint.core.risk.shell.judge import KNOWN_PROGRAMS, is_pattern
from holdpoint.core.risk.shell.model import HIGH, HOLE, UNREAD_LINE, Command
from holdpoint.core.risk.shell.network_commands import is_cmdlet
from holdpoint.core.risk.shell.state import State
from holdpoint.core.risk.shell.task_names import ENDING_VERBS, ENDINGS, removing_verb
from holdpoint.core.risk.words import word_set
from holdpoint.messages.risk import Heuristic, RiskLevel

UNKNOWN_PROGRAM = "shell.unknown-program"
_UNKNOWN = Finding(
    UNKNOWN_PROGRAM,
    RiskLevel.MEDIUM,
    "runs an unknown program",
    heuristic=Heuristic.UNCERTAINTY,
)


def unknown_program(command: Command, state: State) -> Finding | None:
    """Return why an unknown program worries; None for a known one, and a script that was read."""
    name = command.name
    if not name or HOLE in name or is_pattern(name) or _is_read(command, state):
        return None
    if is_known(command):
        orders = _ORDERS_UNSEEN if _gets_orders(command, state) else None
        return _UNSEEN if _is_script(command, state) else orders
    held_back = asks_for_help(command) or runs_dry(command)
    verb = command.path.rpartition("/")[2]
    order = verb if verb in _TAKES_AWAY and command.args and not _is_prose(command) else ""
    order = order or _order(command)
    if held_back:
        return _UNKNOWN
    if order:
        return Finding(f"shell.verb-{order}", HIGH, f"takes something away: `{order}`", order)
    removing = next(iter(by_option(_options(command), service=False)), None)
    return removing or _overriding(command) or _UNKNOWN


def _options(command: Command) -> Command:
    """The command up to `--`, behind which nothing is an option."""
    args = tuple(takewhile("--".__ne__, command.args))
    return msgspec.structs.replace(command, args=args)


def _overriding(command: Command) -> Finding | None:
    """Return the finding of an option that passes over a check, or reaches all below: `-rf`."""
    if option := override_in(command):
        reason = f"an unknown program that passes over a check: `{option}`"
        return Finding("shell.unknown-forced", HIGH, reason, "force")
    return None


UNREAD_SCRIPT = "runs a script whose content was not read and is not shown"
_UNSEEN = msgspec.structs.replace(_UNKNOWN, reason=UNREAD_SCRIPT)


_ORDERS_UNSEEN = Finding(
    "sql.unseen",
    RiskLevel.MEDIUM,
    "hands a database orders that were not read and are not shown",
    "run",
    heuristic=Heuristic.UNCERTAINTY,
)


def _gets_orders(command: Command, state: State) -> bool:
    """Return whether a console of a database gets orders that are not shown: `psql -f a.sql`."""
    named = _ORDER_FILES.get(command.name)
    if named is None or asks_for_help(command) or runs_dry(command):
        return False
    files = [*given(command.args, word_set(named))]
    files += [arg[1:] for arg in command.args if arg[:1] == "@" and command.name in _AT_SIGN]
    files += [arg for arg in command.args if arg[:1] != "-" and arg.endswith((".js", ".mongodb"))]
    if any(file != "-" and not _was_shown(file, state) for file in files):
        return True
    fed = command.stdin
    unread = fed is not None and (fed.text is None or UNREAD_LINE in fed.text)
    return unread and not reads_nothing(command) and not sql_in(command)


_ORDER_FILES = by_word("words/shell:sql.order_files_of")
_AT_SIGN = word_set("sqlplus sql rman sqlcl")


def _is_script(command: Command, state: State) -> bool:
    """Return whether a shell or a language gets a file that is not shown: `bash deploy.sh`."""
    name, args = command.name, command.args
    if name in _SOURCES:
        return not _was_shown("".join(args[:1]), state)
    checks = _READS_NO_FILE if name in SHELLS else _CHECKS
    if name.rstrip(_DIGITS) not in _LANGUAGES or checks.intersection(args[:2]):
        return False
    if asks_for_help(command) or interpret(command):
        return False
    said = [arg for arg in args if arg[:1] not in {"-", "+", HOLE}][:1]
    bare = name in SHELLS or (name.rstrip(_DIGITS) in _FILE_FIRST and said == [*args[:1]])
    files = (
        one
        for one in said
        if "/" in one or one.rpartition(".")[2] in ENDINGS or (bare and _file_name.fullmatch(one))
    )
    return any(not _was_shown(one, state) for one in files)


_READS_NO_FILE = word_set("-n -c -lc")
"""The same of a shell, where `-e` and `-p` stand before a script."""

_FILE_FIRST = word_set("python pypy perl ruby node nodejs php lua")
"""Interpreters whose first word is a script, and no order of their own."""

_file_name = re.compile(r"\w[\w.@-]*")


_SOURCES = frozenset({"source", "."})
_LANGUAGES = SHELLS | frozenset(LANGUAGES)
_DIGITS = "0123456789."
_CHECKS = words("words/shell-flow:options_without_script")


def _order(command: Command) -> str:
    """The verb of its first word, where that takes something away: `toolx retire x`."""
    said = subcommands(command.args)
    if said[:1] and said[0].lower() in _ENDING:
        return said[0].lower()
    return removing_verb(said[0]) if said else ""


def is_known(command: Command) -> bool:
    """Return whether a family or a list knows its program, by name or by the shape of that."""
    name = command.name
    return name in _KNOWN or name.startswith("mkfs.") or is_cmdlet(command.path)


_KNOWN = KNOWN_PROGRAMS | ASKED
_OTHERWISE = frozenset({"drop", "zap"})
"""Verbs that are a word of SQL, or the name of a program that scans."""

_ENDING = words("words/shell:verbs.ending")
_TAKES_AWAY = (TAKES_AWAY | ENDING_VERBS | _ENDING) - _OTHERWISE


def _is_prose(command: Command) -> bool:
    """Return whether it reads like a sentence: `remove old files`."""
    said = command.args
    return len(said) > 1 and all(map(str.isalpha, said)) and _EVERYTHING.isdisjoint(said)


_EVERYTHING = frozenset({"all", "everything", "ALL"})


def _is_read(command: Command, state: State) -> bool:
    """Return whether a function, an alias or a file that was written before stands for it."""
    path = command.path
    return path in state.functions or path in state.aliases or _was_shown(path, state)


def _was_shown(path: str, state: State) -> bool:
    """Return whether the text itself wrote that file, and shows all that is in it."""
    names = (state.places.get(path, path), path.removeprefix("./"))
    held = (state.files[name].text for name in names if name in state.files)
    return any(text is not None and UNREAD_LINE not in text for text in held)
