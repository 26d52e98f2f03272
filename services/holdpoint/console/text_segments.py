"""A text as the screen shows it, in pieces: blank lines are folded, look-alike letters are named.

The words beside a piece are drawn as marks, not as text: nothing an agent writes passes for them.
"""

import re
from collections.abc import Iterable, Iterator

from holdpoint.core.text import bare
from holdpoint.messages.base import Value

FEWEST_BLANK = 3
"""Lines: two between functions are good manners, more of them push the rest out of sight."""

_BLANK = re.compile(rf"(?:^[^\S\n]*\n){{{FEWEST_BLANK - 1},}}[^\S\n]*$", re.MULTILINE)
_WORD = re.compile(r"\S+")


class Piece(Value, frozen=True, kw_only=True):
    """Some of a text, and what is said of it."""

    text: str
    blank: str = ""
    """Stands for lines with nothing on them: how many."""

    alike: str = ""
    """The number of a letter that looks like another one: `U+0430`."""


def pieces_of(text: str) -> tuple[Piece, ...]:
    """The whole text, in order; nothing but blank lines is left out."""
    return tuple(piece for piece in _folded(text) if piece.text or piece.blank)


def marked(pieces: Iterable[Piece]) -> str:
    """The text with its marks, which stand in brackets that no keyboard has."""
    return "".join(f"⟦{it.blank}⟧" if it.blank else _numbered(it) for it in pieces)


def numbered(text: str) -> str:
    """The text with the number of each look-alike letter behind it; blank lines stay."""
    return text if text.isascii() else "".join(map(_numbered, _named(text)))


def _numbered(piece: Piece) -> str:
    return f"{piece.text}⟦{piece.alike}⟧" if piece.alike else piece.text


def _folded(text: str) -> Iterator[Piece]:
    done = 0
    for run in _BLANK.finditer(text):
        yield from _named(text[done : run.start()])
        lines = run[0].count("\n") + 1
        yield Piece(text="", blank=f"… {lines:,} blank lines")
        done = run.end()
    yield from _named(text[done:])


def _named(text: str) -> Iterator[Piece]:
    """Each look-alike in a word of Latin letters apart from the rest."""
    done = 0
    for place in _look_alikes(text):
        yield Piece(text=text[done:place])
        yield Piece(text=text[place], alike=f"U+{ord(text[place]):04X}")
        done = place + 1
    yield Piece(text=text[done:])


def _look_alikes(text: str) -> Iterator[int]:
    """Where they stand: in a word that the gate takes for disguised, whatever is not ASCII."""
    words = () if text.isascii() else _WORD.finditer(text)
    for word in words:
        if not word[0].isascii() and bare(word[0]).hidden:
            signs = enumerate(word[0], word.start())
            yield from (place for place, sign in signs if not sign.isascii() and sign.isalpha())
