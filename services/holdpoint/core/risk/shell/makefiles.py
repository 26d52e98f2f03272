"""What make and m4 run of their words, their variables, and of the files that they are given."""

import re
from collections.abc import Callable

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.awk import INPUT
from holdpoint.core.risk.shell.inner import MAX_INNER, Found, Inner
from holdpoint.core.risk.shell.model import Command
from holdpoint.core.risk.shell.options import read_options


def _make(command: Command) -> Found:
    """`-f -` and `--eval` hold recipes; `X=TEXT` is what a recipe runs where it says `$(X)`."""
    options = read_options(command.args, _VALUED)
    text = command.stdin.text if command.stdin and command.stdin.text else ""
    said = text if options.value("-f", "--file", "--makefile", "-") in INPUT else ""
    made = [*recipes(said), *recipes(options.value("--eval", "-E"))]
    if options.has(_SHOWS):
        made = [one for one in made if "$(shell" in one]
    held = [] if options.has(_SHOWS) else _held(options.words)
    functions = [run for word in options.words for run in _functions(word)]
    found: Found = [Inner(script=one) for one in (*held, *functions, *made)]
    return found[:MAX_INNER]


_VALUED = word_set("-f --file --makefile -C -j -o -W --eval -E")
_SHOWS = "-n --just-print --dry-run --recon -q --question"


def _held(words: tuple[str, ...]) -> list[str]:
    """Variables that hold a command: the shell with its options, and any of several words."""
    matches = filter(None, map(_given.fullmatch, words))
    given = {one[1]: one[2] for one in matches}
    shell = given.get("SHELL", "")
    told = [f"{shell} {given.get('.SHELLFLAGS', '')}"] if shell else []
    return [*told, *(value for value in given.values() if " " in value)]


_given = re.compile(r"([\w.]+)\s*(?:::?:?|\+|\?|!)?=\s*(.*)", re.DOTALL)


def recipes(text: str, blank: str = "\t") -> list[str]:
    """The commands in a makefile, without the signs that make reads itself; they are indented."""
    lines = [line if line[:1] in blank else line.partition(";")[2] for line in text.splitlines()]
    found = [line.lstrip("\t @-+") for line in lines if line.strip()]
    return [*found, *_functions(text)][:MAX_INNER]


def _functions(text: str) -> list[str]:
    """`$(shell TEXT)` and `X != TEXT`, which run when the file is read."""
    if "shell" not in text and "!=" not in text:
        return []
    found = [one[1:-1] if one[:1] == one[-1:] == "'" else one for one in _shell.findall(text)]
    return [*found, *_assigned.findall(text)][:MAX_INNER]


_shell = re.compile(r"\$[({]shell\s+((?:[^()]|\([^()]*\))*)[)}]?")
_assigned = re.compile(r"(?m)^[\w.]+[ \t]*!=[ \t]*(.+)")


def _m4(command: Command) -> Found:
    """`syscmd(TEXT)` and `esyscmd(TEXT)`."""
    said = "\n".join((*command.args, (command.stdin.text if command.stdin else "") or ""))
    return [Inner(script=one.rstrip("`")) for one in _syscmd.findall(said)[:MAX_INNER]]


_syscmd = re.compile(r"syscmd\(\s*[`\[]*([^)'\]]*)")

MAKERS: dict[str, Callable[[Command], Found]] = {
    **dict.fromkeys(["make", "gmake", "bmake"], _make),
    **dict.fromkeys(["m4", "gm4"], _m4),
}
"""By name."""
