"""Lines of everyday commands, of which nothing is to be said: seen as a whole, and passed by.

Each command of such a line is either of a program about which no family ever speaks (`ordinary`),
or written in a form about which none has anything to say (`forms`). A pipe, or a sign that ends a
command, may stand between them; quotes may hold a word, and nothing is expanded or redirected.
"""

import re
import shlex

import msgspec

from holdpoint.core.risk.shell.forms import FILTERS, FORMS, is_grave
from holdpoint.core.risk.shell.lexer import ASIDE
from holdpoint.core.risk.shell.located import MOVES
from holdpoint.core.risk.shell.model import Command
from holdpoint.core.risk.shell.ordinary import ORDINARY, QUIET
from holdpoint.core.risk.shell.reads import only_reads
from holdpoint.core.risk.shell.state import MAX_COMMANDS, State


class Everyday(msgspec.Struct):
    """A line of which nothing is to be said."""

    programs: list[str]
    ordinary: int = 0
    """How many of its commands only read, whatever stands behind them."""

    others: list[tuple[str, str]] = []
    """Those that may change something: the program, and what stands behind it."""

    def passes(self, state: State) -> bool:
        """Count it; false where something before it may change what it means."""
        if not state.is_untouched or state.commands + len(self.programs) > MAX_COMMANDS:
            return False
        state.programs.update(self.programs)
        state.commands += len(self.programs)
        state.ordinary += self.ordinary
        state.reads_only = state.reads_only and self._reads()
        return True

    def _reads(self) -> bool:
        return all(
            only_reads(Command(name=name, args=tuple(_words(rest)))) for name, rest in self.others
        )


def _words(text: str) -> list[str]:
    return shlex.split(text) if "'" in text or '"' in text else text.split()


def everyday(line: str) -> Everyday | None:
    """What runs in a line of everyday commands; None when one of them must be read."""
    found = Everyday([])
    if _one.fullmatch(line):
        return found if _passes(line, found, FORMS) else None
    if not _several.fullmatch(line):
        return None
    forms = FORMS
    for text, sign in _part.findall(line):
        if not _passes(text, found, forms):
            return None
        forms = FILTERS if sign == "|" else FORMS
    return found


def _passes(text: str, found: Everyday, forms: dict[str, re.Pattern[str]]) -> bool:
    """Whether nothing is to be said of one command; then it is noted."""
    name, *words = text.split(None, 1) or ("",)
    rest = words[0] if words else ""
    if name not in _QUIET:
        form = forms.get(name)
        match = form.fullmatch(rest) if form else None
        if match is None or is_grave(text):
            return False
        if match.lastgroup is None:
            found.others.append((name, rest))
    elif name not in ORDINARY:
        found.others.append((name, rest))
    found.ordinary += name in ORDINARY
    found.programs.append(name)
    return True


_QUIET = QUIET - MOVES - ASIDE

_plain = r"[\t !%*+,\-./0-9:=?@A-Z\[\]^_a-z~]"
_quoted = r"'[^'\n]*+'|\"[^\"$`\\\n]*+\""
_one = re.compile(rf"{_plain}*+")
"""One command of plain words."""

_several = re.compile(rf"(?:{_plain}++|{_quoted}|(?<=[^|&;])(?:\|\|?|&&|;)(?=[^|&;]))*+")
_part = re.compile(rf"((?:{_plain}++|{_quoted})++)(\|\|?|&&|;|\Z)")
