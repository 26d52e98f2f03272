"""The text that patterns see: NFKC, case-folded, invisible characters out, positions kept."""

import unicodedata

import msgspec
import re2

MAX_TEXT = 256 * 1024
"""Characters that are scanned: as many as a whole message has bytes."""

_marks = re2.compile(r"\pM{31,}")
"""More combining marks in a row than Unicode's stream-safe form allows (UAX 15: 30): sorting
them is quadratic, so such a text is not normalised."""


class Folded(msgspec.Struct, frozen=True, kw_only=True):
    """A text as assessed, and as patterns see it."""

    nfkc: str
    folded: str
    origin: tuple[int, ...] | None
    """For each folded character its place in `nfkc`; None when both run in step."""

    readable: bool
    """False when it was cut at the cap or could not be normalised: the risk goes up."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """A span of the folded text in characters of the NFKC text."""
        if self.origin is None or start == end:
            return (start, end)
        return (self.origin[start], self.origin[end - 1] + 1)


def fold(text: str) -> Folded:
    """Fold it; linear in the text, whatever is in it."""
    cut = text[:MAX_TEXT].encode(errors="replace").decode()
    if cut.isascii():
        return Folded(nfkc=cut, folded=cut.lower(), origin=None, readable=len(text) <= MAX_TEXT)
    tangled = _marks.search(cut) is not None
    whole = cut if tangled else unicodedata.normalize("NFKC", cut)
    nfkc = whole[:MAX_TEXT]
    folded, origin = _casefold(nfkc)
    readable = not tangled and len(text) <= MAX_TEXT and len(whole) <= MAX_TEXT
    return Folded(nfkc=nfkc, folded=folded, origin=origin, readable=readable)


def _casefold(text: str) -> tuple[str, tuple[int, ...]]:
    parts: list[str] = []
    origin: list[int] = []
    for place, char in enumerate(text):
        if unicodedata.category(char) != "Cf":
            part = char.casefold()
            parts.append(part)
            origin.extend([place] * len(part))
    return "".join(parts), tuple(origin)
