"""Programs with a prompt of their own, from which a line goes to a shell: editors, clients."""

import re
from collections.abc import Callable, Iterator

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.code import TANGLED
from holdpoint.core.risk.shell.effects import HIGH
from holdpoint.core.risk.shell.inner import MAX_INNER, Found, Inner
from holdpoint.core.risk.shell.model import FILL, Command, Danger
from holdpoint.core.risk.shell.scripts import script_of
from holdpoint.core.risk.shell.sed import runs

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
        yield from command.stdin.text.splitlines()[:MAX_INNER]


def _behind(pattern: str, names: str = "") -> Callable[[Command], Found]:
    """A program that hands a shell what stands behind this in a line."""
    marks = re.compile(rf"\s*(?:{pattern})\s*(.*)", re.DOTALL)

    def found(command: Command) -> Found:
        ran = (marks.fullmatch(line) for line in _lines(command, names))
        scripts: Found = [Inner(script=one[1]) for one in ran if one and one[1]]
        return scripts[:MAX_INNER]

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
    told = [_modifiers.sub("", one.lstrip(": ")) for one in told]
    if sum(_coded.match(one) is not None for one in told) > MAX_CODES:
        return [TANGLED]
    return [ran for one in told for ran in _ordered(one)]


def _ordered(text: str) -> Found:
    """What one order of vim runs or deletes."""
    found: Found = []
    coded, shown = _coded.match(text), _in_window.match(text)
    if "!" in text[:6]:
        found.append(Inner(script=text.partition("!")[2]))
    elif coded:
        found.append(_as_code(coded[1], coded[2]))
    elif shown:
        found.append(Inner(script=shown[1]))
    if _deletes.search(text):
        found.append(_DELETES)
    return found + [Inner(script=said) for said in _system.findall(text)]


_ORDERS = re.compile(r"-[a-zA-Z]{0,3}c|--cmd|-es")
_modifiers = re.compile(r"(?:(?:sil(?:ent)?!?|verb(?:ose)?|keep\w+|noa\w*|vert\w*|exe\w*)\s+)+")
_in_window = re.compile(r"ter(?:m\w*)?!?\s+(.+)")
_coded = re.compile(r"(py\w*|lua|ruby|perl\w*|script)\s+(?:<<\s*\w+\s+)?(.+)", re.DOTALL)


MAX_CODES = 32
"""Texts that one command gives a program as code."""


def _as_code(language: str, code: str) -> Inner:
    """Code of a language that the program has built in."""
    known = _BUILT_IN.get(language[:2], "python")
    return Inner(words=(known, "-e" if known != "python" else "-c", code))


_BUILT_IN = {"lu": "lua", "ru": "ruby", "pe": "perl"}
_system = re.compile(r"""(?:system|systemlist|py\w*)\s*\(?\s*['"]([^'"]+)['"]""")


def _emacs(command: Command) -> Found:
    said = " ".join(_lines(command, "--eval -eval --execute -f -e"))
    found: Found = [_DELETES] if _deletes.search(said) else []
    if "shell-command" in said or "call-process" in said:
        texts = re.findall(r'"([^"]+)"', said)[:MAX_INNER]
        found += [Inner(script=one) for one in (*texts, " ".join(texts))]
    return found


def _debugger(pattern: str, names: str) -> Callable[[Command], Found]:
    """The same for a debugger, which also runs Python, and calls functions of the program."""
    behind = _behind(pattern, names)

    def found(command: Command) -> Found:
        lines = [line.strip() for line in _lines(command, names)][:MAX_INNER]
        codes = [one for line in lines if (one := _coded.match(line))]
        ran: Found = [_as_code("python", one[2]) for one in codes[:MAX_CODES]]
        ran += [TANGLED] if len(codes) > MAX_CODES else []
        ran += [Inner(script=said) for line in lines for said in _system.findall(line)]
        return [*behind(command), *ran]

    return found


