"""Statements that a query puts together from texts, to be run afterwards."""

import re

MAX_PIECES = 32
"""Texts of one query that are looked at."""

_text = re.compile(r"'((?:[^']|'')*)'")
_begins = re.compile(
    r"(?i)\s*(?:drop|delete|truncate|alter|update|grant|revoke|kill|rename|detach)\s"
)


def generated(query: str) -> str:
    """What its texts say together when one of them begins a statement; empty when none does.

    What stands between them only the database knows: each gap is filled by one name.
    """
    pieces = [piece.replace("''", "'") for piece in _text.findall(query)[:MAX_PIECES]]
    first = next((at for at, piece in enumerate(pieces) if _begins.match(piece)), None)
    if first is None:
        return ""
    text = "x".join(pieces[first:])
    return _marks.sub("x", text if text[-1:] != " " else f"{text}x")


_marks = re.compile(r"%[IsL]")
"""Where `format` fills in a name."""
