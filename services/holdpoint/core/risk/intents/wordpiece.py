"""Words as the numbers that the model knows: BERT's uncased WordPiece, in plain Python."""

import unicodedata
from collections.abc import Iterator

MAX_WORD = 100
"""Characters of a word that is taken apart; a longer one is unknown."""

_IDEOGRAPHS = (
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)  # fmt: skip
_SIGNS = ((33, 47), (58, 64), (91, 96), (123, 126))
"""ASCII that counts as punctuation, though Unicode calls some of it symbols."""


class WordPiece:
    """Numbers of a text's pieces, by a vocabulary that lists a piece on each line."""

    def __init__(self, vocabulary: str) -> None:
        self._ids = {piece: at for at, piece in enumerate(vocabulary.splitlines())}
        self.first, self.last, self._unknown = (
            self._ids[name] for name in ("[CLS]", "[SEP]", "[UNK]")
        )

    def ids(self, text: str) -> list[int]:
        """Return the numbers of a text's pieces, without those that begin and end it."""
        return [piece for word in words_in(text) for piece in self._pieces(word)]

    def _pieces(self, word: str) -> list[int]:
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
    spaced = "".join(_kept(one) for one in text)
    for word in spaced.split():
        plain = (one for one in unicodedata.normalize("NFD", word.lower()))
        yield from _apart([one for one in plain if unicodedata.category(one) != "Mn"])


def _kept(one: str) -> str:
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


def _apart(word: list[str]) -> Iterator[str]:
    """Yield runs of letters, and each sign by itself."""
    start = 0
    for at, one in enumerate(word):
        if _within(ord(one), _SIGNS) or unicodedata.category(one).startswith("P"):
            if start < at:
                yield "".join(word[start:at])
            yield one
            start = at + 1
    if start < len(word):
        yield "".join(word[start:])


def _within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)
