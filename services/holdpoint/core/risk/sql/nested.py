"""Statements within statements: in strings that one runs, in bodies that one defines."""

from collections.abc import Iterator
from itertools import chain

import msgspec

from holdpoint.core.risk.extract.money import Money
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.sql import client_commands, foreign
from holdpoint.core.risk.sql.concatenation import joined
from holdpoint.core.risk.sql.finder import orders, parted
from holdpoint.core.risk.sql.order import Source, quoted
from holdpoint.core.risk.sql.preprocess import received, ways
from holdpoint.core.risk.sql.statements import findings_in, runs_strings
from holdpoint.core.risk.sql.temporary import Temporaries
from holdpoint.core.risk.sql.tokens import (
    BODIES,
    Tokens,
    bare,
    cut_on_server,
    defines,
    pairs_of,
    unquoted,
    without_brackets,
)
from holdpoint.core.risk.sql.values import sums
from holdpoint.messages.risk import RiskLevel

HIGH = RiskLevel.HIGH

MAX_STATEMENTS = 200
MAX_NESTED = 3
"""Statements within strings within statements."""

Result = Finding | Money

_RUNS = frozenset({"CALL", "EXEC", "EXECUTE", "SELECT", "PERFORM", "DO", "BEGIN"})
_PREPARES = frozenset({"PREPARE", "EXEC", "EXECUTE"})
_BESIDE = _RUNS | {"IMMEDIATE", "FROM", "AS", "USING", "INTO", "END", "LOOP", "SP_EXECUTESQL"}
MAX_APART = 8
"""Tokens within which what is run stands behind its verb."""

_AT_ONCE = words("words/sql:told_at_once")
_TOO_DEEP = "“{}” runs a text that is nested too deep to be read"
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
        if depth and tokens[0].kind == "client":
            for text in client_commands.statements(tokens):
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
    """What its body does beyond the rows; rows that it removes are lost once somebody calls it."""
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
    if foreign.language(tokens):
        for text in foreign.texts(tokens):
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
        run = cut_on_server(inner.text, inner.dialect)
        for one in results(inner, run.statements[:MAX_STATEMENTS], depth):
            if isinstance(one, Finding) and one.span:
                evidence = quoted(inner.text[one.span[0] : one.span[1]])
                reason = one.reason.replace("{}", evidence)
                yield msgspec.structs.replace(one, reason=reason, span=span)
            else:
                yield one


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
            if beside.kind == "word" and beside.text not in _BESIDE
        )
        - _PREPARES
    )


def _keeps(tokens: Tokens, run: frozenset[str]) -> bool:
    """Whether it may put a text into a variable that runs later: `SET @q = …`, `q := …`."""
    heads = any(token.text in {"SET", "DECLARE", "SELECT"} for token in tokens[:3])
    if heads and any(name.startswith(("@", ":")) for name in run):
        return True
    return (":", "=") in pairs_of(tokens) and any(token.text in run for token in tokens)


def _is_called(tokens: Tokens, statements: tuple[Tokens, ...]) -> bool:
    """Whether another statement of the text runs what this one defines."""
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
    """What runs when it is called, without its name and what it is given; all, where none is."""
    rest = tokens[_kind_place(tokens) + 1 :]
    start = 0
    for place, token in without_brackets(rest):
        if token.kind == "word" and token.text in {"AS", "IS", "BEGIN"}:
            return rest[place + 1 :] or tokens
        if not start and token.text in {")", "ON", "BEFORE", "AFTER", "INSTEAD"}:
            start = place + 1
    return rest[start:] or tokens
