"""Cut a text of several lines into its statements, where every line is one by itself.

Most scripts are such: what is plain is then read without the grammar, which is slow.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from holdpoint.core.risk.shell.everyday import Everyday
from holdpoint.core.risk.shell.lexer import ASIDE, Pipeline, plain, row
from holdpoint.core.risk.shell.received import parseable
from holdpoint.core.risk.shell.tree import parse

_joins = re.compile(r"[\\\r\v\f\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
"""What may reach over the end of a line, or be a blank to some and none to others."""

_misplaced = re.compile(r"(?:^|&&|\|\||\|&|;|&(?!&)|\|(?![|&]))[ \t]*[;|&]|(?:&&|\|&?)[ \t]*$")
"""A sign without a command before it, or one that goes on in the next line."""

MAX_LINED = 4096
"""Characters of a text that is cut into its lines."""

MAX_PARSED = 24
"""Lines that are parsed one by one: for more of them the whole is parsed as fast."""


class Statement(msgspec.Struct, frozen=True):
    """One line: its pipelines, or its tree; or several lines of which nothing is to be said."""

    text: str
    start: int
    """Where it begins in the whole text."""

    everyday: Everyday | None = None
    """What runs in them, where nothing is to be said of that: then they are not cut yet."""

    pipelines: list[Pipeline] | None = None
    root: Any = None
    """The tree's root, where the line is not plain; else None."""


def by_line(text: str, *, calm: bool | None) -> list[Statement] | None:
    """The statements of a text; None when some line is no whole statement by itself.

    `calm`: whether nothing in it tells of anything grave; None: no line is passed by.
    """
    if "\n" not in text or len(text) > MAX_LINED or "<<" in text or _may_join(text):
        return None
    found: list[Statement] = []
    passed, began, at, left = Everyday(calm=calm is True), 0, 0, MAX_PARSED
    for line in text.split("\n"):
        start, at = at, at + len(line) + 1
        if not line or line.isspace() or (calm is not None and passed.takes(line)):
            continue
        one = _unparsed(line, start)
        if one is None:
            one, left = _parsed(line, start), left - 1
            if one is None or not left:
                return None
        if passed.programs:
            found.append(Statement(text[began:start], began, passed))
            passed = Everyday(calm=calm is True)
        found.append(one)
        began = at
    return [*found, Statement(text[began:], began, passed)] if passed.programs else found


def _may_join(text: str) -> bool:
    """Whether anything in it reaches over a line's end; printable ASCII is looked at at once."""
    printed = text.replace("\n", "").replace("\t", "")
    if printed.isascii() and printed.isprintable():
        return "\\" in text
    return _joins.search(text) is not None


def cut(passed: Statement) -> Iterator[Statement]:
    """Lines that were passed by and must be read after all, one by one."""
    at = passed.start
    for line in passed.text.split("\n"):
        if line and not line.isspace():
            yield _unparsed(line, at) or _parsed(line, at) or Statement(line, at)
        at += len(line) + 1


def _unparsed(line: str, at: int) -> Statement | None:
    pipelines = row(line, at, ASIDE)
    if pipelines is None and not _is_hard(line):
        pipelines = plain(line, at, ASIDE)
    return None if pipelines is None else Statement(line, at, pipelines=pipelines)


def _parsed(line: str, at: int) -> Statement | None:
    said = parseable(line)
    root = parse(said)
    return None if root is None or root.has_error else Statement(said, at, root=root)


def _is_hard(line: str) -> bool:
    """Whether a line holds a redirection, or a sign where none can stand."""
    if "<" in line or ">" in line:
        return True
    signs = "|" in line or "&" in line or ";" in line
    return signs and _misplaced.search(line) is not None
