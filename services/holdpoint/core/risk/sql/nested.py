"""Statements within statements: in the strings that one runs, in the bodies that one defines."""

from collections.abc import Iterator
from itertools import chain

import msgspec

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql import clients, foreign
from holdpoint.core.risk.sql.act import Found, quoted, unquoted
from holdpoint.core.risk.sql.later import body, is_called, keeps, variables_run
from holdpoint.core.risk.sql.pieces import joined
from holdpoint.core.risk.sql.received import received
from holdpoint.core.risk.sql.statement import VERBS, Source, dynamic, found_in
from holdpoint.core.risk.sql.stray import parted
from holdpoint.core.risk.sql.temporary import Temporaries
from holdpoint.core.risk.sql.tokens import Token, cut, defines
from holdpoint.core.risk.sql.ways import ways
from holdpoint.messages.risk import RiskLevel

HIGH = RiskLevel.HIGH

MAX_STATEMENTS = 200
MAX_NESTED = 3
"""Statements within strings within statements."""

Statements = tuple[tuple[Token, ...], ...]


def found(source: Source, statements: Statements, depth: int) -> Iterator[Found]:
    """What they do, and what stands inside of them; `depth`: how much deeper is read."""
    statements = tuple(part for one in statements for part in parted(one, VERBS))
    run = frozenset[str]().union(*map(variables_run, statements))
    temporaries = Temporaries()
    for tokens in statements:
        if temporaries.passes(tokens) or _is_cut_short(source, tokens):
            continue
        if depth and clients.is_client(tokens):
            yield from _of_client(source, tokens, depth - 1)
        called = is_called(tokens, statements)
        yield from found_in(source, body(tokens) if called else tokens)
        if depth and not called and defines(tokens[:8]):
            yield from _defined(source, tokens, depth - 1)
        elif depth and (called or dynamic(tokens) or keeps(tokens, run)):
            yield from _inside(source, tokens, depth - 1)
        elif not depth and dynamic(tokens) and any(token.kind == "string" for token in tokens):
            yield source.act(tokens).found("sql.dynamic", HIGH, _TOO_DEEP, 3)


_TOO_DEEP = "“{}” runs a text that stands deeper in others than anybody reads"


def _is_cut_short(source: Source, tokens: tuple[Token, ...]) -> bool:
    """`DROP TABLE #t`, read as if a comment took the name: that is no statement of any database."""
    if tokens[-1].text not in _BEFORE_NAMES or len(tokens) > MAX_HEAD:
        return False
    return source.text[tokens[-1].end :].lstrip().startswith("#")


MAX_HEAD = 4
_BEFORE_NAMES = word_set("TABLE FROM TRUNCATE EXISTS")


def _of_client(source: Source, tokens: tuple[Token, ...], depth: int) -> Iterator[Found]:
    """What a line for the client holds that is SQL."""
    for text in clients.statements(tokens):
        yield from _within(source, text, (tokens[0].start, tokens[0].end), depth)


_AT_ONCE = word_set(
    "sql.power sql.people sql.shell sql.files sql.settings sql.stop sql.function sql.language "
    "sql.traces"
)
"""What reaches beyond the rows is told where it is defined: the later call does not show it."""


def _defined(source: Source, tokens: tuple[Token, ...], depth: int) -> Iterator[Found]:
    """What its body does beyond the rows; rows that it removes are lost once somebody calls it."""
    source.budget.left //= 2
    own = found_in(source.spared(), body(tokens))
    strings = _inside(source, tokens, depth)
    found_there = (one for one in chain(own, strings) if one.rule != "sql.dynamic")
    grave = [one for one in found_there if one.level >= HIGH]
    by_itself = _is_trigger(tokens)
    yield from (one for one in grave if by_itself or one.rule in _AT_ONCE)
    if grave and not source.act(tokens).has("DELETE", "DROP", "TRUNCATE"):
        yield source.act(tokens).found("sql.create", RiskLevel.MEDIUM, _REMOVES_LATER, 4)


def _is_trigger(tokens: tuple[Token, ...]) -> bool:
    """Nobody calls it, the next row does: all that is grave in it is told."""
    return any(token.text == "TRIGGER" for token in tokens[:8])


_REMOVES_LATER = "“{}” defines what changes or removes data later"


def _inside(source: Source, tokens: tuple[Token, ...], depth: int) -> Iterator[Found]:
    """The statements in the strings of one that runs them; told at the string's place."""
    if foreign.language(tokens):
        span = (tokens[0].start, tokens[-1].end)
        for text in foreign.texts(tokens):
            yield from _within(source, text, span, depth)
        return
    for token in tokens:
        if token.kind == "string":
            yield from _within(source, unquoted(token.text), (token.start, token.end), depth)
    for one in joined(_run_part(tokens)):
        yield from _within(source, one.text, one.span, depth)
        if not one.readable:
            yield Found(
                rule="sql.dynamic",
                level=HIGH,
                reason="“{}” puts together what nobody can read yet",
                span=one.span,
            )


_TOO_MANY = "“{}” is one of more texts that are run than anybody reads"


def _run_part(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Without the values that it is given."""
    ends = (place for place, token in enumerate(tokens) if token.text == "USING")
    return tokens[: next(ends, len(tokens))]


def _within(source: Source, text: str, span: tuple[int, int], depth: int) -> Iterator[Found]:
    source.budget.texts -= 1
    if source.budget.texts < 0:
        if source.budget.texts == -1:
            yield Found(rule="sql.dynamic", level=HIGH, reason=_TOO_MANY, span=span)
        return
    for way in ways(text):
        inner = Source(received(way), source.dialect, source.budget)
        run = cut(inner.text, inner.dialect)
        for one in found(inner, run.statements[:MAX_STATEMENTS], depth):
            words = quoted(inner.text[one.span[0] : one.span[1]])
            yield msgspec.structs.replace(one, reason=one.reason.replace("{}", words), span=span)
