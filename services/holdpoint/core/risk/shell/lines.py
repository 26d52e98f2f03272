"""Cut a text of several lines into its statements, where every line is one by itself.

Most scripts are such: what is plain is then read without the grammar, which is slow.
"""

import re
from itertools import chain
from typing import Any

import msgspec

from holdpoint.core.risk.shell.lexer import Pipeline, plain
from holdpoint.core.risk.shell.tree import MAX_DIRECT, parse

_joins = re.compile(r"[^\S \t\n]|\\|<<")
"""What may reach over the end of a line, or be no end of one to everybody."""

_misplaced = re.compile(r"(?:^|&&|\|\||\|&|;|&(?!&)|\|(?![|&]))[ \t]*[;|&]|(?:&&|\|&?)[ \t]*$")
"""A sign without a command before it, or one that goes on in the next line."""

_ASIDE = frozenset({"unset", "unsetenv", "["})
"""What the grammar takes for no command: a value may be unset on a way that is not taken."""


class Statement(msgspec.Struct, frozen=True):
    """One line: its pipelines, or its tree."""

    text: str
    start: int
    """Where it begins in the whole text."""

    pipelines: list[Pipeline] | None
    root: Any = None
    """The tree's root, where the line is not plain."""


def by_line(text: str) -> list[Statement] | None:
    """The statements of a text; None when some line is no whole statement by itself."""
    if "\n" not in text or len(text) > MAX_DIRECT or _joins.search(text):
        return None
    found: list[Statement] = []
    at = 0
    for line in text.split("\n"):
        if line and not line.isspace():
            statement = _read(line, at)
            if statement is None:
                return None
            found.append(statement)
        at += len(line) + 1
    return found


def _read(line: str, start: int) -> Statement | None:
    pipelines = None if _is_hard(line) else plain(line)
    if pipelines is not None and _moved(pipelines, start):
        return Statement(line, start, pipelines)
    root = parse(line)
    return None if root is None or root.has_error else Statement(line, start, None, root)


def _is_hard(line: str) -> bool:
    if "<" in line or ">" in line:
        return True
    signs = "|" in line or "&" in line or ";" in line
    return signs and _misplaced.search(line) is not None


def _moved(pipelines: list[Pipeline], start: int) -> bool:
    """Give each command its place in the whole text; false when one is none to the grammar."""
    for raw in chain.from_iterable(pipelines):
        if raw.words[0] in _ASIDE:
            return False
        raw.start += start
        raw.end += start
    return True
