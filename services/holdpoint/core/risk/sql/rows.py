"""DELETE, UPDATE, INSERT, MERGE, REPLACE: which rows a change takes."""

from collections.abc import Iterator
from itertools import pairwise

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.sql.order import Order, Reach
from holdpoint.core.risk.sql.rules import has_address
from holdpoint.core.risk.sql.tokens import Tokens, without_brackets
from holdpoint.core.risk.sql.values import (
    empowers,
    is_in_catalog,
    pays_every_row,
    table_of,
)
from holdpoint.messages.risk import Heuristic, RiskLevel

MEDIUM, HIGH = RiskLevel.MEDIUM, RiskLevel.HIGH

MOST_QUOTED = 7
"""Tokens of a statement that stand for it."""

_AFTER_WHERE = frozenset({"RETURNING", "ORDER", "LIMIT", "OPTION", "OUTPUT", "WINDOW", "RETURN"})
_UNDOING = words("words/sql:undoing")
_NO_COLUMNS = words("words/sql:constant_names")
_TRACES = ("audit", "history", "backup")
_SECRETS = ("password", "passwd", "credential", "secret", "api_key", "apikey", "token")


def deleted(order: Order) -> Iterator[Finding]:
    """Yield findings on a DELETE: without a condition that names rows, all or most of them go."""
    yield from _taken(order, "removes")
    yield from _in_catalog(order)
    if _names_one_of(order, _TRACES, 5):
        yield order.finding("sql.traces", HIGH, "“{}” removes traces or backups", 4)


def updated(order: Order) -> Iterator[Finding]:
    """Yield findings on an UPDATE: its rows, and columns that give power away."""
    if order.word(1) == "STATISTICS" and not order.has("SET"):
        return  # SQL Server's, which changes no row
    yield from _taken(order, "changes")
    yield from _in_catalog(order)
    yield from _empowered(order)
    if _names_one_of(order, _SECRETS, 2):
        yield order.finding("sql.secrets", HIGH, "“{}” changes secrets", 4)


def inserted(order: Order) -> Iterator[Finding]:
    """Yield findings on an INSERT: harmless, unless it overwrites, sends away or empowers."""
    if order.word(1) == "OVERWRITE" or order.follows("OR", "REPLACE"):
        level = HIGH if order.word(1) == "OVERWRITE" or _copies_table(order) else MEDIUM
        yield order.finding("sql.replace", level, "“{}” overwrites what was there", 4)
    place = next((at for at in (2, 3) if order.word(at) == "FUNCTION"), 0)
    remote = order.word(place + 1) in {"REMOTE", "REMOTESECURE", "URL"}
    if place and (remote or has_address(order)):
        yield order.finding("sql.files", HIGH, "“{}” sends data to an address elsewhere", 0)
    yield from _in_catalog(order)
    yield from _empowered(order)
    if pays_every_row(order) and rows_taken(order) is not Reach.NAMED:
        reason = "“{}” pays for every row of a table"
        yield order.finding("sql.pays-all", HIGH, reason, 4, Heuristic.MAGNITUDE)


def replaced(order: Order) -> Iterator[Finding]:
    """Yield findings on a REPLACE, which removes the rows that were there."""
    level = HIGH if _copies_table(order) else MEDIUM
    yield order.finding("sql.replace", level, "“{}” overwrites rows that exist", 4)


def merged(order: Order) -> Iterator[Finding]:
    """Yield findings on a MERGE; one that deletes what the source lacks may take any row."""
    if order.follows("THEN", "DELETE") and order.follows("BY", "SOURCE"):
        yield order.finding("sql.merge", HIGH, "“{}” deletes whatever the source lacks", 4)
        return
    if order.follows("WHEN", "MATCHED") and _joins_every_row(order):
        reason = "“{}” takes every row: its condition always holds"
        yield order.finding("sql.merge", HIGH, reason, 4)
    else:
        yield order.finding("sql.merge", MEDIUM, "“{}” changes rows that exist", 4)


def _joins_every_row(order: Order) -> bool:
    """Whether the condition between ON and the first WHEN always holds."""
    texts = [token.text for token in order.tokens]
    end = texts.index("WHEN")
    start = texts.index("ON") + 1 if "ON" in texts[:end] else end
    return order.source.reach(order.tokens[start:end], "") in {Reach.ALL, Reach.MOST}


