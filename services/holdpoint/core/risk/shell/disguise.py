"""Look-alike, invisible and control characters: folded away, and told as what they are."""

import re
import unicodedata
from itertools import chain, count, repeat
from unicodedata import category, decomposition

import msgspec

from holdpoint.core.risk.remembered import remembered
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

_odd = re.compile(rf"{_controls.pattern}|[^\x00-\x7f]")
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
    if all(len(seen) == 1 for seen, _ in looks.values()):
        return Bare("".join(shown), None, hidden=hidden)
    origin = tuple(chain.from_iterable(map(repeat, count(), map(len, shown))))
    return Bare("".join(shown), origin, hidden=hidden)


def _looks(text: str) -> dict[str, tuple[str, bool]]:
    """What is not as it looks: what it looks like, and whether that hides something."""
    odd = frozenset(_odd.findall(text))
    may = (one for one in odd if one in _TABLE or _may_look_otherwise(one))
    found = ((one, _controlled(one) if one.isascii() else _seen(one)) for one in may)
    return {one: seen for one, seen in found if seen != (one, False)}


def _may_look_otherwise(sign: str) -> bool:
    """A first look: all that Unicode writes in another way, and what is no sign at all."""
    return category(sign) in _UNSEEN or decomposition(sign) != ""


_UNSEEN = frozenset({"Cc", "Cf", "Mn", "Co", "Cs"})
_latin = re.compile("[A-Za-z\u0130\u212a]")
_line_end = re.compile("\r\n")


def unhidden(text: str) -> str:
    """A text inside another, without disguise; the holes that the walk made stay."""
    odd = filter(_odd.match, frozenset(text))  # each sign is asked about once
    looks = {ord(sign): shown for sign in odd if (shown := _shown(sign)) != sign}
    return text.translate(looks) if looks else text


def _shown(sign: str) -> str:
    if sign in _OURS:
        return sign
    return (_controlled(sign) if sign.isascii() else _seen(sign))[0]


def is_plain(text: str) -> bool:
    """Whether nothing can hide in it."""
    if not text.isascii():
        return False
    printed = text.replace("\n", "").replace("\t", "")
    return printed.isprintable() or _controls.search(text) is None


_OURS = frozenset({HOLE, HOLE_END})


def _controlled(sign: str) -> tuple[str, bool]:
    return "\n" if sign == "\r" else "", True


@remembered(MAX_SIGNS)
def _seen(sign: str) -> tuple[str, bool]:
    """What a character beyond ASCII looks like, and whether that is not what it is."""
    if sign in _TABLE:
        return _TABLE[sign], sign in _CYRILLIC_GREEK
    if unicodedata.category(sign) == "Cs":
        return "?", False
    if unicodedata.category(sign) in {"Cf", "Mn", "Co"}:
        return "", unicodedata.category(sign) == "Cf" and sign != "\ufeff"
    folded = unicodedata.normalize("NFKC", sign)
    return (folded, folded.isalpha()) if folded.isascii() else (sign, False)


def _mixed(text: str, masks: frozenset[str]) -> bool:
    """Whether look-alikes stand among Latin letters in one word, or nothing can be seen of them."""
    return any(
        not masks.isdisjoint(word) and _latin.search(word) is not None for word in text.split()
    )
