"""Text normalization: what patterns see, and texts without look-alikes or invisible characters.

`fold` is NFKC and case-folded with invisible characters out, for patterns; `bare` and `unhidden`
undo disguises for the readers. Positions in the given text are kept.
"""

import re
import unicodedata
from itertools import chain, count, repeat
from unicodedata import category, decomposition

import msgspec

from holdpoint.core.memoize import memoize
from holdpoint.core.prefilter import prefilter

MAX_TEXT = 64 * 1024
"""Characters that are scanned: as many as arguments have bytes."""

MAX_FOREIGN = 32 * 1024
"""Characters of a text that is not plain ASCII: each takes longer."""

CHUNK = 1024
"""Characters that are normalised at once: it may make each eighteen times longer."""

MAX_INVISIBLE = 500
"""Characters that nobody sees; more of them are no accident, and their places are not kept."""

TOO_LONG = "the text is too long to be read"
TANGLED = "the text has too many combining marks in a row to be read"
HIDDEN = "the text has too many hidden characters to be read"

_is_tangled = prefilter(r"\pM{31,}")
"""More combining marks in a row than Unicode's stream-safe form allows (UAX 15: 30): sorting
them is quadratic, so such a text is not normalised."""

_invisible = re.compile(
    "[\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f"
    "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
)
"""Unicode's category Cf, and marks that no letter takes up: strokes through words.

RE2 would be slow here: it counts bytes again at each place."""

_SIGNS = str.maketrans("‘’‛ʼ“”‐‑‒–—―٬٫", "''''\"\"------,.")  # noqa: RUF001  # curly to straight
LATIN_LOOKS = str.maketrans(
    "аеорсухіјѕԁһӏԛԝοανιρτυκ",  # Cyrillic and Greek
    "aeopcyxijsdhlqwoaviptuk",
)
"""Letters of other scripts, and the Latin ones that they look like."""

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

    unread: str = ""
    """Why it cannot be read whole: the risk goes up. Empty where it can."""

    @property
    def readable(self) -> bool:
        """Return whether it was neither cut at the cap nor impossible to normalise."""
        return not self.unread

    def span(self, start: int, end: int) -> tuple[int, int]:
        """A span of the folded text in characters of the NFKC text."""
        if self.origin is None or start == end:
            return (start, end)
        return (self.origin[start], self.origin[end - 1] + 1)


def fold(text: str) -> Folded:
    """Fold it; linear in the text, whatever is in it."""
    cut = whole_characters(text[:MAX_TEXT])
    if cut.isascii():
        unread = "" if len(text) <= MAX_TEXT else TOO_LONG
        return Folded(nfkc=cut, folded=cut.lower(), origin=None, unread=unread)
    short = cut[:MAX_FOREIGN]
    tangled = _is_tangled(short)
    whole = short if tangled else _normalised(short)
    nfkc = whole[:MAX_FOREIGN]
    hidden = len(_invisible.findall(nfkc))
    if hidden > MAX_INVISIBLE:
        nfkc = str(_invisible.sub("", nfkc))
    folded, origin = _casefold(nfkc)
    unread = "" if len(text) <= MAX_FOREIGN and len(whole) <= MAX_FOREIGN else TOO_LONG
    unread = HIDDEN if hidden > MAX_INVISIBLE else unread
    unread = TANGLED if tangled else unread
    return Folded(nfkc=nfkc, folded=folded, origin=origin, unread=unread)


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
    plain = text.translate(_SIGNS)
    if foreign := set(_foreign_digit.findall(plain)):
        plain = plain.translate({ord(one): str(unicodedata.decimal(one)) for one in foreign})
    return _word.sub(_in_latin, plain) if _look_alike.search(plain) else plain


def _in_latin(word: re.Match[str]) -> str:
    """Only in a word with a Latin letter do look-alikes stand for what they imitate."""
    said = word.group()
    masked = not said.isascii() and _latin.search(said)
    return said.translate(LATIN_LOOKS) if masked else said


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


