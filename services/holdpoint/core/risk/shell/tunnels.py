"""Tunnels to everybody: ports of this machine at an address that the whole world reaches."""

import re

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.effects import HIGH, asks_for_help
from holdpoint.core.risk.shell.model import Command, Danger
from holdpoint.messages.risk import Heuristic

_OPENS = {
    "ngrok": word_set("http tcp tls start"), "cloudflared": word_set("tunnel"),
    "bore": word_set("local"), "tailscale": word_set("funnel"), "zrok": word_set("share"),
    "loophole": word_set("http path"), "lt": word_set("-p --port"),
    "localtunnel": word_set("-p --port"),
}  # fmt: skip
"""By program: the words of which one opens a tunnel."""

TUNNELS = frozenset(_OPENS)
_INSIDE = word_set(
    "21 22 23 139 445 1433 1521 2049 2222 2375 2376 3306 3389 5432 5900 5984 5985 6379 6443 9200 "
    "10250 11211 27017"
)
"""Ports behind which people log in, or data lies that asks nobody for a password."""

_port = re.compile(r"(?:--?\w[\w-]*=)?(?:(?:\w+://)?[\w.-]+:)?(\d{2,5})(?:/\S*)?")
_scheme = re.compile(r"(?:--?\w[\w-]*=)?(?:file|ssh|rdp|smb|unix)://")


def tunnels(command: Command) -> list[Danger]:
    """`ngrok tcp 22`, `cloudflared tunnel --url ssh://localhost:22`; a page to look at is none."""
    args = command.args
    if _OPENS[command.name].isdisjoint(args) or asks_for_help(command):
        return []
    inside = any(
        _scheme.match(arg) or ((found := _port.fullmatch(arg)) and found[1] in _INSIDE)
        for arg in args
    )
    return [_OPENED] if inside else []


_OPENED = Danger(
    "shell.way-in", HIGH, "opens this machine to the whole world", "open", Heuristic.CRITICALITY
)
