"""Commands that are known to change nothing: what a proof that a text only reads rests on.

Programs and options are listed (`words/reading`); who is not, or has another option, is not proven.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import zip_longest
from typing import Any

import msgspec
import re2

from holdpoint.core.risk.knowledge import by_word, entry, pattern, words
from holdpoint.core.risk.shell.command_rules import READERS
from holdpoint.core.risk.shell.command_verbs import DESTROYS, MAKES, READS, is_wiped, subcommands
from holdpoint.core.risk.shell.inline_code import only_says
from holdpoint.core.risk.shell.model import FILL, HOLE, Command, Redirect
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.scope import is_unread
from holdpoint.core.risk.words import word_set

_WRITES = frozenset({">", ">|", "&>", ">&", ">>", "&>>", "<>"})
CHANGES = words("words/shell:reading.building_programs")
READS_ONLY = READERS - CHANGES
"""Programs that change nothing whatever stands behind them."""

_GIT: Mapping[str, Any] = entry("words/reading:git")
_GIT_VERBS = word_set(_GIT["verbs"])
_GIT_PAIRS = word_set(_GIT["pairs"])
_GIT_GLOBAL = word_set(_GIT["global"])


class Row:
    """Options with which a program only reads, and what its other words may be."""

    def __init__(self, said: Mapping[str, Any]) -> None:
        self.options = word_set(said.get("options", ""))
        self.values = word_set(said.get("values", ""))
        self.most: int | None = said.get("words")
        self.like = re2.compile(said.get("like", r"(?s).*"))
        self.value = re2.compile(said.get("value", r"(?s).*"))
        self.first = re2.compile(said.get("first", r"(?s).*"))
        self.needs: str = said.get("needs", "")

    def fits(self, args: tuple[str, ...]) -> bool:
        """Return whether all of these arguments are known to leave everything as it is."""
        said = self.read(args)
        if said is None or (self.most is not None and not self._are_few(said.words)):
            return False
        if self.needs and not self._has_needed(args):
            return False
        first = all(map(self.first.fullmatch, said.words[:1]))
        return first and all(map(self.like.fullmatch, said.words))

    def _are_few(self, words: list[str]) -> bool:
        """Return whether there are no more than it reads: a pattern may stand for several."""
        return len(words) <= (self.most or 0) and _PATTERNS.isdisjoint("".join(words))

    def _has_needed(self, args: tuple[str, ...]) -> bool:
        """Return whether an option that it needs is given; `-s=no` would take it back."""
        assigned = (arg.partition("=") for arg in args if arg[:1] == "-")
        if any(sign and name in self.options for name, sign, _ in assigned):
            return False
        return read_options(args, self.values).has(self.needs)

    def read(self, args: Iterable[str]) -> "Said | None":
        """Return its words and values; None where one may be an option that nobody lists."""
        said, rest = Said(), iter(args)
        for arg in rest:
            if arg == "--":
                said.words += rest
            elif HOLE in arg or _begins_as_pattern(arg):
                return None
            elif len(arg) < len("-x") or arg[0] != "-":
                said.words.append(arg)
            elif not self._knows(arg, rest, said):
                return None
        return said

    def _knows(self, arg: str, rest: Iterator[str], said: "Said") -> bool:
        name, assigned, value = arg.partition("=")
        if arg in self.options or (assigned and name in self.options):
            return True
        if name in self.values:
            return self._takes(name, value if assigned else next(rest, HOLE), said)
        return not arg.startswith("--") and self._bundles(arg, rest, said)

    def _bundles(self, arg: str, rest: Iterator[str], said: "Said") -> bool:
        """`-rn`, `-k2`: letters, of which the last may have a value."""
        for place, letter in enumerate(arg[1:], 1):
            if f"-{letter}" in self.values:
                return self._takes(f"-{letter}", arg[place + 1 :] or next(rest, HOLE), said)
            if f"-{letter}" not in self.options:
                return False
        return True

    def _takes(self, name: str, value: str, said: "Said") -> bool:
        """Note the value of an option; false where it is unknown, missing, or may say more."""
        said.values.append((name, value))
        return HOLE not in value and self.value.fullmatch(value) is not None


class Said(msgspec.Struct):
    """What a command line says beside options without a value."""

    words: list[str] = []
    values: list[tuple[str, str]] = []


_PATTERNS = frozenset("*?[{")
"""How a word begins that may stand for a file which is named like an option."""


def _begins_as_pattern(word: str) -> bool:
    """Return whether a word may stand for others; a brace alone, as in `{{.Names}}`, does not."""
    return word[:1] in _PATTERNS and (word[0] != "{" or "," in word or ".." in word)


_ONLY = {name: Row(said) for name, said in by_word("words/reading:only").items()}
_THROUGH = {name: Row(said) for name, said in by_word("words/reading:through").items()}
_ASKING = words("words/reading:asking")
_GROUPS = words("words/reading:asking_groups")
_LOOKUPS = words("words/shell:secrets.lookups")
_OF_CLUSTERS = word_set("kubectl k oc kubecolor")
_PLUGGED = words("words/reading:plugged")
_VERSIONED: Mapping[str, str] = entry("words/reading:versioned")
_OPTIONS: str = entry("words/reading:asking_options")
_ASKS_WITH = Row({"options": _OPTIONS})
_ALSO = by_word("words/reading:asking_also")
_ASKS_ALSO = {name: Row({"options": f"{_OPTIONS} {it['options']}"}) for name, it in _ALSO.items()}
_ORDERS = {name: word_set(it.get("orders", "")) for name, it in _ALSO.items()}
"""Orders of single programs that read, their words joined by colons."""
_GIT_ROW = Row(_GIT)


def only_reads(command: Command) -> bool:
    """Return whether this command is known to change nothing."""
    written = (one for one in command.redirects if one.sign in _WRITES)
    if not all(map(_harmless, written)) or lies_elsewhere(command.path):
        return False
    name, args = command.name, command.args
    if name in _LOOKUPS and any(map(_tells, args)):
        return False
    if name in READERS or (not name and not args) or _tells_version(command):
        return True
    proves = _PROOFS.get(name)
    if proves is not None:
        return proves(args)
    fed = command.stdin is not None and command.stdin.text is None
    return (name in _ASKING and not (command.many or fed) and _asks(name, args)) or _speaks(command)


def _tells(arg: str) -> bool:
    """Return whether a machine that is asked for a name may be told what a file holds."""
    return arg in {"-", "-f"} or is_unread(arg)


def _tells_version(command: Command) -> bool:
    told = command.stdin is None and len(command.args) == 1
    return told and command.name in _VERSIONED.get(command.args[0], "").split()


def passes_on(command: Command) -> bool:
    """Return whether a program that runs another one adds nothing to what that does."""
    if lies_elsewhere(command.path):
        return False
    if command.name in _FINDERS:
        return True
    if command.name == "sudo" and "git" in command.args:
        return False  # it takes away the settings by which a worker shields git
    row = _THROUGH.get(command.name)
    return row is not None and _begins(row, command.args)


def _begins(row: Row, args: tuple[str, ...]) -> bool:
    """Return whether the options before the first other word are listed."""
    rest = iter(args)
    for arg in rest:
        if len(arg) < len("-x") or arg[0] != "-" or arg == "--":
            return True
        if row.read([arg]) is None and not (arg in row.values and next(rest, "")):
            return False
    return True


def lies_elsewhere(path: str) -> bool:
    """Return whether a program is named by a place where anybody may put one: `./ls`."""
    return "\\" in path or ("/" in path and path.rpartition("/")[0] not in _INSTALLED)


_INSTALLED = word_set(
    "/bin /sbin /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin /snap/bin /opt/homebrew/bin"
)
_FINDERS = word_set("find gfind bfs")
_tests = re2.compile(pattern("words/reading:finding"))
_valued = re2.compile(pattern("words/reading:finding_valued"))


def _finds(args: tuple[str, ...]) -> bool:
    """Return whether all tests and orders of `find` are listed; none comes from a pattern."""
    if args and (args[0][:1] in _PATTERNS or args[0].startswith(HOLE)):
        return False
    if any(map(is_unread, args)):
        return False  # unquoted, a file's text may be orders
    args = tuple(_without_commands(args))
    behind = zip(args, ("", *args), strict=False)
    return all(
        _tests.fullmatch(arg) if arg[:1] == "-" else _valued.fullmatch(last) or not _may_order(arg)
        for arg, last in behind
    )


def _without_commands(args: tuple[str, ...]) -> Iterator[str]:
    """Yield the words without the commands behind `-exec`: those are proven by themselves."""
    told = False
    for arg, before in zip(args, ("", *args), strict=False):
        if not told and arg not in _TELLS_RUN:
            yield arg
        told = (told or arg in _TELLS_RUN) and not (arg == ";" or (arg == "+" and before in _FOUND))
    if told:
        yield "-exec"  # it never ends


_FOUND = frozenset({FILL, "{}"})
_TELLS_RUN = frozenset({"-exec", "-execdir"})


def _may_order(arg: str) -> bool:
    """Return whether a word may turn out to be an order: `$X`, `*`."""
    named = arg[:1] in _PATTERNS and any(fnmatchcase(order, arg) for order in _ORDERED)
    return named or arg.startswith(HOLE)


_ORDERED = word_set("-delete -exec -execdir -ok -okdir -fprint -fprint0 -fprintf -fls")


def _awk_reads(args: tuple[str, ...]) -> bool:
    """Return whether a program of awk stands in the command line, and only prints."""
    row, at = _ONLY["awk"], 0
    while at < len(args) and len(args[at]) > 1 and args[at][0] == "-":
        step = 2 if args[at] in row.values else 1
        if row.read(args[at : at + step]) is None:
            return False
        at += step
    program = "".join(args[at : at + 1]).replace("||", "")
    return bool(program) and HOLE not in program and not any(one.search(program) for one in _more)


_more = tuple(map(re2.compile, entry("words/reading:awk")))


def _sed_reads(args: tuple[str, ...]) -> bool:
    """Return whether all scripts of sed stand in the command line, and only print."""
    said = _ONLY["sed"].read(args)
    if said is None:
        return False
    scripts = [value for name, value in said.values if name in {"-e", "--expression"}]
    scripts = scripts or said.words[:1]
    return bool(scripts) and all(map(only_prints, scripts))


def _git_reads(args: tuple[str, ...]) -> bool:
    """Return whether git is asked for something, with options that name no program and no file."""
    if " ".join(args) in _GIT["whole"]:
        return True
    at = next((at for at, arg in enumerate(args) if arg not in _GIT_GLOBAL), len(args))
    verb, behind = "".join(args[at : at + 1]), args[at + 1 :]
    if not verb:
        return not args or {"--version", "--help"} >= {*args}
    if verb not in _GIT_VERBS and f"{verb}:{''.join(behind[:1])}" not in _GIT_PAIRS:
        return False
    return _GIT_ROW.fits(behind)


_PROOFS: dict[str, Callable[[tuple[str, ...]], bool]] = {
    **{name: row.fits for name, row in _ONLY.items()},
    **dict.fromkeys(("find", "gfind", "bfs"), _finds),
    **dict.fromkeys(("awk", "gawk"), _awk_reads),
    **dict.fromkeys(("sed", "gsed"), _sed_reads),
    "git": _git_reads,
}


def _asks(name: str, args: tuple[str, ...]) -> bool:
    """Return whether its first verb reads: `get pods`, `pr list`; not `run list`, `t list`."""
    if _ASKS_ALSO.get(name, _ASKS_WITH).read(args) is None or _may_load(name, args):
        return False
    words = subcommands(args)[:3]
    if not _ORDERS.get(name, frozenset()).isdisjoint({*words[:1], ":".join(words[:2])}):
        return True
    for place, (word, following) in enumerate(zip_longest(words, words[1:], fillvalue="")):
        low = word.lower()
        head = low.partition("-")[0]
        if low in _DOES or head in _DOES or is_wiped(head, following.lower()):
            return False
        if (low if name in _PLUGGED else head) in READS:
            return True
        if low not in _GROUPS and (name != "aws" or place):
            return False
    return False


def _may_load(name: str, args: tuple[str, ...]) -> bool:
    """Return whether it may run what a word names, or write it: `brew info ./x.rb`.

    `aws cloudfront get-function --name f OUT`: what a `get-…` of aws fetches may go to a file.
    """
    if any(arg.endswith(".rb") or "command=" in arg for arg in args):
        return True
    if name == "brew" and any(arg.count("/") > 1 for arg in args):
        return True  # a formula of somebody's own collection is a program
    if name in _OF_CLUSTERS and any(arg.startswith("-s") for arg in args):
        return True  # another server
    fetches = name == "aws" and any(arg.startswith("get-") for arg in args[:3])
    return fetches and len(args) > len(("service", "get-it")) and not _ends_in_value(args)


def _ends_in_value(args: tuple[str, ...]) -> bool:
    return any(arg[:1] == "-" for arg in args[-2:])


_DOES = (
    MAKES | DESTROYS | words("words/shell:reading.more_doing_words")
    | words("words/reading:writing_verbs")
)  # fmt: skip


def _speaks(command: Command) -> bool:
    """Return whether it is an interpreter, and its code does nothing but print."""
    options = _SPEAKERS.get(command.name, ())
    args, flow = command.args, command.stdin
    if options and args in _BY_INPUT and flow is not None and flow.text is not None:
        return _only_says(flow.text)
    return len(args) == len(("-c", "code")) and args[0] in options and _only_says(args[1])


def _only_says(code: str) -> bool:
    """Return whether it only prints, and loads no module: one may lie in the working folder."""
    return only_says(code) and _loads.search(str(_started.sub("", code))) is None


_started = re2.compile(r"\bimport\s+(?:sys|os|time)\s*(?:[;\n]|\z)")
"""Modules that are loaded before any folder is looked into."""

_loads = re2.compile(
    r"(?:^|[;:{\n])\s*(?:import|from|require\w*|use|load|include\w*)\b|\brequire\w*\s*\("
)


_BY_INPUT = ((), ("-",))
"""The arguments of an interpreter that reads its input."""

_SPEAKERS = {
    **dict.fromkeys(("python", "python3"), ("-c",)), "ruby": ("-e",), "perl": ("-e", "-E"),
    "node": ("-e", "-p"), "php": ("-r",), "lua": ("-e",),
}  # fmt: skip
"""Languages, and the options before a code that may do nothing but print."""


def _harmless(one: Redirect) -> bool:
    """Return whether it leads to no file: `>&2`; `> 2` does."""
    return one.target in _NOWHERE or (one.sign == ">&" and one.target in {"1", "2", "-"})


_NOWHERE = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr"})


_ADDRESS = r"(?:\d+(?:~\d+)?|\$|/(?:\\.|[^/\\\n\[])*/[IM]*)"
_PART = r"(?:\\.|\[\^?\]?(?:(?!\1)[^\]\n])*\]|(?!\1)[^\\\[\n])*"
_sed_command = re.compile(
    rf"[ \t]*(?:{_ADDRESS}(?:[ \t]*,[ \t]*[+~]?{_ADDRESS})?)?[ \t]*!*[ \t]*"
    rf"(?:\{{|[pPdDqQ=nNgGhHxlz]\d*|[btT][ \t]*\w*|:[ \t]*\w+"
    rf"|[sy]([^\w\s\\]){_PART}\1{_PART}\1[gpIim0-9]*)"
)
_sed_gap = re.compile(r"[ \t;\n}]*")
_sed_end = re.compile(r"[ \t]*(?:[;\n}]|\Z)")
MAX_SED_SCRIPT = 500
"""Characters of a script that is looked at."""


def only_prints(script: str) -> bool:
    """Return whether a script writes no file and runs no program."""
    at, size = 0, len(script)
    if not script.strip() or size > MAX_SED_SCRIPT or "\x00" in script:
        return False
    while (at := _after_match(_sed_gap, script, at)) < size:
        found = _sed_command.match(script, at)
        if found is None or found.end() == at:
            return False
        at = found.end()
        if script[at - 1] != "{" and not _sed_end.match(script, at):
            return False
    return True


def _after_match(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
