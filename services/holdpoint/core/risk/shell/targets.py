"""Targets that a command names for sure: hosts, databases, clusters and paths, as `kind:name`.

Whether one is a sandbox or a build product only the policy says. A command line with an option
that `data/targets.toml` does not list, or behind which a name may mean another place, names none.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

import msgspec

from holdpoint.core.risk.knowledge import Phrase, WordSet, data_file, row_of, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.judge import usual
from holdpoint.core.risk.shell.model import FILL, HOLE, Command
from holdpoint.core.risk.shell.read_only import lies_elsewhere
from holdpoint.core.risk.shell.scope import LOADS_CODE
from holdpoint.core.risk.shell.state import State
from holdpoint.core.risk.words import word_set
from holdpoint.messages.policy import TARGET_KINDS

_MISLEADING = words("targets:misleading.words")
_VARIABLES = words("targets:misleading.variables") | {"_"}
_LEADS = LOADS_CODE | {"CDPATH", "HOME", "OLDPWD", "PWD", "IFS"}
"""Variables that decide which program runs, or where."""

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


class _Program(msgspec.Struct, frozen=True, kw_only=True):
    """How a program names its targets: a row of `data/targets.toml`."""

    rules: WordSet = WordSet()
    kinds: dict[str, str] = {}
    """Each option that takes a word, with the kind of target it is; empty for none."""

    flags: WordSet = WordSet()
    words: str = ""
    firsts: tuple[tuple[str, ...], ...] = ()
    """Words of which all of any come first."""

    prefix: str = ""
    default: Phrase = Phrase()
    alone: bool = False


@cache
def _programs() -> dict[str, _Program]:
    found: dict[str, _Program] = {}
    for name, row in data_file("targets").items():
        kinds = dict.fromkeys(word_set(row.get("values", "")), "")
        kinds |= {one: kind for kind in TARGET_KINDS for one in word_set(row.get(kind, ""))}
        firsts = [one.split() for one in row.get("behind", "").split("|")]
        program = row_of(_Program, {**row, "kinds": kinds, "firsts": firsts})
        found |= dict.fromkeys((name, *row.get("also", "").split()), program)
    return found


def targets_of(finding: Finding, command: Command, state: State, text: str) -> tuple[str, ...]:
    """Everything that this finding takes away; empty where that is not sure."""
    program = _programs().get(usual(command).name)
    if program is None or finding.rule not in program.rules:
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
    args = _arguments(command, state)
    folder = _folder(text, state)
    turn, variable = _turn(text)
    written = turn if variable else text[slice(*command.span)]
    if not args or folder is None or "$" in written or "`" in written:
        return ()
    if not _means_what_it_says(command, state, _harmless(program, state, variable)):
        return ()
    if program.alone and state.commands > 1:
        return ()
    found = list(_read(program, args)) or list(program.default)
    if _live.search(" ".join(args)) or any(not _is_sure(one, state) for one in found):
        return ()
    if not folder:
        return tuple(found)
    paths = (one.removeprefix("path:") for one in found)
    return tuple(f"path:{folder}/{path.removeprefix('./')}" for path in paths)


def _arguments(command: Command, state: State) -> tuple[str, ...]:
    """Its arguments, also where a program runs it that adds nothing; empty where one may."""
    if not command.depth:
        return usual(command).args
    if command.depth > 1 or len(state.run) != len(("wrapper", "command")):
        return _found_by_find(command, state)
    whole, inner = state.run
    head, *own = whole.removesuffix(inner).split() or [""]
    carried = whole.endswith(f" {inner}") and head in _CARRIERS and all(map(_own.fullmatch, own))
    return command.args if carried else _found_by_find(command, state)


_CARRIERS = word_set("timeout nice ionice nohup time command stdbuf env")
_own = re.compile(r"-[a-zA-Z]?|\d+[smhd]?|-[a-z]?\d+|(?!\d)\w+=[\w.:/-]*")
"""Words of such a program: durations, numbers, variables."""


def _turn(text: str) -> tuple[str, str]:
    """The body of a loop over written words, without its variable; and that variable."""
    loop = _loop.fullmatch(text)
    if loop is None:
        return "", ""
    name = loop[1]
    return re.sub(rf"\"\$(?:{name}|{{{name}}})\"|\$(?:{name}\b|{{{name}}})", "", loop[2]), name


_loop = re.compile(r"\s*for (\w+) in [\w.@+/ -]++;\s*+do ([^;&|<>]++);\s*+done\s*", re.ASCII)


def _harmless(program: _Program, state: State, variable: str) -> frozenset[str]:
    """Variables that change nothing here: of a path in the folder, all that load no code."""
    known = _VARIABLES | {variable}
    if program.words != "path":
        return known
    names = state.scope.values.keys() - _LEADS
    return known.union(one for one in names if not one.startswith("GIT_"))


def _bare_name(variable: str) -> str:
    return variable.partition("[")[0]


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


def _means_what_it_says(command: Command, state: State, known: frozenset[str]) -> bool:
    """Return whether its program and its names are those that it is written with."""
    changed = state.aliases or state.functions or state.moved or state.settings or state.stuck
    if (
        changed
        or lies_elsewhere(command.path)
        or command.path.lower().rpartition("/")[2] != command.name
        or not {*map(_bare_name, state.scope.values)} <= known
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
    first = next((one for one in program.firsts if one == tuple(said[: len(one)])), None)
    if first is None:
        yield _UNSURE
    elif program.words:
        for one in said[len(first) :]:
            yield from _of_word(program.words, one)


def _of_option(program: _Program, arg: str, rest: Iterator[str]) -> Iterator[str]:
    """The target that an option names, whose value stands in it or is the next word."""
    name, assigned, value = arg.partition("=")
    if name[:2] != "--" and name not in program.kinds:
        at = next((at for at, it in enumerate(arg[1:], 1) if f"-{it}" not in program.flags), 1)
        name, assigned, value = f"-{arg[at]}", arg[at + 1 :], arg[at + 1 :]
    kind = program.kinds.get(name)
    value = value if assigned else next(rest, "")
    if kind is None or kind:
        prefix = program.prefix if kind == "cluster" else ""
        yield f"{kind}:{prefix}{value}" if kind else _UNSURE


def _of_word(kind: str, word: str) -> Iterator[str]:
    """The targets that a word names: of a database's address, its host as well."""
    if kind == "url" and "://" not in word:
        word = f"http://{word}"
    address = _address.fullmatch(word) if kind == "database" else None
    if address:
        yield f"host:{address[1]}"
    yield f"{kind}:{address[2] if address else word}"


_address = re.compile(r"postgres(?:ql)?://(?:[\w.-]+(?::[^@/\s]*)?@)?([\w.-]+)(?::\d+)?/([\w-]+)")


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
