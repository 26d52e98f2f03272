"""What a sentence says, as signals: its grave deeds, and the programs that it quotes."""

from collections.abc import Iterator

import msgspec

from holdpoint.core.risk.code import shell, sql
from holdpoint.core.risk.dialogue.door import Announcement
from holdpoint.core.risk.dialogue.spoken import has_programs, shell_in, sql_in
from holdpoint.core.risk.sql.act import Budget
from holdpoint.core.risk.text import Folded, unhidden
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

MAX_EVIDENCE = 200
Spans = tuple[tuple[int, int], ...]


def said_signals(told: Announcement, text: Folded) -> Iterator[Signal]:
    """Each remark, with the words that it is about."""
    for one in told.remarks:
        start, end = text.span(*one.span)
        yield Signal(
            rule=one.rule,
            heuristic=one.heuristic,
            level=one.level,
            reason=one.reason,
            span=(start, end),
            evidence=text.nfkc[start:end][:MAX_EVIDENCE],
        )


def unmentioned(programs: tuple[Signal, ...], mentioned: Spans) -> Iterator[Signal]:
    """What quoted programs would do, without those that are only talked of."""
    for signal in programs:
        at = signal.span[0] if signal.span else -1
        if not any(start <= at < end for start, end in mentioned):
            yield signal


def said_programs(text: Folded) -> Iterator[Signal]:
    """What quoted SQL and commands would do; in a sentence even a scoped change is announced."""
    seen = text.nfkc if text.nfkc.isascii() else unhidden(text.nfkc)
    if not has_programs(seen):
        return
    budget, left = Budget(), MAX_STATED
    for piece in sql_in(seen):
        left -= len(piece)
        if left < 0:
            yield _UNREAD
            break
        for signal in sql(piece, "", budget).signals:
            yield _quoted(signal, text, piece, raised=True)
    for piece in shell_in(seen):
        for signal in shell(piece, "", budget).signals:
            yield _quoted(signal, text, piece, raised=False)


MAX_STATED = 2_500
"""Characters of all statements in a sentence, also of those inside of others."""

_UNREAD = Signal(
    rule="sql.tangled",
    heuristic=Heuristic.UNCERTAINTY,
    level=RiskLevel.HIGH,
    reason="more statements stand in it than anybody reads",
)


def _quoted(signal: Signal, text: Folded, piece: str, *, raised: bool) -> Signal:
    """Placed where the piece stands; a change that people are told of in words is asked about."""
    at = text.nfkc.find(piece)
    span = (at, at + len(piece)) if at >= 0 else None
    up = raised and signal.level is RiskLevel.MEDIUM
    return msgspec.structs.replace(
        signal,
        span=span,
        level=RiskLevel.HIGH if up else signal.level,
        evidence=piece[:MAX_EVIDENCE],
    )
