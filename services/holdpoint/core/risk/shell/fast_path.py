"""Fast path: lines of everyday commands that no rule has anything to say about."""

import re
import shlex
from collections.abc import Iterator

import msgspec

from holdpoint.core.prefilter import prefilter
from holdpoint.core.risk.http.instructions import SAID
from holdpoint.core.risk.knowledge import any_of, entry, pattern
from holdpoint.core.risk.shell.assignments import EVALUATORS, turns
from holdpoint.core.risk.shell.builtins import LEAVES
from holdpoint.core.risk.shell.command_rules import GROUPED, KNOWN_HARMLESS
from holdpoint.core.risk.shell.command_verbs import ENDS_NOUNS
from holdpoint.core.risk.shell.data_transfer import HINTS, SECRET_PROGRAMS
from holdpoint.core.risk.shell.database_statements import SQL_TOOLS
from holdpoint.core.risk.shell.interpreters import TEXT_RUNNERS
from holdpoint.core.risk.shell.judge import KNOWN
from holdpoint.core.risk.shell.lexer import ASIDE
from holdpoint.core.risk.shell.locations import MOVES
from holdpoint.core.risk.shell.model import NOWHERE, Command, command_of
from holdpoint.core.risk.shell.output_files import WRITERS
from holdpoint.core.risk.shell.possible_commands import HEARD
from holdpoint.core.risk.shell.read_only import CHANGES, READS_ONLY, only_reads
from holdpoint.core.risk.shell.state import MAX_COMMANDS, State
from holdpoint.core.risk.shell.task_names import ENDING_VERBS
from holdpoint.core.risk.shell.unwrapping import RUNNERS

is_grave = prefilter(
    rf"{HINTS}|(?i:{'|'.join(sorted(SAID))}|{any_of('words/reading:everyday.grave')})"
)
"""Whether a word holds a part by which some family tells what is grave: of secrets, of addresses
that order something, of frameworks, of powers. Then a form proves nothing."""

_bare = r"[\w./:,=@*?][\w./:,=@*?%+-]*+"
_WORD = rf"{_bare}|'{_bare}'|\"{_bare}\""
"""Any word that is no option."""

_small = r"[a-z0-9_./:,=@*?][a-z0-9_./:,=@*?%+-]*+"
_THING = (
    rf"(?!['\"]?(?:{'|'.join(sorted(ENDS_NOUNS))})(?![a-z]))"
    rf"(?:{_small}|'{_small}'|\"{_small}\")"
)
"""The same in small letters, and no verb that takes something away."""

_FILE = r"(?:\./|/tmp/)?\w[\w*-]*+(?:[./][\w*-]++)*/?"
"""A file here or among the temporary ones, in no hidden place and in no folder above."""

_dotted = "|".join(re.escape(name) for name in sorted(KNOWN) if re.search("[./]", name))
_NAMED = rf"(?=/tmp/|(?:\./)?(?!(?:{_dotted})(?![\w*./-]))\w[\w*-]*+[./]){_FILE}"
"""The same, and not the name of a program."""

_SIGNED = r"[+-]\d++[a-zA-Z]?"
"""A number with a sign, which is no option."""

_PATHS = r"--(?=[ \t]+[\w*-]*+[./])"
"""What parts options from paths: a bare name behind it might be a program's."""

_END = r"(?:[ \t]++|\Z)"
_SAYS = r"(?:-a?m|--message)[ \t]++(?:'[^'\n]*+'|\"[^\"$`\\\n]*+\")"
_LINES = rf"(?:'\d++(?:,(?:\d++|\$))?p'|\"?\d++(?:,\d++)?p\"?)(?:[ \t]++{_bare})?"
_address = r"https?://[\w.-]++(?::\d++)?(?:/[\w./-]*+)?(?:\?[a-z-]{1,20}+=[\w.-]{0,15}+)?"
_URL = rf"{_address}|'{_address}'|\"{_address}\""


_PYTHON = r"[\w./=,@*][\w./=,@*%+-]*+"


