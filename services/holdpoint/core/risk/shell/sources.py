"""Where packages come from: over a connection that anybody between can change."""

import re

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import asks_for_help, runs_dry
from holdpoint.core.risk.shell.model import HIGH, Command, Danger
from holdpoint.core.risk.shell.verbs import subcommands
from holdpoint.core.risk.shell.web import is_foreign
from holdpoint.messages.risk import Heuristic

_PLAIN = "http://"
_BRINGS = word_set("install i add ci update upgrade download sync wheel sources config set inject")
_HOST = re.compile(r"http://(?:[^/@\s]*@)?([^/:\s]+)")


def unprotected(command: Command) -> list[Danger]:
    """`pip install -i http://…`, `npm config set registry http://…`."""
    named = [arg for arg in command.args if _PLAIN in arg]
    if not named or asks_for_help(command) or runs_dry(command):
        return []
    hosts = [found[1] for arg in named if (found := _HOST.search(arg))]
    brings = not _BRINGS.isdisjoint(subcommands(command.args)[:2])
    return [_UNPROTECTED] if brings and any(map(is_foreign, hosts)) else []


SOURCED = ("pip", "pip3", "uv", "uv-pip", "pipx", "npm", "pnpm", "yarn", "bun", "gem", "poetry")
"""Programs that fetch packages and run what is in them."""

_UNPROTECTED = Danger(
    "shell.fetched-unprotected", HIGH, "installs what anybody on the way can change", "install",
    Heuristic.CRITICALITY,
)  # fmt: skip
