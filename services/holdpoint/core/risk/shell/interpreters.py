"""Shells and interpreters, and the texts that they are given to run."""

import base64
import re
from collections.abc import Callable
from itertools import pairwise

from holdpoint.core.prefilter import prefilter
from holdpoint.core.risk.knowledge import by_word, pattern, words
from holdpoint.core.risk.shell.carriers import CARRIERS
from holdpoint.core.risk.shell.code_requests import TANGLED
from holdpoint.core.risk.shell.command_rules import KNOWN_HARMLESS
from holdpoint.core.risk.shell.inline_code import (
    NOTEBOOKS,
    notebook_commands,
    read_code,
    runs_input,
)
from holdpoint.core.risk.shell.inner_commands import (
    Found,
    Inner,
    hole_of,
    input_of,
    script_of,
    unseen,
)
from holdpoint.core.risk.shell.model import HOLE, Command, Origin, is_stream
from holdpoint.core.risk.words import word_set


def powershell(command: Command) -> Found:
    """Its words, its input, or what stands behind an option, also encoded."""
    args = command.args
    if _fetched_iex(" ".join(args)):
        return [unseen(Origin.REMOTE)]
    for at, arg in enumerate(args):
        option = arg.lower()
        if not option.startswith("-"):
            if not at or args[at - 1].lower() not in _PWSH_VALUES:
                break
            continue
        if "-encodedcommand".startswith(option) and len(option) > 1 and option[1] == "e":
            return _encoded(args[at + 1 : at + 2])
        if option in {"-command", "-c", "-commandwithargs"}:
            text = " ".join(args[at + 1 :])
            return input_of(command) if text == "-" else script_of(text, command)
        if option in {"-file", "-f"}:
            return []
    plain = [arg for arg in args if not arg.startswith("-")]
    return script_of(" ".join(plain), command) if plain else input_of(command)


_PWSH_VALUES = words("words/shell-flow:powershell_valued_options")
_fetched_iex = prefilter("(?i)" + pattern("patterns/shell:interpreters.fetched_iex"))


def _encoded(text: tuple[str, ...]) -> Found:
    try:
        script = base64.b64decode("".join(text)).decode("utf-16-le")
    except ValueError:
        script = ""
    return [Inner(script=script)] if script else [unseen(Origin.DECODED)]


SHELLS = words("words/shell-flow:shells")
POWERSHELLS = word_set("pwsh powershell")
LANGUAGES = by_word("words/shell-flow:languages")
_SHELL_VALUES = word_set("-o -O --rcfile --init-file +o +O -ExecutionPolicy -WorkingDirectory")


def interpret(command: Command) -> Found | None:
    """Return what it runs, when it runs a text; None when it is no such program."""
    name = command.name
    if name not in _KNOWN and name[-1:] not in _VERSION:
        return None
    if name in SHELLS:
        return powershell(command) if name in POWERSHELLS else _shell(command)
    language = name.rstrip("0123456789.")
    language = name if name in LANGUAGES else language
    if language in LANGUAGES:
        return _language(command, language)
    if name in _FRAMEWORKS:
        return _framework(command)
    tool = _TOOLS.get(name)
    return tool(command) if tool else None


def _framework(command: Command) -> Found | None:
    """`rails runner CODE`: code of its language behind a verb; None where it is no such verb."""
    verbs, language = _FRAMEWORKS[command.name]
    if not set(command.args[:1]) <= verbs or len(command.args) < len(("runner", "code")):
        return None
    codes = (arg for arg in command.args[1:] if "(" in arg or "." in arg or " " in arg)
    return [one for code in codes for one in _code(code, language, command)] or None


_FRAMEWORKS = {
    "rails": (word_set("runner r"), "ruby"),
    "manage.py": (word_set("shell shell_plus"), "python"),
    "mix": (word_set("run"), "elixir"),
}
"""Frameworks that run code behind a verb."""


def _shell(command: Command) -> Found:
    """`sh -c TEXT`, `sh FILE`, or what stands on its input."""
    args = command.args
    at = 0
    reads_text = False
    while at < len(args) and args[at][:1] in {"-", "+"} and args[at] not in {"-", "--"}:
        arg = args[at]
        reads_text |= not arg.startswith("--") and "c" in arg and arg not in _SHELL_VALUES
        at += 2 if arg in _SHELL_VALUES or arg in {"-eo", "-euo", "-exo", "-euxo"} else 1
        if arg in {"--help", "--version"} or (arg == "-n" and "+n" not in args):
            return []
    if args[at : at + 1] in {("--",), ("-",)}:
        at += 1
    rest = args[at:]
    if reads_text:
        return script_of(rest[0], command, rest[1:]) if rest else []
    if rest and rest[0].startswith(f"{HOLE}("):
        return hole_of(rest[0])
    listens = not rest or any(arg.startswith("-s") for arg in args[:at])
    return input_of(command, rest) if listens or is_stream(rest[0]) else []


MAX_CODES = 32
"""Texts that one command gives an interpreter as code."""