_CYRILLIC_GREEK = dict(
    zip(
        "асеорхуіјѕԁһԛԝкмтпвнАВЕКМНОРСТУХІЈЅԌԚԜгɡοαρτυνικεχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
        "aceopxyijsdhqwkmtnbhABEKMHOPCTYXIJSGQWrgoaptuvikexABEZHIKMNOPTYX",
        strict=True,
    )
)
_LOOK_ALIKE_SIGNS = {
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "﹣": "-", "－": "-",  # noqa: RUF001
    "∕": "/", "⁄": "/", "／": "/", "∣": "|", "｜": "|", "；": ";", "＆": "&", "＞": ">",  # noqa: RUF001
    "＜": "<", "＄": "$", "∗": "*", "＊": "*", "∼": "~", "～": "~", "․": ".", "ꓸ": ".",  # noqa: RUF001
    "\u00a0": " ", "\u2028": "\n", "\u2029": "\n",
}  # fmt: skip
_LOOK_ALIKES = {**_CYRILLIC_GREEK, **_LOOK_ALIKE_SIGNS}
_controls = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)")
"""What nobody types: bash drops a NUL, and a terminal takes a return as Enter."""

_not_ascii = re.compile(rf"{_controls.pattern}|[^\x00-\x7f]")
"""The same, and whatever may look like another character."""

MAX_SIGNS = 4096
"""Characters beyond ASCII of which it is remembered how they look."""