def _form(head: str, letters: str, options: str, *words: str) -> re.Pattern[str]:
    """The arguments of a program: how they begin, then its options and words."""
    ways = [*words]
    if letters:
        ways.append(f"-[{letters}]++")
    if options:
        values = "|".join(words) or "(?!)"
        ways.append(f"--(?:{'|'.join(options.split())})(?:=(?:{values}))?")
    return re.compile(rf"{head}(?:(?:{'|'.join(ways) or '(?!)'}){_END})*", re.ASCII)


def _orders(names: str) -> str:
    """How arguments begin with one of a program's orders."""
    return rf"(?:{'|'.join(names.split())}){_END}"


_TO_SCRATCH = rf"(?:{_NAMED}[ \t]++)+(?=/tmp/){_NAMED}"
"""Files, and a place among the temporary ones: what they replace there nobody misses."""

FILTERS = {
    "cat": _form("", "nAbeEsTuv", "number show-all", _WORD),
    "head": _form("", "nqvc0-9", "lines bytes quiet", _WORD, _SIGNED),
    "tail": _form("", "nfFqvc0-9", "lines bytes follow quiet", _WORD, _SIGNED),
    "less": _form("", "NSRFX", "", _WORD),
    "nl": _form("", "ba", "", _WORD),
    "sort": _form("", "bdfghinrRuVMczkt0-9,", "numeric-sort reverse unique key", _WORD),
    "uniq": _form("", "cdDiuz", "count repeated unique ignore-case"),
    "sed": _form("", "nErs", "quiet", _LINES),
}
"""Programs that may read what another one prints."""

_GIT = _form(
    _orders(entry("words/reading:everyday.git.orders")),
    "abcgilnpqrsSuvwzA",
    entry("words/reading:everyday.git.options"),
    _SAYS, _PATHS, _WORD, _SIGNED,
)  # fmt: skip
_KUBECTL = _form(
    _orders("get describe logs top version explain"),
    "nolwAcLp",
    entry("words/reading:everyday.kubectl.options"),
    rf"(?!\S*secret){_THING}", _SIGNED,
)  # fmt: skip
_DOCKER = _form(
    _orders(entry("words/reading:everyday.docker.orders")),
    "aqnftsl",
    entry("words/reading:everyday.docker.options"),
    _WORD, _SIGNED,
)  # fmt: skip
_MILD = rf"(?!\S*(?i:{'|'.join(sorted(ENDING_VERBS))}))"
"""What stands before the name of a task or a script that holds no verb that takes away."""

_TASK = rf"{_MILD}{_FILE}"
_SCRIPT = _form(
    rf"(?:-u[ \t]++)?{_MILD}\w[\w/-]*+\.py{_END}",
    "",
    r"[a-z][\w-]*+",
    _PYTHON,
    _SIGNED,
    "-[abd-zA-Z]",
)
_FINDS = pattern("words/reading:finding")

FORMS = FILTERS | {
    "git": _GIT, "kubectl": _KUBECTL, "docker": _DOCKER,
    "cd": _form(rf"{_FILE}[ \t]*+", "", ""),
    "cp": re.compile(rf"(?:-[aprRuvniLP]++[ \t]++)*{_TO_SCRATCH}", re.ASCII),
    "mv": re.compile(rf"(?:-[nuvi]++[ \t]++)*{_TO_SCRATCH}", re.ASCII),
    "tar": _form(rf"-?[ctxvzjJpk]++f?{_END}", "C", "exclude strip-components", _FILE),
    "find": _form("", "LHP", "", _WORD, _FINDS, _SIGNED),
    "curl": _form("", "sSfLkiIv", "silent show-error fail location head compressed", _URL),
    "make": _form("", "sk", "silent", _TASK, r"-j\d*+"),
    "npm": _form(rf"(?:ci|test|install|run[ \t]++(?:build|test|dev|start)){_END}", "", "silent"),
    "pip": _form(_orders("list show freeze"), "", "outdated", r"\w[\w.-]*+"),
    "cargo": _form(_orders("check build test fmt clippy doc"), "qv", "release all workspace"),
    "date": _form("", "uR", "utc universal", r"\+[\w%:.-]++|'\+[\w%:. -]++'|\"\+[\w%:. -]++\""),
    "go": _form(_orders("build test vet version"), "vx", "", r"\./(?:\w++/)*\.\.\."),
}  # fmt: skip
"""By program."""

