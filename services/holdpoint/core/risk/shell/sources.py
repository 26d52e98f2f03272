"""Where packages come from: over a connection that anybody between can change."""

import re

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.shell.dry_runs import asks_for_help, runs_dry
from holdpoint.core.risk.shell.model import HIGH, Command, Danger
from holdpoint.core.risk.shell.verbs import subcommands
from holdpoint.core.risk.shell.web import is_foreign
from holdpoint.messages.risk import Heuristic

_PLAIN = "http://"
_BRINGS = words("words/shell:packages.installing_words")
_HOST = re.compile(r"http://(?:[^/@\s]*@)?([^/:\s]+)")


def unprotected(command: Command) -> list[Danger]:
    """`pip install -i http://…`, `npm config set registry http://…`."""
    named = [arg for arg in command.args if _PLAIN in arg]
    if not named or asks_for_help(command) or runs_dry(command):
        return []
    hosts = [found[1] for arg in named if (found := _HOST.search(arg))]
    brings = not _BRINGS.isdisjoint(subcommands(command.args)[:2])
    return [_UNPROTECTED] if brings and any(map(is_foreign, hosts)) else []


SOURCED = words("words/shell:packages.installers")

_UNPROTECTED = Danger(
    "shell.fetched-unprotected", HIGH, "installs what anybody on the way can change", "install",
    Heuristic.CRITICALITY,
)  # fmt: skip
