"""The proof that SQL only reads: every statement begins as a question, and every call is harmless.

A name in a string or a comment counts as if it stood in the statement: what looks like a call of
something unknown is not proven.
"""

import re

from holdpoint.core.risk.knowledge import words

_comments = re.compile(r"(?s)\A(?:[\s(]|--[^\n]*\n|/\*.*?\*/)+")
_call = re.compile(r"([\w$.]+|[\"`\]/])\s*\(")
_does_more = re.compile(
    r"(?i)\b(?:INTO|PREPARED|UPDLOCK|XLOCK|TABLOCKX)\b"
    r"|\bFOR\s+(?:NO\s+KEY\s+|KEY\s+)?(?:UPDATE|SHARE)\b|\bIN\s+SHARE\s+MODE\b"
)
"""Where a query stores what it finds, or makes others wait for it."""

_head = re.compile(r"\w+")
_HEADS = words("words/sql:proven_heads")
HARMLESS_FUNCTIONS = words("words/sql:harmless_functions")
"""Built in, in lower case, and harmless to call as often as one likes."""

_BEFORE = words("words/sql:before_brackets") | frozenset(
    map(str.upper, HARMLESS_FUNCTIONS | words("words/sql:other_functions"))
)


def only_reads(text: str) -> bool:
    """Return whether nothing that a text of SQL says can change anything."""
    statements = filter(None, map(str.strip, text.split(";")))
    return (
        _does_more.search(text) is None
        and all(map(_asks, statements))
        and all(name.upper() in _BEFORE for name in _call.findall(text))
    )


def _asks(statement: str) -> bool:
    head = _head.match(_comments.sub("", statement))
    return head is None or head.group().upper() in _HEADS