SCRIPTS = {"python": _SCRIPT, "python3": _SCRIPT}
"""The same of scripts, where one is all of its line: the walk remarks on them."""

_ALONE = FORMS | SCRIPTS

ASKED = KNOWN | RUNNERS | TEXT_RUNNERS | LEAVES | SECRET_PROGRAMS | SQL_TOOLS
"""Programs that some family looks up before it says a word."""

ORDINARY = READS_ONLY - ASKED
"""Those that only read. Without a redirection, to judge one finds nothing; what it prints may
still matter."""

_TOLD = ASKED | GROUPED | HEARD | WRITERS
QUIET = ORDINARY | {name for name in KNOWN_HARMLESS - _TOLD if "-" not in name}
"""The same, and those that may change something, each in its own way."""


def is_harmless(command: Command) -> bool:
    """Return whether no family has anything to say about it, whatever stands behind it."""
    plain = command.name in QUIET and command.path == command.name
    return plain and all((one.sign, one.target) in _LEAD_NOWHERE for one in command.redirects)


_LEAD_NOWHERE = frozenset(
    {(">&", "1"), (">&", "2"), *((sign, NOWHERE) for sign in (">", ">>", ">|", "&>", "&>>"))}
)
"""Redirections by which nothing is written anywhere."""


def counted(command: Command, state: State) -> None:
    """Count a command about which no family has anything to say."""
    state.programs.add(command.name)
    if command.name not in ORDINARY:
        state.reads_only = state.reads_only and only_reads(command)
    elif not (command.redirects or state.files):
        state.ordinary += 1


Forms = dict[str, re.Pattern[str]]


class FastLines(msgspec.Struct):
    """Lines of which nothing is to be said."""

    programs: list[str] = []
    dressed: list[str] = []
    """Those that are written with quotes nobody needs, or in more blanks than one."""

    ordinary: int = 0
    """How many of its commands only read, whatever stands behind them."""

    others: list[tuple[str, str]] = []
    """Those that may change something: the program, and what stands behind it."""

    scripts: list[str] = []
    """Lines that run a script."""

    values: list[tuple[str, str]] = []
    """Variables, and what they are given."""

    calm: bool = False
    """Whether the whole text holds no part by which anything grave is told."""

    def takes(self, line: str, *, alone: bool = False) -> bool:
        """Note what runs in one line more; false where it must be read.

        `alone`: it is all that there is. Only then may output be thrown away beside a sign: the
        grammar takes that of all for it.
        """
        if _one.fullmatch(line):
            return _passes(line, self, _ALONE)
        if "for" in line and (loop := _loop.fullmatch(line)):
            return self._repeats(*loop.groups())
        parts = _part.findall(line)
        grouped = len(parts) > 1 and ">" in line
        if not parts or parts[-1][3] or (grouped and (not alone or "$" in line)):
            return False
        forms = FORMS
        for text, away, sign, _ in parts:
            if not (_discards(text, self, forms) if away else _passes(text, self, forms)):
                return False
            forms = FILTERS if sign == "|" else FORMS
        if ("'" in line or '"' in line or "  " in line or "\t" in line) and _dress.search(line):
            self.dressed.extend(part[0] for part in parts)
        return True

    def _repeats(self, name: str, values: str, body: str) -> bool:
        """A loop in which ordinary programs run, for each of its values."""
        found = FastLines()
        if not found.takes(body) or not _ORDINARY.issuperset(found.programs) or found.values:
            return False
        given = turns(values.split())
        self.programs += found.programs * len(given)
        self.dressed += found.dressed
        self.ordinary += found.ordinary * len(given)
        self.values += [(name, value) for value in given]
        return True

    def runs(self, text: str) -> Iterator[Command]:
        """Yield each script that a line of the text runs, at its place."""
        at = 0
        for line in self.scripts:
            at = f"\n{text}".index(f"\n{line}", at)
            span = (at, at + len(line))
            yield command_of(tuple(line.split()), (), None, many=False, span=span, depth=0)
            at += len(line)

    def count(self, state: State) -> None:
        """Count them, before anything else is read."""
        state.programs.update(self.programs)
        state.run += self.dressed
        state.commands, state.ordinary = len(self.programs), self.ordinary
        state.reads_only = all(
            only_reads(Command(name=name, args=tuple(_words(rest)))) for name, rest in self.others
        )
        for name, value in self.values:
            state.scope.put(name, value)


