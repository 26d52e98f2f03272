"""Programs in the languages of sed, awk and make, and the commands in them."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.code.analyzer import read_code
from holdpoint.core.risk.shell.inner_commands import MAX_INNER, Found, Inner
from holdpoint.core.risk.shell.model import FILL, UNWORKED, Command, Danger
from holdpoint.core.risk.shell.options import read_options
from holdpoint.messages.risk import RiskLevel

_address = re.compile(r"[\s;{}!0-9,$~+]*(?:/(?:[^/\\]|\\.)*/[\s,!I]*)*[\s;{}!0-9,$~+]*")


_end = re.compile(r"[;\n}]|$")


def sed_commands(script: str) -> Iterator[str]:
    """What a script hands to a shell."""
    at = 0
    while at < len(script):
        first = not at
        at = _address.match(script, at).end()  # type: ignore[union-attr]  # it fits everywhere
        letter = script[at : at + 1]
        if letter == "s" and at + 1 < len(script):
            parts, at = _substitution(script, at + 1)
            flags = re.match(r"[a-zA-Z0-9]*", script[at:])
            if flags and "e" in flags[0]:
                yield _fields.sub(FILL, re.sub(r"\\(?![&\d])", "", parts[1]))
        elif letter == "e" and script[at + 1 : at + 2] in {" ", "\t"}:
            yield script[at + 2 :].partition("\n")[0]
        elif letter == "e" and script[at + 1 : at + 2] in _ENDS:
            yield FILL if first else UNWORKED
        end = _end.search(script, at)
        at = end.end() if end and end.end() > at else at + 1


_fields = re.compile(r"(?<!\\)&|\\\d")
"""What was found, or a part of it, in what is put in its place."""

_ENDS = frozenset({"", ";", "}", "\n"})


def edits(script: str) -> Iterator[tuple[str, str]]:
    """The plain text that goes, empty if only sed can tell, and what stands there from now on."""
    at = 0
    while at < len(script):
        at = _address.match(script, at).end()  # type: ignore[union-attr]  # it fits everywhere
        letter = script[at : at + 1]
        if letter == "s" and at + 1 < len(script):
            (old, new, *_), at = _substitution(script, at + 1)
            found = "" if _pattern.search(old) else _escaped.sub(r"\1", old)
            yield found, _put(new.replace("&", found))
        elif letter in _ADDS:
            text = script[at + 1 :].lstrip(" \\\n\t")
            yield "", _put(text)
            return
        end = _end.search(script, at)
        at = end.end() if end and end.end() > at else at + 1


_ADDS = frozenset({"a", "i", "c"})
_pattern = re.compile(r"[.*^$\[\]]|\\[(+?|1-9wWsSbB<>]")
"""What makes a pattern of a text."""

_escaped = re.compile(r"\\(.)")


def _put(text: str) -> str:
    return _escaped.sub(r"\1", text.replace("\\n", "\n").replace("\\t", "\t"))


def _substitution(script: str, at: int) -> tuple[list[str], int]:
    """The two parts of `s/…/…/`, with any sign between them, and where its flags begin."""
    sign = script[at]
    parts: list[str] = []
    start = place = at + 1
    end = len(script)
    while place < end and len(parts) < PARTS:
        letter = script[place]
        if letter == "\\":
            place += 1
        elif letter == sign:
            parts.append(script[start:place])
            start = place + 1
        place += 1
    return [*parts, "", ""], place


PARTS = 2
"""What goes, and what stands there instead."""


INPUT = frozenset({"-", "", "/dev/stdin"})
"""How the input is named; a lone `-` before a here-document gets lost in the grammar."""

_AWK_VALUES = word_set("-F -v -f --field-separator --assign --file")


def awk(command: Command) -> Found:
    """`system(…)`, `"…" | getline`, `print | "…"`, and `-v x=TEXT` where `x` is run."""
    options = read_options(command.args, _AWK_VALUES)
    program = options.word(0)
    file = options.value("-f", "--file")
    if file in INPUT and options.has("-f --file") and command.stdin:
        program, file = command.stdin.text or "", ""
    if file or not ("system" in program or "|" in program):
        return []
    found = [*read_code(program, "awk"), *_assigned(program, command.args)]
    return [*found, _UNREAD] if _runs_read(program) else found


def _runs_read(program: str) -> bool:
    """Whether it runs a line or a field that it reads, or what it has put one into."""
    if _runs_fields.search(program) or _runs_letters.search(program):
        return True
    made = set(_made.findall(program))
    return any(name in made for found in _run_names.findall(program) for name in found)


_made = re2.compile(r"(\w+)\s*=\s*\$\w+\s*[;}\n]")


def _assigned(program: str, args: tuple[str, ...]) -> Found:
    """`-v x=TEXT` where the program runs `x`."""
    said = [following for arg, following in pairwise(args) if arg in _ASSIGNS]
    said += [arg[2:] for arg in args if arg[:2] == "-v" and "=" in arg]
    names = {name for found in _run_names.findall(program) for name in found}
    given = (one.partition("=") for one in said)
    return [Inner(script=text) for name, _, text in given if name and name in names]


_ASSIGNS = frozenset({"-v", "--assign"})
_run_names = re2.compile(r"system\s*\(\s*(\w+)|(\w+)\s*\|&?\s*getline|[^|]\|&?\s*(\w+)")
_runs_fields = re2.compile(
    r"\bsystem\s*\(\s*\$|\bgetline\s+(?:\w+\b.*\bsystem\s*\(\s*\w+\s*\)|.*\bsystem\s*\(\s*\$)"
    r"|\bprint\s*(?:\$\w+\s*)?\|\s*\"(?:/\w+)*/?(?:ba|da|k|z)?sh\""
)
_runs_letters = re2.compile(
    r"\bsystem\s*\(\s*sprintf\s*\([^)]*%c|\bs?printf\b[^;}]*%c[^;}]*"
    r"\|\s*\"(?:/\w+)*/?(?:ba|da|k|z)?sh\b"
)
"""A text that it puts together from the numbers of letters."""

_UNREAD = Danger("shell.unseen-code", RiskLevel.HIGH, "runs what it reads from its input", "run")


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
    return [*found, *_make_variable.findall(text)][:MAX_INNER]


_shell = re.compile(r"\$[({]shell\s+((?:[^()]|\([^()]*\))*)[)}]?")
_make_variable = re.compile(r"(?m)^[\w.]+[ \t]*!=[ \t]*(.+)")


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
