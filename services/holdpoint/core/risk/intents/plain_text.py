"""A text as the learned reader is given it, and its sentences.

What changes no meaning is taken off before the model sees it, in training as at run time: marks of
lists and quotations, tags, pictures, names of speakers, repeats, the last full stop.
"""

import re

from holdpoint.core.risk.text import fold

_tags = re.compile(r"</?(?:a|b|i|u|p|em|strong|br|hr|div|span|code|pre|ul|ol|li|h[1-6])\s*/?>")
_pictures = re.compile(r"[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001faff]")
_marks = re.compile(r"[*_#~`|<>=]{2,}|(?<!\w)[*_`](?=\w)|(?<=[\w.!?])[*_`](?!\w)")
_openings = re.compile(
    r"^(?:\s*(?:[-*+>#\u2022]+|\(?\d{1,2}[.)]|(?:assistant|agent|bot|ai|then|plan):)(?=\s))+",
    re.MULTILINE,
)
_repeated = re.compile(r"\b(\w+)(?:\W+\1\b){3,}")
_blanks = re.compile(r"[^\S\n]+")
_lines = re.compile(r"\s*\n\s*")
_ends = re.compile(r"((?<=[.!?;])\s+|(?<=。)|\n+)")

WORDS_OF_A_LINE = 2
"""Words that the lines of a text have on average, or else their ends are no ends of sentences."""


def plain(said: str) -> str:
    """Return a text folded, without marks and repeats."""
    bare = _marks.sub(" ", _pictures.sub(" ", _tags.sub(" ", fold(said).folded)))
    bare = _openings.sub("", bare.strip())
    bare = _lines.sub("\n", _blanks.sub(" ", bare)).strip()
    if len(bare.split()) < WORDS_OF_A_LINE * (bare.count("\n") + 1):
        bare = bare.replace("\n", " ")
    return _once(_repeated.sub(lambda found: found[1], bare))


def sentences(text: str) -> list[str]:
    """Return the sentences of a plain text."""
    return [one for part in _ends.split(text) if (one := part.strip(CLOSING))]


def around(text: str) -> tuple[str, ...]:
    """Return a plain text without its first and without its last sentence, if two stay."""
    parts = _ends.split(text)
    if len(parts) < PARTS_AROUND:
        return ()
    return "".join(parts[2:]).strip(CLOSING), "".join(parts[:-2]).strip(CLOSING)


PARTS_AROUND = 5
"""Three sentences, and what stands between them."""


def _once(text: str) -> str:
    """Leave out sentences that stood before, and what closes the last one."""
    parts = [*_ends.split(text), ""]
    kept = dict(zip(reversed(parts[::2]), reversed(parts[1::2]), strict=True))
    return "".join(f"{one}{kept[one]}" for one in dict.fromkeys(parts[::2])).strip(CLOSING)


CLOSING = " .!\n"
