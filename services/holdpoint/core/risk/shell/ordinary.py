"""Programs that only read, and of which no family has more to say: most commands are such."""

from holdpoint.core.risk.shell.builtins import LEAVES
from holdpoint.core.risk.shell.interpret import TEXT_RUNNERS
from holdpoint.core.risk.shell.judge import KNOWN
from holdpoint.core.risk.shell.reads import READS_ONLY
from holdpoint.core.risk.shell.resources import SQL_TOOLS
from holdpoint.core.risk.shell.secrets import TOUCHES
from holdpoint.core.risk.shell.unwrap import RUNNERS

ORDINARY = READS_ONLY - KNOWN - RUNNERS - TEXT_RUNNERS - LEAVES - TOUCHES - SQL_TOOLS
"""Without a redirection, to judge one finds nothing; what it prints may still matter."""
