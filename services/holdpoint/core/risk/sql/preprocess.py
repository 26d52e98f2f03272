"""The texts that a text may be to a database, before anything of it is cut into statements.

Fences, disguises, batches, delimiters, templates and odd line ends: what databases would read
differently is read in each way, and the graver counts.
"""

import re
from collections.abc import Iterator

import re2

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.text import unhidden, whole_characters

_fenced_text = re2.compile(r"(?s)^\s*```\w*[ \t]*\n(.*?)(?:\n[ \t]*```\s*|```\s*)?$")
_batch = re.compile(r"(?im)^[ \t]*+go(?:[ \t]++\d++)?[ \t]*+;?[ \t]*+\r?$")
_delimiter = re.compile(r"(?im)^[ \t]*+delimiter[ \t]++(\S++)[ \t]*+\r?$")

MAX_MARKS = 16
"""Delimiters of one text: with more of them all stay in it, as what is no statement."""


def received(text: str) -> str:
    """Return the text without fences or disguise, each batch ended by a semicolon."""
    plain = text if text.isascii() else unhidden(text)
    fenced = _fenced_text.match(plain) if "```" in plain else None
    if fenced:
        plain = fenced[1]
    lowered = plain.lower()
    marks = _delimiter.findall(plain) if "delimiter" in lowered else []
    ends = set(marks) - {";"}
    if marks and len(ends) <= MAX_MARKS:
        plain = _delimiter.sub(";", plain)
        for mark in sorted(ends, key=len, reverse=True):
            plain = plain.replace(mark, ";")
    return _batch.sub(";", plain) if "go" in lowered else plain


_ends = re.compile("\r(?!\n)|[\v\f\x1c-\x1e\u0085\u2028\u2029]")
"""Ends of lines that are none to every database: PostgreSQL ends a comment at a carriage return."""

_END = str.maketrans(dict.fromkeys("\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029", "\n"))
_BLANK = str.maketrans(dict.fromkeys("\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029", " "))

_alone = re2.compile(
    r"(?im)^([ \t]*(?:set[ \t]+\w+[ \t]+[^\W_]\w*|use[ \t]+\w+|conn(?:ect)?[ \t]+[^\s;]+|/"
    r"|(?:show|desc(?:ribe)?|help)[ \t]+\w[^\n;'\"]*)"
    r"[ \t]*)\n"
)
"""Lines that a client, or SQL Server, takes as they are: no semicolon ends them."""

_tags = re2.compile(r"(?s)\{%.*?%\}|\{#.*?#\}")
_values = re2.compile(r"(?s)\{\{.*?\}\}")
_runs = re2.compile(r"(?i)hook|query|statement|execute")
_texts = re2.compile(r"(?s)'[^']*'|\"[^\"]*\"")
_TEMPLATES = ("{{", "{%", "{#")


def ways(text: str) -> Iterator[str]:
    """Yield each way in which a text may arrive, all of its length, so that places stay."""
    text = text if text.isascii() else whole_characters(text)
    yield from _uncovered(text)
    if _ends.search(text):
        yield text.translate(_BLANK)
        text = text.translate(_END)
    yield text
    if "\n" in text and _alone.search(text):
        text = str(_alone.sub(r"\1;", text))
        yield text
    if any(mark in text for mark in _TEMPLATES):
        yield filled(text)
        yield from _hooked(text)


def _uncovered(text: str) -> Iterator[str]:
    """As who takes fences or comments away hands it on: each fence begins a statement."""
    if "```" in text:
        yield str(_fences.sub(lambda mark: ";" + " " * (len(mark[0]) - 1), text))
    if "/*" in text and _split.search(text):
        grown = str(_split.sub(_grown, text))
        if grown != text:
            yield grown


_fences = re.compile(r"(?im)```++(?:\w*+[ \t]*+$|(?:\w{0,8}sql)?)")
_split = re.compile(r"(?:[^\W\d]++/\*[^*]*+\*++/)+[^\W\d]\w*+")
_comment = re.compile(r"/\*[^*]*\*+/")


_WHOLE = words("words/sql:whole_words")
"""Words that are whole: what stands behind the next comment is another."""


def _grown(word: re.Match[str]) -> str:
    """`DR/**/OP`, whose comment leaves no blank behind, in the same place."""
    pieces = _comment.split(word[0])
    made = [""]
    for piece in pieces:
        if made[-1].upper() in _WHOLE:
            made.append("")
        made[-1] += piece
    hidden = {one.upper() for one in made}.difference(map(str.upper, pieces))
    return word[0] if hidden.isdisjoint(_WHOLE) else " ".join(made).ljust(len(word[0]))


def filled(text: str) -> str:
    """What a template makes of it: its tags are gone, its values are names."""
    bare = _tags.sub(lambda tag: " " * len(tag[0]), text)
    return str(_values.sub(lambda value: "x" + "_" * (len(value[0]) - 1), bare))


def _hooked(text: str) -> Iterator[str]:
    """What a template runs beside: the texts in its tags, each a statement in its own place."""
    tags = [tag for form in (_tags, _values) for tag in form.finditer(text)]
    running = [tag for tag in tags if _runs.search(tag[0])]
    if not running:
        return
    kept = [" "] * len(text)
    for tag in running:
        for one in _texts.finditer(tag[0]):
            start, end = tag.start() + one.start(), tag.start() + one.end()
            if len(one[0].split()) > 1:
                kept[start:end] = [";", *text[start + 1 : end - 1], ";"]
    yield "".join(kept)
