"""Look-alike, invisible and control characters: folded away, and told as what they are."""

import re
import unicodedata

import msgspec

from holdpoint.core.risk.shell.model import HOLE, HOLE_END

_CYRILLIC_GREEK = dict(
    zip(
        "асеорхуіјѕԁһԛԝкмтпвнАВЕКМНОРСТУХІЈЅԌԚԜгɡοαρτυνικεχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
        "aceopxyijsdhqwkmtnbhABEKMHOPCTYXIJSGQWrgoaptuvikexABEZHIKMNOPTYX",
        strict=True,
    )
)
_SIGNS = {
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "﹣": "-", "－": "-",  # noqa: RUF001
    "∕": "/", "⁄": "/", "／": "/", "∣": "|", "｜": "|", "；": ";", "＆": "&", "＞": ">",  # noqa: RUF001
    "＜": "<", "＄": "$", "∗": "*", "＊": "*", "∼": "~", "～": "~", "․": ".", "ꓸ": ".",  # noqa: RUF001
    "\u00a0": " ", "\u2028": "\n", "\u2029": "\n",
}  # fmt: skip
_TABLE = {**_CYRILLIC_GREEK, **_SIGNS}
_controls = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)")
"""What nobody types: bash drops a NUL, and a terminal takes a return as Enter."""


class Bare(msgspec.Struct, frozen=True):
    """A text without disguise."""

    text: str
    origin: tuple[int, ...] | None
    """For each character its place in the given text; None when both run in step."""

    hidden: bool
    """Whether invisible characters or look-alikes of letters stood in it."""

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
    controls = {found.start() for found in _controls.finditer(text)}
    parts: list[str] = []
    origin: list[int] = []
    hidden = False
    for place, sign in enumerate(text):
        seen, disguised = _controlled(sign) if place in controls else _seen(sign)
        hidden |= disguised
        parts.append(seen)
        origin.extend([place] * len(seen))
    return Bare("".join(parts), tuple(origin), hidden=bool(controls) or (hidden and _mixed(text)))


def unhidden(text: str) -> str:
    """A text inside another, without disguise; the holes that the walk made stay."""
    typed = _controls.sub(lambda found: _controlled(found[0])[0], text)
    return "".join(sign if sign in _OURS else _seen(sign)[0] for sign in typed)


def is_plain(text: str) -> bool:
    """Whether nothing can hide in it."""
    if not text.isascii():
        return False
    printed = text.replace("\n", "").replace("\t", "")
    return printed.isprintable() or _controls.search(text) is None


_OURS = frozenset({HOLE, HOLE_END})


def _controlled(sign: str) -> tuple[str, bool]:
    return "\n" if sign == "\r" else "", True


def _seen(sign: str) -> tuple[str, bool]:
    """What a character looks like, and whether that is not what it is."""
    if sign.isascii():
        return sign, False
    if sign in _TABLE:
        return _TABLE[sign], sign in _CYRILLIC_GREEK
    if unicodedata.category(sign) == "Cs":
        return "?", False
    if unicodedata.category(sign) in {"Cf", "Mn", "Co"}:
        return "", unicodedata.category(sign) == "Cf" and sign != "\ufeff"
    folded = unicodedata.normalize("NFKC", sign)
    return (folded, folded.isalpha()) if folded.isascii() else (sign, False)


def _mixed(text: str) -> bool:
    """Whether look-alikes stand among Latin letters in one word, or nothing can be seen of them."""
    return any(
        any("a" <= sign.lower() <= "z" for sign in word) and any(_seen(sign)[1] for sign in word)
        for word in text.split()
    )
