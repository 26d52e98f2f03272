"""Lines of everyday commands, of which nothing is to be said: seen as a whole, and passed by.

Each command of such a line is either of a program about which no family ever speaks (`ordinary`),
or written in a form about which none has anything to say (`forms`). Signs that part commands may
stand between them, quotes around a word, and what is printed may be thrown away. A variable may
stand where no family looks, behind an ordinary program; a loop may run such programs.
"""

import re
import shlex
from collections.abc import Callable
from functools import partial
from itertools import chain

import msgspec

from holdpoint.core.risk.shell.assignments import turns
from holdpoint.core.risk.shell.forms import FILTERS, FORMS, is_grave
from holdpoint.core.risk.shell.lexer import ASIDE
from holdpoint.core.risk.shell.located import MOVES
from holdpoint.core.risk.shell.model import NOWHERE, Command
from holdpoint.core.risk.shell.ordinary import ORDINARY, QUIET
from holdpoint.core.risk.shell.reads import CHANGES, only_reads
from holdpoint.core.risk.shell.state import MAX_COMMANDS, State
from holdpoint.core.risk.shell.tools import KNOWN_HARMLESS

Forms = dict[str, re.Pattern[str]]


class Everyday(msgspec.Struct):
    """A line of which nothing is to be said."""

    programs: list[str]
    ordinary: int = 0
    """How many of its commands only read, whatever stands behind them."""

    others: list[tuple[str, str]] = []
    """Those that may change something: the program, and what stands behind it."""

    targets: list[str] = []
    """What it writes to."""

    values: list[tuple[str, str]] = []
    """Variables, and what they are given."""

    grouped: bool = False
    """Whether output is thrown away beside a sign: the grammar takes that of all for it."""

    formed: bool = False
    """Whether one of them is harmless only as it is written here."""

    calm: bool = False
    """Whether the whole text holds no part by which anything grave is told."""

    def passes(self, state: State) -> bool:
        """Count it; false where something before it may change what it means."""
        counted = state.commands + len(self.programs)
        if counted - state.ordinary // 2 > MAX_COMMANDS:
            return False
        if not (state.is_untouched or self._is_meant(state)):
            return False
        state.programs.update(self.programs)
        state.commands = counted
        state.ordinary += 0 if state.files else self.ordinary
        if self.others and state.reads_only:
            state.reads_only = self._reads()
        for target in self.targets:
            state.touch(target)
        for name, value in self.values:
            state.scope.put(name, value)
        return True

    def _is_meant(self, state: State) -> bool:
        """Whether its words still mean what they say: no file, no other place, no other name."""
        return not self.formed and not any(map(state.redefines, self.programs))

    def _reads(self) -> bool:
        return all(
            only_reads(Command(name=name, args=tuple(_words(rest)))) for name, rest in self.others
        )


def _words(text: str) -> list[str]:
    return shlex.split(text) if "'" in text or '"' in text else text.split()


def lines_of(text: str) -> Callable[[str], Everyday | None]:
    """`everyday` for the lines of one text, which is looked through for what is grave once."""
    return partial(everyday, calm=not is_grave(text))


def everyday(line: str, *, calm: bool = False) -> Everyday | None:
    """What runs in a line of everyday commands; None when one of them must be read.

    `calm`: `is_grave` was asked of a text that this line is a part of, and said no.
    """
    if "\n" in line:
        return None
    if _one.fullmatch(line):
        found = Everyday([], calm=calm)
        return found if _passes(line, found, FORMS) else None
    loop = _loop.fullmatch(line) if "for" in line else None
    return _repeated(*loop.groups()) if loop else _in_row(line, calm=calm)


def _in_row(line: str, *, calm: bool = False) -> Everyday | None:
    """The same for commands with signs between them."""
    parts = _part.findall(line)
    if "".join(chain.from_iterable(parts)) != line:
        return None
    found = Everyday([], grouped=len(parts) > 1 and ">" in line, calm=calm)
    if found.grouped and "$" in line:
        return None
    forms = FORMS
    for text, away, sign in parts:
        passes = _passes(text, found, forms) if not away else _discards(text, away, found, forms)
        if not passes:
            return None
        forms = FILTERS if sign == "|" else FORMS
    return found


def _repeated(name: str, values: str, body: str) -> Everyday | None:
    """A loop in which ordinary programs run, for each of its values."""
    found = _in_row(body)
    if found is None or found.grouped or not _ORDINARY.issuperset(found.programs):
        return None
    given = turns(values.split())
    return Everyday(
        found.programs * len(given),
        found.ordinary * len(given),
        values=[(name, value) for value in given],
    )


def _discards(text: str, away: str, found: Everyday, forms: Forms) -> bool:
    """The same for a command whose output is thrown away, or goes where its errors go."""
    before = found.ordinary
    bare = text.removesuffix("1").removesuffix("2")  # a descriptor: `2` of `2>/dev/null`
    if NOWHERE in bare or not _passes(bare, found, forms):
        return False
    found.ordinary = before
    if NOWHERE in away and found.programs[-1] not in KNOWN_HARMLESS:
        found.targets.append(NOWHERE)
    return True


def _passes(text: str, found: Everyday, forms: Forms) -> bool:
    """Whether nothing is to be said of one command; then it is noted."""
    name, *words = text.split(None, 1) or ("",)
    rest = words[0] if words else ""
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
        found.formed = True
        found.ordinary += name in ORDINARY
        if match.lastgroup is None:
            found.others.append((name, rest))
    found.programs.append(name)
    return True


_ORDINARY = ORDINARY - MOVES - ASIDE
_QUIET = QUIET - MOVES - ASIDE

_signs = r"\t !%*+,\-./0-9:=?@A-Z\[\]^_a-z~"
_value = r"\$(?:\w++|\{\w++\}|[?#@*])"
_quoted = rf"'[^'\n]*+'|\"(?:[^\"$`\\\n]++|{_value})*+\""
"""One word, whatever stands in it; a variable's value may stand there, and nothing that runs."""

_away = (
    rf"(?:(?:(?<=[ \t])[12]?|(?<=[ \t][12]))>(?:>?[ \t]?{NOWHERE}|&[12])"
    rf"|(?<=[ \t])&>[ \t]?{NOWHERE})(?=[ \t|&;]|\Z)[ \t]*+"
)
"""`>/dev/null`, `2>&1`: what is printed goes nowhere, or where the errors go."""

_sign = r"(?:\|\|?|&&|;)(?=[^|&;])|\Z"
"""Between two commands, or behind the last."""

_command = rf"((?:[{_signs}]++|{_quoted}|{_value})++)((?:{_away})*+)({_sign})"
_one = re.compile(rf"[{_signs}]*+")
"""One command of plain words."""

_part = re.compile(_command, re.ASCII)
_loop = re.compile(
    rf"[ \t]*+for[ \t]++([A-Za-z_]\w*+)[ \t]++in[ \t]++([{_signs}]++);[ \t]*+do[ \t]++(.+?);"
    r"[ \t]*+done[ \t]*+",
    re.ASCII,
)