def _words(text: str) -> list[str]:
    return shlex.split(text) if "'" in text or '"' in text else text.split()


def fast_lines(text: str) -> FastLines | None:
    """Return what runs in a text of everyday commands; None when one of them must be read."""
    found = FastLines(calm=not is_grave(text))
    alone = "\n" not in text
    lines = [text] if alone else [line for line in text.split("\n") if line and not line.isspace()]
    if not lines or not all(found.takes(line, alone=alone) for line in lines):
        return None
    return found if len(found.programs) - found.ordinary // 2 <= MAX_COMMANDS else None


def _discards(text: str, found: FastLines, forms: Forms) -> bool:
    """The same for a command whose output is thrown away, or goes where its errors go."""
    before = found.ordinary
    bare = text.removesuffix("1").removesuffix("2")  # a descriptor: `2` of `2>/dev/null`
    if NOWHERE in bare or not _passes(bare, found, forms):
        return False
    found.ordinary = before
    return True


def _passes(text: str, found: FastLines, forms: Forms) -> bool:
    """Return whether nothing is to be said of one command; then it is noted."""
    name, _, rest = text.strip().partition(" ")
    if name in EVALUATORS and not _EXPANDED.isdisjoint(rest):
        return False
    if name in _ORDINARY:
        found.ordinary += 1
    elif name in _QUIET:
        if "$" in rest and name not in CHANGES:
            return False
        found.others.append((name, rest))
    else:
        form = forms.get(name)
        match = form.fullmatch(rest) if form else None
        if match is None or not (found.calm or not is_grave(text)):
            return False
        found.ordinary += name in ORDINARY
        found.others.append((name, rest))
        if name in SCRIPTS:
            found.scripts.append(text.strip())
    found.programs.append(name)
    return True


_EXPANDED = frozenset("$`*?[")
_READ = MOVES | ASIDE | (EVALUATORS - {"test"})
_ORDINARY = ORDINARY - _READ
_QUIET = QUIET - _READ
_plain = r"!%*+,\-./0-9:=?@A-Z\[\]^_a-z~"
_signs = rf"\t {_plain}"
_value = r"\$(?:\w++|\{\w++\}|[?#@*])"
_quoted = rf"'[^'\n]*+'|\"(?:[^\"$`\\\n]++|{_value})*\""
"""One word, whatever stands in it; a variable's value may stand there, and nothing that runs."""

_away = (
    rf"(?:(?:(?<=[ \t])[12]?|(?<=[ \t][12]))>(?:>?[ \t]?{NOWHERE}|&[12])"
    rf"|(?<=[ \t])&>[ \t]?{NOWHERE})(?=[ \t|&;]|\Z)[ \t]*+"
)
"""`>/dev/null`, `2>&1`: what is printed goes nowhere, or where the errors go."""

_sign = r"(?:\|\|?|&&|;)(?=[^|&;])|\Z"
"""Between two commands, or behind the last."""

_command = rf"((?:[{_signs}]++|{_quoted}|{_value})+)((?:{_away})*)({_sign})"
_one = re.compile(rf"(?:[{_plain}]++ ?)*")
"""One command of plain words, with one blank between them."""

_dress = re.compile(r"'[\w./:=@%+,-]*'|\"[\w./:=@%+,-]*\"|[ \t]{2}|\t")
"""Quotes that nobody needs, and more blanks than one."""

_part = re.compile(rf"{_command}|(.+)", re.ASCII)
"""Each command, what becomes of its output, and the sign behind it; or a rest that is none."""

_loop = re.compile(
    rf"[ \t]*+for[ \t]++([A-Za-z_]\w*+)[ \t]++in[ \t]++([{_signs}]++);[ \t]*+do[ \t]++(.+?);"
    r"[ \t]*+done[ \t]*+",
    re.ASCII,
)
