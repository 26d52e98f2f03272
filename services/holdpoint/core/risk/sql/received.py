"""A text as a database gets it: without fences or disguise, each batch ended by a semicolon."""

import re2

from holdpoint.core.risk.shell.disguise import unhidden

_fence = re2.compile(r"(?s)^\s*```\w*[ \t]*\n(.*?)(?:\n[ \t]*```\s*|```\s*)?$")
_batch = re2.compile(r"(?im)^[ \t]*go(?:[ \t]+\d+)?[ \t]*;?[ \t]*\r?$")
_delimiter = re2.compile(r"(?im)^[ \t]*delimiter[ \t]+(\S+)[ \t]*\r?$")


def received(text: str) -> str:
    """The same text where there is nothing to take away."""
    plain = text if text.isascii() else unhidden(text)
    fenced = _fence.match(plain) if "```" in plain else None
    if fenced:
        plain = fenced[1]
    lowered = plain.lower()
    marks = _delimiter.findall(plain) if "delimiter" in lowered else []
    for mark in set(marks) - {";"}:
        plain = _delimiter.sub(";", plain).replace(mark, ";")
    return str(_batch.sub(";", plain)) if "go" in lowered else plain
