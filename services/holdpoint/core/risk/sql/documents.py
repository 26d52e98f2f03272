"""Orders of stores without tables that are handed in as SQL: `db.orders.drop()`, `FLUSHALL`."""

from collections.abc import Iterator

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql.act import Act, Found
from holdpoint.messages.risk import RiskLevel

MEDIUM, HIGH = RiskLevel.MEDIUM, RiskLevel.HIGH

_WHOLE = word_set("DROP DROPDATABASE DROPUSER DROPROLE DROPALLUSERSFROMDATABASE SHUTDOWNSERVER")
_CHOSEN = word_set("DELETEMANY REMOVE UPDATEMANY DELETEONE FINDONEANDDELETE DROPINDEXES DROPINDEX")
"""What takes only what a filter finds; an empty one finds everything."""

_EMPTY = ("(", "{", "}")


def ordered(act: Act) -> Iterator[Found]:
    """Each call of a collection, or of the database, that takes something away."""
    for place in range(2, len(act.tokens) - 1):
        verb = act.word(place)
        if act.word(place - 1) != "." or act.word(place + 1) != "(":
            continue
        everything = tuple(act.word(place + at) for at in (1, 2, 3)) == _EMPTY
        if verb in _WHOLE or (everything and verb in _MANY):
            yield act.found("sql.documents", HIGH, "“{}” drops or changes all of it", place + 1)
        elif verb in _CHOSEN:
            yield act.found("sql.documents", MEDIUM, "“{}” changes what is there", place + 1)


_MANY = word_set("DELETEMANY REMOVE UPDATEMANY")


def flushed(act: Act) -> Iterator[Found]:
    """Redis forgets everything."""
    yield act.found("sql.documents", HIGH, "“{}” empties the whole store", 1)
