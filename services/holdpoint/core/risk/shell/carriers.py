"""Programs that carry shell texts in options, words or their input: `tar --to-command`, `vim -c`.

Most are rows of `data/carriers.toml`; awk, sed, make and git have readers of their own.
"""

import re
from collections.abc import Callable, Iterator

import msgspec
import re2

from holdpoint.core.risk.knowledge import entry, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.code_requests import TANGLED
from holdpoint.core.risk.shell.git_commands import HOOKED, runs_from_now, setting_commands
from holdpoint.core.risk.shell.inline_code import read_code
from holdpoint.core.risk.shell.inner_commands import MAX_INNER, Found, Inner, script_of, unseen
from holdpoint.core.risk.shell.model import FILL, LEFT, UNWORKED, Command, Origin, hole
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.words import word_set
from holdpoint.messages.program_rules import CarrierRule
from holdpoint.messages.risk import RiskLevel

MAX_CODES = 32
"""Texts that one command gives a program as code."""

_CODE_DELETES = "shell.code-deletes"
_DELETES = Finding(
    _CODE_DELETES, RiskLevel.HIGH, "deletes through a program's own command", "delete"
)
_UNREAD = Finding("shell.unseen-code", RiskLevel.HIGH, "runs what it reads from its input", "run")
_coded = re2.compile(r"(?s)^\s*(py\w*|lua|ruby|perl\w*|script)\s+(?:<<\s*\w+\s+)?(.+)")
_LANGUAGES = {"lu": ("lua", "-e"), "ru": ("ruby", "-e"), "pe": ("perl", "-e")}


