"""Words as the numbers that the model knows: BERT's uncased WordPiece, in plain Python."""

import re
import unicodedata
from collections.abc import Iterator

from holdpoint.core.memoize import memoize

MAX_WORD = 100
"""Characters of a word that is taken apart; a longer one is unknown."""

_IDEOGRAPHS = (
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)  # fmt: skip
_SIGNS = ((33, 47), (58, 64), (91, 96), (123, 126))
"""ASCII that counts as punctuation, though Unicode calls some of it symbols."""

REMEMBERED = 4096
"""Words and characters of which it is remembered what they come to: each is met again and again."""

_ascii_words = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")
_unseen = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+")


class WordPiece:
    """Numbers of a text's pieces, by a vocabulary that lists a piece on each line."""

    def __init__(self, vocabulary: str) -> None:
        self._ids = {piece: at for at, piece in enumerate(vocabulary.splitlines())}
        self._pieces = memoize(REMEMBERED)(self._taken_apart)
        self.first, self.last, self._unknown = (
            self._ids[name] for name in ("[CLS]", "[SEP]", "[UNK]")
        )

    def ids(self, text: str) -> list[int]:
        """Return the numbers of a text's pieces, without those that begin and end it."""
        return [piece for word in words_in(text) for piece in self._pieces(word)]

    def _taken_apart(self, word: str) -> list[int]:
        """Return the longest pieces from the left; one unknown if the rest fits nothing."""
        found: list[int] = []
        start = 0 if len(word) <= MAX_WORD else len(word) + 1
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                if (piece := self._ids.get(mark + word[start:end])) is not None:
                    found.append(piece)
                    start = end
                    break
            else:
                return [self._unknown]
        return found or [self._unknown]


def words_in(text: str) -> Iterator[str]:
    """Yield words in lower case without accents; each sign and ideograph is a word."""
    if text.isascii():
        yield from _ascii_words.findall(_unseen.sub("", text).lower())
        return
    for word in "".join(map(_kept, text)).split():
        yield from "".join(map(_spaced, unicodedata.normalize("NFD", word.lower()))).split()


@memoize(REMEMBERED)
def _kept(one: str) -> str:
    """Return a character, a blank for one that separates words, or nothing."""
    code = ord(one)
    if code in {0, 0xFFFD}:
        return ""
    if one in "\t\n\r":
        return " "
    kind = unicodedata.category(one)
    if kind.startswith("C"):
        return ""
    if kind == "Zs":
        return " "
    return f" {one} " if _within(code, _IDEOGRAPHS) else one


@memoize(REMEMBERED)
def _spaced(one: str) -> str:
    """Return a letter, a sign between blanks, or nothing for an accent."""
    kind = unicodedata.category(one)
    if kind == "Mn":
        return ""
    return f" {one} " if _within(ord(one), _SIGNS) or kind.startswith("P") else one


def _within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)
