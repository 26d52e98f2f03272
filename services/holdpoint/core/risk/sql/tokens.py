"""SQL cut into words: comments out, strings and quoted names whole, statements apart.

A dialect decides where a string or a comment ends. When it is unknown, a text that databases would
cut differently is cut in both ways, and the worse reading counts.
"""

import re
from collections.abc import Iterator
from itertools import islice

import msgspec

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql import client_lines

BACKSLASHES = word_set(
    "mysql mariadb bigquery spark spark2 hive databricks clickhouse doris starrocks "
    "singlestore snowflake tidb athena drill"
)
"""Dialects in whose strings a backslash escapes, and where `#` begins a comment."""

PLAIN = word_set(
    "postgres postgresql redshift tsql mssql fabric oracle sqlite duckdb trino presto "
    "teradata cockroachdb materialize risingwave exasol dremio druid"
)

_COMMON = r"""
|(?P<hot>/\*M?!\d*|\*/)
|(?P<dollar>\$(?:[A-Za-z_]\w*)?\$)
|(?P<name>"(?:[^"]|"")*"|`[^`]*`|\[[^\]\n;']*\])
|(?P<number>\d[\w.]*)
|(?P<word>[@:\#$]{0,8}[^\W\d][\w$\#]*)
|(?P<sign>::|<=|>=|<>|!=|\|\||.)
"""
_BLOCK = r"/\*(?!!|M!)(?:[^*]|\*(?!/))*(?:\*/|\Z)"
# Each alternative is decided by its first characters, so `re` never goes back over a text.
_standard = re.compile(
    rf"(?P<skip>\s+|--[^\n]*|{_BLOCK})|(?P<string>[A-Za-z]?'(?:[^']|'')*'){_COMMON}",
    re.VERBOSE | re.DOTALL,
)
_escaping = re.compile(
    rf"(?P<skip>\s+|--(?=\s|\Z)[^\n]*|\#[^\n]*|{_BLOCK})"
    rf"|(?P<string>[A-Za-z]?'(?:[^'\\]|''|\\.)*'|\"(?:[^\"\\]|\\.)*\"){_COMMON}",
    re.VERBOSE | re.DOTALL,
)
_differs = re.compile(r"[\\#]|--[^\s-]|\"[^\"\s]*\s")
"""Where the two ways of cutting may part: escapes, `#`, `--x`, and double quotes around a text."""

OPENERS = frozenset({"BEGIN", "CASE"})
BODIES = frozenset({"TRIGGER", "PROCEDURE", "PROC", "FUNCTION", "PACKAGE"})
"""What a CREATE only defines: its statements run when somebody calls it."""


class Token(msgspec.Struct, frozen=True):
    """A word, quoted name, string, number or sign; `text` is in upper case unless quoted."""

    kind: str
    text: str
    start: int
    end: int


class Cut(msgspec.Struct, frozen=True):
    """One way to read a text: its statements, and whether each quote was closed."""

    statements: tuple[tuple[Token, ...], ...]
    whole: bool
    long: bool = False
    """Whether it has more words and signs than are read."""


def cuts(text: str, dialect: str) -> tuple[Cut, ...]:
    """Each way in which a database may read it, at least one."""
    name = dialect.lower()
    if name in BACKSLASHES:
        return _either(text, (_cut(text, _escaping),), _escaping)
    plain = _cut(text, _standard)
    if name in PLAIN or not _differs.search(text):
        return _either(text, (plain,), _standard)
    both = (plain, _cut(text, _escaping))
    whole = tuple(cut for cut in both if cut.whole)
    return _either(text, whole or both, _escaping if whole == both[1:] else _standard)


def cut(text: str, dialect: str) -> Cut:
    """The first way, without a client: a string that the server runs."""
    escapes = dialect.lower() in BACKSLASHES
    return _whole(tuple(_tokens(text, _escaping if escapes else _standard, clients=False)))


def _either(text: str, found: tuple[Cut, ...], lexer: re.Pattern[str]) -> tuple[Cut, ...]:
    """With one as it is without a client that keeps lines for itself."""
    if not any(one[-1].kind == "client" for way in found for one in way.statements):
        return found
    return (*found, _whole(tuple(_tokens(text, lexer, clients=False))))


