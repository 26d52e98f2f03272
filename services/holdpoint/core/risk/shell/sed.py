"""Scripts of sed: which texts they put where others stood, and what they hand to a shell."""

import re
from collections.abc import Iterator

from holdpoint.core.risk.shell.model import FILL, UNWORKED

_address = re.compile(r"[\s;{}!0-9,$~+]*(?:/(?:[^/\\]|\\.)*/[\s,!I]*)*[\s;{}!0-9,$~+]*")


_end = re.compile(r"[;\n}]|$")


def runs(script: str) -> Iterator[str]:
    """What a script hands to a shell."""
    at = 0
    while at < len(script):
        first = not at
        at = _address.match(script, at).end()  # type: ignore[union-attr]  # it fits everywhere
        letter = script[at : at + 1]
        if letter == "s" and at + 1 < len(script):
            parts, at = _substitution(script, at + 1)
            flags = re.match(r"[a-zA-Z0-9]*", script[at:])
            if flags and "e" in flags[0]:
                yield _fields.sub(FILL, re.sub(r"\\(?![&\d])", "", parts[1]))
        elif letter == "e" and script[at + 1 : at + 2] in {" ", "\t"}:
            yield script[at + 2 :].partition("\n")[0]
        elif letter == "e" and script[at + 1 : at + 2] in _ENDS:
            yield FILL if first else UNWORKED
        end = _end.search(script, at)
        at = end.end() if end and end.end() > at else at + 1


_fields = re.compile(r"(?<!\\)&|\\\d")
"""What was found, or a part of it, in what is put in its place."""

_ENDS = frozenset({"", ";", "}", "\n"})


def edits(script: str) -> Iterator[tuple[str, str]]:
    """The plain text that goes, empty if only sed can tell, and what stands there from now on."""
    at = 0
    while at < len(script):
        at = _address.match(script, at).end()  # type: ignore[union-attr]  # it fits everywhere
        letter = script[at : at + 1]
        if letter == "s" and at + 1 < len(script):
            (old, new, *_), at = _substitution(script, at + 1)
            found = "" if _pattern.search(old) else _escaped.sub(r"\1", old)
            yield found, _put(new.replace("&", found))
        elif letter in _ADDS:
            text = script[at + 1 :].lstrip(" \\\n\t")
            yield "", _put(text)
            return
        end = _end.search(script, at)
        at = end.end() if end and end.end() > at else at + 1


_ADDS = frozenset({"a", "i", "c"})
_pattern = re.compile(r"[.*^$\[\]]|\\[(+?|1-9wWsSbB<>]")
"""What makes a pattern of a text."""

_escaped = re.compile(r"\\(.)")


def _put(text: str) -> str:
    return _escaped.sub(r"\1", text.replace("\\n", "\n").replace("\\t", "\t"))


def _substitution(script: str, at: int) -> tuple[list[str], int]:
    """The two parts of `s/…/…/`, with any sign between them, and where its flags begin."""
    sign = script[at]
    parts: list[str] = []
    start = place = at + 1
    end = len(script)
    while place < end and len(parts) < PARTS:
        letter = script[place]
        if letter == "\\":
            place += 1
        elif letter == sign:
            parts.append(script[start:place])
            start = place + 1
        place += 1
    return [*parts, "", ""], place


PARTS = 2
"""What goes, and what stands there instead."""
