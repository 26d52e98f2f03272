"""A text cut into sentences and words, with what is quoted marked: one pass, one regex."""

import re
from collections.abc import Iterator

import msgspec

from holdpoint.core.risk.dialogue.contractions import mend
from holdpoint.core.risk.money import CURRENCIES

MAX_WORDS = 2_500
"""Words that are read: a long page; more of them make the text unreadable."""

MAX_PIECE = 200
"""Characters without a blank that are read as words; what is longer is no word."""

_COINS = "(?:" + "|".join(sorted(CURRENCIES, key=len, reverse=True)) + ")"
"""Apart from the number that follows at once, as in `EUR500`; `W500` is one word."""

_piece = re.compile(
    r"(?P<word>[$€£¥₹₿]?\d(?:[\d.,]*\d)?[a-z%]*\w*(?:(?:\^|\*\*)\d+)?|" + _COINS + r"(?=\d)|"
    r"[^\W\d_]+(?:\d\w*|['_-](?=\w)\w+)*|&(?=\Z))"
    r"|(?P<end>[.!?]+(?=[\"')\]]*\Z)|;|:\Z)|(?P<comma>[,()]|-(?=-|\Z))|(?P<quote>[\"`])"
    r"|(?P<single>\A'(?=.)|'(?=[.,;:!?)]*\Z))"
)
"""What stands in one piece between blanks. Each alternative is decided by its first characters,
so `re` never goes back over a text."""


class Sentence(msgspec.Struct, frozen=True):
    """A row of words between two full stops, and where they stand in the text."""

    words: list[str]
    starts: list[int]
    commas: set[int]
    """Words before which a comma, bracket or dash stands."""

    quoted: set[int]
    end: str = ""
    """What closes it: `.`, `?`, `:`, or nothing."""

    def span(self, place: int) -> tuple[int, int]:
        """Where this word stands in the text."""
        start = self.starts[place]
        return start, start + len(self.words[place])

    def since_comma(self, place: int) -> int:
        """Where the part of the sentence begins that this word stands in."""
        if not self.commas:
            return 0
        return next((at for at in range(place, 0, -1) if at in self.commas), 0)


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a folded text, each with at least one word."""
    at, left = 0, MAX_WORDS
    for line in text.splitlines(keepends=True):
        for sentence in _in_line(line, at, left):
            mend(sentence.words)
            yield sentence
        at += len(line)
        left -= line.count(" ") + 1
        if left <= 0:
            return


def _in_line(line: str, offset: int, left: int) -> Iterator[Sentence]:
    """Most pieces are a bare word, or one with a sign behind it: those need no regex."""
    current, inside, at = Sentence([], [], set(), set()), "", 0
    words, starts = current.words, current.starts
    for piece in line.split(maxsplit=left)[:left]:
        start = line.index(piece, at)
        at = start + len(piece)
        if not inside and (piece.isalpha() or _is_figure(piece)):
            words.append(piece)
            starts.append(offset + start)
            continue
        sign = None if inside else _simple(piece)
        if sign:
            _add(current, piece, sign, offset + start)
            end = sign if sign != "," else ""
        else:
            end, inside = _taken(current, piece, offset + start, inside)
        if end:
            if words:
                yield Sentence(words, starts, current.commas, current.quoted, end[0])
            current, inside = Sentence([], [], set(), set()), ""
            words, starts = current.words, current.starts
    if words:
        yield current


def _simple(piece: str) -> str | None:
    """The sign behind a bare word; None when there is more to it."""
    if piece[-1] not in _SIMPLE:
        return None
    bare = piece[:-1]
    return piece[-1] if bare.isalpha() or _is_figure(bare) else None


def _is_figure(piece: str) -> bool:
    return piece.isdecimal() and len(piece) <= MAX_PIECE


_SIMPLE = frozenset(",.!?;:")


def _add(current: Sentence, piece: str, sign: str, start: int) -> None:
    end = len(piece) - len(sign)
    current.words.append(piece[:end])
    current.starts.append(start)
    if sign == ",":
        current.commas.add(len(current.words))


def _taken(current: Sentence, piece: str, offset: int, inside: str) -> tuple[str, str]:
    """Every part of a piece; what ends the sentence, and the quotation that is open behind it."""
    end = ""
    if piece[0] == "%" and current.words and current.words[-1].isdecimal():
        current.words[-1] += "%"
    for match in _piece.finditer(piece[:MAX_PIECE]):
        kind, said = match.lastgroup, match.group()
        if kind == "word":
            if inside:
                current.quoted.add(len(current.words))
            current.words.append(said)
            current.starts.append(offset + match.start())
        elif kind == "comma":
            current.commas.add(len(current.words))
        elif kind == "end":
            end = "" if piece.strip("(,)") in _SHORT else said
        else:
            inside = _toggled(inside, said)
    return end, inside


_SHORT = frozenset({"e.g.", "i.e.", "etc.", "vs.", "approx.", "no."})
"""Their last full stop ends no sentence."""


def _toggled(inside: str, mark: str) -> str:
    """What quotation the text is in after this mark."""
    if not inside:
        return mark
    return "" if inside == mark else inside


def too_long(text: str) -> bool:
    """Whether a text has more words than are read."""
    return len(text) > MAX_WORDS and len(text.split(maxsplit=MAX_WORDS)) > MAX_WORDS
