"""DELETE, UPDATE, INSERT, MERGE, REPLACE: which rows a change takes."""

from collections.abc import Iterator

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql.act import LEAST, Act, Found
from holdpoint.core.risk.sql.leaving import inserted_away
from holdpoint.core.risk.sql.mighty import empowered, in_catalog
from holdpoint.core.risk.sql.paid import credited, paid
from holdpoint.core.risk.sql.rows import table
from holdpoint.core.risk.sql.tokens import Token
from holdpoint.core.risk.sql.truth import Reach, reach
from holdpoint.messages.risk import RiskLevel

LOW, MEDIUM, HIGH, CRITICAL = RiskLevel

_AFTER_WHERE = frozenset({"RETURNING", "ORDER", "LIMIT", "OPTION", "OUTPUT", "WINDOW", "RETURN"})
_TRACES = ("AUDIT", "HISTORY", "BACKUP")
_SECRETS = ("PASSWORD", "PASSWD", "CREDENTIAL", "SECRET", "API_KEY", "APIKEY", "TOKEN")
_UNDOING = word_set(
    "OR NOT XOR TRUE LIKE ILIKE RLIKE REGEXP SIMILAR GLOB EXISTS CASE COALESCE IFNULL NVL IF IS "
    "BETWEEN ANY ALL SOME SELECT || && ! ~ + - * / % CURRENT COLLATE"
)
"""With one of these a comparison may hold for every row."""


def deleted(act: Act) -> Iterator[Found]:
    """Without a condition that names rows, all or most of them go."""
    yield from _rows(act, "removes")
    yield from in_catalog(act)
    if _names(act, _TRACES, 6):
        yield act.found("sql.traces", HIGH, "“{}” removes traces or backups", 4)


def updated(act: Act) -> Iterator[Found]:
    """As a delete; and some columns give power away. SQL Server's statistics are no rows."""
    if act.word(1) == "STATISTICS" and not act.has("SET"):
        return
    yield from _rows(act, "changes")
    yield from in_catalog(act)
    yield from empowered(act)
    yield from credited(act)
    if _names(act, _SECRETS, 3):
        yield act.found("sql.secrets", HIGH, "“{}” changes secrets", 4)


def _rows(act: Act, does: str) -> Iterator[Found]:
    condition = _condition(act)
    known = _reach(act, condition)
    count = _head(act)
    if known is None:
        yield act.found("sql.all-rows", HIGH, f"“{{}}” names no rows: it {does} all of them", count)
    elif known is Reach.ALL:
        yield act.found("sql.all-rows", HIGH, "the condition of “{}” is always true", 0)
    elif known is Reach.MOST:
        yield act.found("sql.all-rows", HIGH, "the condition of “{}” fits nearly every row", 0)
    elif known is Reach.UNREADABLE:
        yield act.found("sql.unreadable", HIGH, "nobody can tell which rows “{}” takes", count)
    elif act.hidden:
        yield act.found(
            "sql.hidden", HIGH, f"“{{}}” {does} rows inside what looks like a query", count
        )
    elif known is Reach.RANGE and act.verb == "DELETE":
        yield act.found("sql.many-rows", HIGH, "“{}” removes a whole range of rows", 0)
    else:
        yield act.found("sql.rows", MEDIUM, f"“{{}}” {does} rows", count)


def _head(act: Act) -> int:
    """How many words name the table: `DELETE FROM shop.invoices`, `UPDATE invoices`."""
    ends = (
        place for place in range(len(act.tokens)) if act.word(place) in {"WHERE", "SET", "USING"}
    )
    return min(next(ends, len(act.tokens)), MOST_QUOTED)


MOST_QUOTED = 7
"""Words of a statement that stand for it."""


def _condition(act: Act) -> tuple[Token, ...] | None:
    """What follows WHERE; None when there is none."""
    depth, start = 0, 0
    for place, token in enumerate(act.tokens):
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 0 and token.kind == "word":
            if start and token.text in _AFTER_WHERE:
                return act.tokens[start:place]
            if token.text == "WHERE":
                start = place + 1
    return act.tokens[start:] if start else None


def _reach(act: Act, condition: tuple[Token, ...] | None) -> Reach | None:
    if condition is None:
        return None
    if not condition:
        return Reach.UNREADABLE
    if _is_plain(condition) or condition[0].text == "CURRENT":
        return Reach.NAMED
    text = act.text[condition[0].start : condition[-1].end]
    act.budget.left -= max(len(text), LEAST)
    if act.budget.left <= 0:
        return Reach.UNREADABLE
    return reach(text, act.dialect, table(act).rpartition(".")[2])


def _is_plain(condition: tuple[Token, ...]) -> bool:
    """`name = value`, `name IN (value, …)`, and no word that could undo it: nothing to parse."""
    if any(token.text in _UNDOING for token in condition):
        return False
    triples = zip(condition, condition[1:], condition[2:], strict=False)
    return any(_names_one(*triple) for triple in triples)


def _names_one(name: Token, sign: Token, value: Token) -> bool:
    named = name.kind in {"word", "name"} and name.text not in {"TRUE", "FALSE", "NULL"}
    holds = value.kind in {"string", "number"} or value.text.startswith((":", "$", "@", "?"))
    return named and (sign.text == "IN" or (sign.text == "=" and holds))


def inserted(act: Act) -> Iterator[Found]:
    """Adding rows is harmless, unless it overwrites or makes somebody mighty."""
    if act.word(1) == "OVERWRITE" or act.follows("OR", "REPLACE"):
        level = HIGH if act.word(1) == "OVERWRITE" else MEDIUM
        yield act.found("sql.replace", level, "“{}” overwrites what was there", 4)
    yield from inserted_away(act)
    yield from in_catalog(act)
    yield from empowered(act)
    yield from paid(act)


def replaced(act: Act) -> Iterator[Found]:
    """REPLACE INTO removes the row that was there."""
    yield act.found("sql.replace", MEDIUM, "“{}” overwrites rows that exist", 4)


def merged(act: Act) -> Iterator[Found]:
    """A merge that deletes what the source lacks takes any number of rows."""
    deletes = act.follows("THEN", "DELETE")
    if deletes and (act.follows("BY", "SOURCE") or act.follows("ON", "TRUE")):
        yield act.found("sql.merge", HIGH, "“{}” deletes whatever the source lacks", 4)
    else:
        yield act.found("sql.merge", MEDIUM, "“{}” changes rows that exist", 4)


def _names(act: Act, parts: tuple[str, ...], count: int) -> bool:
    """Whether one of the first names holds one of these."""
    names = (token.text.upper() for token in act.tokens[1:count] if token.kind in {"word", "name"})
    return any(part in name for name in names for part in parts)