class Carrier(CarrierRule, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row of the table, ready to be read with."""

    def read(self, command: Command) -> Found:
        """Return what the command runs."""
        args = command.args
        if self.needs and word_set(self.needs).isdisjoint(args):
            return []
        prompted = [*self._prompted(command)][:MAX_INNER]
        texts = [*_values(args, word_set(self.options))] if self.options else []
        texts += [*self._matched(args), *self._rest(args)]
        texts += [text for one in self.prompt for text in _groups(rf"^\s*(?:{one})", prompted)]
        found: Found = [
            Inner(script=self.template.replace("{}", text), many=self.many)
            for text in texts[:MAX_INNER]
        ]
        if self.codes:
            found += _codes(prompted)
        if self.deletes and any(re2.search(self.deletes, text) for text in prompted):
            found.append(_DELETES)
        if self.input_runs and (ran := _unread(command)):
            return [unseen(ran)]
        return found

    def _matched(self, args: tuple[str, ...]) -> Iterator[str]:
        """Texts in the words themselves."""
        if self.words:
            yield from _groups(f"(?s){self.words}", args)
        if self.joined:
            yield from _groups(f"(?s){self.joined}", [" ".join(args)])

    def _rest(self, args: tuple[str, ...]) -> Iterator[str]:
        """All words behind a certain one, or all but some, as one text."""
        if self.rest_after:
            after = word_set(self.rest_after)
            at = next((at for at, arg in enumerate(args) if arg.lower() in after), len(args))
            rest = args[at + 1 :]
        else:
            rest = tuple(arg for arg in args if arg.lower() not in word_set(self.skips))
        text = (
            " ".join(rest).replace("^", "").replace(",", " ").strip("'\"")
            if self.rest or self.rest_after
            else ""
        )
        if text:
            yield text

    def _prompted(self, command: Command) -> Iterator[str]:
        """The lines that its prompt is told."""
        if self.prompt_options:
            for value in _values(command.args, word_set(self.prompt_options)):
                yield from value.splitlines()
        if self.plain:
            yield from (arg for arg in command.args if arg[:1] != "-")
        if command.stdin and command.stdin.text and (self.prompt or self.deletes):
            yield from command.stdin.text.splitlines()[:MAX_INNER]


def _unread(command: Command) -> Origin | None:
    """Return where a text comes from that nobody has read, on its input or as `<(…)`."""
    marks = (origin for origin in _UNREAD_ORIGINS if hole(LEFT[origin]) in command.args)
    given = command.stdin.origin if command.stdin else None
    return given if given in _UNREAD_ORIGINS else next(marks, None)


_UNREAD_ORIGINS = (Origin.REMOTE, Origin.DECODED)


def _values(args: tuple[str, ...], options: frozenset[str]) -> Iterator[str]:
    """The values of these options: the next word, what touches it, or stands behind `=`."""
    for at, arg in enumerate(args):
        name, assigned, value = arg.partition("=")
        bundled = arg[:1] == "-" and f"-{arg[-1]}" in options and arg[1:2] != "-"
        if arg.lower() in options or arg in options or bundled:
            yield from args[at + 1 : at + 2]
        elif assigned and name in options:
            yield value
        elif arg[:2] in options and arg[:2] != "--":
            yield arg[2:]


def _groups(pattern: str, texts: tuple[str, ...] | list[str]) -> Iterator[str]:
    """The first group that matched, of every match in every text."""
    compiled = _compiled(pattern)
    for text in texts:
        for match in compiled.finditer(text):
            if said := next(filter(None, match.groups()), ""):
                yield said


_patterns: dict[str, re2._Regexp] = {}


def _compiled(pattern: str) -> re2._Regexp:
    if pattern not in _patterns:
        _patterns[pattern] = re2.compile(pattern)
    return _patterns[pattern]


def _codes(lines: list[str]) -> Found:
    """Code of the languages that a program has built in: `:python3 import os`."""
    codes = [match for line in lines if (match := _coded.search(line.lstrip("+: ")))]
    if len(codes) > MAX_CODES:
        return [TANGLED]
    return [
        Inner(words=(*_LANGUAGES.get(match[1][:2], ("python", "-c")), match[2])) for match in codes
    ]


_AWK_VALUES = word_set("-F -v -f --field-separator --assign --file")
INPUT = frozenset({"-", "", "/dev/stdin"})
"""Names of the input; a lone `-` before a here-document gets lost in the grammar."""


def _awk(command: Command) -> Found:
    """`system(…)`, `"…" | getline`, `print | "…"`; what it reads and runs is unseen."""
    options = read_options(command.args, _AWK_VALUES)
    program = options.word(0)
    file = options.value("-f", "--file")
    if file in INPUT and options.has("-f --file") and command.stdin:
        program, file = command.stdin.text or "", ""
    if file or not ("system" in program or "|" in program):
        return []
    found = read_code(program, "awk")
    ran = {name for names in _awk_runs.findall(program) for name in names}
    given = (one.removeprefix("-v").partition("=") for one in command.args)
    found += [Inner(script=text) for name, _, text in given if name and name in ran]
    read = _awk_runs_fields.search(program) or not ran.isdisjoint(_awk_reads.findall(program))
    return [*found, _UNREAD] if read else found


_awk_reads = re2.compile(r"(\w+)\s*=\s*\$\w+\s*[;}\n]")
_awk_runs = re2.compile(r"system\s*\(\s*(\w+)|(\w+)\s*\|&?\s*getline|[^|]\|&?\s*(\w+)")
_SHELL = r"\|\s*\"(?:/\w+)*/?(?:ba|da|k|z)?sh\b"
_awk_runs_fields = re2.compile(
    r"\bsystem\s*\(\s*\$|\bgetline\s+(?:\w+\b.*\bsystem\s*\(\s*\w+\s*\)|.*\bsystem\s*\(\s*\$)"
    rf"|\bprint\s*(?:\$\w+\s*)?{_SHELL}|\bsystem\s*\(\s*sprintf\s*\([^)]*%c"
    rf"|\bs?printf\b[^;}}]*%c[^;}}]*{_SHELL}"
)


def _sed(command: Command) -> Found:
    """GNU sed: the command `e`, and the flag `e` of a replacement, whose result is run."""
    args = command.args
    scripts = [args[at + 1] for at, arg in enumerate(args[:-1]) if arg in _SED_SCRIPTS]
    plain = [arg for arg in args if not arg.startswith("-")]
    if _SED_FILES & set(args) and command.stdin and command.stdin.text:
        scripts = [command.stdin.text]
    known = command.stdin.text if command.stdin else None
    lines = known.splitlines()[:MAX_INNER] if known else [FILL]
    found: Found = []
    for script in (scripts or plain[:1])[:MAX_INNER]:
        for one in _sed_commands(script):
            texts = [one.replace(FILL, line) for line in lines] if FILL in one else [one]
            found += [ran for text in texts for ran in script_of(text, command)]
    return found


_SED_FILES = word_set("-f --file=- -f- -f/dev/stdin --file=/dev/stdin")
_SED_SCRIPTS = words("words/shell-flow:sed_script_options")


def _sed_commands(script: str) -> Iterator[str]:
    """Yield what a script hands to a shell."""
    for match in _sed_replaces.finditer(script):
        yield _sed_fields.sub(FILL, re.sub(r"\\(?![&\d])", "", match[3] or match[6]))
    for match in _sed_executes.finditer(_sed_replaces.sub("", script)):
        yield match[1] or (UNWORKED if match.start() else FILL)


_PART = r"((?:\\.|(?!\{})[^\\]){{0,500}})"
_ONE, _OTHER = _PART.format(1), _PART.format(4)
_FLAGS = "[gpimMI0-9]*"
_sed_replaces = re.compile(
    rf"(?<![a-zA-Z])s([^\w\s\\]){_ONE}\1{_ONE}\1{_FLAGS}e{_FLAGS}"
    rf"|(?:^|[;\n{{}}])[ \t\d,$]*s(\w){_OTHER}\4{_OTHER}\4{_FLAGS}e{_FLAGS}(?=[;\s}}]|\Z)",
    re.DOTALL,
)
"""The second way has a letter or a digit between the parts: `sxaxbxe`."""

_sed_executes = re.compile(r"(?:^|[;{}\n/$0-9])[ \t]*e(?:[ \t]+([^\n]+)|[ \t]*(?=[;}\n]|\Z))")
_sed_fields = re.compile(r"(?<!\\)&|\\\d")
"""What was found, or a part of it, in what is put in its place."""


def _make(command: Command) -> Found:
    """`-f -` and `--eval` hold recipes; `X=TEXT` is what a recipe runs where it says `$(X)`."""
    options = read_options(command.args, words("words/shell-flow:make_valued_options"))
    text = command.stdin.text if command.stdin and command.stdin.text else ""
    said = text if options.value("-f", "--file", "--makefile", "-") in INPUT else ""
    made = [*recipes(said), *recipes(options.value("--eval", "-E"))]
    functions = [run for word in options.words for run in _make_functions(word)]
    given = [word.partition("=")[2] for word in options.words if "=" in word]
    if options.has("-n --just-print --dry-run --recon -q --question"):
        made, given = [one for one in made if "$(shell" in one], []
    texts = (*(one for one in given if " " in one or "sh" in one), *functions, *made)
    return [Inner(script=one) for one in texts[:MAX_INNER]]


def recipes(text: str, blank: str = "\t") -> list[str]:
    """The commands in a makefile, without the signs that make reads itself; they are indented."""
    lines = [line if line[:1] in blank else line.partition(";")[2] for line in text.splitlines()]
    found = [line.lstrip("\t @-+") for line in lines if line.strip()]
    return [*found, *_make_functions(text)][:MAX_INNER]


def _make_functions(text: str) -> list[str]:
    """`$(shell TEXT)` and `X != TEXT`, which run when the file is read."""
    if "shell" not in text and "!=" not in text:
        return []
    found = [one[1:-1] if one[:1] == one[-1:] == "'" else one for one in _make_shell.findall(text)]
    return [*found, *_make_variable.findall(text)][:MAX_INNER]


_make_shell = re.compile(r"\$[({]shell\s+((?:[^()]|\([^()]*\))*)[)}]?")
_make_variable = re.compile(r"(?m)^[\w.]+[ \t]*!=[ \t]*(.+)")


def _git(command: Command) -> Found:
    """`-c alias.x=!TEXT`, `-c core.pager=TEXT`, `bisect run`, `submodule foreach`, `rebase -x`."""
    args = command.args
    found = runs_from_now(args) if "config" in args else []
    for at, arg in enumerate(args):
        following = args[at + 1] if at + 1 < len(args) else ""
        if arg in {"-c", "--config"}:
            found += setting_commands(*following.partition("=")[::2])
        elif arg.startswith(("--exec-path=", "ext::")):
            found.append(HOOKED)
        elif arg in {"-x", "--exec", "--tree-filter", "--index-filter", "--cmd"}:
            found.append(Inner(script=following, many=True))
        elif named := _named_program(arg, following, args[:at]):
            found.append(Inner(script=named))
        elif arg in {"foreach", "run"} and at and args[at - 1] in {"submodule", "bisect"}:
            rest = args[at + 1 :]
            while rest[:1] and rest[0].startswith("-"):
                rest = rest[1:]
            text = rest[0] if len(rest) == 1 else ""
            found.append(Inner(words=() if text else rest, script=text, many=True))
    return found


def _named_program(arg: str, following: str, before: tuple[str, ...]) -> str:
    """The program that an option names: what answers at the other end, what shows files."""
    name, assigned, value = arg.partition("=")
    if name in {"--upload-pack", "--receive-pack"} or (arg == "-u" and "clone" in before):
        return value or following
    if arg[:2] == "-O":
        return arg[2:] if "grep" in before else ""
    return value if assigned and name in {"--exec", "--open-files-in-pager"} else ""


def _code_of_option(option: str, language: str) -> Callable[[Command], Found]:
    """A program with an option whose value is code."""
    return lambda command: read_code(
        "\n".join(_values(command.args, frozenset({option}))), language
    )


def _carriers() -> dict[str, Callable[[Command], Found]]:
    rows: dict[str, list[Carrier]] = {}
    for names, row in msgspec.convert(entry("carriers:carriers"), dict[str, Carrier]).items():
        for name in names.split():
            rows.setdefault(name, []).append(row)

    def reader(carriers: list[Carrier]) -> Callable[[Command], Found]:
        return lambda command: [one for carrier in carriers for one in carrier.read(command)]

    return {name: reader(carriers) for name, carriers in rows.items()}


_BY_ROW = _carriers()
CARRIERS: dict[str, Callable[[Command], Found]] = {
    **_BY_ROW,
    **dict.fromkeys(["awk", "gawk", "mawk", "nawk"], _awk),
    **dict.fromkeys(["sed", "gsed"], _sed),
    **dict.fromkeys(["make", "gmake", "bmake"], _make),
    "git": _git, "hg": lambda command: [*_git(command), *_BY_ROW["hg"](command)],
    "exiftool": _code_of_option("-if", "perl"), "pylint": _code_of_option("--init-hook", "python"),
}  # fmt: skip
"""By program."""
