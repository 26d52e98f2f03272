"""A text as a shell gets it, before it is cut into words; each change keeps every place."""

import re


def rejoined(text: str) -> str:
    """A word that goes on in the next line, with as many signs: `r''m`. Not behind a quote."""
    quote = _quote.search(text)
    end = quote.start() if quote else len(text)
    return _continued.sub("''", text[:end]) + text[end:]


_quote = re.compile(r"['\"`]|<<")
_continued = re.compile(r"(?<=[\w./-])\\\n(?=[\w./-])")


def parseable(text: str) -> str:
    """With blanks for what the grammar would mistake."""
    if "\\" in text:
        text = _line_start.sub(r"\1 ", text)
    return _before_group.sub(lambda found: " " * len(found[0]), text)


def readings(text: str) -> tuple[str, ...]:
    """The text as the grammar can read it; and as it is, where a quote may hold what was blanked.

    `$'…'` undoes its own backslashes, also at the beginning of a line.
    """
    said = parseable(text)
    return (said, text) if said != text and "$'" in text else (said,)


_line_start = re.compile(r"(\n[ \t]*)\\(?=[A-Za-z])")
"""A backslash that quotes a line's first letter: the grammar would join the lines."""

_before_group = re.compile(
    r"(?:(?<![^\s;&|({])!|\b(?:coproc(?:\s+[A-Z_]+)?|time(?:\s+-p)?))"
    r"(?=\s+(?:[{(]|(?:function|if|for|while|until|case|select)\s))"
)
"""`! {`, `coproc NAME {`, `time if`: how a group runs; the grammar takes its bracket for a word."""
