"""What a command runs in its turn, and how a wrapper's own options are told from it."""

import msgspec

from holdpoint.core.risk.shell.model import (
    FED_DATA,
    FED_SECRET,
    FILL,
    Danger,
    Flow,
    Origin,
    hole,
)
from holdpoint.core.risk.shell.wrapper import Wrapper

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


Found = list[Inner | Danger]


def option(args: tuple[str, ...], at: int, wrapper: Wrapper) -> tuple[str, str, int]:
    """An option of the wrapper: its name, its value, where the next word is."""
    arg = args[at]
    name, assigned, value = arg.partition("=")
    following = args[at + 1] if at + 1 < len(args) else ""
    if assigned and arg.startswith("--"):
        return name, value, at + 1
    if arg in wrapper.values:
        return arg, following, at + 2
    if arg.startswith("--"):
        return arg, "", at + 1
    for place, letter in enumerate(arg[1:], 1):
        flag = f"-{letter}"
        if flag in wrapper.values or flag == "-S":
            attached = arg[place + 1 :]
            return flag, attached or following, at + (1 if attached else 2)
    return arg, "", at + 1


def fed(flow: Flow | None) -> str:
    """How a word from a pipe is called, when nobody can know it."""
    return _FED.get(flow.origin, FILL) if flow else FILL


_FED = {Origin.REMOTE: hole("(fetched)"), Origin.DECODED: hole("(decoded)"),
        Origin.DATA: FED_DATA, Origin.SECRET: FED_SECRET}  # fmt: skip
