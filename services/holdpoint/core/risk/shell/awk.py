"""Programs in awk: what they hand to a shell, of their own texts and of what they read."""

from itertools import pairwise

import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.code import read_code
from holdpoint.core.risk.shell.inner import Found, Inner
from holdpoint.core.risk.shell.model import Command, Danger
from holdpoint.core.risk.shell.options import read_options
from holdpoint.messages.risk import RiskLevel

INPUT = frozenset({"-", "", "/dev/stdin"})
"""How the input is named; a lone `-` before a here-document gets lost in the grammar."""

_AWK_VALUES = word_set("-F -v -f --field-separator --assign --file")


def awk(command: Command) -> Found:
    """`system(…)`, `"…" | getline`, `print | "…"`, and `-v x=TEXT` where `x` is run."""
    options = read_options(command.args, _AWK_VALUES)
    program = options.word(0)
    file = options.value("-f", "--file")
    if file in INPUT and options.has("-f --file") and command.stdin:
        program, file = command.stdin.text or "", ""
    if file or not ("system" in program or "|" in program):
        return []
    found = [*read_code(program, "awk"), *_assigned(program, command.args)]
    return [*found, _UNREAD] if _runs_read(program) else found


def _runs_read(program: str) -> bool:
    """Whether it runs a line or a field that it reads, or what it has put one into."""
    if _runs_fields.search(program) or _runs_letters.search(program):
        return True
    made = set(_made.findall(program))
    return any(name in made for found in _run_names.findall(program) for name in found)


_made = re2.compile(r"(\w+)\s*=\s*\$\w+\s*[;}\n]")


def _assigned(program: str, args: tuple[str, ...]) -> Found:
    """`-v x=TEXT` where the program runs `x`."""
    said = [following for arg, following in pairwise(args) if arg in _ASSIGNS]
    said += [arg[2:] for arg in args if arg[:2] == "-v" and "=" in arg]
    names = {name for found in _run_names.findall(program) for name in found}
    given = (one.partition("=") for one in said)
    return [Inner(script=text) for name, _, text in given if name and name in names]


_ASSIGNS = frozenset({"-v", "--assign"})
_run_names = re2.compile(r"system\s*\(\s*(\w+)|(\w+)\s*\|&?\s*getline|[^|]\|&?\s*(\w+)")
_runs_fields = re2.compile(
    r"\bsystem\s*\(\s*\$|\bgetline\s+(?:\w+\b.*\bsystem\s*\(\s*\w+\s*\)|.*\bsystem\s*\(\s*\$)"
    r"|\bprint\s*(?:\$\w+\s*)?\|\s*\"(?:/\w+)*/?(?:ba|da|k|z)?sh\""
)
_runs_letters = re2.compile(
    r"\bsystem\s*\(\s*sprintf\s*\([^)]*%c|\bs?printf\b[^;}]*%c[^;}]*"
    r"\|\s*\"(?:/\w+)*/?(?:ba|da|k|z)?sh\b"
)
"""A text that it puts together from the numbers of letters."""

_UNREAD = Danger("shell.unseen-code", RiskLevel.HIGH, "runs what it reads from its input", "run")