class Bare(msgspec.Struct, frozen=True):
    """A text without disguise."""

    text: str
    origin: tuple[int, ...] | None
    """For each character its place in the given text; None when both run in step."""

    hidden: bool
    """Whether invisible characters or look-alikes of letters stood in it."""

    written: str = ""
    """The same with letters for signs of a language that only its folding made, and for those that
    lost what stood before them: a shell takes `\uff02` for a letter. Empty where it is the same.
    """

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The same stretch of the given text."""
        if self.origin is None or not self.origin:
            return start, end
        last = len(self.origin) - 1
        return self.origin[min(start, last)], self.origin[min(max(end - 1, start), last)] + 1


def bare(text: str) -> Bare:
    """Fold it; printable ASCII needs nothing."""
    if is_plain(text):
        return Bare(text, None, hidden=False)
    looks = _looks(text)
    if not looks:
        return Bare(text, None, hidden=False)
    shown = [*map({sign: seen for sign, (seen, _) in looks.items()}.get, text, text)]
    for kept in _line_end.finditer(text) if "\r" in looks else ():
        shown[kept.start()] = "\r"
    masks = frozenset(sign for sign, (_, disguised) in looks.items() if disguised)
    hidden = any(map(str.isascii, masks)) or (bool(masks) and _mixed(text, masks))
    written = _as_written(text, shown)
    if all(len(seen) == 1 for seen, _ in looks.values()):
        return Bare("".join(shown), None, hidden=hidden, written=written)
    origin = tuple(chain.from_iterable(map(repeat, count(), map(len, shown))))
    return Bare("".join(shown), origin, hidden=hidden, written=written)


def _as_written(text: str, shown: list[str]) -> str:
    """Return it with letters for syntax that folding made; empty where it made none."""
    made = [
        seen if sign.isascii() else _syntax.sub("x", seen)
        for sign, seen in zip(text, shown, strict=True)
    ]
    for at, sign in enumerate(text):
        if sign == "#" and at and not text[at - 1].isascii() and not shown[at - 1]:
            made[at] = "x"
    return "".join(made) if made != shown else ""


_syntax = re.compile(r"[^\w.,:@%+]", re.ASCII)


def as_letters(text: str) -> str:
    """Return it with a letter for each sign that folding takes away or makes syntax of."""
    looks = {} if text.isascii() else _looks(text)
    folds = {
        ord(sign): "x"
        for sign, (seen, _) in looks.items()
        if not sign.isascii() and (not seen or _syntax.search(seen))
    }
    return text.translate(folds) if folds else text


def _looks(text: str) -> dict[str, tuple[str, bool]]:
    """Return what is not as it looks: what it looks like, and whether that hides something."""
    odd = frozenset(_not_ascii.findall(text))
    may = (  # all that Unicode writes in another way, and what is no sign at all
        one
        for one in odd
        if one in _LOOK_ALIKES or category(one) in _UNSEEN or decomposition(one) != ""
    )
    found = ((one, _controlled(one) if one.isascii() else _look_of(one)) for one in may)
    return {one: seen for one, seen in found if seen != (one, False)}


_UNSEEN = frozenset({"Cc", "Cf", "Mn", "Co", "Cs"})
_latin_letter = re.compile("[A-Za-z\u0130\u212a]")
_line_end = re.compile("\r\n")


def unhidden(text: str) -> str:
    """A text inside another, without disguise; the holes that the walk made stay."""
    odd = filter(_not_ascii.match, _signs(text))  # each sign is asked about once
    looks = {ord(sign): shown for sign in odd if (shown := _without_disguise(sign)) != sign}
    return text.translate(looks) if looks else text


def _signs(text: str) -> set[str]:
    """Return each sign of a text once. A text of a few signs is emptied of them one by one, which
    is a hundred times quicker than to make a string of each character.
    """
    signs: set[str] = set()
    while text and len(signs) < FEW_SIGNS:
        signs.add(text[0])
        text = text.replace(text[0], "")
    return signs.union(text)


FEW_SIGNS = 8


def _without_disguise(sign: str) -> str:
    if sign in _UNKNOWN_MARKS:
        return sign
    return (_controlled(sign) if sign.isascii() else _look_of(sign))[0]


def is_plain(text: str) -> bool:
    """Return whether nothing can hide in it."""
    if not text.isascii():
        return False
    printed = text.replace("\n", "").replace("\t", "")
    return printed.isprintable() or _controls.search(text) is None


_UNKNOWN_MARKS = frozenset({"\ue000", "\ue001"})
"""What the shell reader writes around values that nobody can know."""


def _controlled(sign: str) -> tuple[str, bool]:
    return "\n" if sign == "\r" else "", True


@memoize(MAX_SIGNS)
def _look_of(sign: str) -> tuple[str, bool]:
    """Return what a character beyond ASCII looks like, and whether that is not what it is."""
    if sign in _LOOK_ALIKES:
        return _LOOK_ALIKES[sign], sign in _CYRILLIC_GREEK
    if unicodedata.category(sign) == "Cs":
        return "?", False
    if unicodedata.category(sign) in {"Cf", "Mn", "Co"}:
        return "", unicodedata.category(sign) == "Cf" and sign != "\ufeff"
    folded = unicodedata.normalize("NFKC", sign)
    return (folded, folded.isalpha()) if folded.isascii() else (sign, False)


def _mixed(text: str, masks: frozenset[str]) -> bool:
    """Return whether look-alikes stand among Latin letters in one word, or nothing can be seen of
    them.
    """
    return any(
        not masks.isdisjoint(word) and _latin_letter.search(word) is not None
        for word in text.split()
    )


CUT = "…"


def beginning(text: str, most: int) -> str:
    """At most so many characters of a text, from its beginning."""
    return text if len(text) <= most else f"{text[: most - 1]}{CUT}"


def printable(text: str) -> str:
    """The same with a blank for each line break and sign that nobody sees."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else " " for char in text)


def both_ends(text: str, most: int) -> str:
    """At most so many characters of a command: its beginning, and its last words."""
    if len(text) <= most:
        return text
    kept = most - 1
    end = text[len(text) - kept // 3 :] if kept > MIN_ENDS else ""
    border = end.find(" ", 0, len(end) // 2)
    end = end[max(border, 0) :]
    return f"{text[: kept - len(end)]}{CUT}{end}"


MIN_ENDS = 12
"""Characters below which two ends would tell nothing."""


def whereabouts(target: str, most: int) -> str:
    """At most so many characters of a target: the end of a path; both ends of a host or address."""
    if len(target) <= most:
        return target
    if "/" not in target or "://" in target:
        head = (most - 1) // 2  # a host says who it is at its end, an address at its beginning
        return f"{target[:head]}{CUT}{target[len(target) - most + 1 + head :]}"
    end = target[1 - most :]
    border = end.find("/", 0, most // 2)
    return f"{CUT}{end[max(border, 0) :]}"
