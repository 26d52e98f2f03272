"""Programs about which no family has anything to say: most commands are such.

The sets are differences: a program stands in none of those that some family looks up before it says
a word, and so what stands behind it need not be read.
"""

from holdpoint.core.risk.shell.builtins import LEAVES
from holdpoint.core.risk.shell.interpret import TEXT_RUNNERS
from holdpoint.core.risk.shell.judge import KNOWN
from holdpoint.core.risk.shell.model import NOWHERE, Command, Redirect
from holdpoint.core.risk.shell.reads import READS_ONLY, only_reads
from holdpoint.core.risk.shell.resources import SQL_TOOLS
from holdpoint.core.risk.shell.secrets import TOUCHES
from holdpoint.core.risk.shell.state import State
from holdpoint.core.risk.shell.strangers import HEARD
from holdpoint.core.risk.shell.tools import KNOWN_HARMLESS
from holdpoint.core.risk.shell.unwrap import RUNNERS

ASKED = KNOWN | RUNNERS | TEXT_RUNNERS | LEAVES | TOUCHES | SQL_TOOLS
"""Programs that some family looks up before it says a word."""

ORDINARY = READS_ONLY - ASKED
"""Those that only read. Without a redirection, to judge one finds nothing; what it prints may
still matter."""

QUIET = ORDINARY | {name for name in KNOWN_HARMLESS - ASKED - HEARD if "-" not in name}
"""The same, and those that may change something, each in its own way."""


def is_quiet(command: Command, state: State) -> bool:
    """Whether no family has anything to say about it, whatever stands behind it."""
    if command.name not in QUIET:
        return False
    if not (command.redirects or state.files):
        return True
    return command.path == command.name and all(map(_leads_nowhere, command.redirects))


def _leads_nowhere(redirect: Redirect) -> bool:
    """`> /dev/null`, `2>&1`: nothing is written anywhere."""
    if redirect.sign == ">&":
        return redirect.target in {"1", "2"}
    return redirect.target == NOWHERE and redirect.sign in {">", ">>", ">|", "&>", "&>>"}


def counted(command: Command, state: State) -> None:
    """Count a command about which no family has anything to say."""
    state.programs.add(command.name)
    if command.name not in ORDINARY:
        state.reads_only = state.reads_only and only_reads(command)
    elif not (command.redirects or state.files):
        state.ordinary += 1
