"""Statements within statements: in strings that one runs or joins, in bodies that one defines."""

import re
from collections.abc import Iterator
from itertools import chain, pairwise

import msgspec
import re2

from holdpoint.core.risk.extract.money import Money
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.sql.changes import sums
from holdpoint.core.risk.sql.orders import Source, orders, parted, quoted
from holdpoint.core.risk.sql.statements import (
    client_statements,
    code_texts,
    findings_in,
    is_of_session,
    language,
    runs_strings,
)
from holdpoint.core.risk.sql.tokens import (
    BODIES,
    Tokens,
    bare,
    cuts_on_server,
    defines,
    pairs_of,
    received,
    unquoted,
    ways,
    without_brackets,
)
from holdpoint.messages.risk import RiskLevel

_BESIDE_NAMED = frozenset({"IF", "EXISTS", "NOT"})
_FORGETS = words("words/sql:forgets")
"""Statements after which a name may mean another table than before."""

_OWN_SCHEMA = "PG_TEMP."
"""PostgreSQL's name for the session's own schema: what goes there, goes by its bare name too."""

_PARTS = frozenset({"SCHEMA", "OWNED", "TEMPORARY"})
"""What a DROP may name that takes such tables along, whatever they are called."""


class Temporaries:
    """The temporary tables that a text has made so far."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def passes(self, tokens: Tokens) -> bool:
        """Return whether a statement only drops or empties such tables; it counts as done then."""
        texts = [token.text for token in tokens]
        made = _made(texts)
        if made:
            self.names.add(made)
        elif texts[0] in _FORGETS or (texts[0] == "SET" and "SEARCH_PATH" in texts):
            self.names.clear()
        gone = _gone(texts)
        own = bool(gone) and all(_is_own(name, self.names) for name in gone)
        if texts[0] == "DROP":
            self.names.difference_update(name.removeprefix(_OWN_SCHEMA) for name in gone)
            if not _PARTS.isdisjoint(texts[1:2]):
                self.names.clear()
        return own


def _is_own(name: str, made: set[str]) -> bool:
    return name in made or name.startswith(_OWN_SCHEMA) or is_of_session(name)


def _made(texts: list[str]) -> str:
    """The table that `CREATE TEMP TABLE x` makes; none that goes again by itself."""
    if texts[:1] != ["CREATE"] or texts[1:2] not in (["TEMP"], ["TEMPORARY"]):
        return ""
    if texts[2:3] != ["TABLE"] or ("COMMIT", "DROP") in pairwise(texts):
        return ""
    rest = [text for text in texts[3:7] if text not in _BESIDE_NAMED]
    return rest[0] if rest and rest[1:2] != ["."] else ""


def _gone(texts: list[str]) -> tuple[str, ...]:
    """The tables that a plain DROP, TRUNCATE or DELETE without a condition names."""
    heads = 2 if texts[:2] in _EMPTYING else 1 if texts[:1] == ["TRUNCATE"] else 0
    rest = texts[heads:]
    while rest[:1] and rest[0] in _BESIDE_NAMED:
        rest = rest[1:]
    said = " ".join(rest[:-1] if rest[-1:] in _ENDS else rest)
    return tuple(said.replace(" . ", ".").split(" , ")) if heads and _listed.fullmatch(said) else ()


_EMPTYING = (["DROP", "TABLE"], ["TRUNCATE", "TABLE"], ["DELETE", "FROM"])
_ENDS = (["CASCADE"], ["RESTRICT"])
_name = r"""(?:\#*[^\W\d]\w*|"[^"]*"|`[^`]*`)"""
_listed = re.compile(rf"{_name}(?: \. {_name})*(?: , {_name}(?: \. {_name})*)*")

MAX_PIECES = 64
"""Pieces of one text; of more the first count."""

MAX_CALLS = 8
"""Calls of CONCAT within each other whose pieces are looked at."""

_SIGNS = frozenset({"||", "+"})
_JOINS = frozenset({"CONCAT", "CONCAT_WS"})
_NO_PIECE = words("words/sql:no_piece")
"""What is no piece although a bracket may follow."""

_DECODES = words("words/sql:decoders")
"""Functions whose text nobody can read off what they are given."""

_UNKNOWN = "some_name"
"""Stands for a piece that is known only when it runs."""

_begins_whole = re2.compile(r"^[\s(;]*(?:--[^\n]*\n\s*)*\pL+[\s(*;]")


class Joined(msgspec.Struct, frozen=True, kw_only=True):
    """A text in pieces."""

    text: str
    readable: bool
    """Whether it is known at least what it does: its first word stands there whole."""

    span: tuple[int, int]


def joined(tokens: Tokens) -> Iterator[Joined]:
    """Each text that is put together of more than one piece, or by a function that hides it."""
    statement = _Statement(tokens)
    place = 0
    while place < len(tokens):
        parts, end = statement.run(place, len(tokens), MAX_CALLS)
        if _is_text(tokens[place:end], parts):
            yield _whole(parts, (tokens[place].start, tokens[end - 1].end))
        place = end if len(parts) > 1 else place + 1


def _is_text(tokens: Tokens, parts: list[str | None]) -> bool:
    """Numbers are added by the same sign; a decoder hides a text even when it stands alone."""
    if not parts:
        return False
    if tokens[0].text in _DECODES and len(tokens) > 1:
        return True
    said = any(part is not None for part in parts)
    return len(parts) > 1 and (said or any(token.text in _JOINS | {"||"} for token in tokens))


def _whole(parts: list[str | None], span: tuple[int, int]) -> Joined:
    text = "".join(_UNKNOWN if part is None else part for part in parts[:MAX_PIECES])
    known = None not in parts or (parts[0] is not None and bool(_begins_whole.search(parts[0])))
    return Joined(text=text, readable=known, span=span)


class _Statement:
    """The tokens of one, and where each bracket in it is closed."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.closes: dict[int, int] = {}
        opened: list[int] = []
        for place, token in enumerate(tokens):
            if token.text == "(":
                opened.append(place)
            elif token.text == ")" and opened:
                self.closes[opened.pop()] = place

    def run(self, place: int, end: int, depth: int) -> tuple[list[str | None], int]:
        """The pieces that begin here, and where they end."""
        parts, at = self._operand(place, end, depth)
        while parts and at < end:
            beside = self.tokens[at].kind == "string" == self.tokens[at - 1].kind
            if not beside and self.tokens[at].text not in _SIGNS:
                break
            more, after = self._operand(at if beside else at + 1, end, depth)
            if not more:
                break
            parts, at = [*parts, *more], after
        return parts, at

    def _operand(self, place: int, end: int, depth: int) -> tuple[list[str | None], int]:
        """A string, what CONCAT is given, or anything else, which nobody knows yet."""
        if place >= end or self.tokens[place].text in _NO_PIECE:
            return [], place + 1
        first = self.tokens[place]
        if first.kind == "string":
            return [unquoted(first.text)], place + 1
        if first.kind not in {"word", "name", "number"}:
            return [], place + 1
        after = place + 1
        while after + 1 < end and self.tokens[after].text == ".":
            after += 2
        if after >= end or self.tokens[after].text != "(":
            return [None], after
        close = self.closes.get(after, end - 1)
        inside = self._given(after + 1, close, depth - 1) if first.text in _JOINS and depth else []
        return inside or [None], close + 1

    def _given(self, place: int, end: int, depth: int) -> list[str | None]:
        """The pieces between the commas."""
        parts: list[str | None] = []
        while place < end:
            more, after = self.run(place, end, depth)
            parts.extend(more)
            place = max(after, place + 1)
        return parts


HIGH = RiskLevel.HIGH
MAX_STATEMENTS = 200
MAX_NESTED = 3
"""Statements within strings within statements."""

Result = Finding | Money
_RUNS = frozenset({"CALL", "EXEC", "EXECUTE", "SELECT", "PERFORM", "DO", "BEGIN"})
_PREPARES = frozenset({"PREPARE", "EXEC", "EXECUTE"})
_BESIDE_RUN = _RUNS | {"IMMEDIATE", "FROM", "AS", "USING", "INTO", "END", "LOOP", "SP_EXECUTESQL"}
MAX_APART = 8
"""Tokens within which what is run stands behind its verb."""

_AT_ONCE = words("words/sql:told_at_once")
_TOO_DEEP = "“{}” runs a text that is nested too deep to be read"
_TOO_LONG = "“{}” begins a text that is too long to be read in each way"
_TOO_MANY = "“{}” is one of too many texts that it runs"
_REMOVES_LATER = "“{}” defines what changes or removes data later"


def results(source: Source, statements: tuple[Tokens, ...], depth: int) -> Iterator[Result]:
    """Yield what statements do, and the sums that they move; `depth`: how much deeper is read."""
    statements = tuple(part for tokens in statements for part in parted(tokens))
    run = frozenset[str]().union(*map(variables_run, statements))
    temporaries = Temporaries()
    for tokens in statements:
        if temporaries.passes(tokens) or _is_cut_short(source, tokens):
            continue
        if depth and (tokens[0].kind == "client" or any(one.text == _SETS for one in tokens)):
            for text in (*client_statements(tokens), *_settings(tokens)):
                yield from _within(source, text, (tokens[0].start, tokens[0].end), depth - 1)
        called = _is_called(tokens, statements)
        own = _body(tokens) if called else tokens
        yield from findings_in(source, own)
        yield from _sums(source, own)
        if depth and not called and defines(tokens[:8]):
            yield from _defined(source, tokens, depth - 1)
        elif depth and (called or runs_strings(tokens) or _keeps(tokens, run)):
            yield from _inside(source, tokens, depth - 1)
        elif not depth and runs_strings(tokens) and any(one.kind == "string" for one in tokens):
            yield source.order(tokens).finding("sql.dynamic", HIGH, _TOO_DEEP, 3)


_SETS = "SET_CONFIG"


def _settings(tokens: Tokens) -> Iterator[str]:
    """`set_config('role', 'postgres', false)` as the SET that it is."""
    texts = [token.text for token in tokens]
    for place in (at for at, text in enumerate(texts) if text == _SETS):
        given = [unquoted(one.text) for one in tokens[place : place + 6] if one.kind == "string"]
        yield f"SET {' '.join(given)}"


def _sums(source: Source, tokens: Tokens) -> Iterator[Money]:
    if not defines(tokens[:8]) and any(one.text in {"INSERT", "UPDATE"} for one in tokens):
        for order in orders(source, tokens):
            yield from sums(order)


def _is_cut_short(source: Source, tokens: Tokens) -> bool:
    """`DROP TABLE #t`, read as if a comment took the name: that is no statement of any database."""
    if tokens[-1].text not in {"TABLE", "FROM", "TRUNCATE", "EXISTS"} or len(tokens) > MAX_HEAD:
        return False
    return source.text[tokens[-1].end :].lstrip().startswith("#")


MAX_HEAD = 4


def _defined(source: Source, tokens: Tokens, depth: int) -> Iterator[Result]:
    """Yield what its body does beyond the rows, which are lost once somebody calls it."""
    source.budget.words //= 2
    spared = Source(source.text, source.dialect, msgspec.structs.replace(source.budget))
    own = findings_in(spared, _body(tokens))
    there = [one for one in chain(own, _inside(source, tokens, depth)) if isinstance(one, Finding)]
    grave = [one for one in there if one.level >= HIGH and one.rule != "sql.dynamic"]
    # Nobody calls a trigger, the next row does.
    by_itself = any(token.text == "TRIGGER" for token in tokens[:8])
    yield from (one for one in grave if by_itself or one.rule in _AT_ONCE)
    order = source.order(tokens)
    if grave and not order.has("DELETE", "DROP", "TRUNCATE"):
        yield order.finding("sql.create", RiskLevel.MEDIUM, _REMOVES_LATER, 4)


def _inside(source: Source, tokens: Tokens, depth: int) -> Iterator[Result]:
    """The statements in the strings of one that runs them, at the string's place."""
    if language(tokens):
        for text in code_texts(tokens):
            yield from _within(source, text, (tokens[0].start, tokens[-1].end), depth)
        return
    for token in tokens:
        if token.kind == "string":
            yield from _within(source, unquoted(token.text), (token.start, token.end), depth)
    given = next((at for at, token in enumerate(tokens) if token.text == "USING"), len(tokens))
    for piece in joined(tokens[:given]):
        yield from _within(source, piece.text, piece.span, depth)
        if not piece.readable:
            reason = "“{}” puts together what nobody can read yet"
            yield Finding(rule="sql.dynamic", level=HIGH, reason=reason, span=piece.span)


def _within(source: Source, text: str, span: tuple[int, int], depth: int) -> Iterator[Result]:
    source.budget.texts -= 1
    if source.budget.texts < 0:
        if source.budget.texts == -1:
            yield Finding(rule="sql.dynamic", level=HIGH, reason=_TOO_MANY, span=span)
        return
    for way in ways(text):
        inner = Source(received(way), source.dialect, source.budget)
        for one in _on_server(inner, depth):
            if isinstance(one, Finding) and one.span:
                evidence = quoted(inner.text[one.span[0] : one.span[1]])
                reason = one.reason.replace("{}", evidence)
                yield msgspec.structs.replace(one, reason=reason, span=span)
            else:
                yield one


def _on_server(source: Source, depth: int) -> Iterator[Result]:
    for cut in cuts_on_server(source.text, source.dialect):
        if cut.long:
            yield source.order(cut.statements[0]).finding("sql.dynamic", HIGH, _TOO_LONG, 3)
        yield from results(source, cut.statements[:MAX_STATEMENTS], depth)


def variables_run(tokens: Tokens) -> frozenset[str]:
    """Those of `PREPARE p FROM @q`, `EXECUTE IMMEDIATE :q`, `EXEC (@q)`, `EXECUTE q` in a block."""
    openers = {"BEGIN", "THEN", "ELSE", "LOOP", "DO"}
    return (
        frozenset(
            beside.text
            for place, token in enumerate(tokens)
            if token.text in _PREPARES and token.kind == "word"
            if not place or tokens[place - 1].text in openers
            for beside in tokens[place : place + MAX_APART]
            if beside.kind == "word" and beside.text not in _BESIDE_RUN
        )
        - _PREPARES
    )


def _keeps(tokens: Tokens, run: frozenset[str]) -> bool:
    """Return whether it may put a text into a variable that runs later: `SET @q = …`, `q := …`."""
    heads = any(token.text in {"SET", "DECLARE", "SELECT"} for token in tokens[:3])
    if heads and any(name.startswith(("@", ":")) for name in run):
        return True
    return (":", "=") in pairs_of(tokens) and any(token.text in run for token in tokens)


def _is_called(tokens: Tokens, statements: tuple[Tokens, ...]) -> bool:
    """Return whether another statement of the text runs what this one defines."""
    name = _defined_name(tokens) if defines(tokens[:8]) else ""
    return bool(name) and any(
        name in map(bare, other) for other in statements if other[0].text in _RUNS
    )


def _defined_name(tokens: Tokens) -> str:
    """`p` of `CREATE PROCEDURE shop.p()`."""
    name = ""
    for token in tokens[_kind_place(tokens) + 1 :]:
        if token.text in {"(", "AS", "BEGIN", "IS"}:
            break
        name = bare(token)
    return name


def _kind_place(tokens: Tokens) -> int:
    return next(at for at, token in enumerate(tokens) if token.text in BODIES)


def _body(tokens: Tokens) -> Tokens:
    """Return what runs when it is called; all of it, where no body is found."""
    rest = tokens[_kind_place(tokens) + 1 :]
    start = 0
    for place, token in without_brackets(rest):
        if token.kind == "word" and token.text in {"AS", "IS", "BEGIN"}:
            return rest[place + 1 :] or tokens
        if not start and token.text in {")", "ON", "BEFORE", "AFTER", "INSTEAD"}:
            start = place + 1
    return rest[start:] or tokens
