"""Commands, and the data that flows between them: the result of reading a shell text."""

import re
from enum import IntEnum, auto

import msgspec

from holdpoint.messages.risk import RiskLevel

LOW, MEDIUM = RiskLevel.LOW, RiskLevel.MEDIUM
HIGH, CRITICAL = RiskLevel.HIGH, RiskLevel.CRITICAL

HOLE = "\ue000"
"""Opens a piece of a word whose value nobody can know before it runs; its name follows."""

HOLE_END = "\ue001"
NOWHERE = "/dev/null"
"""The file from which nothing comes back."""

HOOK = f"{HOLE}(hook){HOLE_END}"
"""What a tool prints for a shell that is to know it: `ssh-agent`, `direnv hook bash`."""

FILL = f"{HOLE}…{HOLE_END}"
"""Something unknown: a line of a pipe, a file that `find` finds."""

UNREAD_LINE = f"{FILL}\n"
"""Stands in a text for those parts of it that nobody knows."""

UNWORKED = f"{HOLE}(cut){HOLE_END}"
"""A known value after an operator that is not worked out: nobody writes it so without a reason."""

FED_DATA = f"{HOLE}(data)…{HOLE_END}"
FED_SECRET = f"{HOLE}(secret)…{HOLE_END}"
"""A line of a pipe in which nobody knows the words, but what they must not do: leave."""


class Origin(IntEnum):
    """Where a text comes from that may be run later."""

    PLAIN = auto()
    """Written here; `Flow.text` has it unless a part is unknown."""

    UNKNOWN = auto()
    FILE = auto()
    DATA = auto()
    """What a database or a vault holds: to be seen here, and not for others."""

    SECRET = auto()
    DECODED = auto()
    REMOTE = auto()


CONFIDED = frozenset({Origin.DATA, Origin.SECRET})
"""What must not leave."""


class Flow(msgspec.Struct, frozen=True):
    """What a command prints, or what another reads."""

    origin: Origin = Origin.UNKNOWN
    text: str | None = None
    """None when it cannot be known."""

    whole: bool = False
    """Whether a whole folder, a database or a list of people is in it."""


MAX_PRINTED = 16_384
"""Characters that are kept of what a command prints."""


def joined(flows: list[Flow]) -> Flow:
    """Return what several commands print, one behind the other."""
    if len(flows) == 1:
        return flows[0]
    worst = max((flow.origin for flow in flows), default=Origin.UNKNOWN)
    whole = any(flow.whole for flow in flows)
    texts = [flow.text for flow in flows]
    if texts.count(None) == len(texts):
        return Flow(worst, whole=whole)
    known = (UNREAD_LINE if text is None else text for text in texts)
    return Flow(worst, "".join(known)[:MAX_PRINTED], whole)


class Redirect(msgspec.Struct, frozen=True):
    """One redirection: its operator and the word behind it."""

    sign: str
    target: str
    in_words: bool = False
    """Whether the command's own words name the file: `sort -o FILE`."""


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """A simple command, as it will run."""

    name: str
    """The program's base name, in lower case when it is one that is known so."""

    path: str = ""
    """The program as it was written."""

    args: tuple[str, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    stdin: Flow | None = None
    many: bool = False
    """Whether it runs again and again, over things that nobody listed: a loop, xargs, find."""

    span: tuple[int, int] = (0, 0)
    depth: int = 0
    """How many wrappers, substitutions and scripts it stands in."""


def command_of(
    words: tuple[str, ...],
    redirects: tuple[Redirect, ...],
    stdin: Flow | None,
    *,
    many: bool,
    span: tuple[int, int],
    depth: int,
) -> Command:
    """The command that these words are, its program by its base name."""
    path = words[0] if words else ""
    name = path.replace("\\", "/").rsplit("/", 1)[-1] if "/" in path or "\\" in path else path
    return Command(
        name=name.lower().removesuffix(".exe"), path=path, args=words[1:], redirects=redirects,
        stdin=stdin, many=many, span=span, depth=depth,
    )  # fmt: skip


def is_hole(word: str) -> bool:
    """Return whether a part of a word is unknown."""
    return HOLE in word


def hole(name: str) -> str:
    """A piece of a word that is only known by name."""
    return f"{HOLE}{name}{HOLE_END}"


def is_stream(word: str) -> bool:
    """Return whether a word names the input or a descriptor: `/dev/stdin`, `/dev/fd/3`."""
    return word == "-" or (word[:1] == "/" and _stream.fullmatch(word) is not None)


_stream = re.compile(
    rf"/dev/stdin|(?:/dev|/proc/(?:self|thread-self|{HOLE}\${HOLE_END}))/fd/"
    rf"(?:\d+|{HOLE}.*{HOLE_END})"
)

LEFT = {
    Origin.SECRET: "(secret)", Origin.DATA: "(data)", Origin.FILE: "(file)",
    Origin.REMOTE: "(fetched)", Origin.DECODED: "(decoded)",
}  # fmt: skip
"""What a substitution leaves in a word, by where its text comes from."""


def shown(word: str) -> str:
    """A word as a person reads it."""
    if HOLE not in word:
        return word
    return word.replace(FILL, "…").replace(HOLE, "$").replace(HOLE_END, "")
