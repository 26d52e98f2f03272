"""A text cut into sentences and words, with what is quoted marked: one pass, one regex."""

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from types import MappingProxyType

import msgspec

from holdpoint.core.risk.dialogue.cues import ANY, FIGURE, cue, cues_of, known
from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.extract.money import CURRENCIES
from holdpoint.core.risk.knowledge import by_word, words
from holdpoint.core.risk.words import ARTICLES

MAX_WORDS = 2_500
"""Words that are read: a long page; more of them make the text unreadable."""

MAX_BEGUN = 1_500
"""Words that are read of a text that has more: what else it says is not known in any case."""

MAX_PARTS = 600
"""Semicolons: no page has as many, and each begins a sentence."""

MAX_PIECE = 200
"""Characters without a blank that are read as words; what is longer is no word."""

_COINS = "(?:" + "|".join(sorted(CURRENCIES, key=len, reverse=True)) + ")"
"""Apart from the number that follows at once, as in `EUR500`; `W500` is one word."""

_piece = re.compile(
    r"(?P<word>[$€£¥₹₿]?\d(?:(?:[\d.,]|['\u2019](?=\d{3}))*\d)?[a-z%]*\w*(?:(?:\^|\*\*)\d+)?|"
    + _COINS
    + r"(?=\d)|"
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

    cues: int = ANY
    """Which readers it may concern."""

    def span(self, place: int) -> tuple[int, int]:
        """Where this word stands in the text."""
        start = self.starts[place]
        return start, start + len(self.words[place])

    def has(self, place: int) -> bool:
        """Whether this place of the text is between its first word and its last."""
        return self.starts[0] <= place < self.span(len(self.words) - 1)[1]

    def parts(self) -> Iterator[tuple[int, int]]:
        """Where each of its parts stands in the text, from comma to comma."""
        ends = [*sorted(self.commas - {0, len(self.words)}), len(self.words)]
        for first, end in pairwise([0, *ends]):
            yield self.starts[first], self.span(end - 1)[1]

    def since_comma(self, place: int) -> int:
        """Where the part of the sentence begins that this word stands in."""
        while place > 0 and self.commas and place not in self.commas:
            place -= 1
        return place if self.commas else 0


MAX_ASIDE = 12
MAX_BEHIND = 6
"""Words between two commas that are taken for an aside, and those behind it that are read."""


def aside_last(sentence: Sentence, first: int, end: int) -> list[str]:
    """`the export, including the addresses, to the vendor`: what stands between comes behind."""
    words = sentence.words
    opens = words.index("including", first)
    closes = min((one for one in sentence.commas if opens < one < opens + MAX_ASIDE), default=0)
    if opens not in sentence.commas or not closes:
        return words[first:end]
    return [*words[first:opens], *words[closes : closes + MAX_BEHIND], *words[opens:closes]]


def sentences(text: str) -> list[Sentence]:
    """The sentences of a folded text, each with at least one word."""
    found: list[Sentence] = []
    at, left = 0, MAX_BEGUN if too_long(text) else MAX_WORDS
    for line in text.splitlines(keepends=True):
        found += _in_line(line, at, left)
        at += len(line)
        left -= line.count(" ") + 1
        if left <= 0:
            break
    return found


def _in_line(line: str, offset: int, left: int) -> list[Sentence]:
    """Most pieces are a bare word, or one with a sign behind it: those need no regex."""
    found: list[Sentence] = []
    words, starts, commas, quoted, cues, inside = _begun()
    pieces = line.split(maxsplit=left)[:left]
    for piece, start in zip(pieces, _starts(line, offset, pieces), strict=False):
        bare, end, told = piece, "", known(piece)
        if told is None:
            bare, end, told = (piece, "", 0) if piece.isalpha() else _parted(piece)
        if told is None or inside:
            count = len(words)
            end, inside = _taken((words, starts, commas, quoted), piece, start, inside)
            cues |= cues_of(words[count:])
        else:
            words.append(bare)
            starts.append(start)
            cues |= told
            if end == ",":
                commas.add(len(words))
                end = ""
        if end and not (bare in _TITLES and end == "." and _is_named(line, start - offset)):
            _unquote(words, quoted, inside, line[start - offset + len(piece) :])
            found.append(Sentence(words, starts, commas, quoted, end[0], cues))
            words, starts, commas, quoted, cues, inside = _begun()
    _unquote(words, quoted, inside, "")
    found.append(Sentence(words, starts, commas, quoted, "", cues))
    return [_mended(one) if one.cues & MAY_LACK else one for one in found if one.words]


def _unquote(words: list[str], quoted: set[int], inside: str, rest: str) -> None:
    """What a mark opens that the rest of its line never closes is no quotation."""
    if inside and not _closes(inside, rest):
        place = len(words) - 1
        while place in quoted:
            quoted.discard(place)
            place -= 1


def _closes(mark: str, rest: str) -> bool:
    """Whether the next such mark ends a quotation: before one that begins stands a blank."""
    at = rest.find(mark)
    while mark == "'" and at > 0 and rest[at + 1 : at + 2].isalnum() and rest[at - 1].isalnum():
        at = rest.find(mark, at + 1)
    return at >= 0 and not rest[:at][-1:].isspace()


_TITLES = frozenset({"mr", "mrs", "ms", "dr", "prof"})


def _is_named(line: str, at: int) -> bool:
    """Whether a name follows: `Dr. Chen`; not `ask the Dr. Deleting all of them now`."""
    behind = line[at : at + MAX_PIECE].split(maxsplit=2)[1:2]
    name = behind[0].rstrip(",.;:!?)'") if behind else ""
    return name.isalpha() and not (name in SPOKEN or name.endswith("ing"))


_Row = tuple[list[str], list[int], set[int], set[int]]
"""The words of a sentence that still goes on, their starts, its commas, what is quoted."""


def _begun() -> tuple[list[str], list[int], set[int], set[int], int, str]:
    """A sentence without words: no cue is known, no quotation open."""
    return [], [], set(), set(), 0, ""


def _mended(sentence: Sentence) -> Sentence:
    add_apostrophes(sentence.words)
    return msgspec.structs.replace(sentence, cues=cues_of(sentence.words))


def _starts(line: str, offset: int, pieces: list[str]) -> Iterable[int]:
    """Where each piece begins: their lengths say so where single blanks part them."""
    lengths = [len(piece) + 1 for piece in pieces]
    if sum(lengths) == len(line.rstrip()) + 1:
        return accumulate(lengths, initial=offset)
    starts, at = [], 0
    for piece in pieces:
        at = line.index(piece, at)
        starts.append(offset + at)
        at += len(piece)
    return starts


_SIMPLE = frozenset(",.!?;:")


def _parted(piece: str) -> tuple[str, str, int | None]:
    """A bare word or number, the sign behind it, and its cues: None when there is more to it."""
    end = piece[-1]
    if end not in _SIMPLE or piece[0] == "&":  # which is a word by itself alone
        return piece, "", _figure(piece)
    bare = piece[:-1]
    told = known(bare)
    if told is None:
        told = 0 if bare.isalpha() else _figure(bare)
    return bare, end, told


def _figure(bare: str) -> int | None:
    return FIGURE if bare.isdecimal() and len(bare) <= MAX_PIECE else None


def _taken(row: _Row, piece: str, offset: int, inside: str) -> tuple[str, str]:
    """Every part of a piece; what ends the sentence, and the quotation that is open behind it."""
    words, starts, commas, quoted = row
    end = ""
    if piece[0] in _BEHIND_A_NUMBER and words and words[-1][0].isdecimal():
        words[-1] = _with_sign(words[-1], piece)
    for match in _piece.finditer(piece[:MAX_PIECE]):
        kind, said = match.lastgroup, match.group()
        if kind == "word":
            if inside:
                quoted.add(len(words))
            words.append(said)
            starts.append(offset + match.start())
        elif kind == "comma":
            commas.add(len(words))
        elif kind == "end":
            end = "" if piece.strip("(,)") in _SHORT else said
        elif said == inside and match.start() == 0 and piece[1:2].isalnum():
            _unquote(words, quoted, inside, "")
        else:
            inside = _toggled(inside, said)
    return end, inside


_BEHIND_A_NUMBER = frozenset("%$€£¥₹₿")


def _with_sign(number: str, piece: str) -> str:
    """`40 %` as `40%`, `950 €.` as `€950`; `5 $20` are two numbers."""
    if piece[0] == "%":
        return f"{number}%" if number.isdecimal() else number
    return f"{piece[0]}{number}" if not piece[1:].strip(".,;:!?)\"'") else number


_SHORT = frozenset({"e.g.", "i.e.", "etc.", "vs.", "approx.", "no."})
"""Their last full stop ends no sentence."""


def _toggled(inside: str, mark: str) -> str:
    """What quotation the text is in after this mark."""
    if not inside:
        return mark
    return "" if inside == mark else inside


def too_long(text: str) -> bool:
    """Whether a text has more words, or more parts of sentences, than are read."""
    if len(text) <= MAX_WORDS:
        return False
    return text.count(";") > MAX_PARTS or len(text.split(maxsplit=MAX_WORDS)) > MAX_WORDS


_NEGATED = words("words/dialogue:contractions.negated")
_ALWAYS: MappingProxyType[str, str] = MappingProxyType(
    {word: f"{word[:-1]}'t" for word in _NEGATED}
    | dict(by_word("words/dialogue:contractions.always"))
)
_AM_WHAT = words("words/dialogue:contractions.am_what")
_WOULD_WHAT = words("words/dialogue:contractions.would_what")
_SICK_BEFORE = ARTICLES | words("words/dialogue:contractions.sick_before")
_SICK_AFTER = words("words/dialogue:contractions.sick_after")
_MAY_LACK = frozenset(_ALWAYS) | {"ill", "im", "id"}
MAY_LACK = cue(_MAY_LACK)


def add_apostrophes(words: list[str]) -> None:
    """Put back each apostrophe that can only be missing: `ill set it`, `dont`, `im gonna`.

    The last word stays as it is.
    """
    for place, word in enumerate(words[:-1]):
        if word in _MAY_LACK:
            words[place] = _with_apostrophe(words, place)


def _with_apostrophe(words: list[str], place: int) -> str:
    word, follows = words[place], words[place + 1]
    if word == "ill":
        before = words[place - 1] if place else ""
        return word if before in _SICK_BEFORE or follows in _SICK_AFTER else "i'll"
    if word == "im":
        return "i'm" if follows in _AM_WHAT or follows.endswith("ing") else word
    if word == "id":
        wishes = follows == "like" and words[place + 2 : place + 3] in (["to"], ["you"], ["your"])
        return "i'd" if wishes or follows in _WOULD_WHAT else word
    return _ALWAYS[word]
