"""What only lays a text out is no part of what it says: tags, emphasis, gaps, broken lines."""

import re
from itertools import pairwise

import msgspec

from holdpoint.core.risk.dialogue.gaps import closed_words
from holdpoint.core.risk.text import Folded

_tag = re.compile(
    r"</?(?:p|b|i|u|em|strong|br|hr|div|span|li|ul|ol|h[1-6]|blockquote|td|tr|code|pre)"
    r"(?:\s[^<>\n]{0,80})?/?>"
)
_emphasis = re.compile(r"(?<!\w)_(?=\w)|(?<=[\w.!?])_(?!\w)")
_run = re.compile(r"[ \t\xa0]{2,}|[\t\xa0]")
_GAPS = ("  ", "\t", "\xa0")
"""One of these is in each run."""

_broken = re.compile(
    r"(?<=[^\W_])([,'\"]{0,2})\n(?=[a-z0-9$€£'\"(/~]|-\w{1,4}(?:\s|\Z))(?!\d{1,3}[.)]\s)"
)


def spoken(text: Folded) -> Folded:
    """The text with a blank for each tag, sign of emphasis, and run of blanks."""
    text = closed_words(text)
    plain = _unwrapped(text.folded)
    if "<" in plain:
        plain = _tag.sub(lambda found: " " * len(found[0]), plain)
    if "_" in plain:
        plain = _emphasis.sub(" ", plain)
    if not any(gap in plain for gap in _GAPS):
        return text if plain == text.folded else msgspec.structs.replace(text, folded=plain)
    runs = [(0, 0), *((one.start(), one.end()) for one in _run.finditer(plain))]
    return _closed_up(text, plain, runs)


def _unwrapped(text: str) -> str:
    """What the last text of a JSON object says, where it stands."""
    held = _wrapped.fullmatch(text) if text[:1] == "{" else None
    if held is None:
        return text
    start, end = held.span(1)
    said = held[1].replace("\\n", "  ").replace('\\"', ' "')
    return f"{' ' * start}{said}{' ' * (len(text) - end)}"


_wrapped = re.compile(
    r'\{(?:\s*"[\w-]{1,40}"\s*:\s*"[^"\\]{0,80}"\s*,){0,8}\s*"[\w-]{1,40}"\s*:\s*"(.*)"\s*\}\s*',
    re.DOTALL,
)


def _closed_up(text: Folded, plain: str, runs: list[tuple[int, int]]) -> Folded:
    """Each run as one blank; places are kept."""
    kept: list[int] = []
    for (_, start), (end, _) in pairwise([*runs, (len(plain), len(plain))]):
        kept.extend(range(start, end + 1) if end < len(plain) else range(start, end))
    origin = text.origin
    return msgspec.structs.replace(
        text,
        folded="".join(" " if plain[at] in "\t\xa0" else plain[at] for at in kept),
        origin=tuple(kept) if origin is None else tuple(origin[at] for at in kept),
    )


_SCATTERED = 4
"""Ends of lines, at least, of a text that has hardly a blank: a word on each line is no list."""


def flowing(text: Folded) -> Folded:
    """The text with a blank where a line only goes on in the next: not in a list, in lower case."""
    if "\n" not in text.folded:
        return text
    lines = text.folded.count("\n")
    if lines >= _SCATTERED and lines > 2 * text.folded.count(" "):
        return msgspec.structs.replace(text, folded=text.folded.replace("\n", " "))
    shouts = text.nfkc.isupper()
    joined = _broken.sub(
        lambda found: f"{found[1]} " if shouts or _goes_on(text, found.end()) else found[0],
        text.folded,
    )
    return msgspec.structs.replace(text, folded=joined)


def _goes_on(text: Folded, place: int) -> bool:
    return not text.nfkc[text.span(place, place + 1)[0]].isupper()
