"""The proof that SQL only reads: every statement begins as a question, and every call is harmless.

A name in a string or a comment counts as if it stood in the statement: what looks like a call of
something unknown is not proven.
"""

import re

import re2

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.sql.orders import VERBS

_comments = re.compile(r"(?s)\A(?:[\s(]|--[^\n]*\n|/\*.*?\*/)+")
_call = re2.compile(r"([\pL\pN_$.]+|[\"`\]/])\s*\(")
_does_more = re.compile(
    r"(?i)\b(?:INTO|PREPARED|UPDLOCK|XLOCK|TABLOCKX)\b"
    r"|\bFOR\s+(?:NO\s+KEY\s+|KEY\s+)?(?:UPDATE|SHARE)\b|\bIN\s+SHARE\s+MODE\b"
)
"""Where a query stores what it finds, or makes others wait for it."""

_head = re.compile(r"\w+")
_HEADS = words("words/sql:proven_heads")
HARMLESS_FUNCTIONS = words("words/sql:harmless_functions")
"""Built in, in lower case, and harmless to call as often as one likes."""

QUIET_FUNCTIONS = HARMLESS_FUNCTIONS | words("words/sql:other_functions")
_BEFORE = words("words/sql:before_brackets") | frozenset(map(str.upper, QUIET_FUNCTIONS))


def calls_unknown(text: str) -> bool:
    """Return whether something is called of which nobody knows that it changes nothing."""
    return any(name.upper() not in _BEFORE for name in _call.findall(text))


def only_reads(text: str) -> bool:
    """Return whether nothing that a text of SQL says can change anything."""
    statements = filter(None, map(str.strip, text.split(";")))
    return (
        _does_more.search(text) is None
        and all(map(_asks, statements))
        and not any(_begins_line(text, line) for line in _next_line.finditer(text))
        and not calls_unknown(text)
    )


def _asks(statement: str) -> bool:
    said = _comments.sub("", statement)
    if _transaction.fullmatch(said):
        return True
    run = _blocks.sub("", said)
    head = _head.match(run)
    return run == said if head is None else head.group().upper() in _PROVEN


_PROVEN = _HEADS - {"BEGIN", "START"}
_blocks = re.compile(r"(?i)\A(?:BEGIN\s+)+")
_transaction = re.compile(
    r"(?is)BEGIN(?:\s+(?:TRAN|TRANSACTION|WORK|ISOLATION|READ|DEFERRED|IMMEDIATE|EXCLUSIVE)\b.*)?"
    r"|START\s+TRANSACTION\b.*"
)
"""`BEGIN wipe_all` runs a procedure."""

_next_line = re.compile(r"\n[ \t]*([A-Za-z]{2,16})(?!\w)(?!\s*[.=,()<>+|-])(?:\s+([\w\[\"'`@#]+))?")
_last = re.compile(r"(?:\w+|[^\w\s])\s*\Z")
MAX_LAST = 40
"""Characters before the end of a line in which its last word stands."""


def _begins_line(text: str, line: re.Match[str]) -> bool:
    """Return whether SQL Server takes the next line for a statement that is none of the proven."""
    first, then = line[1].upper(), (line[2] or "").upper()
    if first not in _BEGINS or (then in _NO_OBJECT and (first, then) != ("EXECUTE", "AS")):
        return False
    last = _last.search(text[max(line.start() - MAX_LAST, 0) : line.start()])
    before = last.group().strip() if last else ""
    return before.upper() not in _GOES_ON and before not in set(",(=<>+-|/.")


_BEGINS = (VERBS - {"DB", "DO", "MATCH"}) | words("words/sql:begins_lines")
_GOES_ON = words("words/sql:goes_on")
_NO_OBJECT = words("words/sql:no_object")
