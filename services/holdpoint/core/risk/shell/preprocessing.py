"""A shell text before it is parsed: continued lines, here-documents, prompts, limits."""

import re

from holdpoint.core.prefilter import prefilter


def join_continued_lines(text: str) -> str:
    """A word that goes on in the next line, with as many signs: `r''m`. Not behind a quote."""
    quote = _quote.search(text)
    end = quote.start() if quote else len(text)
    return _continued.sub("''", text[:end]) + text[end:]


_quote = re.compile(r"['\"`]|<<")
_continued = re.compile(r"(?<=[\w./-])\\\n(?=[\w./-])")


def other_readings(text: str) -> tuple[str, ...]:
    """The text in other ways, all of its length, where the grammar may part from a shell.

    A shell joins lines inside of words and before an empty line, and no comment with the next one;
    it takes a lone dollar, and a number sign within a word, as letters.
    """
    if not any(sign in text for sign in _PARTING):
        return ()  # most texts
    found: tuple[str, ...] = (text,)
    if "\\\n" in text:
        apart = _comment_goes_on.sub(r"\1 \n", text)
        found = tuple(_empty_line.sub("  ", _touching.sub("''", one)) for one in (apart, text))
    if "${" in text and (plain := _in_braces.sub(_without_escaped_quotes, text)) != text:
        found += (plain,)
    if "<<" in text and (ended := _with_joined_ends(text)) != text:
        found += (ended,)
    if "<<" in text and (bare := _set_for_document.sub(_blanks, text)) != text:
        found += (bare,)
    found += tuple(_letter.sub("x", one.replace("``", "  ")) for one in (text, *found))
    return tuple(one for one in dict.fromkeys(found) if one != text)


def _without_escaped_quotes(found: re.Match[str]) -> str:
    return found[0].replace("\\'", "xx").replace('\\"', "xx")


_in_braces = re.compile(r"\$\{(?:\\.|[^{}\\])*\}", re.DOTALL)
"""`${x#\\'}`: the grammar takes an escaped quote in it for the begin of a quoted text."""


def _with_joined_ends(text: str) -> str:
    r"""With each end of a here-document in one line that is written in several: `E\`, `OF`."""
    ends = {end[:MAX_END] for end in _ends_document.findall(text)}
    begun = {end[:size] for end in ends for size in range(1, len(end) + 1)}
    lines, made = text.split("\n"), [""]
    for at, line in enumerate(lines):
        joined = line[:-1] + lines[at + 1] if line[-1:] == "\\" and at + 1 < len(lines) else ""
        if joined.strip("\t\\")[:MAX_END] in begun:
            lines[at + 1] = joined
            made[-1] += "  "
        else:
            made.append(line)
    return "\n".join(made)[1:]


MAX_END = 32
"""Characters of such an end that are compared."""

_ends_document = re.compile(r"<<-?[ \t]*([^\s;&|<>()]+)")

_PARTING = ("#", "\\", "``", "\r", "$ ", "$\n", "$\t", "<<")

_comment_goes_on = re.compile(r"(?m)((?:^|(?<=[\s;&|(]))#[^\n]*)\\\n")
_set_for_document = re.compile(r"(?m)(?:^|(?<=[;&|(]))[ \t]*(?:\w+=[^\s;&|]*[ \t]+)+(?=<<)")
"""`x=1 <<E rm`: the grammar loses the command."""

_touching = re.compile(r"(?<![\\\s])\\\n(?=\S)")
_empty_line = re.compile(r"\\\n(?=\n)")
_letter = re.compile(
    r"(?<=\S)\$(?=\s)|\$(?=\n)|(?<=[<>] )(?:\$(?=\s)|\r)|(?<=[<>])\r|(?<=[)\]}'\"`])#"
    r"|(?<=\\[ \t])#|(?<=\\)[ \t](?=[ \t]*\n)|\\(?=[:.,=@%+/-]\s)"
)
"""A dollar alone, a carriage return as a file's name, a sign or a blank that belongs to a word."""


def _blanks(found: re.Match[str]) -> str:
    return " " * len(found[0])


def blank_prefixes(text: str) -> str:
    """With blanks for what the grammar would mistake."""
    if "\\" in text:
        text = _line_start.sub(r"\1 ", text)
    if ":$" in text:
        text = _offset.sub(r"\1 ", text)
    return _before_group.sub(_blanked, text)


def _blanked(found: re.Match[str]) -> str:
    """Blanks; what runs beside this shell is read as behind a pipe, where nothing is set for it.

    A coprocess gives a value to the variable of its name.
    """
    named = f"{found[1]}=0;" if found[1] else ""
    return (f"{named}w|" if found[0].startswith("coproc") else "").ljust(len(found[0]))


def readings(text: str) -> tuple[str, ...]:
    """The text as the grammar can read it; and as it is, where a quote may hold what was blanked.

    `$'…'` undoes its own backslashes, also at the beginning of a line.
    """
    said = blank_prefixes(text)
    return (said, text) if said != text and "$'" in text else (said,)


