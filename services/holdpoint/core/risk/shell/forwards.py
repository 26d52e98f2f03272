"""Ways in from another machine: ports of this one that stand open over there."""

import re

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.model import HIGH, Command, Danger
from holdpoint.messages.risk import Heuristic

_VALUED = frozenset("BbcDEeFIiJLlmOoPpQSWw")
_LOGINS = word_set("22 2222 23 3389 5900 5985 5986")
"""Ports behind which somebody gets a shell or a screen."""

_EVERYWHERE = ("0.0.0.0:", "*:", ":::", "[::]:")
_FORWARD = re.compile(r"remoteforward[=\s]\s*(\S+)\s*(\S*)", re.IGNORECASE)


def forwards(command: Command) -> list[Danger]:
    """`ssh -R 2222:localhost:22`."""
    opened = any(map(_opens, _told(command.args)))
    return [_OPENED] if opened else []


def _told(args: tuple[str, ...]) -> list[str]:
    """What its options say of remote forwards, up to the name of the other machine."""
    found: list[str] = []
    rest = iter(args)
    for arg in rest:
        if arg[:1] != "-":
            break
        at = next((at for at, sign in enumerate(arg[1:], 1) if sign == "R" or sign in _VALUED), 0)
        if at:
            value = arg[at + 1 :] or next(rest, "")
            said = _FORWARD.match(value) if arg[at] == "o" else None
            found += [value] if arg[at] == "R" else [":".join(said.groups())] if said else []
    return found


def _opens(forward: str) -> bool:
    """Whether anybody reaches it, or it leads to where people log in."""
    return forward.startswith(_EVERYWHERE) or (
        ":" in forward and forward.rpartition(":")[2] in _LOGINS
    )


_OPENED = Danger(
    "shell.way-in", HIGH, "opens a way into this machine from another one", "open",
    Heuristic.CRITICALITY,
)  # fmt: skip
