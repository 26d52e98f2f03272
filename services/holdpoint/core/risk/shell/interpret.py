"""Programs that run a text: shells, interpreters, and tools with an option that is a command."""

import base64
import re
from collections.abc import Callable

from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.carriers import CARRIERS
from holdpoint.core.risk.shell.code import read_code
from holdpoint.core.risk.shell.inner import Found, Inner
from holdpoint.core.risk.shell.model import HOLE, Command, Origin
from holdpoint.core.risk.shell.scripts import hole_of, script_of, unseen

SHELLS = word_set(
    "sh bash dash zsh ksh mksh pdksh ash fish csh tcsh rbash yash posh elvish nu xonsh oksh loksh "
    "pwsh powershell ksh93 git-shell busybox-sh"
)

POWERSHELLS = word_set("pwsh powershell")

LANGUAGES = {
    "python": "-c", "python2": "-c", "python3": "-c", "pypy": "-c", "pypy3": "-c", "ipython": "-c",
    "perl": "-e -E -ne -pe -lne -ane -we -le -nle -pi", "ruby": "-e", "jruby": "-e",
    "node": "-e --eval -p --print -pe", "nodejs": "-e --eval -p --print", "bun": "-e --eval",
    "deno": "eval", "php": "-r --run", "lua": "-e", "luajit": "-e", "rscript": "-e", "r": "-e",
    "osascript": "-e", "groovy": "-e", "scala": "-e", "elixir": "-e --eval", "erl": "-eval",
    "julia": "-e -E --eval", "guile": "-c", "swift": "-e", "ghc": "-e",
    "jshell": "", "raku": "-e", "tsx": "-e", "ts-node": "-e",
    "sbcl": "--eval", "clojure": "-e", "bb": "-e", "racket": "-e",
    "ocaml": "-e", "crystal": "eval",
}  # fmt: skip

_SHELL_VALUES = word_set("-o -O --rcfile --init-file +o +O -ExecutionPolicy -WorkingDirectory")


def interpret(command: Command) -> Found | None:
    """What it runs, when it runs a text; None when it is no such program."""
    name = command.name
    if name not in _KNOWN and name[-1:] not in _VERSION:
        return None
    if name in SHELLS:
        return _powershell(command) if name in POWERSHELLS else _shell(command)
    language = name.rstrip("0123456789.")
    language = name if name in LANGUAGES else language
    if language in LANGUAGES:
        return _language(command, language)
    tool = _TOOLS.get(name)
    return tool(command) if tool else None


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
    return _input(command) if listens or rest[0] in _INPUTS else []


_INPUTS = frozenset({"-", "/dev/stdin", "/proc/self/fd/0", "/dev/fd/0"})


def _input(command: Command) -> Found:
    flow = command.stdin
    if flow is None:
        return []
    if flow.text is not None and HOLE not in flow.text and flow.origin is Origin.PLAIN:
        return [Inner(script=flow.text)]
    found: Found = [unseen(flow.origin)]
    return [*found, Inner(script=flow.text)] if flow.text else found


def _powershell(command: Command) -> Found:
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
            return _input(command) if text == "-" else script_of(text, command)
        if option in {"-file", "-f"}:
            return []
    plain = [arg for arg in args if not arg.startswith("-")]
    return script_of(" ".join(plain), command) if plain else _input(command)


_PWSH_VALUES = word_set(
    "-w -windowstyle -ep -ex -exec -executionpolicy -v -version -of -outputformat -if -inputformat "
    "-wd -workingdirectory -configurationname -psconsolefile -settingsfile"
)
_fetched_iex = glance(
    r"(?i)(?:iex|invoke-expression)\b.*(?:iwr|irm|invoke-webrequest|invoke-restmethod|download"
    r"|webclient|curl|wget)\b|(?:iwr|irm|invoke-webrequest|invoke-restmethod|download\w*|curl|wget)\b"
    r".*\b(?:iex|invoke-expression)\b"
)


def _encoded(text: tuple[str, ...]) -> Found:
    try:
        script = base64.b64decode("".join(text)).decode("utf-16-le")
    except ValueError:
        script = ""
    return [Inner(script=script)] if script else [unseen(Origin.DECODED)]


def _language(command: Command, language: str) -> Found:
    args = command.args
    if module := _module(args) if language in _WITH_MODULES else ():
        return _run_module(module, command)
    options = word_set(LANGUAGES[language])
    found: Found = []
    read = False
    for at, arg in enumerate(args):
        inline = arg in options or (
            language in {"perl", "ruby"} and arg[:1] == "-" and arg[-1:] in {"e", "E"}
        )
        if inline:
            read = True
            code = args[at + 1] if at + 1 < len(args) else ""
            found += _code(code, language, command)
        elif attached := _attached(arg, language, options):
            read = True
            found += _code(attached, language, command)
    plain = [arg for arg in args if not arg.startswith("-")]
    if not read and plain and plain[0].startswith(f"{HOLE}("):
        return hole_of(plain[0])
    listens = not read and (not plain or args[-1:] == ("-",)) and "-m" not in args
    return found + _piped_code(command, language) if listens else found


_WITH_MODULES = word_set("python python2 python3 pypy pypy3")


def _module(args: tuple[str, ...]) -> tuple[str, ...]:
    """`python -I -m pip …`: a module is a program of its own; nothing where none is run."""
    for at, arg in enumerate(args):
        if arg == "-m":
            return args[at + 1 :]
        if arg[:1] != "-" or "c" in arg:
            break
    return ()


def _run_module(words: tuple[str, ...], command: Command) -> Found:
    """A program of its own; `timeit` runs code."""
    if words[0] == "timeit":
        return [one for word in words[1:] for one in read_code(word, "python")]
    return [Inner(words=words, stdin=command.stdin)]


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
    return read_code(code, language)


def _piped_code(command: Command, language: str) -> Found:
    flow = command.stdin
    if flow is None or any(
        arg in {"--version", "-V", "--help", "-h", "-v"} for arg in command.args
    ):
        return []
    if flow.text is not None:
        return read_code(flow.text, language)
    return [unseen(flow.origin)]


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
    return _input(command) if file in _INPUTS else []


def _over_ssh(command: Command) -> Found:
    """`ssh HOST` without a command: the shell there reads what stands on its input."""
    found = CARRIERS["ssh"](command)
    return found if command.stdin is None else [*found, *_input(command)]


_TOOLS: dict[str, Callable[[Command], Found]] = {
    "eval": _joined,
    "trap": _first,
    "source": _sourced,
    ".": _sourced,
    **CARRIERS,
    "ssh": _over_ssh,
}
_KNOWN = frozenset((*SHELLS, *LANGUAGES, *_TOOLS))
TEXT_RUNNERS = _KNOWN | {f"{name}{digit}" for name in LANGUAGES for digit in "0123456789."}
"""Programs that may run a text, also with one digit of a version behind them."""

_VERSION = frozenset("0123456789.")
"""How the name of an interpreter may end besides: `python3.11`."""