def _taken(order: Order, does: str) -> Iterator[Finding]:
    known, quote = rows_taken(order), _head(order)
    if known is Reach.NONE:
        yield order.finding(
            "sql.all-rows", HIGH, f"“{{}}” names no rows: it {does} all of them", quote
        )
    elif known is Reach.ALL:
        yield order.finding("sql.all-rows", HIGH, "the condition of “{}” is always true")
    elif known is Reach.MOST:
        yield order.finding("sql.all-rows", HIGH, "the condition of “{}” fits nearly every row")
    elif known is Reach.UNREADABLE:
        yield order.finding("sql.unreadable", HIGH, "nobody can tell which rows “{}” takes", quote)
    elif order.hidden:
        reason = f"“{{}}” {does} rows inside what looks like a query"
        yield order.finding("sql.hidden", HIGH, reason, quote)
    elif known is Reach.RANGE and order.verb == "DELETE":
        yield order.finding("sql.many-rows", HIGH, "“{}” removes a whole range of rows")
    else:
        yield order.finding("sql.rows", MEDIUM, f"“{{}}” {does} rows", quote)


def _head(order: Order) -> int:
    """Return how many tokens name the table: `DELETE FROM shop.invoices`."""
    places = range(len(order.tokens))
    ends = (place for place in places if order.word(place) in {"WHERE", "SET", "USING"})
    return min(next(ends, len(order.tokens)), MOST_QUOTED)


def rows_taken(order: Order) -> Reach:
    """Return which rows its condition takes; NONE where there is no condition."""
    condition = _condition(order)
    if condition is None:
        return Reach.NONE
    if condition and (_is_plain(condition) or condition[0].text == "CURRENT"):
        return Reach.NAMED
    return order.source.reach(condition, table_of(order).rpartition(".")[2])


def _condition(order: Order) -> Tokens | None:
    """Return the tokens behind WHERE; None when there is none."""
    start = 0
    for place, token in without_brackets(order.tokens):
        if token.kind == "word" and start and token.text in _AFTER_WHERE:
            return order.tokens[start:place]
        if token.text == "WHERE":
            start = place + 1
    return order.tokens[start:] if start else None


def _is_plain(condition: Tokens) -> bool:
    """`name = value`, `name IN (value, …)`, and no word that could undo it: nothing to parse."""
    if any(token.text in _UNDOING for token in condition):
        return False
    shifts = any(
        one.text == then.text and one.text in "<>" and one.end == then.start
        for one, then in pairwise(condition)
    )
    return not shifts and any(_names_value(condition[at : at + 4]) for at in range(len(condition)))


def _names_value(tokens: Tokens) -> bool:
    """Whether a column is compared with a value here."""
    if len(tokens) < MIN_COMPARED:
        return False
    name, sign, value = tokens[0], tokens[1].text, tokens[3 if tokens[1].text == "IN" else 2 :]
    column = name.kind == "name" or (name.kind == "word" and "#" not in name.text)
    column = column and name.text not in _NO_COLUMNS and name.text[0] not in "@:$"
    known = value and (value[0].kind in {"string", "number"} or value[0].text[0] in ":$@?")
    return bool(column and sign in {"=", "IN"} and known)


MIN_COMPARED = 3
"""Tokens of the shortest comparison."""


def _copies_table(order: Order) -> bool:
    """Whether its rows are all those of another table: `… SELECT * FROM y`, `… TABLE y`."""
    asked = order.has("SELECT") and order.has("FROM")
    return (asked or order.has("TABLE")) and _condition(order) is None


def _in_catalog(order: Order) -> Iterator[Finding]:
    if is_in_catalog(table_of(order)):
        yield order.finding("sql.power", HIGH, "“{}” changes what the server itself keeps", 4)


def _empowered(order: Order) -> Iterator[Finding]:
    if empowers(order):
        yield order.finding("sql.power", HIGH, "“{}” makes somebody an administrator", 4)


def _names_one_of(order: Order, parts: tuple[str, ...], count: int) -> bool:
    """Whether one of the first names holds one of these."""
    heads = order.tokens[1 : count + 1]
    names = (token.text.lower() for token in heads if token.kind in {"word", "name"})
    return any(part in name for name in names for part in parts)