def _language(command: Command, language: str) -> Found:
    args = command.args
    if module := _module(args) if language in WITH_MODULES else ():
        return _run_module(module, command)
    options = word_set(LANGUAGES[language])
    found: Found = []
    read = 0
    for at, arg in enumerate(args):
        if read > MAX_CODES:
            return [*found, TANGLED]
        inline = arg in options or (
            language in {"perl", "ruby"} and arg[:1] == "-" and arg[-1:] in {"e", "E"}
        )
        if inline:
            read += 1
            code = args[at + 1] if at + 1 < len(args) else ""
            found += _code(code, language, command)
        elif attached := _attached(arg, language, options):
            read += 1
            found += _code(attached, language, command)
    plain = [arg for arg in args if not arg.startswith("-") and arg not in _CONSOLES]
    if not read and plain and plain[0].startswith(f"{HOLE}("):
        return hole_of(plain[0])
    stays = "-i" in args and language in WITH_MODULES
    fed = not plain or args[-1:] == ("-",) or is_stream(plain[0]) or stays
    listens = not read and fed and "-m" not in args
    return found + _piped_code(command, language) if listens else found


_CONSOLES = word_set("console run qtconsole execute")
"""Words of a notebook's program behind which code comes from its input."""


def harmless_module(command: Command) -> tuple[str, ...]:
    """`python -m pytest …`: the words of a module that is a program of which nothing is said."""
    module = _module(command.args)
    return module if module and module[0] in KNOWN_HARMLESS else ()


WITH_MODULES = word_set("python python2 python3 pypy pypy3")


def _module(args: tuple[str, ...]) -> tuple[str, ...]:
    """`python -I -m pip …`: a module is a program of its own; nothing where none is run."""
    for at, arg in enumerate(args):
        if arg == "-m":
            return args[at + 1 :]
        if arg[:1] != "-" or "c" in arg:
            break
    return ()


def _run_module(words: tuple[str, ...], command: Command) -> Found:
    """A program of its own; `timeit` and `pdb` run code, and consoles that of their input."""
    if words[0] in _CONSOLED:
        return _piped_code(command, "python")
    if words[0] == "timeit":
        return [one for word in words[1:] for one in read_code(word, "python")]
    if words[0] == "pdb":
        told = (word.lstrip("!") for before, word in pairwise(words) if before == "-c")
        return [one for code in told for one in read_code(code, "python")]
    return [Inner(words=words, stdin=command.stdin)]


_CONSOLED = word_set("code asyncio")
_bundled = {
    "python": re.compile(r"-[A-Za-z]*?c(.+)", re.DOTALL),
    "perl": re.compile(r"-[a-df-zA-Z]*[eE](.*[^A-Za-z].*)", re.DOTALL),
    "ruby": re.compile(r"-[a-df-zA-Z]*e(.*[^A-Za-z].*)", re.DOTALL),
}


def _attached(arg: str, language: str, options: frozenset[str]) -> str:
    """Code that touches its option: `-c'…'`, `-we'…'`, `--eval='…'`."""
    name, assigned, code = arg.partition("=")
    if assigned and name[:2] == "--":
        return code if name in options else ""
    pattern = _bundled.get(language)
    match = pattern.fullmatch(arg) if pattern else None
    return match[1] if match else ""


def _code(code: str, language: str, command: Command) -> Found:
    if code.startswith(HOLE):
        return hole_of(code)
    if code in {"-", ""} and command.stdin:
        return _piped_code(command, language)
    found = _read(code, language)
    return [*found, *input_of(command)] if command.stdin and runs_input(code) else found


def _piped_code(command: Command, language: str) -> Found:
    flow = command.stdin
    if flow is None or any(
        arg in {"--version", "-V", "--help", "-h", "-v"} for arg in command.args
    ):
        return []
    if flow.text is not None:
        return _read(flow.text, language)
    return [unseen(flow.origin)]


def _read(code: str, language: str) -> Found:
    """Code, and in notebooks the lines among it that a shell gets."""
    if language not in NOTEBOOKS:
        return read_code(code, language)
    return [*notebook_commands(code), *read_code(code, "python")]


def _joined(command: Command) -> Found:
    """`eval` reads its words again."""
    text = " ".join(command.args)
    return script_of(text, command) if text else []


def _first(command: Command) -> Found:
    """`trap TEXT SIGNAL`."""
    words = [arg for arg in command.args if not arg.startswith("-") or " " in arg]
    return script_of(words[0], command) if len(words) > 1 else []


def _sourced(command: Command) -> Found:
    """`source FILE`: a process substitution or the input may be read."""
    file = command.args[0] if command.args else ""
    if file.startswith(f"{HOLE}("):
        return hole_of(file)
    return input_of(command) if is_stream(file) else []


def _over_ssh(command: Command) -> Found:
    """`ssh HOST` without a command: the shell there reads what stands on its input."""
    found = CARRIERS["ssh"](command)
    return found if command.stdin is None else [*found, *input_of(command)]


def _launched(command: Command) -> Found:
    """`uv run -`: code of Python on the input of whoever runs its programs."""
    return _piped_code(command, "python")


_TOOLS: dict[str, Callable[[Command], Found | None]] = {
    "eval": _joined,
    "-": _launched,
    "trap": _first,
    "source": _sourced,
    ".": _sourced,
    **CARRIERS,
    "ssh": _over_ssh,
}
_KNOWN = frozenset((*SHELLS, *LANGUAGES, *_TOOLS, *_FRAMEWORKS))
TEXT_RUNNERS = _KNOWN | {f"{name}{digit}" for name in LANGUAGES for digit in "0123456789."}
"""Programs that may run a text, also with one digit of a version behind them."""

_VERSION = frozenset("0123456789.")
"""How the name of an interpreter may end besides: `python3.11`."""
