r"""Ways in which databases read quotes and comments: one pattern for the tokens of each.

PostgreSQL ends `E'\''` where Oracle ends `q'{'}'` and MySQL `'\''`, and others do not. A text that
begins a quote in a way that only some know, or that says how quotes are read, may be read in each.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import re2

from holdpoint.core.risk.knowledge import entry

_STANDARD = r"[A-Za-z]?'(?:[^']|'')*'"
_ESCAPED = r"[A-Za-z]?'(?:[^'\\]|''|\\.)*'"
_TWO_QUOTES = rf'{_ESCAPED}|"(?:[^"\\]|\\.)*"'
_DOLLARS = r"\$(?:[A-Za-z_]\w*)?\$"
_NEVER = r"(?!)"
_UNCLOSED = r"'(?:[^'\\]|\\.)*\\?\Z"
_TWO_UNCLOSED = rf'{_UNCLOSED}|"(?:[^"\\]|\\.)*\\?\Z'
_LINE = r"--[^\n]*"
_NAMES = r'"(?:[^"]|"")*"|`[^`]*`|'
_BLOCK = r"/\*(?!!|M!)(?:[^*]|\*(?!/))*(?:\*/|\Z)"


class Quoting(msgspec.Struct, frozen=True, kw_only=True):
    """One way: what a string, a comment or a bracket is, beside what all have in common."""

    strings: str = _STANDARD
    comments: str = _LINE
    unclosed: str = _NEVER
    """A string of which no later quote is the end, as each is escaped."""

    opens: str = _DOLLARS
    """Begins of texts that end where `closing` says."""

    brackets: str = r"\[[^\]\n;']*\]"
    parts_at: str = ""
    """Where a text may be read in this way and in no other; empty: in any text."""

    def tokens(self) -> re.Pattern[str]:
        """Return the pattern of a token.

        Each alternative is decided by its first characters, so `re` never goes back over a text.
        """
        return re.compile(
            rf"""(?P<skip>\s+|{self.comments}|{_BLOCK})
            |(?P<open>{self.opens})
            |(?P<string>{self.strings})
            |(?P<unclosed>{self.unclosed})
            |(?P<hot>/\*M?!\d*|\*/)
            |(?P<name>{_NAMES}{self.brackets})
            |(?P<number>\d[\w.]*)
            |(?P<word>[@:\#$]{{0,8}}[^\W\d][\w$\#]*)
            |(?P<sign>::|<=|>=|<>|!=|\|\||.)""",
            re.VERBOSE | re.DOTALL,
        )


_WAYS = {
    "standard": Quoting(),
    "postgres": Quoting(
        strings=rf"[eE]'(?:[^'\\]|''|\\.)*'|(?![eE]'){_STANDARD}",
        unclosed=rf"[eE]{_UNCLOSED}",
        parts_at=r"[eE]'[^']*\\",
    ),
    "oracle": Quoting(opens=rf"{_DOLLARS}|[nN]?[qQ]'\S", parts_at=r"(?:^|[^\w'])[nN]?[qQ]'\S"),
    "tsql": Quoting(
        brackets=r"\[[^\]]{0,128}\](?:\][^\]]{0,128}\])*",
        parts_at=r"\[[^'\]]{0,128}(?:'[^'\]]{0,128}'[^'\]]{0,128}){0,4}'[^'\]]{0,128}\]",
    ),
    "mysql": Quoting(
        strings=_TWO_QUOTES,
        unclosed=_TWO_UNCLOSED,
        comments=r"--(?=\s|\Z)[^\n]*|\#[^\n]*",
        parts_at=r"[\\#]|--[^\s-]|\"[^\"\s]*\s",
    ),
    "mysql_names": Quoting(
        strings=_TWO_QUOTES,
        unclosed=_TWO_UNCLOSED,
        comments=r"--(?=\s|\Z)[^\n]*|\#[^\n]*",
        opens=_NEVER,
        parts_at=r"(?i)(?:\b(?:as|from|select)\s+|,\s*)\$\w*\$\s*;",
    ),
    "spark": Quoting(
        strings=rf"[rR]'[^']*'|[rR]\"[^\"]*\"|{_TWO_QUOTES}",
        unclosed=_TWO_UNCLOSED,
        parts_at=r"(?s)\\.*--\S|--\S.*\\",
    ),
    "bigquery": Quoting(
        strings=_TWO_QUOTES,
        unclosed=_TWO_UNCLOSED,
        comments=rf"{_LINE}|\#[^\n]*",
        opens=r"(?:[rR]?[bB]?|[bB][rR])(?:'''|\"\"\")",
        parts_at=r"'''|\"\"\"",
    ),
    "snowflake": Quoting(
        strings=_ESCAPED,
        unclosed=_UNCLOSED,
        comments=rf"{_LINE}|//[^\n]*",
        parts_at=r"(?m)(?:^|[\s;),])//",
    ),
    "clickhouse": Quoting(
        strings=_ESCAPED,
        unclosed=_UNCLOSED,
        comments=rf"{_LINE}|\#[!\s][^\n]*",
        parts_at=r"\#[!\s]",
    ),
}

_TOKENS = {name: one.tokens() for name, one in _WAYS.items()}
_OF_DIALECT = {
    dialect: name
    for name, dialects in entry("words/sql:quoting").items()
    for dialect in dialects.split()
}
_PARTS = {name: re2.compile(one.parts_at) for name, one in _WAYS.items()}
_may_part: Any = re2.compile(
    "|".join(f"(?:{one.parts_at})" for one in _WAYS.values() if one.parts_at)
)
_says_how = re2.compile(r"(?i)standard_conforming_strings|sql_mode|quoted_identifier")
"""Settings by which a text says how its quotes are read."""


def token_patterns(text: str, dialect: str) -> Iterator[re.Pattern[str]]:
    """Yield that of the dialect, or of each way in which a database may read the text."""
    known = "" if _says_how.search(text) else _OF_DIALECT.get(dialect.lower(), "")
    yield _TOKENS[known or "standard"]
    others = _ALSO.get(known, ())
    if others and _may_part.search(text):
        yield from (_TOKENS[name] for name in others if _PARTS[name].search(text))


_ALSO = {"": tuple(_TOKENS)[1:], "mysql": ("mysql_names",)}
"""Other ways to read a text, by the first; of an unknown dialect, all."""


def closing(opened: str) -> str:
    """Return what ends a text that begins so: `$a$`, `q'[`, or three quotes."""
    if opened[0] == "$":
        return opened
    if opened[-3:] in {"'''", '"""'}:
        return opened[-3:]
    return _PAIRS.get(opened[-1], opened[-1]) + "'"


_PAIRS = {"[": "]", "{": "}", "(": ")", "<": ">"}