def _whole(tokens: tuple[Token, ...]) -> Cut:
    return Cut(statements=tuple(_statements(tokens)), whole=True)


def _cut(text: str, lexer: re.Pattern[str]) -> Cut:
    tokens = tuple(islice(_tokens(text, lexer, clients=True), MAX_TOKENS + 1))
    return Cut(
        long=len(tokens) > MAX_TOKENS,
        statements=tuple(_statements(tokens)),
        whole=all(token.text not in _OPEN for token in tokens if token.kind == "sign"),
    )


MAX_TOKENS = 4_000
"""Words and signs of a text that are read: in what people write, more than it has."""

_OPEN = frozenset("'\"`")
"""Signs that are left over only when a quote was never closed."""


def _tokens(text: str, lexer: re.Pattern[str], *, clients: bool) -> Iterator[Token]:
    """Each word; `clients`: a line that a client keeps is one of its own."""
    at, fresh = client_lines.prompt(text), True
    while match := lexer.match(text, at):
        kind, at = str(match.lastgroup), match.end()
        if clients and kind not in _SILENT and (fresh or text[match.start()] == "\\"):
            line = client_lines.begins.match(text, match.start())
            if line:
                at, fresh = line.end(), True
                yield Token("client", line[0], line.start(), at)
                continue
        if kind == "dollar":
            at = _dollar_end(text, match)
            kind = "string"
        if fresh and match.group() == "#":
            at = _line_end(text, at)
        elif kind not in _SILENT:
            said = text[match.start() : at]
            kind = "string" if kind == "number" and _hides_text.fullmatch(said) else kind
            fresh = said == ";"
            yield Token(kind, said.upper() if kind == "word" else said, match.start(), at)


_SILENT = frozenset({"skip", "hot"})
_hides_text = re.compile(r"0[xX](?:[2-7][0-9a-fA-F]|0[9aAdD]){4,}")
"""A number that may be a text: each of its bytes is a character that can be read."""


def _line_end(text: str, at: int) -> int:
    """Where a line ends that begins with `#`, which is no statement of any database."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _dollar_end(text: str, match: re.Match[str]) -> int:
    """The end of `$tag$ … $tag$`; one that is never closed takes the rest."""
    tag = match.group()
    close = text.find(tag, match.end())
    return len(text) if close < 0 else close + len(tag)


def _statements(tokens: tuple[Token, ...]) -> Iterator[tuple[Token, ...]]:
    """Cut at each semicolon that does not stand in the body of a definition."""
    start, inside = 0, 0
    for place, token in enumerate(tokens):
        if token.text in OPENERS or token.text == "END":
            inside += _step(tokens, start, place)
        if token.text == ";" and token.kind == "sign" and inside <= 0:
            if place > start:
                yield tokens[start:place]
            start, inside = place + 1, 0
        elif token.kind == "client":
            yield tokens[start : place + 1]
            start, inside = place + 1, 0
    if start < len(tokens):
        yield tokens[start:]


def _step(tokens: tuple[Token, ...], start: int, place: int) -> int:
    """How a BEGIN, CASE or END changes the depth of a definition's body."""
    if not defines(tokens[start : start + 8]):
        return 0
    before = tokens[place - 1].text if place > start else ""
    after = tokens[place + 1].text if place + 1 < len(tokens) else ""
    if tokens[place].text == "END":
        return 0 if after in {"IF", "LOOP", "WHILE", "REPEAT"} else -1
    return 0 if before == "END" else 1


def defines(head: tuple[Token, ...]) -> bool:
    """Whether a statement only defines what runs later: `CREATE OR REPLACE FUNCTION …`."""
    if not head or head[0].text not in {"CREATE", "ALTER", "REPLACE"}:
        return False
    kind = next((token for token in head[1:] if not _is_prefix(token)), head[0])
    return kind.text in BODIES and kind.kind == "word"


def _is_prefix(token: Token) -> bool:
    """What may stand before the kind: `DEFINER = `root`@`%``, `OR REPLACE`, `TEMPORARY` …"""
    return token.text in _PREFIXES or token.kind in {"name", "string"} or token.text[0] == "@"


_PREFIXES = word_set(
    "OR REPLACE ALTER TEMP TEMPORARY DEFINER = CONSTRAINT AGGREGATE EDITIONABLE ROOT"
)
