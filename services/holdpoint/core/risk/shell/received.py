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
    return _before_group.sub(_blanked, text)


def _blanked(found: re.Match[str]) -> str:
    """Blanks; what runs beside this shell is read as behind a pipe, where nothing is set for it."""
    return (":|" if found[0].startswith("coproc") else "").ljust(len(found[0]))


def readings(text: str) -> tuple[str, ...]:
    """The text as the grammar can read it; and as it is, where a quote may hold what was blanked.

    `$'…'` undoes its own backslashes, also at the beginning of a line.
    """
    said = parseable(text)
    return (said, text) if said != text and "$'" in text else (said,)


_line_start = re.compile(r"(\n[ \t]*)\\(?=[A-Za-z])")
"""A backslash that quotes a line's first letter: the grammar would join the lines."""

_before_group = re.compile(
    r"(?:(?<![^\s;&|({])!|\b(?:coproc(?:\s+[A-Za-z_]\w*)?|time(?:\s+-p)?))"
    r"(?=\s+(?:[{(]|\w+=|(?:function|if|for|while|until|case|select)\s))"
)
"""`! {`, `coproc NAME {`, `time if`: how a group runs; the grammar takes its bracket for a word."""


def delimited(text: str) -> str:
    """With a dot for each letter in a here-document that the grammar would take for its end.

    It takes any line that begins as the delimiter does, also behind blanks: `ENDING` for `END`.
    """
    if "<<" not in text:
        return text
    lines = text.split("\n")
    closing = {one for line in lines for one in (line, line.lstrip("\t"))}
    at = 0
    while at < len(lines):
        opened = [match for match in _opens_here.finditer(lines[at]) if _named(match) in closing]
        at += 1
        for match in opened:
            delimiter = _named(match)
            end = _end_of(lines, at, delimiter, tabs=bool(match[1]))
            lines[at:end] = [_dotted(line, delimiter) for line in lines[at:end]]
            at = end + 1 if end > at else at
    return "\n".join(lines)


_opens_here = re.compile(r"<<(-?)[ \t]*(?:['\"]([\w.-]+)['\"]|\\?([\w.-]+))")


def _named(match: re.Match[str]) -> str:
    return match[2] or match[3]


def _end_of(lines: list[str], start: int, delimiter: str, *, tabs: bool) -> int:
    """The line that closes it; where none does, nothing is in it."""
    for at in range(start, len(lines)):
        if (lines[at].lstrip("\t") if tabs else lines[at]) == delimiter:
            return at
    return start


def _dotted(line: str, delimiter: str) -> str:
    bare = line.lstrip()
    return line.replace(bare[0], ".", 1) if bare.startswith(delimiter) else line


def without_documents(text: str) -> str:
    """A text without its here-documents, as far as it is plain that they are such."""
    if "<<" not in text:
        return text
    lines = text.split("\n")
    last = {line.lstrip("\t"): at for at, line in enumerate(lines)}
    kept: list[str] = []
    at, even = 0, True
    while at < len(lines):
        line = lines[at]
        opened = _opens_here.search(line)
        kept.append(line)
        at += 1
        if opened and even and _is_bare(line[: opened.start()]):
            closes = last.get(_named(opened), 0) >= at
            at = _end_of(lines, at, _named(opened), tabs=True) if closes else at
        even ^= line.count("'") % 2 == 1 or line.count('"') % 2 == 1
    return "\n".join(kept)


def _is_bare(text: str) -> bool:
    """Whether nothing before a here-document can make it a part of something else."""
    return not any(sign in text for sign in "'\"`#(")
