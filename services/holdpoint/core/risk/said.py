"""What a sentence says, as signals: its grave deeds, and the programs that it quotes."""

from collections.abc import Iterator

import msgspec

from holdpoint.core.risk.code import shell, sql
from holdpoint.core.risk.dialogue.door import Announcement
from holdpoint.core.risk.dialogue.spoken import shell_in, sql_in
from holdpoint.core.risk.shell.disguise import unhidden
from holdpoint.core.risk.text import Folded
from holdpoint.messages.risk import RiskLevel, Signal

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


def said_programs(text: Folded, mentioned: Spans) -> Iterator[Signal]:
    """What quoted SQL and commands would do; in a sentence even a scoped change is announced."""
    for signal in _programs(text):
        at = signal.span[0] if signal.span else -1
        if not any(start <= at < end for start, end in mentioned):
            yield signal


def _programs(text: Folded) -> Iterator[Signal]:
    seen = text.nfkc if text.nfkc.isascii() else unhidden(text.nfkc)
    for piece in sql_in(seen):
        for signal in sql(piece, "").signals:
            yield _quoted(signal, text, piece, raised=True)
    for piece in shell_in(seen):
        for signal in shell(piece, "").signals:
            yield _quoted(signal, text, piece, raised=False)


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
