"""Values that may be credentials, and their ends: at the first blank, quote or shell sign."""

import re
from collections.abc import Iterable
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""Start and end in characters."""

SHORTEST = 4
"""Characters: less is no credential worth the name, and covering it would cover ordinary words."""

QUOTE = r"\\{0,2}(?:\$?'|\")?"
VALUE = r"(?P<value>[^\s\x00-\x1f\x7f'\"`;|&$()<>\\,{}\[\]•]{1,4096}+)"
"""No credential is longer, and what is longer is read once."""

_VALUE = re.compile(VALUE)
_PLAIN = re.compile(
    r"(?:true|false|null|none|nil|undefined|required|optional|string|text|varchar|default"
    r"|[:%?]\w*+)$",
    re.IGNORECASE,
)
"""Words of programs and schemas, and places for a value."""

_PATH = re.compile(r"(?:~|\.{1,2})?/(?![A-Za-z0-9/+]{39}$)")
_WORDS = re.compile(r"[^\W\d_]++(?:['\u2019._/-][^\W\d_]++)*[.!?:]*+$")
_DOTTED = re.compile(r"[A-Za-z_]\w*+(?:\.\w++)+$", re.ASCII)
_IDENTIFIER = re.compile(r"[A-Za-z_][\w.]*+$", re.ASCII)


def joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """In order, those that touch as one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return tuple(found)


def value_at(text: str, start: int) -> Span | None:
    """The credential that begins here, if what stands here may be one."""
    match = _VALUE.match(text, start)
    if match is None:
        return None
    value = match[0].rstrip(".:")
    end = start + len(value)
    is_call = text[end : end + 1] in {"(", "["} and _IDENTIFIER.match(value)
    if len(value) < SHORTEST or _PLAIN.match(value) or _PATH.match(value) or is_call:
        return None
    return start, end


def reads_as_words(value: str) -> bool:
    """Return whether it may be a word of a sentence or a column's name: `expired`, `t1.token`."""
    return bool(_WORDS.match(value) or _DOTTED.match(value))


def is_mixed(value: str) -> bool:
    """Return whether it mixes small letters, capital letters and digits, as encoded values do."""
    return all(re.search(kind, value) for kind in ("[a-z]", "[A-Z]", "[0-9]"))
