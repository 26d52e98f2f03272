"""DELETE, UPDATE, INSERT, MERGE, REPLACE: which rows a change takes."""

from collections.abc import Iterator

from holdpoint.core.risk.sql.act import Act, Found
from holdpoint.core.risk.sql.condition import condition_of, reached
from holdpoint.core.risk.sql.leaving import inserted_away
from holdpoint.core.risk.sql.mighty import empowered, in_catalog
from holdpoint.core.risk.sql.paid import credited, paid, paid_to_all
from holdpoint.core.risk.sql.tokens import Token
from holdpoint.core.risk.sql.truth import Reach
from holdpoint.messages.risk import RiskLevel

LOW, MEDIUM, HIGH, CRITICAL = RiskLevel

_TRACES = ("AUDIT", "HISTORY", "BACKUP")
_SECRETS = ("PASSWORD", "PASSWD", "CREDENTIAL", "SECRET", "API_KEY", "APIKEY", "TOKEN")


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
    condition = condition_of(act)
    known = reached(act, condition)
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


def inserted(act: Act) -> Iterator[Found]:
    """Adding rows is harmless, unless it overwrites or makes somebody mighty."""
    if act.word(1) == "OVERWRITE" or act.follows("OR", "REPLACE"):
        level = HIGH if act.word(1) == "OVERWRITE" or _of_a_whole_table(act) else MEDIUM
        yield act.found("sql.replace", level, "“{}” overwrites what was there", 4)
    yield from inserted_away(act)
    yield from in_catalog(act)
    yield from empowered(act)
    yield from paid(act)
    yield from paid_to_all(act)


def replaced(act: Act) -> Iterator[Found]:
    """REPLACE INTO removes the row that was there; with a whole table, any number of them."""
    level = HIGH if _of_a_whole_table(act) else MEDIUM
    yield act.found("sql.replace", level, "“{}” overwrites rows that exist", 4)


def _of_a_whole_table(act: Act) -> bool:
    """Whether its rows are all those of another table: `… SELECT * FROM y`, `… TABLE y`."""
    asked = act.has("SELECT") and act.has("FROM")
    return (asked or act.has("TABLE")) and condition_of(act) is None


def merged(act: Act) -> Iterator[Found]:
    """A merge that deletes what the source lacks takes any number of rows."""
    if act.follows("THEN", "DELETE") and act.follows("BY", "SOURCE"):
        yield act.found("sql.merge", HIGH, "“{}” deletes whatever the source lacks", 4)
    elif act.follows("WHEN", "MATCHED") and reached(act, _joined(act)) in _EVERYTHING:
        yield act.found("sql.merge", HIGH, "“{}” takes every row: its condition always holds", 4)
    else:
        yield act.found("sql.merge", MEDIUM, "“{}” changes rows that exist", 4)


_EVERYTHING = (Reach.ALL, Reach.MOST)


def _joined(act: Act) -> tuple[Token, ...]:
    """What a MERGE compares the two tables by, between ON and the first WHEN."""
    texts = [token.text for token in act.tokens]
    end = texts.index("WHEN")
    start = texts.index("ON") + 1 if "ON" in texts[:end] else end
    return act.tokens[start:end]


def _names(act: Act, parts: tuple[str, ...], count: int) -> bool:
    """Whether one of the first names holds one of these."""
    names = (token.text.upper() for token in act.tokens[1:count] if token.kind in {"word", "name"})
    return any(part in name for name in names for part in parts)
