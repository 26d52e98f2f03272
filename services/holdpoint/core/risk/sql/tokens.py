"""SQL in words: comments out, strings and quoted names whole, statements apart.

A dialect decides where a string or a comment ends. When it is unknown, a text that databases would
cut differently is cut in both ways, and the worse reading counts.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

import msgspec
import re2

from holdpoint.core.risk.knowledge import ordered_words, words
from holdpoint.core.risk.shell.lexer import unescape
from holdpoint.core.risk.sql.quoting import closing, token_patterns
from holdpoint.core.text import as_letters, unhidden, whole_characters

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
    r"(?im)^((?:[ \t]|/\*[^*]*\*/)*"
    r"(?:set[ \t]+\w+[ \t]+[^\W_]\w*|use[ \t]+\w+|conn(?:ect)?[ \t]+[^\s;]+|/"
    r"|(?:show|desc(?:ribe)?|help)[ \t]+\w[^\n;'\"]*)"
    r"[ \t]*)\n"
)
"""Lines that a client, or SQL Server, takes as they are: no semicolon ends them."""

_tags = re2.compile(r"(?s)\{%.*?%\}|\{#.*?#\}")
_values = re2.compile(r"(?s)\{\{.*?\}\}")
_TEMPLATES = ("{{", "{%", "{#")


MAX_LOOKED_AT = 10_000
"""Characters of a text that are looked at for disguises: as many as are cut into tokens."""


def ways(text: str) -> Iterator[str]:
    """Yield each way in which a text may arrive, all of its length, so that places stay."""
    text = text if text.isascii() else whole_characters(text)
    if (written := as_letters(text[:MAX_LOOKED_AT])) != text[:MAX_LOOKED_AT]:
        yield written + text[MAX_LOOKED_AT:]
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


def _uncovered(text: str) -> Iterator[str]:
    """As who takes fences or comments away hands it on: each fence begins a statement."""
    if "```" in text:
        yield str(_fences.sub(lambda mark: ";" + " " * (len(mark[0]) - 1), text))
    if "/*" in text and _split.search(text):
        grown = str(_split.sub(_grown, text))
        if grown != text:
            yield grown
    head = text[:MAX_LOOKED_AT]
    if head.count("/*") > 1 and (nested := _without_nested(head)) != head:
        yield nested + text[MAX_LOOKED_AT:]


_comment_signs = re.compile(r"(?s)'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|/\*|\*/")


def _without_nested(text: str) -> str:
    """Blanks for comments that hold others: PostgreSQL and SQL Server end them later."""
    at, depth, deepest, start, kept = 0, 0, 0, 0, 0
    made: list[str] = []
    while found := (_comment_signs if not depth else _comment_ends).search(text, at):
        at = found.end()
        if found[0] == "/*":
            start, depth = (start if depth else found.start()), depth + 1
            deepest = depth if depth == 1 else max(deepest, depth)
        elif found[0] == "*/" and depth:
            depth -= 1
            if not depth and deepest > 1:
                made += (text[kept:start], " " * (at - start))
                kept = at
    return "".join((*made, text[kept:]))


_comment_ends = re.compile(r"/\*|\*/")
_fences = re.compile(r"(?im)```++(?:\w*+[ \t]*+$|(?:\w{0,8}sql)?)")
_split = re.compile(r"(?:[^\W\d]++/\*[^*]*+\*++/)+[^\W\d]\w*+")
_comment = re.compile(r"/\*[^*]*\*+/")

_WHOLE_WORDS = words("words/sql:whole_words")
"""Words that are whole: what stands behind the next comment is another."""


def _grown(word: re.Match[str]) -> str:
    """`DR/**/OP`, whose comment leaves no blank behind, in the same place."""
    pieces = _comment.split(word[0])
    made = [""]
    for piece in pieces:
        if made[-1].upper() in _WHOLE_WORDS:
            made.append("")
        made[-1] += piece
    hidden = {one.upper() for one in made}.difference(map(str.upper, pieces))
    return word[0] if hidden.isdisjoint(_WHOLE_WORDS) else " ".join(made).ljust(len(word[0]))


def filled(text: str) -> str:
    """Return what a template makes of it: its tags are gone, its values are names."""
    bare = _tags.sub(lambda tag: " " * len(tag[0]), text)
    return str(_values.sub(lambda value: "x" + "_" * (len(value[0]) - 1), bare))


MAX_TOKENS = 4_000
"""Tokens of a text that are read: more than what people write has."""

BODIES = frozenset({"TRIGGER", "PROCEDURE", "PROC", "FUNCTION", "PACKAGE"})
"""What a CREATE only defines: its statements run when somebody calls it."""

_OF_SQL = r"(?:[=<>!,.()|]|(?:in|like|is|not|and|or|between|as|where|from)\b)"
_DOTTED = "|".join(ordered_words("words/sql:dotted_commands"))
_CLICKHOUSE = "|".join(ordered_words("words/sql:clickhouse_orders"))
_LINE_ENDS = r"[ \t]* ;? [ \t]* (?=(?:--[^\n]*)?(?:\n|\Z))"
_client_line = re.compile(
    rf"""(?ix)
    \\ (?: ! | copy\b ) [^\n]*
    | \\ (?: \\ (?=\s) | (?: [?.;] | [a-z_]+\+? (?![\w/.:-]) ) (?: [^\n\\] | (?<!\s)\\(?!\\) )* )
    | \. (?:{_DOTTED}) \b [^\n]*
    | !!? [ \t]* [\w./~"'$&|(-] [^\n]*
    | : (?: !! | (?:r|connect|setvar|out|error|on\s+error|ed|list|perftrace)\b ) [^\n]*
    | @@? [\w-]* (?: [./~\\:] [\w./~\\:-]* (?: [ \t]+ [\w./'"-]+ )* )? {_LINE_ENDS}
    | (?:source|sta|start) [ \t]+ (?: [\w.-]*[./~\\] [^\s;]* ) {_LINE_ENDS}
    | (?:prompt|rem|remark) \b [^\n]*
    | source [ \t]+ [^\s;|=]+ {_LINE_ENDS}
    | system [ \t]+ (?!(?:{_CLICKHOUSE})\b) (?!{_OF_SQL}) [^\n]*
    | (?:host|ho|shell|pager|dfs|tee|spool) [ \t]+ (?!{_OF_SQL}) [^\n]*
    """
)
"""A line that a database's client keeps: behind a backslash anywhere outside of quotes, else only
where a statement may begin."""

_prompt = re.compile(
    r"\s*(?:\w[\w.@:/-]*(?:[ \t]*[\[(][^\])\n]{0,60}[\])])?[=*^!'\"(-]?[>\#]|->)(?=\s)"
)
"""What a client asks with before the first word: `mysql> `, `shop=# `."""


class Token(msgspec.Struct, frozen=True):
    """A word, quoted name, string, number, sign or client line; unquoted words in upper case."""

    kind: str
    text: str
    start: int
    end: int


Tokens = tuple[Token, ...]


class Cut(msgspec.Struct, frozen=True):
    """One way to read a text: its statements, and whether each quote was closed."""

    statements: tuple[Tokens, ...]
    whole: bool = True
    long: bool = False
    """Whether it has more tokens than are read."""

    cut_off: bool = False
    """A comment or a text between dollars is never closed."""

    partial: bool = False
    """It ends before a quote that is never closed."""


MAX_CUT = 24_000
"""Characters that are cut in all ways together; what has more is too long to be read."""


def cuts(text: str, dialect: str) -> tuple[Cut, ...]:
    """Each way in which a database may read it, at least one; the closed ones come first.

    Where one way closes every quote, of another counts what ends before the first that it leaves
    open: a server runs that before it finds the mistake.
    """
    lexers = tuple(token_patterns(text, dialect))
    if len(lexers) * len(text) > MAX_CUT:
        return (msgspec.structs.replace(_cut(text, lexers[0]), long=True),)
    ways = tuple((lexer, _cut(text, lexer)) for lexer in lexers)
    closed = tuple(way for way in ways if way[1].whole)
    found = tuple(dict.fromkeys(cut for _, cut in closed or ways))
    if closed:
        found += tuple(filter(None, (_ended(cut) for _, cut in ways if not cut.whole)))
    return _without_client(text, found, (closed or ways)[0][0])


def _ended(cut: Cut) -> Cut | None:
    """Return what ends before the first open quote; None where nothing does."""
    opened = next(one.start for tokens in cut.statements for one in tokens if _is_open_quote(one))
    ended = tuple(tokens for tokens in cut.statements if tokens[-1].end <= opened)
    return msgspec.structs.replace(cut, statements=ended, partial=True) if ended else None


def cuts_on_server(text: str, dialect: str) -> tuple[Cut, ...]:
    """The same without a client: a string that the server runs."""
    lexers = tuple(token_patterns(text, dialect))
    if len(lexers) * len(text) > MAX_CUT:
        return (msgspec.structs.replace(_on_server(text, lexers[0]), long=True),)
    return tuple(dict.fromkeys(_on_server(text, one) for one in lexers))


def _on_server(text: str, lexer: re.Pattern[str]) -> Cut:
    return Cut(statements=tuple(_statements(tuple(_tokens(text, lexer, clients=False)))))


def _without_client(text: str, found: tuple[Cut, ...], lexer: re.Pattern[str]) -> tuple[Cut, ...]:
    """With one way as it is without a client that keeps lines for itself."""
    if not any(one[-1].kind == "client" for way in found for one in way.statements):
        return found
    return (*found, _on_server(text, lexer))


def _cut(text: str, lexer: re.Pattern[str]) -> Cut:
    tokens = tuple(islice(_tokens(text, lexer, clients=True), MAX_TOKENS + 1))
    return Cut(
        long=len(tokens) > MAX_TOKENS,
        cut_off=_is_cut_off(text, tokens),
        statements=tuple(_statements(tokens)),
        whole=not any(map(_is_open_quote, tokens)),
    )


def _is_open_quote(token: Token) -> bool:
    return token.kind == "sign" and token.text[-1] in _QUOTES


_QUOTES = frozenset("'\"`")
"""Signs that are left over only when a quote was never closed."""


def may_be_open(text: str) -> bool:
    """Return whether a quote or a comment of it may never be closed: a first look."""
    quotes = [text.count(quote) for quote in "'\"`"]
    several = sum(map(bool, quotes)) > 1 or "\\" in text
    return several or any(many % 2 for many in quotes) or "$" in text or "/*" in text


def is_open(cut: Cut) -> bool:
    """Return whether something in it is never closed."""
    return cut.cut_off or cut.partial or not cut.whole


def _is_cut_off(text: str, tokens: Tokens) -> bool:
    """Return whether it ends in a comment or a text between dollars that is never closed."""
    last = tokens[-1].text if tokens else ""
    if last.startswith("$") and tokens[-1].kind == "string":
        mark = last[: last.index("$", 1) + 1]
        return len(last) < 2 * len(mark) or not last.endswith(mark)
    rest = text[tokens[-1].end :] if tokens else text
    comment = rest.rfind("/*")
    return comment >= 0 and "--" not in rest and rest.find("*/", comment + 2) < 0


def _tokens(text: str, lexer: re.Pattern[str], *, clients: bool) -> Iterator[Token]:
    """Each token; `clients`: a line that a client keeps is one of its own."""
    prompt = _prompt.match(text)
    at, fresh, missing = prompt.end() if prompt else 0, True, set[str]()
    while match := lexer.match(text, at):
        kind, at = str(match.lastgroup), match.end()
        if clients and kind not in _SILENT and (fresh or text[match.start()] == "\\"):
            line = _client_line.match(text, match.start())
            if line:
                at, fresh = line.end(), True
                yield Token("client", line[0], line.start(), at)
                continue
        if kind == "open":
            kind, at = _opened(text, match, missing)
        elif kind == "unclosed":
            kind, at = "sign", match.end() - len(match[0].lstrip(_PREFIXED)) + 1
            text = text[:at] + text[at:].replace(text[at - 1], " ")
        if fresh and match[0] == "#":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif kind not in _SILENT:
            part = text[match.start() : at]
            kind = "string" if kind == "number" and _hides_text.fullmatch(part) else kind
            fresh = part == ";"
            yield Token(kind, part.upper() if kind == "word" else part, match.start(), at)


def _opened(text: str, mark: re.Match[str], missing: set[str]) -> tuple[str, int]:
    """Return what a text between marks is, and its end; a quote that nothing ends is a sign.

    `missing`: ends that do not occur any more, of which none is looked for again.
    """
    end = closing(mark[0])
    close = -1 if end in missing else text.find(end, mark.end())
    if close >= 0:
        return "string", close + len(end)
    missing.add(end)
    if end[0] == "$":
        return "string", len(text)
    return "sign", mark.end() - len(mark[0].lstrip(_PREFIXED)) + 1


_PREFIXED = "bBeEnNqQrR"
"""Letters that may stand before a quote."""

_SILENT = frozenset({"skip", "hot"})
_hides_text = re.compile(r"0[xX](?:[2-7][0-9a-fA-F]|0[9aAdD]){4,}")
"""A number that may be a text: each of its bytes is a character that can be read."""


def _statements(tokens: Tokens) -> Iterator[Tokens]:
    """Cut at each semicolon that does not stand in the body of a definition."""
    start, inside = 0, 0
    for place, token in enumerate(tokens):
        if token.text in {"BEGIN", "CASE", "END"}:
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


def _step(tokens: Tokens, start: int, place: int) -> int:
    """Return how a BEGIN, CASE or END changes the depth of a definition's body."""
    if not defines(tokens[start : start + 8]):
        return 0
    before = tokens[place - 1].text if place > start else ""
    after = tokens[place + 1].text if place + 1 < len(tokens) else ""
    if tokens[place].text == "END":
        return 0 if after in {"IF", "LOOP", "WHILE", "REPEAT"} else -1
    return 0 if before == "END" else 1


def defines(head: Tokens) -> bool:
    """Return whether a statement only defines what runs later: `CREATE OR REPLACE FUNCTION …`."""
    if not head or head[0].text not in {"CREATE", "ALTER", "REPLACE"}:
        return False
    kind = next((token for token in head[1:] if not _is_prefix(token)), head[0])
    return kind.text in BODIES and kind.kind == "word"


def _is_prefix(token: Token) -> bool:
    """Return what may stand before the kind: `DEFINER = `root`@`%``, `OR REPLACE`, `TEMPORARY` …"""
    return token.text in _PREFIXES or token.kind in {"name", "string"} or token.text[0] == "@"


_PREFIXES = words("words/sql:definition_prefixes")


def unquoted(string: str) -> str:
    """The text in a string literal."""
    if string.startswith("$"):
        mark = string.index("$", 1) + 1
        return string[mark:].removesuffix(string[:mark])
    if string[:2] in {"0x", "0X"}:
        return bytes.fromhex(string[2:]).decode("latin-1")
    if string[:2] in {"x'", "X'"} and _hex.fullmatch(string[2:-1]):
        return bytes.fromhex(string[2:-1]).decode("latin-1")
    quote = string[-1]
    prefix, _, rest = string.partition(quote)
    said = rest[:-1]
    if prefix in _BRACKETED and len(said) > 1:
        return said[1:-1]
    if len(said) > len(quote * 4) and said[:2] == quote * 2 == said[-2:]:
        return said[2:-2]
    said = said.replace(quote * 2, quote)
    return unescape(said) if prefix in {"e", "E"} else said


_BRACKETED = frozenset({"q", "Q", "nq", "nQ", "Nq", "NQ"})
_hex = re.compile(r"(?:[0-9a-fA-F]{2})*")


def bare(token: Token) -> str:
    """A name without its quotes, in lower case."""
    return token.text.strip('"`[]').lower()


def without_brackets(tokens: Sequence[Token]) -> Iterator[tuple[int, Token]]:
    """The tokens, with their places, that stand in no bracket opened among them."""
    depth = 0
    for place, token in enumerate(tokens):
        depth -= token.text == ")"
        if depth <= 0:
            yield place, token
        depth += token.text == "("


MAX_LISTED = 12
"""Values of a list that are parsed: more of them say nothing new."""


def standard_sql(text: str, tokens: Tokens) -> str:
    """The same tokens as the parser reads them in any dialect, long lists of values cut short."""
    parts: list[str] = []
    listed, skipped = 0, False
    for place, token in enumerate(tokens):
        literal = token.kind in {"string", "number"}
        if skipped:
            skipped = False
            continue
        if token.text == "," and listed >= MAX_LISTED and _goes_on(tokens, place):
            skipped = True
            continue
        listed = listed + 1 if literal else listed if token.text == "," else 0
        gap = place and tokens[place - 1].end != token.start
        parts.append((" " if gap else "") + _standard_form(text, tokens, place))
    return "".join(parts)


def _goes_on(tokens: Tokens, comma: int) -> bool:
    """Return whether a literal stands behind it, and then a comma or the end of the list."""
    kinds = [token.kind for token in tokens[comma + 1 : comma + 2]]
    ends = [token.text for token in tokens[comma + 2 : comma + 3]]
    return kinds[:1] in (["string"], ["number"]) and ends[:1] in ([","], [")"])


def _standard_form(text: str, tokens: Tokens, place: int) -> str:
    token = tokens[place]
    if token.kind == "string":
        return "'" + unquoted(token.text).replace("'", "''") + "'"
    if token.kind == "name" and not _is_subscript(tokens, place):
        return '"' + token.text[1:-1].replace('"', "") + '"'
    if token.text == "%" and place and tokens[place - 1].kind in {"sign", "word"}:
        then = tokens[place + 1].text if place + 1 < len(tokens) else ""
        return "?" if then in {"S", "("} else "%"
    if token.text == "S" and place and tokens[place - 1].text == "%":
        return ""
    return text[token.start : token.end]


def _is_subscript(tokens: Tokens, place: int) -> bool:
    """Return whether `[1]` stands right behind an array, and is no quoted name."""
    before = tokens[place - 1] if place else None
    return bool(
        before
        and tokens[place].text[0] == "["
        and before.end == tokens[place].start
        and (before.kind in {"word", "name"} or before.text == ")")
    )


def pairs_of(tokens: Tokens) -> Iterator[tuple[str, str]]:
    """Each two tokens that stand side by side."""
    return pairwise(token.text for token in tokens)
