"""Texts that the parser would puzzle over: too many brackets, pipes or ends, seen before it tries.

Its own work is bounded in `tree`; these are what costs it much in few steps.
"""

import re

from holdpoint.core.risk.shell.received import without_documents

MAX_OPENED = 800
"""Brackets, backticks, dollars: more of them are a puzzle, not a command."""

MAX_GROUPED = 200
"""Round brackets of groups outside of here-documents: each in a wrong place costs some 50 us."""

MAX_TICKED = 300
"""Backticks there: what stands between two may be read in several ways, which are all kept."""

MAX_ENDS = 1500
"""Separators and redirections: more of them are no command that a person would check."""

MAX_PIPED = 60_000
"""Squares of the pipes in each statement: with each pipe all before it is copied."""

MAX_SMALL = 256
"""Characters of a text that cannot cost much."""

_goes_on = re.compile(r"\|\s+")
_ended = re.compile(r"[;\n]")


def tangled(text: str) -> bool:
    """Whether parsing it would cost more than it is worth."""
    if len(text) < MAX_SMALL or (len(text) < MAX_OPENED and _is_simple(text)):
        return False
    opened = sum(text.count(sign) for sign in "([{`$")
    ends = sum(text.count(sign) for sign in ";|&\n<>'")
    unclosed = text.count("${") > text.count("}") + MAX_SMALL // 8
    if opened > MAX_OPENED or ends > MAX_ENDS or unclosed:
        return True
    return any(
        count(text) > most and count(without_documents(text)) > most for count, most in _DEAR
    )


def _is_simple(text: str) -> bool:
    """A first look at a short text: it holds less of each sign than may be."""
    groups = text.count("(") + text.count(")") + text.count("|") + text.count("`")
    return groups <= MAX_GROUPED and "${" not in text


def _piped(text: str) -> int:
    if text.count("|") ** 2 <= MAX_PIPED:
        return 0
    statements = _ended.split(_goes_on.sub("|", text))
    return sum(one.count("|") ** 2 for one in statements)


def _grouped(text: str) -> int:
    valued = text.count("$(")
    return max(text.count("(") - valued, text.count(")") - valued)


def _ticked(text: str) -> int:
    return text.count("`")


_DEAR = ((_piped, MAX_PIPED), (_grouped, MAX_GROUPED), (_ticked, MAX_TICKED))
"""What costs much for each, unless it stands in a document; and how many may be."""