def _tcl(command: Command) -> Found:
    """Tcl and expect: `exec`, `spawn`, `system`, `file delete`."""
    return _told(r"(?:exec|spawn|system)\s(?:-\w+\s)*", "-c")(command)


def _gnuplot(command: Command) -> Found:
    """`-e 'system "TEXT"'`, `!TEXT`, and `plot '< TEXT'`."""
    said = " ; ".join(_lines(command, "-e"))
    quoted: Found = [Inner(script=one) for one in _plotted.findall(said)[:MAX_INNER]]
    return [*_behind(r"(?:!|shell\s)", "-e")(command), *quoted]


_plotted = re.compile(r"""(?:\bsystem\s*\(?\s*["']|["']\s*<)\s*([^"']+)["']""")


def sed(command: Command) -> Found:
    """GNU sed: the command `e`, and the flag `e` of a replacement, whose result is run."""
    args = command.args
    scripts = [args[at + 1] for at, arg in enumerate(args[:-1]) if arg in _SED_SCRIPTS]
    plain = [arg for arg in args if not arg.startswith("-")]
    if _READ_FROM & set(args) and command.stdin and command.stdin.text:
        scripts = [command.stdin.text]
    found: Found = []
    known = command.stdin.text if command.stdin else None
    lines = known.splitlines()[:MAX_INNER] if known else [FILL]
    for script in (scripts or plain[:1])[:MAX_INNER]:
        for one in runs(script):
            texts = [one.replace(FILL, line) for line in lines] if FILL in one else [one]
            found += [ran for text in texts for ran in script_of(text, command)]
    return found


_READ_FROM = word_set("-f --file=- -f- -f/dev/stdin --file=/dev/stdin")
_SED_SCRIPTS = word_set("-e --expression -ne -n -E -r -nE -nr -En")


def _told_or_paged(command: Command) -> Found:
    r"""MySQL's clients: `\! TEXT`, `system TEXT`, and a pager."""
    found = _behind(r"\\!|system\s", "-e --execute --init-command")(command)
    paged = (arg[8:] for arg in command.args if arg.startswith("--pager="))
    return [*found, *(Inner(script=one) for one in paged)]


PROMPTS: dict[str, Callable[[Command], Found]] = {
    **dict.fromkeys(["vim", "vi", "nvim", "ex", "view", "rvim", "gvim", "vimdiff"], _vim),
    **dict.fromkeys(["ed", "red"], _behind(r"(?:[0-9.,$%]*[erw]?\s*)!", "-")),
    **dict.fromkeys(["emacs", "emacsclient", "xemacs"], _emacs),
    **dict.fromkeys(["less", "more", "most"], _behind(r"\+!")),
    "gdb": _debugger(r"(?:shell|!|make)\s?", "-ex -iex --eval-command -eval-command"),
    "lldb": _debugger(r"(?:platform shell|shell|!)\s?", "-o -O --one-line"),
    **dict.fromkeys(["sqlite3", "sqlite", "litecli", "duckdb"],
                    _behind(r"\.(?:shell|system|sh)\s", "")),
    **dict.fromkeys(["psql", "pgcli", "ysqlsh", "vsql"], _behind(r"\\!", "-c --command")),
    **dict.fromkeys(["mysql", "mariadb", "mycli"], _told_or_paged),
    "sqlplus": _behind(r"(?:!|host?\s)", "-"),
    **dict.fromkeys(["tclsh", "wish", "expect"], _tcl),
    "irb": _behind(r"(?:!|shell\s)", "-e"), "gnuplot": _gnuplot,
    "smbclient": _behind("!", "-c --command"),
    "telnet": _behind("!", "-"), "nmap": _behind("!", "-"),
    **dict.fromkeys(["mutt", "neomutt"], _behind(r"!|set\s+\w+\s*=\s*[\"']", "-e")),
    **dict.fromkeys(["mail", "mailx", "s-nail"], _behind("~!", "-")),
}  # fmt: skip
"""By name."""
