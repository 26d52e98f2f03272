"""Targets that a command names for sure: hosts, databases, clusters and paths, as `kind:name`.

Whether one is a sandbox or a build product only the policy says. A command line with an option
that `data/targets.toml` does not list, or behind which a name may mean another place, names none.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

import msgspec

from holdpoint.core.risk.knowledge import data_file, words
from holdpoint.core.risk.shell.judge import usual
from holdpoint.core.risk.shell.model import FILL, HOLE, Command, Danger
from holdpoint.core.risk.shell.state import State
from holdpoint.core.risk.words import word_set
from holdpoint.messages.policy import TARGET_KINDS

_MISLEADING = words("targets:misleading.words")
_VARIABLES = words("targets:misleading.variables") | {"_"}
_name = re.compile(r"[\w.:@/*+-]+", re.ASCII)
_plain_name = re.compile(r"[\w-]+", re.ASCII)
_live = re.compile(r"(?i)(?:^|[^a-z])(?:prod|production|live)(?:[^a-z]|$)")
_every = re.compile(r"\*|/_all(?:/|$)")
"""A part of an address that stands for all there is."""

_steps = re.compile(r"\b(?:cd|pushd|popd|chdir|Set-Location|sl)\b", re.IGNORECASE)
_step = re.compile(r"\s*cd ((?:\./)?\w[\w-]*(?:/\w[\w-]*)*)/?[ \t]*(?:&&|;|\n)")
_deleting = re.compile(
    r"(?is)(?:(?:select|insert|truncate|delete|update|drop\s+(?:table|view|index))\s[^.\\;]*;?\s*)+"
)
"""Statements about tables of the database that one is connected to."""

FOUND = f"./{FILL}/"
"""What stands before the name that `find .` finds."""


class _Program(msgspec.Struct, frozen=True):
    rules: frozenset[str]
    kinds: dict[str, str]
    """Each option that takes a word, with the kind of target it is; empty for none."""

    flags: frozenset[str]
    words: str
    behind: tuple[str, ...]
    default: tuple[str, ...]
    alone: bool


@cache
def _programs() -> dict[str, _Program]:
    found: dict[str, _Program] = {}
    for name, row in data_file("targets").items():
        kinds = dict.fromkeys(word_set(row.get("values", "")), "")
        kinds |= {one: kind for kind in TARGET_KINDS for one in word_set(row.get(kind, ""))}
        program = _Program(
            rules=word_set(row.get("rules", "")),
            kinds=kinds,
            flags=word_set(row.get("flags", "")),
            words=row.get("words", ""),
            behind=tuple(row.get("behind", "").split()),
            default=tuple(row.get("default", "").split()),
            alone=row.get("alone", False),
        )
        found |= dict.fromkeys((name, *row.get("also", "").split()), program)
    return found


def targets_of(danger: Danger, command: Command, state: State, text: str) -> tuple[str, ...]:
    """Everything that this danger takes away; empty where that is not sure."""
    program = _programs().get(usual(command).name)
    if program is None or danger.rule not in program.rules:
        return ()
    return _named(program, command, state, text)


def targets_of_statement(sql: str, state: State, text: str) -> tuple[str, ...]:
    """Where the one command that hands this statement on is connected to; empty if not sure."""
    command = state.tellers.get(sql)
    program = _programs().get(command.name) if command else None
    if command is None or program is None:
        return ()
    session = (one for one, teller in state.tellers.items() if teller in {command, None})
    if not all(_deleting.fullmatch(one.strip()) for one in session):
        return ()
    return _named(program, command, state, text)


def _named(program: _Program, command: Command, state: State, text: str) -> tuple[str, ...]:
    args = _found_by_find(command, state) if command.depth else usual(command).args
    folder = _folder(text, state)
    written = text[slice(*command.span)]
    if not args or folder is None or "$" in written or "`" in written:
        return ()
    if not _means_what_it_says(command, state) or (program.alone and state.commands > 1):
        return ()
    found = list(_read(program, args)) or list(program.default)
    if _live.search(" ".join(args)) or any(not _is_sure(one, state) for one in found):
        return ()
    if not folder:
        return tuple(found)
    paths = (one.removeprefix("path:") for one in found)
    return tuple(f"path:{folder}/{path.removeprefix('./')}" for path in paths)


def _found_by_find(command: Command, state: State) -> tuple[str, ...]:
    """Return what `find . -name dist -exec rm -rf {} +` deletes, as it stands below this folder."""
    if command.depth > 1 or not command.many or state.programs != {"find", command.name}:
        return ()
    return tuple(arg.removeprefix(FOUND) for arg in command.args)


def _folder(text: str, state: State) -> str | None:
    """The folder below the first one in which it runs; None when nobody can tell."""
    steps = _count_steps(text)
    if not steps:
        return None if "cd" in state.programs else ""
    step = _step.match(text)
    return step[1].removeprefix("./") if step and steps == 1 else None


@lru_cache(maxsize=1)
def _count_steps(text: str) -> int:
    """Return how many steps to other folders a text names: asked for each command of the text."""
    return len(_steps.findall(text))


def _means_what_it_says(command: Command, state: State) -> bool:
    """Return whether its program and its names are those that it is written with."""
    changed = state.aliases or state.functions or state.moved or state.settings or state.stuck
    if (
        changed
        or command.path.lower() != command.name
        or not state.scope.values.keys() <= _VARIABLES
    ):
        return False
    run = (word for one in state.run for word in one.split())
    return _MISLEADING.isdisjoint(state.programs) and _MISLEADING.isdisjoint(run)


def _read(program: _Program, args: tuple[str, ...]) -> Iterator[str]:
    """Each target; one that cannot be sure where an option is not known."""
    rest, said = iter(args), list[str]()
    for arg in rest:
        if arg == "--" and program.words == "path":
            said += rest
        elif len(arg) < len("-x") or arg[0] != "-":
            said.append(arg)
        elif arg not in program.flags and not _is_bundle(arg, program.flags):
            yield from _of_option(program, arg, rest)
    first = len(program.behind)
    if program.behind != tuple(said[:first]):
        yield _UNSURE
    if program.words:
        yield from (f"{program.words}:{one}" for one in said[first:])


def _of_option(program: _Program, arg: str, rest: Iterator[str]) -> Iterator[str]:
    """The target that an option names, whose value stands in it or is the next word."""
    name, assigned, value = arg.partition("=")
    if name[:2] != "--" and name not in program.kinds:
        name, assigned, value = arg[:2], "=", arg[2:]
    kind = program.kinds.get(name)
    value = value if assigned else next(rest, "")
    if kind is None or kind:
        yield f"{kind}:{value}" if kind else _UNSURE


_UNSURE = "unknown:"


def _is_bundle(arg: str, flags: frozenset[str]) -> bool:
    return arg[:2] != "--" and all(f"-{letter}" in flags for letter in arg[1:])


def _is_sure(target: str, state: State) -> bool:
    """Return whether a target can mean nothing else, and nothing here has written it."""
    kind, _, name = target.partition(":")
    plain = _plain_name if kind == "database" else _name
    written = kind == "path" and name.rpartition("/")[2] in state.files
    if kind == "url" and _every.search(name):
        return False
    sure = kind in TARGET_KINDS and plain.fullmatch(name) and HOLE not in name
    return bool(sure) and not written
