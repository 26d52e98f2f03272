"""A text as a database gets it: without fences or disguise, each batch ended by a semicolon."""

import re

import re2

from holdpoint.core.risk.text import unhidden

_fence = re2.compile(r"(?s)^\s*```\w*[ \t]*\n(.*?)(?:\n[ \t]*```\s*|```\s*)?$")
_batch = re.compile(r"(?im)^[ \t]*+go(?:[ \t]++\d++)?[ \t]*+;?[ \t]*+\r?$")
_delimiter = re.compile(r"(?im)^[ \t]*+delimiter[ \t]++(\S++)[ \t]*+\r?$")

MAX_MARKS = 16
"""Delimiters of one text: with more of them all stay in it, as what is no statement."""


def received(text: str) -> str:
    """The same text where there is nothing to take away."""
    plain = text if text.isascii() else unhidden(text)
    fenced = _fence.match(plain) if "```" in plain else None
    if fenced:
        plain = fenced[1]
    lowered = plain.lower()
    marks = _delimiter.findall(plain) if "delimiter" in lowered else []
    ends = set(marks) - {";"}
    if marks and len(ends) <= MAX_MARKS:
        plain = _delimiter.sub(";", plain)
        for mark in sorted(ends, key=len, reverse=True):
            plain = plain.replace(mark, ";")
    return _batch.sub(";", plain) if "go" in lowered else plain
