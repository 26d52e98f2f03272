"""Locks that others wait for: of the whole server, of a table that nobody may even read."""

from collections.abc import Iterator
from itertools import pairwise

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql.act import Act, Found
from holdpoint.messages.risk import RiskLevel

MEDIUM, HIGH = RiskLevel.MEDIUM, RiskLevel.HIGH


def flushed(act: Act) -> Iterator[Found]:
    """MySQL's FLUSH TABLES WITH READ LOCK: of all tables, where none is named."""
    if act.follows("WITH", "READ", "LOCK"):
        everything = {token.text for token in act.tokens} <= _ALL_TABLES
        level = HIGH if everything else MEDIUM
        yield act.found("sql.lock", level, "“{}” makes everybody who writes wait", 0)


_ALL_TABLES = word_set("FLUSH LOCAL NO_WRITE_TO_BINLOG TABLE TABLES WITH READ LOCK")


def locked(act: Act) -> Iterator[Found]:
    """A lock against everybody, or against those who write; one of single rows stops nobody."""
    mode = _mode(act)
    if act.word(1) == "INSTANCE":
        yield act.found("sql.lock", HIGH, "“{}” stops changes of the whole server", 0)
    elif mode[:2] == ["ACCESS", "EXCLUSIVE"] or (not mode and _only_names(act)):
        yield act.found("sql.lock", HIGH, "“{}” makes everybody wait, also who reads", 0)
    elif mode not in _OF_ROWS and act.word(1) in {"TABLE", "TABLES"}:
        yield act.found("sql.lock", MEDIUM, "“{}” makes others wait", 0)


def _mode(act: Act) -> list[str]:
    """The words between IN and MODE."""
    texts = [token.text for token in act.tokens]
    start = texts.index("IN") if "IN" in texts else len(texts)
    return texts[start + 1 : texts.index("MODE", start)] if "MODE" in texts[start:] else []


_OF_ROWS = (["ACCESS", "SHARE"], ["ROW", "SHARE"], ["ROW", "EXCLUSIVE"])


def _only_names(act: Act) -> bool:
    """PostgreSQL's `LOCK TABLE a, b`: without a mode it is the strongest."""
    named = [token for token in act.tokens[1:] if token.text not in _BESIDE]
    words = [token.kind in {"word", "name"} for token in named]
    return bool(named) and words[0] and not any(one and other for one, other in pairwise(words))


_BESIDE = word_set("TABLE ONLY NOWAIT *")