_offset = re.compile(r"(\$\{\w+(?::\d*)?:)\$(?=[A-Za-z_]\w*[:}])")
"""`${s:$i:1}`, which the grammar does not know: there `i` says the same as `$i`."""

_line_start = re.compile(r"(\n[ \t]*)\\(?=[A-Za-z])")
"""A backslash that quotes a line's first letter: the grammar would join the lines."""

_before_group = re.compile(
    r"(?:(?<![^\s;&|({])!|\b(?:coproc(?:\s+([A-Za-z_]\w*))?|time(?:\s+-p)?))"
    r"(?=\s+(?:[{(]|\w+=|(?:function|if|for|while|until|case|select)\s))"
)
"""`! {`, `coproc NAME {`, `time if`: how a group runs; the grammar takes its bracket for a word."""


def mark_documents(text: str) -> str:
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
    """Return whether nothing before a here-document can make it a part of something else."""
    return not any(sign in text for sign in "'\"`#(")


MAX_OPENED = 800
"""Brackets, backticks, dollars: more of them are a puzzle, not a command."""

MAX_GROUPED = 200
"""Round brackets of groups outside of here-documents: each in a wrong place costs some 50 us."""

MAX_TICKED = 300
"""Backticks there: what stands between two may be read in several ways, which are all kept."""

MAX_ENDS = 1500
"""Separators and redirections: more of them are no command that a person would check."""

MAX_PIPED = 60_000
"""Squares of the pipes in each statement: with each pipe all before it is copied."""

MAX_SMALL = 256
"""Characters of a text that cannot cost much."""

_goes_on = re.compile(r"\|\s+")
_ended = re.compile(r"[;\n]")


def is_too_complex(text: str) -> bool:
    """Return whether parsing it would cost more than it is worth."""
    if len(text) < MAX_OPENED and _is_simple(text):
        return False
    opened = sum(text.count(sign) for sign in "([{`$")
    ends = sum(text.count(sign) for sign in ";|&\n<>'")
    unclosed = text.count("${") > text.count("}") + MAX_SMALL // 8
    if opened > MAX_OPENED or ends > MAX_ENDS or unclosed:
        return True
    return any(
        count(text) > most and count(without_documents(text)) > most for count, most in _DEAR
    )


def _is_simple(text: str) -> bool:
    """A first look at a short text: it holds less of each sign than may be."""
    groups = text.count("(") + text.count(")") + text.count("|") + text.count("`")
    return groups <= MAX_GROUPED and "${" not in text


def _piped(text: str) -> int:
    if text.count("|") ** 2 <= MAX_PIPED:
        return 0
    statements = _ended.split(_goes_on.sub("|", text))
    return sum(one.count("|") ** 2 for one in statements)


def _grouped(text: str) -> int:
    valued = text.count("$(")
    return max(text.count("(") - valued, text.count(")") - valued)


def _ticked(text: str) -> int:
    return text.count("`")


_DEAR = ((_piped, MAX_PIPED), (_grouped, MAX_GROUPED), (_ticked, MAX_TICKED))
"""What costs much for each, unless it stands in a document; and how many may be."""

_HOST = r"[\w.-]+@[\w.-]+"
_SHELL = (
    rf"(?:\([\w.-]+\)[ \t]+)?(?:{_HOST}[: ][^\s$#%>]*[ ]?[$#%>]|\[{_HOST}[^\]\n]*\][$#%>]"
    rf"|(?:PS|[A-Za-z]:\\)[^>\n]*>|{_HOST}>|[$%>\u276f\u279c](?=[ \t]))"
)
_prompt = re.compile(rf"^[ \t]*(?:{_SHELL}[ \t]*)+(?=\S)", re.MULTILINE)
_has_prompt = prefilter(
    r"(?m)^[ \t]*(?:[$%>\x{276f}\x{279c}][ \t]|\([\w.-]+\)[ \t]|[\w.-]+@[\w.-]+[: >$#%]|\[[\w.-]+@"
    r"|PS[^>\n]*>|[A-Za-z]:\\[^>\n]*>)"
)
"""How a line with a prompt begins, told at once: most texts have none."""


def is_prompted(text: str) -> bool:
    """Return whether a line begins as a prompt does."""
    return _may_end(text) and _has_prompt(text) and _prompt.search(text) is not None


def _may_end(text: str) -> bool:
    """Return whether it holds what prompts end with; most texts lack even the one sign."""
    return (
        (">" in text and "> " in text)
        or ("$" in text and "$ " in text)
        or ("%" in text and "% " in text)
        or ("#" in text and "# " in text)
        or ("[" in text and "]: " in text)
        or ("\\" in text and ":\\" in text)
        or "\u276f" in text
        or "\u279c" in text
    )


def without_prompts(text: str) -> str:
    """The text with blanks for the prompts of shells: every place stays."""
    return _prompt.sub(_blanks, text)
