"""Programs with a prompt of their own, from which a line goes to a shell: editors, clients."""

import re
from collections.abc import Callable, Iterator

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.effects import HIGH
from holdpoint.core.risk.shell.inner import Found, Inner
from holdpoint.core.risk.shell.model import FILL, Command, Danger

MAX_LINES = 32
"""Lines of one program's input that are looked at."""

_deletes = re.compile(r"\b(?:call\s+)?delete\s*\(|delete-(?:directory|file)|file\s+delete\b")
_DELETES = Danger("shell.code-deletes", HIGH, "deletes through a program's own command", "delete")


def _lines(command: Command, names: str = "") -> Iterator[str]:
    """What its prompt is told: on its input, and as the value of these options."""
    wanted = word_set(names)
    args = command.args
    for at, arg in enumerate(args):
        name, assigned, value = arg.partition("=")
        if arg in wanted:
            yield from "".join(args[at + 1 : at + 2]).splitlines()
        elif assigned and name in wanted:
            yield value
        elif not names and not arg.startswith("-"):
            yield arg
    if command.stdin and command.stdin.text:
        yield from command.stdin.text.splitlines()[:MAX_LINES]


def _behind(pattern: str, names: str = "") -> Callable[[Command], Found]:
    """A program that hands a shell what stands behind this in a line."""
    marks = re.compile(rf"\s*(?:{pattern})\s*(.*)", re.DOTALL)

    def found(command: Command) -> Found:
        ran = (marks.fullmatch(line) for line in _lines(command, names))
        scripts: Found = [Inner(script=one[1]) for one in ran if one and one[1]]
        return scripts[:MAX_LINES]

    return found


def _told(mark: str, names: str) -> Callable[[Command], Found]:
    """The same, and what the program itself deletes."""
    behind = _behind(mark, names)

    def found(command: Command) -> Found:
        deletes = any(_deletes.search(line) for line in _lines(command, names))
        return [*behind(command), *([_DELETES] if deletes else [])]

    return found


def _vim(command: Command) -> Found:
    """`-c ':!TEXT'`, `+!TEXT`, `-sc '!TEXT'`, `-c 'call system("…")'`."""
    args = command.args
    told = [arg[1:] for arg in args if arg.startswith("+")]
    told += [args[at + 1] for at, arg in enumerate(args[:-1]) if _ORDERS.fullmatch(arg)]
    told += _lines(command, "-") if "-s" in args or "-es" in args or command.name == "ex" else ()
    found: Found = []
    for one in told:
        text = one.lstrip(": ")
        if "!" in text[:6]:
            found.append(Inner(script=text.partition("!")[2]))
        elif _deletes.search(text):
            found.append(_DELETES)
        found += [Inner(script=said) for said in _system.findall(text)]
    return found


_ORDERS = re.compile(r"-[a-zA-Z]{0,3}c|--cmd|-es")
_system = re.compile(r"""(?:system|systemlist|py\w*)\s*\(?\s*['"]([^'"]+)['"]""")


def _emacs(command: Command) -> Found:
    said = " ".join(_lines(command, "--eval -eval --execute -f"))
    found: Found = [_DELETES] if _deletes.search(said) else []
    if "shell-command" in said or "call-process" in said:
        found += [Inner(script=one) for one in re.findall(r'"([^"]+)"', said)[:MAX_LINES]]
    return found


def _tcl(command: Command) -> Found:
    """Tcl and expect: `exec`, `spawn`, `system`, `file delete`."""
    return _told(r"(?:exec|spawn|system)\s(?:-\w+\s)*", "-c")(command)


def sed(command: Command) -> Found:
    """GNU sed: the command `e`, and the flag `e` of a replacement, whose result is run."""
    args = command.args
    scripts = [args[at + 1] for at, arg in enumerate(args[:-1]) if arg in _SED_SCRIPTS]
    plain = [arg for arg in args if not arg.startswith("-")]
    if _READ_FROM & set(args) and command.stdin and command.stdin.text:
        scripts = [command.stdin.text]
    found: Found = []
    for script in (scripts or plain[:1])[:MAX_LINES]:
        found += [Inner(script=one) for one in _sed_runs(script)]
    return found


_READ_FROM = word_set("-f --file=- -f- -f/dev/stdin --file=/dev/stdin")
_SED_SCRIPTS = word_set("-e --expression -ne -n -E -r -nE -nr -En")
_address = re.compile(r"[\s;{}!0-9,$~+]*(?:/(?:[^/\\]|\\.)*/[\s,!I]*)*[\s;{}!0-9,$~+]*")


def _sed_runs(script: str) -> Iterator[str]:
    """What a script hands to a shell."""
    at = 0
    while at < len(script):
        at = _address.match(script, at).end()  # type: ignore[union-attr]  # it fits everywhere
        letter = script[at : at + 1]
        if letter == "s" and at + 1 < len(script):
            parts, at = _substitution(script, at + 1)
            flags = re.match(r"[a-zA-Z0-9]*", script[at:])
            if flags and "e" in flags[0]:
                yield re.sub(r"\\(?![&\d])", "", parts[1]).replace("&", FILL)
        elif letter == "e" and script[at + 1 : at + 2] in {" ", "\t"}:
            yield script[at + 2 :].partition("\n")[0]
        end = re.compile(r"[;\n}]|$").search(script, at)
        at = end.end() if end and end.end() > at else at + 1


def _substitution(script: str, at: int) -> tuple[list[str], int]:
    """The two parts of `s/…/…/`, with any sign between them, and where its flags begin."""
    sign = script[at]
    parts, start, place = [""], at + 1, at + 1
    parts = []
    while place < len(script) and len(parts) < len(("old", "new")):
        if script[place] == "\\":
            place += 1
        elif script[place] == sign:
            parts.append(script[start:place])
            start = place + 1
        place += 1
    return [*parts, "", ""], place


PROMPTS: dict[str, Callable[[Command], Found]] = {
    **dict.fromkeys(["vim", "vi", "nvim", "ex", "view", "rvim", "gvim", "vimdiff"], _vim),
    **dict.fromkeys(["ed", "red"], _behind(r"(?:[0-9.,$%]*[erw]?\s*)!", "-")),
    **dict.fromkeys(["emacs", "emacsclient", "xemacs"], _emacs),
    **dict.fromkeys(["less", "more", "most"], _behind(r"\+!")),
    "gdb": _behind(r"(?:shell|!|make)\s?", "-ex -iex --eval-command -eval-command"),
    "lldb": _behind(r"(?:platform shell|shell|!)\s?", "-o -O --one-line"),
    **dict.fromkeys(["sqlite3", "sqlite", "litecli", "duckdb"],
                    _behind(r"\.(?:shell|system|sh)\s", "")),
    **dict.fromkeys(["psql", "pgcli", "ysqlsh", "vsql"], _behind(r"\\!", "-c --command")),
    **dict.fromkeys(["mysql", "mariadb", "mycli"],
                    _behind(r"\\!|system\s", "-e --execute --init-command")),
    "sqlplus": _behind(r"(?:!|host?\s)", "-"),
    **dict.fromkeys(["tclsh", "wish", "expect"], _tcl),
    **dict.fromkeys(["irb", "gnuplot"], _behind(r"(?:!|shell\s)", "-e")),
    "telnet": _behind("!", "-"), "mutt": _behind("!", "-e"), "nmap": _behind("!", "-"),
}  # fmt: skip
"""By name."""
