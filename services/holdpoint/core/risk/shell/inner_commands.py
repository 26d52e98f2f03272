"""Commands and scripts that another command hands on to run."""

from collections.abc import Mapping
from typing import Any

import msgspec

from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.model import (
    FED_DATA,
    FED_SECRET,
    FILL,
    HOLE,
    HOOK,
    Command,
    Flow,
    Origin,
    hole,
)
from holdpoint.messages.risk import RiskLevel

MAX_INNER = 1_000
"""Texts of one command that are read as what it runs: the walk is full before it has read them, and
says so, so that none hides behind the others."""


class Inner(msgspec.Struct, frozen=True, kw_only=True):
    """What a command runs: words, or a text that a shell reads."""

    words: tuple[str, ...] = ()
    script: str = ""
    args: tuple[str, ...] = ()
    """`$1`, `$2` … of the script."""

    many: bool = False
    stdin: Flow | None = None


class Sends(msgspec.Struct, frozen=True):
    """A request that a command sends: method, address, headers and body by their names."""

    request: Mapping[str, Any]


Found = list[Inner | Finding | Sends]


def fed(flow: Flow | None) -> str:
    """Return how a word from a pipe is called, when nobody can know it."""
    return _FED.get(flow.origin, FILL) if flow else FILL


_FED = {Origin.REMOTE: hole("(fetched)"), Origin.DECODED: hole("(decoded)"),
        Origin.DATA: FED_DATA, Origin.SECRET: FED_SECRET}  # fmt: skip

_UNSEEN = {
    Origin.REMOTE: (
        "shell.fetched-code",
        RiskLevel.CRITICAL,
        "runs code from the network that nobody has read",
    ),
    Origin.DECODED: (
        "shell.hidden-code",
        RiskLevel.CRITICAL,
        "runs decoded text that nobody has seen",
    ),
    Origin.SECRET: ("shell.unseen-code", RiskLevel.HIGH, "runs a file's text, unseen"),
    Origin.FILE: ("shell.unseen-code", RiskLevel.HIGH, "runs a file's text, unseen"),
    Origin.DATA: ("shell.unseen-code", RiskLevel.HIGH, "runs a text that is made on the way"),
    Origin.UNKNOWN: ("shell.unseen-code", RiskLevel.HIGH, "runs a text that is made on the way"),
    Origin.PLAIN: ("shell.unseen-code", RiskLevel.HIGH, "runs a text with parts nobody can know"),
}


def unseen(origin: Origin) -> Finding:
    """The finding of running what nobody has read."""
    return Finding(*_UNSEEN[origin], verb="run")


def script_of(text: str, command: Command, args: tuple[str, ...] = ()) -> Found:
    """A text that a shell reads; when it is a hole itself, nobody knows what runs."""
    stripped = text.strip()
    if stripped in _MADE:
        return _MADE[stripped]
    if FILL in stripped.partition(" ")[0]:
        return [unseen(Origin.UNKNOWN), Inner(script=text, args=args, stdin=command.stdin)]
    if stripped.startswith(HOLE):
        return [*hole_of(stripped), Inner(script=text, args=args, stdin=command.stdin)]
    return [Inner(script=text, args=args, stdin=command.stdin)]


_MADE: dict[str, Found] = {HOOK: [], hole("(…)"): [unseen(Origin.UNKNOWN)],
                           hole("(data)"): [unseen(Origin.UNKNOWN)],
                           FED_DATA: [unseen(Origin.UNKNOWN)], FED_SECRET: [unseen(Origin.SECRET)],
                           FILL: [unseen(Origin.UNKNOWN)]}  # fmt: skip
"""What is nothing but another program's output: a shell's set-up, or what nobody can know."""


def hole_of(text: str) -> Found:
    """Return what it means to run a text of which only its origin is known."""
    if text.startswith(f"{HOLE}(fetched)"):
        return [unseen(Origin.REMOTE)]
    if text.startswith(f"{HOLE}(decoded)"):
        return [unseen(Origin.DECODED)]
    if text.startswith(f"{HOLE}(data)"):
        return [unseen(Origin.DATA)]
    known = Finding(
        "shell.unknown-code", RiskLevel.MEDIUM, "runs a text that only a variable knows", "run"
    )
    return [known]


def input_of(command: Command, args: tuple[str, ...] = ()) -> Found:
    """Return what stands on its input, with what is handed to that."""
    flow = command.stdin
    if flow is None:
        return []
    words = (command.name, *args) if args else ()
    if flow.text is not None and HOLE not in flow.text and flow.origin is Origin.PLAIN:
        return [Inner(script=flow.text, args=words)]
    found: Found = [unseen(flow.origin)]
    return [*found, Inner(script=flow.text, args=words)] if flow.text else found
