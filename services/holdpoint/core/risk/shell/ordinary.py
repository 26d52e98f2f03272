"""Programs about which no family has anything to say: most commands are such.

The sets are differences: a program stands in none of those that some family looks up before it says
a word, and so what stands behind it need not be read.
"""

from holdpoint.core.risk.shell.builtins import LEAVES
from holdpoint.core.risk.shell.interpret import TEXT_RUNNERS
from holdpoint.core.risk.shell.judge import KNOWN
from holdpoint.core.risk.shell.model import Command
from holdpoint.core.risk.shell.reads import READS_ONLY, only_reads
from holdpoint.core.risk.shell.resources import SQL_TOOLS
from holdpoint.core.risk.shell.secrets import TOUCHES
from holdpoint.core.risk.shell.state import State
from holdpoint.core.risk.shell.strangers import HEARD
from holdpoint.core.risk.shell.tools import KNOWN_HARMLESS
from holdpoint.core.risk.shell.unwrap import RUNNERS

_ASKED = KNOWN | RUNNERS | TEXT_RUNNERS | LEAVES | TOUCHES | SQL_TOOLS

ORDINARY = READS_ONLY - _ASKED
"""Those that only read. Without a redirection, to judge one finds nothing; what it prints may
still matter."""

QUIET = ORDINARY | {name for name in KNOWN_HARMLESS - _ASKED - HEARD if "-" not in name}
"""The same, and those that may change something, each in its own way."""


def counted(command: Command, state: State) -> None:
    """Count a command about which no family has anything to say."""
    state.programs.add(command.name)
    if command.name in ORDINARY:
        state.ordinary += 1
    elif state.reads_only:
        state.reads_only = only_reads(command)
