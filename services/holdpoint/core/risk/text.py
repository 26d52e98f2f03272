"""The text that patterns see: NFKC, case-folded, invisible characters out, positions kept."""

import re
import unicodedata

import msgspec
import re2

MAX_TEXT = 64 * 1024
"""Characters that are scanned: as many as arguments have bytes."""

MAX_FOREIGN = 32 * 1024
"""Characters of a text that is not plain ASCII: each takes longer."""

CHUNK = 1024
"""Characters that are normalised at once: it may make each eighteen times longer."""

MAX_INVISIBLE = 500
"""Characters that nobody sees; more of them are no accident, and their places are not kept."""

_marks = re2.compile(r"\pM{31,}")
"""More combining marks in a row than Unicode's stream-safe form allows (UAX 15: 30): sorting
them is quadratic, so such a text is not normalised."""


_invisible = re.compile(
    "[\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f"
    "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
)
"""Unicode's category Cf, and marks that no letter takes up: strokes through words.

RE2 would be slow here: it counts bytes anew at each place."""

_SIGNS = str.maketrans("‘’‛ʼ“”‐‑‒–—―٬٫", "''''\"\"------,.")  # noqa: RUF001  # curly to straight
_LETTERS = str.maketrans(
    "аеорсухіјѕԁһӏԛԝοανιρτυκ",  # Cyrillic and Greek
    "aeopcyxijsdhlqwoaviptuk",
)
_look_alike = re.compile("[аеорсухіјѕԁһӏԛԝοανιρτυκ]")
_foreign_digit = re.compile(r"[^\D0-9]")
"""Unicode's category Nd: RE2's `\\d` knows only ASCII's."""

_word = re.compile(r"\w+")
_latin = re.compile("[a-z]")


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
    cut = whole_characters(text[:MAX_TEXT])
    if cut.isascii():
        return Folded(nfkc=cut, folded=cut.lower(), origin=None, readable=len(text) <= MAX_TEXT)
    short = cut[:MAX_FOREIGN]
    tangled = _marks.search(short) is not None
    whole = short if tangled else _normalised(short)
    nfkc = whole[:MAX_FOREIGN]
    hidden = len(_invisible.findall(nfkc))
    if hidden > MAX_INVISIBLE:
        nfkc = str(_invisible.sub("", nfkc))
    folded, origin = _casefold(nfkc)
    fits = len(text) <= MAX_FOREIGN and len(whole) <= MAX_FOREIGN
    readable = not tangled and fits and hidden <= MAX_INVISIBLE
    return Folded(nfkc=nfkc, folded=folded, origin=origin, readable=readable)


def whole_characters(text: str) -> str:
    """With a question mark for each half of a character: no engine takes those."""
    return text.encode(errors="replace").decode()


def _casefold(text: str) -> tuple[str, tuple[int, ...] | None]:
    """In lower case, without invisible characters, look-alikes as the letters they imitate."""
    whole = text.casefold()
    if len(whole) == len(text) and not _invisible.search(text):
        return _unmasked(whole), None
    parts: list[str] = []
    origin: list[int] = []
    at = 0
    for seen in (*_invisible.finditer(text), None):
        end = seen.start() if seen else len(text)
        _append(text[at:end], at, parts, origin)
        at = seen.end() if seen else end
    return _unmasked("".join(parts)), tuple(origin)


def _append(piece: str, at: int, parts: list[str], origin: list[int]) -> None:
    """A piece without invisible characters; most of them keep their length."""
    folded = piece.casefold()
    parts.append(folded)
    if len(folded) == len(piece):
        origin.extend(range(at, at + len(piece)))
        return
    for place, char in enumerate(piece, start=at):
        origin.extend([place] * len(char.casefold()))


def _unmasked(text: str) -> str:
    """One for one, so that places stay."""
    plain = _in_figures(text.translate(_SIGNS))
    return _word.sub(_in_latin, plain) if _look_alike.search(plain) else plain


def _in_figures(text: str) -> str:
    """Every script's decimal digits as 0 to 9."""
    foreign = set(_foreign_digit.findall(text))
    figures = {ord(digit): str(unicodedata.decimal(digit)) for digit in foreign}
    return text.translate(figures) if figures else text


def _in_latin(word: re.Match[str]) -> str:
    """Only in a word with a Latin letter do look-alikes stand for what they imitate."""
    said = word.group()
    masked = not said.isascii() and _latin.search(said)
    return said.translate(_LETTERS) if masked else said


def _normalised(text: str) -> str:
    """NFKC, piece by piece, until there is more than is read."""
    if unicodedata.is_normalized("NFKC", text):
        return text
    parts: list[str] = []
    at, length = 0, 0
    while at < len(text) and length <= MAX_FOREIGN:
        end = _border(text, at + CHUNK)
        parts.append(unicodedata.normalize("NFKC", text[at:end]))
        length += len(parts[-1])
        at = end
    return "".join(parts)


def _border(text: str, place: int) -> int:
    """The next place where a piece may end: before a plain character, nothing is composed."""
    near = range(place, min(place + CHUNK, len(text)))
    return next((at for at in near if text[at].isascii()), min(place + CHUNK, len(text)))
