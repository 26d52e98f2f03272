"""Lines of everyday commands, of which nothing is to be said: seen as a whole, and passed by.

Each command of such a line is either of a program about which no family ever speaks (`ordinary`),
or written in a form about which none has anything to say (`forms`). Signs that part commands may
stand between them, quotes around a word, and what is printed may be thrown away. A variable may
stand where no family looks, behind an ordinary program; a loop may run such programs.
"""

import re
import shlex

import msgspec

from holdpoint.core.risk.shell.assignments import turns
from holdpoint.core.risk.shell.evaluated import EVALUATORS
from holdpoint.core.risk.shell.forms import FILTERS, FORMS, is_grave
from holdpoint.core.risk.shell.lexer import ASIDE
from holdpoint.core.risk.shell.located import MOVES
from holdpoint.core.risk.shell.model import NOWHERE, Command
from holdpoint.core.risk.shell.ordinary import ORDINARY, QUIET
from holdpoint.core.risk.shell.plugged import SEARCHERS
from holdpoint.core.risk.shell.reads import CHANGES, only_reads
from holdpoint.core.risk.shell.state import MAX_COMMANDS, State
from holdpoint.core.risk.shell.tools import KNOWN_HARMLESS

Forms = dict[str, re.Pattern[str]]


class Everyday(msgspec.Struct):
    """A line, or several, of which nothing is to be said."""

    programs: list[str] = []
    dressed: list[str] = []
    """Those that are written with quotes nobody needs, or in more blanks than one."""

    ordinary: int = 0
    """How many of its commands only read, whatever stands behind them."""

    others: list[tuple[str, str]] = []
    """Those that may change something: the program, and what stands behind it."""

    targets: list[str] = []
    """What it writes to."""

    values: list[tuple[str, str]] = []
    """Variables, and what they are given."""

    formed: bool = False
    """Whether one of them is harmless only as it is written here."""

    calm: bool = False
    """Whether the whole text holds no part by which anything grave is told."""

    def takes(self, line: str, *, alone: bool = False) -> bool:
        """Note what runs in one line more; false, and nothing is noted, where it must be read.

        `alone`: it is all that there is. Only then may output be thrown away beside a sign: the
        grammar takes that of all for it.
        """
        if _one.fullmatch(line):
            return _passes(line, self, FORMS)
        if "for" in line and (loop := _loop.fullmatch(line)):
            return self._repeats(*loop.groups())
        parts = _part.findall(line)
        grouped = len(parts) > 1 and ">" in line
        if not parts or parts[-1][3] or (grouped and (not alone or "$" in line)):
            return False
        before = self._noted()
        if not self._all_pass(parts):
            self._forget(*before)
            return False
        if ("'" in line or '"' in line or "  " in line or "\t" in line) and _dress.search(line):
            self.dressed.extend(part[0] for part in parts)
        return True

    def _all_pass(self, parts: list[tuple[str, str, str, str]]) -> bool:
        forms = FORMS
        for text, away, sign, _ in parts:
            if not (_discards(text, away, self, forms) if away else _passes(text, self, forms)):
                return False
            forms = FILTERS if sign == "|" else FORMS
        return True

    def _noted(self) -> tuple[int, int, int, int, bool]:
        """How much is noted, to go back to."""
        counts = len(self.programs), len(self.others), len(self.targets)
        return (*counts, self.ordinary, self.formed)

    def _forget(
        self, programs: int, others: int, targets: int, ordinary: int, formed: bool
    ) -> None:
        del self.programs[programs:], self.others[others:], self.targets[targets:]
        self.ordinary, self.formed = ordinary, formed

    def _repeats(self, name: str, values: str, body: str) -> bool:
        """A loop in which ordinary programs run, for each of its values."""
        found = Everyday()
        if not found.takes(body) or not _ORDINARY.issuperset(found.programs) or found.values:
            return False
        given = turns(values.split())
        self.programs += found.programs * len(given)
        self.dressed += found.dressed
        self.ordinary += found.ordinary * len(given)
        self.values += [(name, value) for value in given]
        return True

    def passes(self, state: State) -> bool:
        """Count it; false where something before it may change what it means."""
        counted = state.commands + len(self.programs)
        if counted - state.ordinary // 2 > MAX_COMMANDS:
            return False
        if not (state.is_untouched or self._is_meant(state)):
            return False
        state.programs.update(self.programs)
        state.run += self.dressed
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
        named = self.formed or state.scope.latent
        return not named and not any(map(state.redefines, self.programs))

    def _reads(self) -> bool:
        return all(
            only_reads(Command(name=name, args=tuple(_words(rest)))) for name, rest in self.others
        )


def _words(text: str) -> list[str]:
    return shlex.split(text) if "'" in text or '"' in text else text.split()


def is_calm(text: str) -> bool:
    """Whether nothing in a text tells of anything grave: asked once for all its lines."""
    return not is_grave(text)


def everyday(line: str, *, calm: bool = False) -> Everyday | None:
    """What runs in a line of everyday commands; None when one of them must be read.

    `calm`: of a text that this line is a part of.
    """
    found = Everyday(calm=calm)
    return found if "\n" not in line and found.takes(line, alone=True) else None


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
    name, _, rest = text.strip().partition(" ")
    if name in EVALUATORS and ("$" in rest or "`" in rest):
        return False
    if name in _ORDINARY or (name in SEARCHERS and _names_no_program(rest)):
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


def _names_no_program(rest: str) -> bool:
    """Whether a searcher is not told of a program that it shall run, nor may be by a variable."""
    said = rest.replace('"', "").replace("'", "")
    return "--p" not in said and "--host" not in said and "$" not in said


_ORDINARY = ORDINARY - MOVES - ASIDE
_QUIET = QUIET - MOVES - ASIDE

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
